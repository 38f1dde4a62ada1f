//! Explains an agent's next step: the force of each behavior and what it was computed from, for
//! drawing.
//!
//! The kernels compute it, with one lane and notes open, in the same bits as in a step.

use crate::batch::notes::Contribution;
use crate::behaviors::Behavior;
use crate::crowd::Partition;
use crate::error::Error;
use crate::grid::cells::Cells;
use crate::id::AgentId;
use crate::simulation::Simulation;
use crate::steering::combine;

/// Why an agent will move as it does in the next step.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// The combined steering force.
    pub force: [f32; 2],
    /// What each behavior contributed, in order of evaluation.
    pub contributions: Vec<Contribution>,
    /// The behaviors that were not evaluated, because the force budget was spent or because of
    /// dithering: their numbers in the species' list, from 0, and their names.
    pub unreached: Vec<(usize, &'static str)>,
    /// The agents that it sees.
    pub neighbors: Vec<AgentId>,
    /// How far it looks for neighbors, in world units.
    pub view_distance: f32,
    /// The low and the high corner of the AABB of all that it may see: its view distance to each
    /// side, plus the largest bounding radius if its species has `view_includes_radius`.
    pub query: [[f32; 2]; 2],
    /// The cells in which it looks for neighbors: those that the AABB meets, and sometimes one more
    /// because of rounding; none with [`Partition::AllPairs`].
    pub cells: Option<Cells>,
}

impl Simulation {
    /// Explains an agent's next step.
    ///
    /// # Errors
    /// [`Error::NoSuchAgent`] if the agent was removed.
    pub fn explain(&mut self, id: AgentId) -> Result<Explanation, Error> {
        let neighbors = self.neighbors(id)?;
        let slot = self.sorted_slot(id)?;
        let crowd = self.sorted_crowd();
        let species = &self.scene.species;
        let (force, contributions) = combine::explained(&crowd, species, slot);
        let number = crowd.species_of(slot);
        let (at, shared) = (crowd.pose_of(slot).position, &crowd.species[number]);
        let range = shared.search_radius;
        let names = species[number].behaviors.iter().map(Behavior::name);
        Ok(Explanation {
            force: [force.x, force.y],
            neighbors,
            view_distance: shared.view,
            query: [[at.x - range, at.y - range], [at.x + range, at.y + range]],
            cells: (crowd.partition != Partition::AllPairs).then(|| crowd.grid.around(at, range)),
            unreached: unreached(names, &contributions),
            contributions,
        })
    }
}

/// The behaviors that are not among the contributions.
fn unreached(
    names: impl Iterator<Item = &'static str>,
    contributions: &[Contribution],
) -> Vec<(usize, &'static str)> {
    let reached = |number: usize| contributions.iter().any(|one| one.number == number);
    names.enumerate().filter(|(number, _)| !reached(*number)).collect()
}
