//! Locomotion, one agent.

use crate::columns::{Memory, MotionSlices};
use crate::kernels::locomotion::REST_SPEED_SQ;
use crate::reference::Agent;
use crate::species::Locomotion;
use crate::vec2::Vec2;
use crate::world::{COORDINATE_LIMIT, Space, Topology};

/// Where an agent goes.
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
            let forward = limited(force.dot(agent.heading), -brake, throttle);
            let lateral = limited(force.dot(side), -steering, steering);
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

fn limited(value: f32, min: f32, max: f32) -> f32 {
    let value = if value < max { value } else { max };
    if value > min { value } else { min }
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

/// `wanted`, or the furthest that `heading` may turn towards it.
fn turned(heading: Vec2<f32>, wanted: Vec2<f32>, (sin, cos): (f32, f32)) -> Vec2<f32> {
    let (along, across) = (heading.dot(wanted), heading.perp().dot(wanted));
    let too_far = if cos > 0.0 { along < 0.0 || across.abs() > sin } else { along < cos };
    if !too_far {
        return wanted;
    }
    let sin = if across >= 0.0 { sin } else { -sin };
    heading.mul_add(cos, heading.perp() * sin).normalized()
}

/// Where an agent that was pushed is in the world, however far the push was.
pub(crate) fn inside(space: &Space, position: Vec2<f32>) -> Vec2<f32> {
    let whole_turns = |x: f32, size: f32| wrapped((x / size).floor().mul_add(-size, x), size);
    let Vec2 { x, y } = position;
    match space.topology {
        Topology::Torus => Vec2::new(whole_turns(x, space.size.x), whole_turns(y, space.size.y)),
        Topology::Bounded => at_edge(space, position, Vec2::ZERO).0,
        Topology::Open => Vec2::new(
            limited(x, -COORDINATE_LIMIT, COORDINATE_LIMIT),
            limited(y, -COORDINATE_LIMIT, COORDINATE_LIMIT),
        ),
    }
}

fn at_edge(space: &Space, position: Vec2<f32>, velocity: Vec2<f32>) -> (Vec2<f32>, Vec2<f32>) {
    let size = space.size;
    match space.topology {
        Topology::Open => (position, velocity),
        Topology::Torus => {
            (Vec2::new(wrapped(position.x, size.x), wrapped(position.y, size.y)), velocity)
        }
        Topology::Bounded => {
            let (x, vx) = stopped(position.x, velocity.x, size.x);
            let (y, vy) = stopped(position.y, velocity.y, size.y);
            (Vec2::new(x, y), Vec2::new(vx, vy))
        }
    }
}

/// A coordinate in [0, size); the overshoot is kept.
pub(crate) fn wrapped(x: f32, size: f32) -> f32 {
    let x = if x < 0.0 { x + size } else { x };
    let x = if x >= size { x - size } else { x };
    if x >= size { 0.0 } else { x }
}

/// A coordinate kept in [0, size]; the velocity beyond an edge is lost.
fn stopped(x: f32, v: f32, size: f32) -> (f32, f32) {
    if x < 0.0 {
        (0.0, 0.0)
    } else if x > size {
        (size, 0.0)
    } else {
        (x, v)
    }
}

impl Moved {
    /// Whether the agent is where positions mean something (false for NaN as well).
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
