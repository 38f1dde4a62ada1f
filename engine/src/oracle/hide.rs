//! Hide, as specified.

use crate::behaviors::deceleration::Deceleration;
use crate::behaviors::hide::Hide;
use crate::oracle::agent::Oracle;
use crate::oracle::vector::{V, add, dot, length, norm, scale};
use crate::oracle::{arrive, evade};

pub(super) fn force(hide: &Hide, oracle: &mut Oracle<'_>) -> V {
    let hunter = oracle.target(&hide.hunter);
    let near =
        |way: &V| hide.threat_distance.is_none_or(|distance| length(*way) <= f64::from(distance));
    let threat = hunter.map(|hunter| oracle.way_to(hunter.0)).filter(near);
    if let Some(seconds) = hide.memory {
        let seen = threat.is_some_and(|way| oracle.sees(way));
        let left = (oracle.alert - f64::from(oracle.crowd.dt)).max(0.0);
        oracle.alert = if seen { f64::from(seconds) } else { left };
        if oracle.alert == 0.0 && !seen {
            return [0.0; 2];
        }
    }
    let (Some((position, velocity, heading)), Some(way)) = (hunter, threat) else {
        return [0.0; 2];
    };
    if hide.mutual && !(oracle.sees(way) && dot(way, heading) <= 0.0) {
        return [0.0; 2];
    }
    let mut best: Option<(f64, V)> = None;
    let scenery = oracle.crowd.scenery;
    for k in 0..scenery.obstacles.x.len() {
        let (center, radius) = oracle.obstacle(k);
        let to_center = oracle.way_to(center);
        let too_far = |distance| length(to_center) >= f64::from(distance) + radius;
        if hide.search_distance.is_some_and(too_far) {
            continue;
        }
        let behind = norm(oracle.displacement(position, center));
        let spot = add(center, scale(behind, radius + f64::from(hide.gap)));
        let spot = oracle.way_to(spot);
        let cost = length(spot) * (1.0 + f64::from(hide.bias) * dot(heading, behind));
        oracle.decides(best.map_or(f64::MAX, |(least, _)| least), cost);
        if best.is_none_or(|(least, _)| cost < least) {
            best = Some((cost, spot));
        }
    }
    match best {
        Some((_, spot)) => arrive::along(oracle, spot, Deceleration::Fast),
        None => evade::from(oracle, position, velocity),
    }
}
