//! Obstacle avoidance with a detection box, as specified.

use crate::behaviors::obstacle_avoidance::ObstacleAvoidance;
use crate::oracle::agent::Oracle;
use crate::oracle::vector::{V, add, dot, length, perp, scale};

pub(super) fn force(avoidance: &ObstacleAvoidance, oracle: &mut Oracle<'_>) -> V {
    let share = (length(oracle.velocity()) / oracle.max_speed()).min(1.0);
    let box_length = f64::from(avoidance.box_length) * (1.0 + share);
    let (ahead, side) = (oracle.heading(), perp(oracle.heading()));
    let mut nearest: Option<(f64, f64, f64, f64, f64)> = None;
    for k in 0..oracle.crowd.scenery.obstacles.x.len() {
        let (center, radius) = oracle.obstacle(k);
        let way = oracle.way_to(center);
        let (x, y) = (dot(way, ahead), dot(way, side));
        let expanded = radius + oracle.radius_of(oracle.slot);
        if length(way) < 1.1 * (box_length + expanded) {
            oracle.decides(length(way), box_length + radius);
            oracle.decides(y.abs(), expanded);
            oracle.decides(x + expanded, expanded);
        }
        if length(way) >= box_length + radius || x < 0.0 || y.abs() >= expanded {
            continue;
        }
        let half = (expanded * expanded - y * y).sqrt();
        let hit = if x - half > 0.0 { x - half } else { x + half };
        oracle.decides(x, half);
        oracle.decides(y + expanded, expanded);
        oracle.decides(nearest.map_or(f64::MAX, |(least, ..)| least), hit);
        if nearest.is_none_or(|(least, ..)| hit < least) {
            nearest = Some((hit, x, y, expanded, radius));
        }
    }
    let Some((_, x, y, expanded, radius)) = nearest else { return [0.0; 2] };
    let strength = 1.0 + ((box_length - x) / box_length).max(0.0);
    let sign = if y < 0.0 { 1.0 } else { -1.0 };
    let lateral = sign * (expanded - y.abs()) * strength;
    let braking = (radius - x).min(0.0) * 0.2;
    add(scale(ahead, braking), scale(side, lateral))
}
