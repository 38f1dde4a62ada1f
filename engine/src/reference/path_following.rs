//! Path following for one agent.

use crate::behaviors::deceleration::Deceleration;
use crate::behaviors::path_following::PathFollowing;
use crate::math::vec2::Vec2;
use crate::reference::agent::Agent;
use crate::reference::notes::What;
use crate::reference::{arrive, seek};

pub(crate) fn force(following: &PathFollowing, agent: &mut Agent<'_>) -> Vec2<f32> {
    let Some(route) = agent.crowd.scenery.path(&following.path) else { return Vec2::ZERO };
    let last = route.points.len() - 1;
    let mut waypoint = (agent.memory.waypoint as usize).min(last);
    let way = route.points[waypoint] - agent.position;
    if way.dot(way) < following.waypoint_distance * following.waypoint_distance {
        waypoint = match waypoint < last {
            true => waypoint + 1,
            false if route.closed => 0,
            false => last,
        };
    }
    agent.memory.waypoint = waypoint as f32;
    let point = route.points[waypoint];
    agent.draw_circle(What::Waypoint, point, following.waypoint_distance);
    let way = point - agent.position;
    if waypoint == last && !route.closed {
        arrive::along(agent, way, Deceleration::Normal)
    } else {
        seek::along(agent, way)
    }
}
