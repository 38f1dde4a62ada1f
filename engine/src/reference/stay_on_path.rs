//! Staying on a path for one agent.

use crate::behaviors::stay_on_path::StayOnPath;
use crate::math::fused::mul_add;
use crate::math::vec2::Vec2;
use crate::reference::agent::Agent;
use crate::reference::notes::What;
use crate::reference::seek;
use crate::scenery::route::Route;

pub(crate) fn force(stay: &StayOnPath, agent: &mut Agent<'_>) -> Vec2<f32> {
    let Some(route) = agent.crowd.scenery.path(&stay.path) else { return Vec2::ZERO };
    let predicted = agent.velocity.mul_add(stay.prediction, agent.position);
    let (mut nearest, mut least) = (0.0, f32::INFINITY);
    for leg in &route.legs {
        let to = predicted - leg.from;
        let along = to.dot(leg.direction);
        let along = if along > 0.0 { along } else { 0.0 };
        let along = if along < leg.length { along } else { leg.length };
        let off = to - leg.direction * along;
        let distance_sq = off.dot(off);
        if distance_sq < least {
            (least, nearest) = (distance_sq, along + leg.start);
        }
    }
    agent.draw_point(What::Predicted, predicted);
    agent.draw_circle(What::Tube, point_at(route, nearest), stay.radius);
    if least <= stay.radius * stay.radius {
        return Vec2::ZERO;
    }
    let goal = point_at(route, nearest + stay.ahead);
    agent.draw_point(What::Place, goal);
    seek::along(agent, goal - agent.position)
}

/// The point at `distance` along the path; beyond its end, the end, or around again if closed.
fn point_at(route: &Route, distance: f32) -> Vec2<f32> {
    let distance = if route.closed {
        let turns = (distance / route.length).floor();
        mul_add(turns, -route.length, distance)
    } else if distance < route.length {
        distance
    } else {
        route.length
    };
    let mut point = route.legs[0].from;
    for leg in &route.legs {
        let along = distance - leg.start;
        if along >= 0.0 {
            point = leg.direction.mul_add(along, leg.from);
        }
    }
    point
}
