//! Hide for one agent.

use crate::batch::notes::What;
use crate::behaviors::deceleration::Deceleration;
use crate::behaviors::hide::Hide;
use crate::crowd::pose::Pose;
use crate::math::scalar::Scalar;
use crate::math::vec2::Vec2;
use crate::reference::agent::Agent;
use crate::reference::{arrive, evade};

#[inline(always)]
pub(crate) fn force<S: Scalar>(hide: &Hide, agent: &mut Agent<'_, S>) -> Vec2<S> {
    let hunter = agent.target(&hide.hunter);
    let (mut threatens, mut to_hunter) = (false, Vec2::zero());
    if let Some(hunter) = hunter {
        to_hunter = agent.way_to(hunter.position);
        let distance = S::splat(hide.threat_distance.unwrap_or(f32::INFINITY));
        threatens = to_hunter.dot(to_hunter) <= distance * distance;
    }
    let mut hides = threatens;
    if let Some(seconds) = hide.memory {
        let seen = threatens && sees(agent, to_hunter);
        let left = agent.memory.alert - S::splat(agent.crowd.dt);
        let left = if left > 0.0 { left } else { S::zero() };
        agent.memory.alert = if seen { S::splat(seconds) } else { left };
        hides &= seen || agent.memory.alert > 0.0;
    }
    let (Some(hunter), true) = (hunter, hides) else { return Vec2::zero() };
    if hide.mutual {
        let seen_by_hunter = (-to_hunter).dot(hunter.heading) >= 0.0;
        if !(sees(agent, to_hunter) && seen_by_hunter) {
            return Vec2::zero();
        }
    }
    match nearest_spot(hide, agent, &hunter) {
        Some(way) => {
            agent.draw_point(What::HidingPlace, agent.position + way);
            arrive::along(agent, way, Deceleration::Fast)
        }
        None => evade::from(agent, hunter.position, hunter.velocity),
    }
}

/// The way to the best hiding spot.
#[inline(always)]
fn nearest_spot<S: Scalar>(
    hide: &Hide,
    agent: &mut Agent<'_, S>,
    hunter: &Pose<S>,
) -> Option<Vec2<S>> {
    let obstacles = &agent.crowd.scenery.obstacles;
    let mut best = None;
    let mut least = S::splat(f32::INFINITY);
    let near = match hide.search_distance {
        Some(_) => agent.obstacles(),
        None => agent.all_obstacles(),
    };
    near.for_each(
        #[inline(always)]
        |k| {
            let center = Vec2::splat(obstacles.center(k));
            let behind = agent.crowd.space.displacement(hunter.position, center).normalized();
            let way = agent.way_to(center);
            let room = S::splat(obstacles.radius[k] + hide.gap);
            let spot = agent.crowd.space.shortest(behind.mul_add(room, way));
            let ahead = hunter.heading.dot(behind).mul_add(S::splat(hide.bias), S::splat(1.0));
            let cost = spot.dot(spot) * (ahead * ahead);
            if let Some(distance) = hide.search_distance {
                let range = distance + obstacles.radius[k];
                if way.dot(way) >= range * range {
                    return;
                }
            }
            agent.draw_point(What::HidingSpot, agent.position + spot);
            if cost < least {
                (best, least) = (Some(spot), cost);
            }
        },
    );
    best
}

/// Whether the agent sees what is at the end of `way`.
#[inline(always)]
fn sees<S: Scalar>(agent: &Agent<'_, S>, way: Vec2<S>) -> bool {
    let view = agent.kind.species.view_distance;
    let distance_sq = way.dot(way);
    let in_field = || match agent.kind.view_cos_signed_sq {
        Some(view_cos) => {
            let ahead = agent.heading.dot(way);
            ahead * ahead.abs() >= S::splat(view_cos) * distance_sq
        }
        None => true,
    };
    distance_sq < view * view && in_field()
}
