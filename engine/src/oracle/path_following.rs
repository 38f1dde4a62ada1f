//! Path following, as specified.

use crate::behaviors::deceleration::Deceleration;
use crate::behaviors::path_following::PathFollowing;
use crate::oracle::agent::Oracle;
use crate::oracle::vector::{V, length, sub};
use crate::oracle::{arrive, seek};

pub(super) fn force(following: &PathFollowing, oracle: &mut Oracle<'_>) -> V {
    let Some(route) = oracle.crowd.scenery.path(&following.path) else { return [0.0; 2] };
    let points: Vec<V> = route.points.iter().map(|p| [p.x, p.y].map(f64::from)).collect();
    let last = points.len() - 1;
    let mut waypoint = oracle.waypoint.min(last);
    let distance = length(sub(points[waypoint], oracle.position()));
    oracle.decides(distance, f64::from(following.waypoint_distance));
    if distance < f64::from(following.waypoint_distance) {
        waypoint = if waypoint < last {
            waypoint + 1
        } else if route.closed {
            0
        } else {
            last
        };
    }
    oracle.waypoint = waypoint;
    let way = sub(points[waypoint], oracle.position());
    if waypoint == last && !route.closed {
        arrive::along(oracle, way, Deceleration::Normal)
    } else {
        seek::along(oracle, way)
    }
}
