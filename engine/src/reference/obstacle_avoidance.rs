//! Obstacle avoidance with a detection box for one agent.

use crate::batch::notes::What;
use crate::behaviors::obstacle_avoidance::{BRAKING, ObstacleAvoidance};
use crate::math::scalar::Scalar;
use crate::math::vec2::Vec2;
use crate::reference::agent::Agent;

#[inline(always)]
pub(crate) fn force<S: Scalar>(avoidance: &ObstacleAvoidance, agent: &mut Agent<'_, S>) -> Vec2<S> {
    let obstacles = &agent.crowd.scenery.obstacles;
    let (ahead, side, bounding_radius) = (agent.heading, agent.heading.perp(), agent.radius());
    let least = S::splat(avoidance.box_length);
    let length = agent.speed_share().mul_add(least, least);
    agent.draw_box(What::DetectionBox, agent.position, ahead, [length, bounding_radius]);

    let mut nearest = S::splat(f32::INFINITY);
    let mut hit = None;
    agent.obstacles().for_each(
        #[inline(always)]
        |k| {
            let radius = S::splat(obstacles.radius[k]);
            let way = agent.way_to(Vec2::splat(obstacles.center(k)));
            let (x, y) = (way.dot(ahead), way.dot(side));
            let expanded = radius + bounding_radius;
            let range = length + radius;
            if way.dot(way) < range * range && x >= 0.0 && y.abs() < expanded {
                let half_chord = expanded.mul_add(expanded, -(y * y)).sqrt();
                let entry = x - half_chord;
                let intersection = if entry > 0.0 { entry } else { x + half_chord };
                if intersection < nearest {
                    nearest = intersection;
                    hit = Some((k, x, y, expanded, radius));
                }
            }
        },
    );
    let Some((k, x, y, expanded, radius)) = hit else { return Vec2::zero() };
    agent.draw_circle(What::Threat, Vec2::splat(obstacles.center(k)), radius);

    let closeness = (length - x) / length;
    let closeness = if closeness > 0.0 { closeness } else { S::zero() };
    let overlap = (expanded - y.abs()) * (S::splat(1.0) + closeness);
    let lateral = if y >= 0.0 { -overlap } else { overlap };
    let braking = radius - x;
    let braking = if braking < 0.0 { braking } else { S::zero() } * S::splat(BRAKING);
    side.mul_add(lateral, ahead * braking)
}
