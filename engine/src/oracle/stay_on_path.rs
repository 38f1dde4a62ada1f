//! Staying on a path, as specified.

use crate::behaviors::stay_on_path::StayOnPath;
use crate::oracle::agent::Oracle;
use crate::oracle::seek;
use crate::oracle::vector::{V, add, dot, length, norm, scale, sub};

pub(super) fn force(stay: &StayOnPath, oracle: &mut Oracle<'_>) -> V {
    let Some(route) = oracle.crowd.scenery.path(&stay.path) else { return [0.0; 2] };
    let mut points: Vec<V> = route.points.iter().map(|p| [p.x, p.y].map(f64::from)).collect();
    if route.closed {
        points.push(points[0]);
    }
    let predicted = add(oracle.position(), scale(oracle.velocity(), f64::from(stay.prediction)));
    let (mut least, mut nearest, mut start) = (f64::MAX, 0.0, 0.0);
    for (k, leg) in points.windows(2).enumerate() {
        let way = sub(leg[1], leg[0]);
        // Where the path returns as it came, the way there counts.
        if points[..=k].windows(2).any(|earlier| earlier == [leg[1], leg[0]]) {
            start += length(way);
            continue;
        }
        let along = (dot(sub(predicted, leg[0]), norm(way))).clamp(0.0, length(way));
        let off = length(sub(predicted, add(leg[0], scale(norm(way), along))));
        if off < least {
            (least, nearest) = (off, start + along);
        }
        start += length(way);
    }
    oracle.decides(least, f64::from(stay.radius));
    if least <= f64::from(stay.radius) {
        return [0.0; 2];
    }
    let mut left = nearest + f64::from(stay.ahead);
    left = if route.closed { left.rem_euclid(start) } else { left.min(start) };
    let mut goal = points[0];
    for leg in points.windows(2) {
        let way = sub(leg[1], leg[0]);
        goal = add(leg[0], scale(norm(way), left.min(length(way))));
        if left <= length(way) {
            break;
        }
        left -= length(way);
    }
    seek::along(oracle, sub(goal, oracle.position()))
}
