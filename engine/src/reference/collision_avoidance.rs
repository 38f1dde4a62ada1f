//! Unaligned collision avoidance for one agent.

use crate::batch::notes::What;
use crate::behaviors::collision_avoidance::{CollisionAvoidance, PARALLEL};
use crate::crowd::pose::Pose;
use crate::math::scalar::Scalar;
use crate::math::vec2::Vec2;
use crate::reference::agent::Agent;
use crate::reference::neighborhood;

#[inline(always)]
pub(crate) fn force<S: Scalar>(
    avoidance: &CollisionAvoidance,
    agent: &mut Agent<'_, S>,
) -> Vec2<S> {
    let crowd = agent.crowd;
    let own_room = agent.radius() + S::splat(avoidance.margin);
    let shared_radius = agent.kind.species.radius.max();
    let mut earliest = S::splat(avoidance.horizon);
    let mut threat = None;
    neighborhood::for_each_seen(
        agent,
        &agent.runs(),
        #[inline(always)]
        |slot, to| {
            let relative = Vec2::splat(crowd.velocity(slot)) - agent.velocity;
            let radius = crowd.traits.radius.get(slot).copied().unwrap_or(shared_radius);
            let room = own_room + S::splat(radius);
            let time = -to.dot(relative) / relative.dot(relative);
            let then = relative.mul_add(time, to);
            if time > 0.0 && time < earliest && then.dot(then) < room * room {
                earliest = time;
                threat = Some((slot, to));
            }
        },
    );
    let Some((slot, way)) = threat else { return Vec2::zero() };
    let other = Pose::splat(crowd.pose_of(slot));
    let along = agent.heading.dot(other.heading);
    let meeting = other.velocity.mul_add(earliest, way);
    agent.draw_point(What::Predicted, agent.position + meeting);
    agent.draw_circle(What::Threat, agent.position + way, own_room);
    let threat = if along < -PARALLEL {
        meeting
    } else if along > PARALLEL {
        way
    } else {
        other.velocity
    };
    let side = agent.heading.perp();
    side * if threat.dot(side) > 0.0 { -agent.max_speed } else { agent.max_speed }
}
