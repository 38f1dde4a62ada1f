//! Staying on a path for one agent.

use crate::batch::notes::What;
use crate::behaviors::stay_on_path::StayOnPath;
use crate::math::scalar::Scalar;
use crate::math::vec2::Vec2;
use crate::reference::agent::Agent;
use crate::reference::seek;
use crate::scenery::route::Route;

#[inline(always)]
pub(crate) fn force<S: Scalar>(stay: &StayOnPath, agent: &mut Agent<'_, S>) -> Vec2<S> {
    let Some(route) = agent.crowd.scenery.path(&stay.path) else { return Vec2::zero() };
    let predicted = agent.velocity.mul_add(S::splat(stay.prediction), agent.position);
    let radius = S::splat(stay.radius);
    let (mut nearest, mut least) = (S::zero(), S::splat(f32::INFINITY));
    for leg in &route.first_legs {
        let direction = Vec2::splat(leg.direction);
        let to = predicted - Vec2::splat(leg.from);
        let along = to.dot(direction);
        let along = if along > 0.0 { along } else { S::zero() };
        let along = if along < leg.length { along } else { S::splat(leg.length) };
        let off = to - direction * along;
        let distance_sq = off.dot(off);
        if distance_sq < least {
            (least, nearest) = (distance_sq, along + S::splat(leg.start));
        }
    }
    agent.draw_point(What::Predicted, predicted);
    agent.draw_circle(What::Tube, point_at(route, nearest), radius);
    if least <= radius * radius {
        return Vec2::zero();
    }
    let goal = point_at(route, nearest + S::splat(stay.ahead));
    agent.draw_point(What::Place, goal);
    seek::along(agent, goal - agent.position)
}

/// The point at `distance` along the path; beyond its end, the end, or around again if closed.
#[inline(always)]
fn point_at<S: Scalar>(route: &Route, distance: S) -> Vec2<S> {
    let length = S::splat(route.length);
    let distance = if route.closed {
        let turns = (distance / length).floor();
        turns.mul_add(-length, distance)
    } else if distance < length {
        distance
    } else {
        length
    };
    let mut point = Vec2::splat(route.legs[0].from);
    for leg in &route.legs {
        let along = distance - S::splat(leg.start);
        if along >= 0.0 {
            point = Vec2::splat(leg.direction).mul_add(along, Vec2::splat(leg.from));
        }
    }
    point
}
