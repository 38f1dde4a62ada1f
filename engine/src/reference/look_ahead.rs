//! Obstacle avoidance with a look-ahead line for one agent.

use crate::behaviors::look_ahead::LookAhead;
use crate::math::vec2::Vec2;
use crate::reference::agent::Agent;
use crate::reference::notes::What;

pub(crate) fn force(look: &LookAhead, agent: &mut Agent<'_>) -> Vec2<f32> {
    let obstacles = &agent.crowd.scenery.obstacles;
    let length = agent.speed_share() * look.max_see_ahead;
    let ahead = agent.velocity.normalized() * length;
    let halfway = ahead * 0.5;
    agent.draw_line(What::Feeler, agent.position, agent.position + ahead);

    let mut nearest = f32::INFINITY;
    let mut hit = None;
    for k in agent.obstacles() {
        let radius = obstacles.radius[k];
        let way = agent.way_to(Vec2::new(obstacles.x[k], obstacles.y[k]));
        let (from_end, from_middle) = (way - ahead, way - halfway);
        let radius_sq = radius * radius;
        let distance_sq = way.dot(way);
        let touches = distance_sq <= radius_sq
            || from_middle.dot(from_middle) <= radius_sq
            || from_end.dot(from_end) <= radius_sq;
        if touches && distance_sq < nearest {
            nearest = distance_sq;
            hit = Some((k, way));
        }
    }
    let Some((k, way)) = hit else { return Vec2::ZERO };
    let center = Vec2::new(obstacles.x[k], obstacles.y[k]);
    agent.draw_circle(What::Threat, center, obstacles.radius[k]);
    (ahead - way).normalized() * look.max_avoid_force
}
