//! Path following for one agent.

use crate::batch::notes::What;
use crate::behaviors::deceleration::Deceleration;
use crate::behaviors::path_following::PathFollowing;
use crate::math::scalar::Scalar;
use crate::math::vec2::Vec2;
use crate::reference::agent::Agent;
use crate::reference::{arrive, seek};

#[inline(always)]
pub(crate) fn force<S: Scalar>(following: &PathFollowing, agent: &mut Agent<'_, S>) -> Vec2<S> {
    let Some(route) = agent.crowd.scenery.path(&following.path) else { return Vec2::zero() };
    let last = route.points.len() - 1;
    let mut waypoint = (agent.memory.waypoint.get() as usize).min(last);
    let reach = S::splat(following.waypoint_distance);
    let way = Vec2::splat(route.points[waypoint]) - agent.position;
    if way.dot(way) < reach * reach {
        waypoint = match waypoint < last {
            true => waypoint + 1,
            false if route.closed => 0,
            false => last,
        };
    }
    agent.memory.waypoint = S::splat(waypoint as f32);
    let point = Vec2::splat(route.points[waypoint]);
    agent.draw_circle(What::Waypoint, point, reach);
    let way = point - agent.position;
    if waypoint == last && !route.closed {
        arrive::along(agent, way, Deceleration::Normal)
    } else {
        seek::along(agent, way)
    }
}
