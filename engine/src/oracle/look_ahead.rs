//! Obstacle avoidance with a look-ahead line, as specified.

use crate::behaviors::look_ahead::LookAhead;
use crate::oracle::agent::Oracle;
use crate::oracle::vector::{V, length, norm, scale, sub};

pub(super) fn force(look: &LookAhead, oracle: &mut Oracle<'_>) -> V {
    let share = (length(oracle.velocity()) / oracle.max_speed()).min(1.0);
    let ahead = scale(norm(oracle.velocity()), share * f64::from(look.max_see_ahead));
    let mut nearest: Option<(f64, V)> = None;
    for k in 0..oracle.crowd.scenery.obstacles.x.len() {
        let (center, radius) = oracle.obstacle(k);
        let way = oracle.way_to(center);
        let mut touches = false;
        for fraction in [0.0, 0.5, 1.0] {
            let distance = length(sub(way, scale(ahead, fraction)));
            oracle.decides(distance, radius);
            touches |= distance <= radius;
        }
        if touches {
            oracle.decides(nearest.map_or(f64::MAX, |(least, _)| least), length(way));
        }
        if touches && nearest.is_none_or(|(least, _)| length(way) < least) {
            nearest = Some((length(way), way));
        }
    }
    nearest
        .map_or([0.0; 2], |(_, way)| scale(norm(sub(ahead, way)), f64::from(look.max_avoid_force)))
}
