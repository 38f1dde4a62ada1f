//! Locomotion for one agent.

use crate::crowd::columns::{Memory, MotionSlices};
use crate::math::lanes::Lanes;
use crate::math::vec2::Vec2;
use crate::reference::agent::Agent;
use crate::species::locomotion::{Locomotion, REST_SPEED_SQ};
use crate::world::edge::at_edge;
use crate::world::topology::COORDINATE_LIMIT;

/// The state of an agent after a step.
#[derive(Clone, Copy)]
pub(crate) struct Moved {
    pub(crate) position: Vec2<f32>,
    pub(crate) velocity: Vec2<f32>,
    pub(crate) heading: Vec2<f32>,
    pub(crate) memory: Memory<f32>,
}

/// Moves an agent by one step under `force`.
pub(crate) fn advance(agent: &Agent<'_>, force: Vec2<f32>) -> Moved {
    let dt = agent.crowd.dt;
    let force = match agent.kind.species.locomotion {
        Locomotion::CarLike { throttle, brake, steering } => {
            let side = agent.heading.perp();
            let forward = force.dot(agent.heading).limited(-brake, throttle);
            let lateral = force.dot(side).limited(-steering, steering);
            side.mul_add(lateral, agent.heading * forward)
        }
        Locomotion::PointMass | Locomotion::ConstantSpeed => force,
    };
    let pushed = force.mul_add(dt / agent.mass(), agent.velocity);
    let (velocity, heading) = steered(agent, pushed);
    let moved = velocity.mul_add(dt, agent.position);
    let (position, velocity) = match agent.crowd.wraps_later {
        true => (moved, velocity),
        false => at_edge(agent.crowd.space, moved, velocity),
    };
    Moved { position, velocity, heading, memory: agent.memory }
}

fn steered(agent: &Agent<'_>, pushed: Vec2<f32>) -> (Vec2<f32>, Vec2<f32>) {
    let speed_sq = pushed.dot(pushed);
    let moves = speed_sq > REST_SPEED_SQ;
    let speed = speed_sq.sqrt();
    let inverse_speed = 1.0 / speed;
    let mut heading = if moves { pushed * inverse_speed } else { agent.heading };

    if let Some(turn) = agent.kind.turn {
        heading = turned(agent.heading, heading, turn);
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
fn turned(heading: Vec2<f32>, desired: Vec2<f32>, (sin, cos): (f32, f32)) -> Vec2<f32> {
    let (along, across) = (heading.dot(desired), heading.perp().dot(desired));
    let too_far = if cos > 0.0 { along < 0.0 || across.abs() > sin } else { along < cos };
    if !too_far {
        return desired;
    }
    let sin = if across >= 0.0 { sin } else { -sin };
    heading.mul_add(cos, heading.perp() * sin).normalized()
}

impl Moved {
    /// Whether the agent is within the coordinate limit (false for NaN as well).
    pub(crate) fn is_sound(&self) -> bool {
        self.position.x.abs() <= COORDINATE_LIMIT && self.position.y.abs() <= COORDINATE_LIMIT
    }

    /// Writes row `at` of `out`.
    pub(crate) fn store(self, out: &mut MotionSlices<'_>, at: usize) {
        (out.x[at], out.y[at]) = (self.position.x, self.position.y);
        if !out.vx.is_empty() {
            (out.vx[at], out.vy[at]) = (self.velocity.x, self.velocity.y);
        }
        (out.hx[at], out.hy[at]) = (self.heading.x, self.heading.y);
        if !out.wander_x.is_empty() {
            (out.wander_x[at], out.wander_y[at]) = (self.memory.wander.x, self.memory.wander.y);
        }
        if !out.waypoint.is_empty() {
            out.waypoint[at] = self.memory.waypoint;
        }
        if !out.alert.is_empty() {
            out.alert[at] = self.memory.alert;
        }
    }
}
