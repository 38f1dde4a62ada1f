//! The oracle: the specification (`docs/model.md`) in `f64`, for one agent, which it tests
//! against every other, with no cleverness.
//!
//! It shares the crowd's columns and the list of its scenery with the kernels and their twins, but
//! nothing that is worked out from them: no sweep, no grid, no fused operations, random numbers and
//! the flow between cells from their definitions, displacements by the textbook minimum image. Bit
//! equality between kernel and twin shows that they agree; agreement with the oracle shows that they
//! are right.

use crate::crowd::Crowd;

mod agent;
mod alignment;
mod arrive;
mod behavior;
mod cohesion;
mod collision_avoidance;
mod combine;
mod containment;
mod evade;
mod flee;
mod flock_rules;
mod flow_following;
mod hide;
mod interpose;
mod leader_following;
mod look_ahead;
mod non_penetration;
mod obstacle_avoidance;
mod offset_pursuit;
mod path_following;
mod pursuit;
mod random;
mod seek;
mod separation;
mod stay_on_path;
pub(crate) mod step;
mod vector;
mod velocity_matching;
mod wall_avoidance;
mod wander;

use agent::Oracle;
use step::{OracleStep, steer_and_move};

/// The step of the agent in `slot`, at the end of which all agents are pushed apart `passes` times.
pub(crate) fn whole_step(crowd: &Crowd<'_>, slot: usize, passes: u32) -> OracleStep {
    if passes == 0 {
        return steer_and_move(&mut Oracle::new(crowd, slot));
    }
    let mut agents: Vec<_> = (0..crowd.len()).map(|slot| Oracle::new(crowd, slot)).collect();
    let mut steps: Vec<_> = agents.iter_mut().map(steer_and_move).collect();
    non_penetration::push_apart(&agents, &mut steps, passes);
    steps[slot]
}
