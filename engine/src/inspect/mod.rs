//! Inspects a crowd: neighbors, density, cells, forces, and the reference's step.

use crate::batch::Batch;
use crate::batch::scratch::{Candidates, Scratch};
use crate::behaviors::Behavior;
use crate::crowd::Crowd;
use crate::error::Error;
use crate::grid::cells::Cells;
use crate::grid::runs::Runs;
use crate::id::AgentId;
use crate::math::fixed;
use crate::math::lanes::{Lanes, MAX_WIDTH};
use crate::math::width::with_lanes;
use crate::reference::step::{ReferenceStep, whole_step};
use crate::simulation::Simulation;
use crate::steering::{batches, combine};

pub(crate) mod explain;
mod forces;

/// How many neighbors agents have, and how much work it is to find them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Census {
    /// The mean number of neighbors per agent.
    pub mean_neighbors: f64,
    /// The largest number of neighbors of any agent.
    pub max_neighbors: u32,
    /// Pairs tested per agent: for the kernels, candidates times lanes.
    pub pairs_per_agent: f64,
}

impl Simulation {
    /// The agents that an agent sees, in the order in which its behaviors add them up.
    ///
    /// # Errors
    /// [`Error::NoSuchAgent`] if the agent was removed.
    pub fn neighbors(&mut self, id: AgentId) -> Result<Vec<AgentId>, Error> {
        let slot = self.sorted_slot(id)?;
        let crowd = self.sorted_crowd();
        let (candidates, mut scratch) = (Candidates::default(), Scratch::<f32>::new());
        let mut ids = Vec::new();
        Batch::one(&crowd, slot, &candidates, &mut scratch).for_each_neighbor(|neighbor| {
            if neighbor.seen.any() {
                ids.push(self.ids.id(crowd.traits.index[neighbor.slot]));
            }
        });
        Ok(ids)
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
        let tested = with_lanes!((self.instructions, self.method), L => {
            count_neighbors::<L>(&crowd, note);
            pairs_tested(&crowd, L::WIDTH)
        });
        let agents = self.len().max(1) as f64;
        Census {
            mean_neighbors: sum as f64 / agents,
            max_neighbors,
            pairs_per_agent: tested as f64 / agents,
        }
    }

    /// All cells, for the current parameters and number of agents. In an open world these are the
    /// block of cells at the origin, whose cell numbers all other blocks share.
    pub fn cells(&mut self) -> Cells {
        self.sort();
        self.grid.all()
    }

    /// How aligned the crowd is: the length of its mean heading, from 0 to 1.
    #[must_use]
    pub fn alignment_order(&self) -> f64 {
        fixed::order(fixed::total([&self.motion.hx, &self.motion.hy]), self.len())
    }

    /// An agent's next step as the scalar `f64` reference computes it, from force to position. O(n), with
    /// non-penetration O(n²); for checking, not for stepping.
    ///
    /// # Errors
    /// [`Error::NoSuchAgent`] if the agent was removed; [`Error::OutOfRange`] if the scene has a
    /// behavior of another crate, which has no reference.
    pub fn reference_step(&mut self, id: AgentId) -> Result<ReferenceStep, Error> {
        let slot = self.sorted_slot(id)?;
        let mut behaviors = self.scene.species.iter().flat_map(|species| &species.behaviors);
        if let Some(outside) = behaviors.find(|one| matches!(one, Behavior::Outside(_))) {
            return Err(Error::refused("behavior", outside.name(), "one that has a reference"));
        }
        let crowd = self.sorted_crowd();
        Ok(whole_step(&crowd, &self.scene.species, slot, self.scene.non_penetration))
    }
}

/// Calls `note` with each agent's number of neighbors.
fn count_neighbors<L: Lanes>(crowd: &Crowd<'_>, mut note: impl FnMut(u32)) {
    combine::for_each_group::<L>(
        crowd,
        0..crowd.len(),
        #[inline(always)]
        |_, batches| {
            for batch in batches {
                let (members, mut counts) = (batch.members, [0.0; MAX_WIDTH]);
                if members.any() {
                    let none = -L::splat(1.0);
                    let count = members.select(batch.neighborhood().count, none);
                    count.store(&mut counts[..L::WIDTH]);
                    let counts = counts[..L::WIDTH].iter().filter(|&&n| n >= 0.0);
                    counts.for_each(|&n| note(n as u32));
                }
            }
        },
    );
}

/// How many pairs batches of `width` agents test: every candidate against every lane.
fn pairs_tested(crowd: &Crowd<'_>, width: usize) -> u64 {
    let mut runs = Runs::default();
    let candidates = batches(0..crowd.len(), width).map(|slots| {
        crowd.find_candidates::<f32>(slots, &mut runs);
        runs.candidates() as u64
    });
    candidates.sum::<u64>() * width as u64
}
