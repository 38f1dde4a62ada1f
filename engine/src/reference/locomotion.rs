//! Locomotion for one agent.

use crate::crowd::columns::{Memory, MotionSlices};
use crate::crowd::pose::Pose;
use crate::math::scalar::Scalar;
use crate::math::vec2::Vec2;
use crate::reference::agent::Agent;
use crate::species::locomotion::{Locomotion, REST_SPEED_SQ};
use crate::world::edge::at_edge;

/// The state of an agent after a step.
#[derive(Clone, Copy)]
pub(crate) struct Moved<S> {
    pub(crate) position: Vec2<S>,
    pub(crate) velocity: Vec2<S>,
    pub(crate) heading: Vec2<S>,
    pub(crate) memory: Memory<S>,
}

/// Moves an agent by one step under `force`.
#[inline(always)]
pub(crate) fn advance<S: Scalar>(agent: &Agent<'_, S>, force: Vec2<S>) -> Moved<S> {
    // Not from the agent, to which coordinates were just written one by one: reading both at once
    // would wait for that.
    let Pose { position, velocity, heading } = Pose::splat(agent.crowd.pose_of(agent.slot));
    let dt = S::splat(agent.crowd.dt);
    let force = match agent.kind.species.locomotion {
        Locomotion::CarLike { throttle, brake, steering } => {
            let side = heading.perp();
            let forward = force.dot(heading).limited(-brake, throttle);
            let lateral = force.dot(side).limited(-steering, steering);
            side.mul_add(lateral, heading * forward)
        }
        Locomotion::PointMass | Locomotion::ConstantSpeed => force,
    };
    let pushed = force.mul_add(dt / agent.mass(), velocity);
    let (velocity, heading) = steered(agent, heading, pushed);
    let moved = velocity.mul_add(dt, position);
    let (position, velocity) = match agent.crowd.wraps_later {
        true => (moved, velocity),
        false => at_edge(agent.crowd.space, moved, velocity),
    };
    Moved { position, velocity, heading, memory: agent.memory }
}

/// The new velocity and heading: `before` is the old heading, `pushed` the new velocity if nothing
/// limits it.
#[inline(always)]
fn steered<S: Scalar>(
    agent: &Agent<'_, S>,
    before: Vec2<S>,
    pushed: Vec2<S>,
) -> (Vec2<S>, Vec2<S>) {
    let speed_sq = pushed.dot(pushed);
    let moves = speed_sq > REST_SPEED_SQ;
    let speed = speed_sq.sqrt();
    let inverse_speed = S::splat(1.0) / speed;
    let mut heading = if moves { pushed * inverse_speed } else { before };

    if let Some((sin, cos)) = agent.kind.turn {
        heading = turned(before, heading, (S::splat(sin), S::splat(cos)));
    }
    let velocity = if agent.kind.species.locomotion == Locomotion::ConstantSpeed {
        heading * agent.max_speed
    } else if agent.kind.turn.is_some() {
        let capped = if speed > agent.max_speed { agent.max_speed } else { speed };
        if moves { heading * capped } else { pushed }
    } else if speed > agent.max_speed {
        pushed * (agent.max_speed * inverse_speed)
    } else {
        pushed
    };
    (velocity, heading)
}

/// `desired`, or `heading` turned as far towards it as the limit allows.
#[inline(always)]
fn turned<S: Scalar>(heading: Vec2<S>, desired: Vec2<S>, (sin, cos): (S, S)) -> Vec2<S> {
    let (along, across) = (heading.dot(desired), heading.perp().dot(desired));
    let too_far = if cos > 0.0 { along < 0.0 || across.abs() > sin } else { along < cos };
    if !too_far {
        return desired;
    }
    let sin = if across >= 0.0 { sin } else { -sin };
    heading.mul_add(cos, heading.perp() * sin).normalized()
}

impl<S: Scalar> Moved<S> {
    /// Whether the agent is within the coordinate limit (false for NaN as well).
    pub(crate) fn is_sound(&self, limit: f32) -> bool {
        self.position.x.abs() <= limit && self.position.y.abs() <= limit
    }

    /// Writes row `at` of `out`.
    pub(crate) fn store(self, out: &mut MotionSlices<'_>, at: usize) {
        [out.x[at], out.y[at]] = self.position.into();
        if !out.vx.is_empty() {
            [out.vx[at], out.vy[at]] = self.velocity.into();
        }
        [out.hx[at], out.hy[at]] = self.heading.into();
        if !out.wander_x.is_empty() {
            [out.wander_x[at], out.wander_y[at]] = self.memory.wander.into();
        }
        if !out.waypoint.is_empty() {
            out.waypoint[at] = self.memory.waypoint.get();
        }
        if !out.alert.is_empty() {
            out.alert[at] = self.memory.alert.get();
        }
    }
}
