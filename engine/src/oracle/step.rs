//! The step of one agent, as specified.

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
    /// The number of neighbors the agent saw.
    pub neighbors: usize,
    /// The smallest relative difference in any comparison on which the result depends: whether an
    /// agent is in view, whether an obstacle is in the way, which one is nearest. Below a few
    /// f32 roundings, engine and oracle may disagree without an error in either.
    pub margin: f64,
}

/// The step of this agent.
pub(crate) fn step(mut oracle: Oracle<'_>) -> OracleStep {
    let force = combine::force(&mut oracle);
    let dt = f64::from(oracle.crowd.dt);
    let mass = f64::from(value::<f32>(&oracle.crowd.traits.mass, oracle.slot, oracle.species.mass));
    let pushed = add(oracle.velocity(), scale(driven(&oracle, force), dt / mass));
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
    let mut position = add(oracle.position(), scale(velocity, dt));
    let size = oracle.crowd.space.size;
    for (axis, size) in [f64::from(size.x), f64::from(size.y)].into_iter().enumerate() {
        match oracle.crowd.space.topology {
            Topology::Open => {}
            Topology::Torus => position[axis] = position[axis].rem_euclid(size),
            Topology::Bounded => {
                if !(0.0..=size).contains(&position[axis]) {
                    position[axis] = position[axis].clamp(0.0, size);
                    velocity[axis] = 0.0;
                }
            }
        }
    }
    OracleStep {
        force,
        position,
        velocity,
        heading,
        neighbors: oracle.neighbors.len(),
        margin: oracle.margin,
    }
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
