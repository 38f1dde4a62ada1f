//! The sorted copy of a crowd: what steps and inspections read.

use crate::error::Error;
use crate::id::AgentId;
use crate::simulation::Simulation;

impl Simulation {
    /// Sorts the present crowd into the other copy of the columns, unless it is there already.
    /// The state itself stays as it is, so that looking at a crowd, which sorts it too, does
    /// not change what follows.
    pub(crate) fn sort(&mut self) {
        if self.sorted {
            return;
        }
        let view = self.kinds.iter().map(|kind| kind.search_radius).fold(0.0, f32::max);
        let view = view.max(self.contact_distance());
        self.grid.lay_out(&self.space, self.len(), view, self.scene.cell_size);
        let workers = self.workers.for_crowd(self.len());
        self.sorter.sort(
            &workers,
            &mut self.grid,
            (&self.motion, &mut self.motion_next),
            (&self.traits, &mut self.traits_next),
        );
        self.tail.fill(&self.motion_next, &self.traits_next);
        self.index_slots();
        self.sorted = true;
    }

    /// Where an agent is in the sorted copy of the crowd: somewhere in its cell.
    pub(crate) fn sorted_slot(&mut self, id: AgentId) -> Result<usize, Error> {
        let slot = self.slot_of(id)?;
        self.update_shared_targets();
        self.sort();
        let slots = self.grid.slots_at(self.motion.x[slot], self.motion.y[slot]);
        let mut candidates = slots.clone().zip(&self.traits_next.index[slots]);
        let found = candidates.find(|(_, index)| **index == id.index);
        Ok(found.expect("the sort puts every agent into its cell").0)
    }

    /// The largest distance, when the grid is filled, between two agents of which one may push the
    /// other in this step; 0 without non-penetration.
    fn contact_distance(&self) -> f32 {
        let largest = self.scene.largest_radius();
        let last = self.scene.non_penetration.checked_sub(1);
        last.map_or(0.0, |last| contact_distance(largest, largest, self.pushed_before(last)))
    }

    /// How far an agent may be from where it was when the grid was filled, before an iteration
    /// counted from 0.
    pub(crate) fn pushed_before(&self, iteration: u32) -> f32 {
        iteration as f32 * self.scene.largest_radius() + self.scene.largest_move()
    }
}

/// How far from an agent another one may have been, when the grid was filled, that it overlaps now.
pub(crate) fn contact_distance(radius: f32, largest_radius: f32, pushed: f32) -> f32 {
    (radius + largest_radius + pushed) * 1.001
}
