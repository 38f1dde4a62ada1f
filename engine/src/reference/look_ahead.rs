//! Obstacle avoidance with a look-ahead line for one agent.

use crate::batch::notes::What;
use crate::behaviors::look_ahead::LookAhead;
use crate::math::scalar::Scalar;
use crate::math::vec2::Vec2;
use crate::reference::agent::Agent;

#[inline(always)]
pub(crate) fn force<S: Scalar>(look: &LookAhead, agent: &mut Agent<'_, S>) -> Vec2<S> {
    let obstacles = &agent.crowd.scenery.obstacles;
    let length = agent.speed_share() * S::splat(look.max_see_ahead);
    let ahead = agent.velocity.normalized() * length;
    let halfway = ahead * S::splat(0.5);
    agent.draw_line(What::Feeler, agent.position, agent.position + ahead);

    let mut nearest = S::splat(f32::INFINITY);
    let mut hit = None;
    agent.obstacles().for_each(
        #[inline(always)]
        |k| {
            let radius = S::splat(obstacles.radius[k]);
            let way = agent.way_to(Vec2::splat(obstacles.center(k)));
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
        },
    );
    let Some((k, way)) = hit else { return Vec2::zero() };
    let center = Vec2::splat(obstacles.center(k));
    agent.draw_circle(What::Threat, center, S::splat(obstacles.radius[k]));
    (ahead - way).normalized() * S::splat(look.max_avoid_force)
}
