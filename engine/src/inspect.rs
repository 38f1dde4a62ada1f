//! Looking at a crowd: who sees whom, how crowded it is, what the oracle says.

use std::cell::RefCell;

use wide::{f32x4, f32x8, f32x16};

use crate::error::Error;
use crate::method::{LaneWidth, Method};
use crate::reference::Agent;
use crate::reference::neighborhood::sees;
use crate::reference::oracle::{Oracle, OracleStep};
use crate::roster::AgentId;
use crate::simulation::Simulation;
use crate::step::{count_neighbors, count_neighbors_scalar};
use crate::vec2::Vec2;

/// How crowded the crowd is, and how much work finding neighbors is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Census {
    /// Neighbors per agent.
    pub mean_neighbors: f64,
    /// The most neighbors any agent has.
    pub max_neighbors: u32,
    /// Pairs tested per agent: for the kernels, candidates times lanes.
    pub pairs_per_agent: f64,
}

impl Simulation {
    /// The agents that an agent sees, in the order in which it adds them up.
    ///
    /// # Errors
    /// [`Error::NoSuchAgent`] if it was removed.
    pub fn neighbors(&mut self, id: AgentId) -> Result<Vec<AgentId>, Error> {
        let slot = self.sorted_slot(id)?;
        let crowd = self.sorted_crowd();
        let runs = RefCell::default();
        let agent = Agent::new(&crowd, slot, &runs);
        let runs = agent.runs();
        let slots = runs.list.iter().flat_map(|run| run.start as usize..run.end as usize);
        let seen = slots.filter(|&other| {
            let to = Vec2::new(crowd.motion.x[other], crowd.motion.y[other]);
            let to = self.space.scalar_displacement(agent.position, to);
            other != slot && sees(&agent, other, to)
        });
        Ok(seen.map(|other| self.roster.id(crowd.traits.index[other])).collect())
    }

    /// Counts neighbors and tested pairs; as much work as a step.
    pub fn census(&mut self) -> Census {
        self.sort();
        let crowd = self.sorted_crowd();
        let (mut sum, mut max_neighbors) = (0_u64, 0_u32);
        let note = |neighbors: u32| {
            sum += u64::from(neighbors);
            max_neighbors = max_neighbors.max(neighbors);
        };
        let tested = match self.method {
            Method::Kernels(LaneWidth::Sixteen) => count_neighbors::<f32x16>(&crowd, note),
            Method::Kernels(LaneWidth::Eight) => count_neighbors::<f32x8>(&crowd, note),
            Method::Kernels(LaneWidth::Four) => count_neighbors::<f32x4>(&crowd, note),
            Method::Reference => count_neighbors_scalar(&crowd, note),
        };
        let agents = self.len().max(1) as f64;
        Census {
            mean_neighbors: sum as f64 / agents,
            max_neighbors,
            pairs_per_agent: tested as f64 / agents,
        }
    }

    /// How well the crowd is aligned: the length of its mean heading, from 0 to 1.
    #[must_use]
    pub fn alignment_order(&self) -> f64 {
        let mean = |column: &[f32]| {
            column.iter().copied().map(f64::from).sum::<f64>() / column.len().max(1) as f64
        };
        mean(&self.motion.hx).hypot(mean(&self.motion.hy))
    }

    /// What the `f64` oracle says an agent will do in the next step, from its force to its
    /// position. O(n); for checking, not for stepping.
    ///
    /// # Errors
    /// [`Error::NoSuchAgent`] if it was removed.
    pub fn oracle_step(&mut self, id: AgentId) -> Result<OracleStep, Error> {
        let slot = self.sorted_slot(id)?;
        Ok(Oracle::new(&self.sorted_crowd(), slot).step())
    }

    /// Where an agent is in the sorted copy of the crowd: somewhere in its cell.
    pub(crate) fn sorted_slot(&mut self, id: AgentId) -> Result<usize, Error> {
        let slot = self.slot_of(id)?;
        self.aim();
        self.sort();
        let slots = self.grid.slots_at(self.motion.x[slot], self.motion.y[slot]);
        let mut candidates = slots.clone().zip(&self.traits_next.index[slots]);
        let found = candidates.find(|(_, index)| **index == id.index);
        Ok(found.expect("the sort puts every agent into its cell").0)
    }
}
