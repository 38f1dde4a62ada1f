//! The step of one agent, as specified.

use crate::crowd::Crowd;
use crate::crowd::columns::value;
use crate::oracle::agent::Oracle;
use crate::oracle::combine;
use crate::oracle::vector::{V, add, dot, length, norm, perp, scale, truncate, turn};
use crate::species::locomotion::Locomotion;
use crate::world::topology::Topology;

/// The result of one step of an agent, in `f64`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OracleStep {
    /// The combined steering force.
    pub force: [f64; 2],
    /// Position after the step, in world units.
    pub position: [f64; 2],
    /// Velocity after the step, in units/s.
    pub velocity: [f64; 2],
    /// Unit heading after the step.
    pub heading: [f64; 2],
    /// The wander target that it remembers afterwards, in its own frame; 0 without wander.
    pub wander: [f64; 2],
    /// The number of the waypoint that it remembers afterwards; 0 without path following.
    pub waypoint: usize,
    /// For how many seconds it will remember a hunter that is out of sight; 0 without such memory.
    pub alert: f64,
    /// The number of neighbors the agent saw.
    pub neighbors: usize,
    /// The smallest relative difference in any comparison on which the result depends: whether an
    /// agent is in view, whether an obstacle is in the way, which one is nearest. Below a few
    /// f32 roundings, engine and oracle may disagree without an error in either.
    pub margin: f64,
}

/// The step of this agent, but for non-penetration.
pub(super) fn steer_and_move(oracle: &mut Oracle<'_>) -> OracleStep {
    let force = combine::force(oracle);
    let dt = f64::from(oracle.crowd.dt);
    let mass = f64::from(value::<f32>(&oracle.crowd.traits.mass, oracle.slot, oracle.species.mass));
    let pushed = add(oracle.velocity(), scale(driven(oracle, force), dt / mass));
    let mut velocity = truncate(pushed, oracle.max_speed());
    let mut heading = if dot(pushed, pushed) > 1.0e-8 { norm(pushed) } else { oracle.heading() };
    if let Some(rate) = oracle.species.max_turn_rate {
        heading = turn(oracle.heading(), heading, f64::from(rate) * dt);
        if dot(pushed, pushed) > 1.0e-8 {
            velocity = scale(heading, length(velocity));
        }
    }
    if oracle.species.locomotion == Locomotion::ConstantSpeed {
        velocity = scale(heading, oracle.max_speed());
    }
    let moved = add(oracle.position(), scale(velocity, dt));
    let position = inside(oracle.crowd, moved);
    if oracle.crowd.space.topology == Topology::Bounded {
        for axis in 0..2 {
            if position[axis] != moved[axis] {
                velocity[axis] = 0.0;
            }
        }
    }
    OracleStep {
        force,
        position,
        velocity,
        heading,
        wander: oracle.wander,
        waypoint: oracle.waypoint,
        alert: oracle.alert,
        neighbors: oracle.neighbors.len(),
        margin: oracle.margin,
    }
}

/// Where an agent at `position` is once the edge of the world has acted.
pub(super) fn inside(crowd: &Crowd<'_>, position: V) -> V {
    let size = [crowd.space.size.x, crowd.space.size.y].map(f64::from);
    [0, 1].map(|axis| match crowd.space.topology {
        Topology::Open => position[axis],
        Topology::Torus => position[axis].rem_euclid(size[axis]),
        Topology::Bounded => position[axis].clamp(0.0, size[axis]),
    })
}

/// The force within the limits of the locomotion.
fn driven(oracle: &Oracle<'_>, force: V) -> V {
    let Locomotion::CarLike { throttle, brake, steering } = oracle.species.locomotion else {
        return force;
    };
    let [throttle, brake, steering] = [throttle, brake, steering].map(f64::from);
    let side = perp(oracle.heading());
    let forward = dot(force, oracle.heading()).clamp(-brake, throttle);
    let lateral = dot(force, side).clamp(-steering, steering);
    add(scale(oracle.heading(), forward), scale(side, lateral))
}
