//! The sorted copy of a crowd, which steps and inspections read.

use crate::error::Error;
use crate::grid::Layout;
use crate::id::AgentId;
use crate::math::lanes::dispatch::with_vectors;
use crate::simulation::{Setting, Simulation};

impl Simulation {
    /// The layout of the grid for this many agents.
    pub(crate) fn layout(&self, agents: usize) -> Layout {
        let Setting { space, scene, .. } = &self.setting;
        let (space, cell_size) = (*space, scene.cell_size);
        Layout { space, agents, view: self.search_distance(), cell_size }
    }

    /// Sorts the current crowd into the other copy of the columns, unless that copy is up to date.
    /// The state itself does not change, so inspecting a crowd, which also sorts it, does not
    /// affect later steps.
    pub(crate) fn sort(&mut self) {
        if self.workspace.sorted {
            return;
        }
        self.workspace.grid.lay_out(self.layout(self.len()));
        let workers = self.execution.workers.for_crowd(self.len());
        with_vectors!(self.execution.instructions, L => self.workspace.sorter.sort::<L>(
            &workers,
            &mut self.workspace.grid,
            (&self.state.motion, &mut self.workspace.motion_next),
            (&self.state.traits, &mut self.workspace.traits_next),
        ));
        self.workspace.tail.fill(&self.workspace.motion_next, &self.workspace.traits_next);
        self.index_slots();
        self.workspace.sorted = true;
    }

    /// The largest distance of a search: the grid's cells are laid out for it.
    pub(crate) fn search_distance(&self) -> f32 {
        let view =
            self.setting.species.iter().map(|species| species.search_radius).fold(0.0, f32::max);
        view.max(self.contact_distance(1.0))
    }

    /// The largest distance, when the grid is filled, between two agents of which one may need the
    /// other in this step.
    pub(crate) fn needed_distance(&self) -> f32 {
        self.search_distance().max(self.contact_distance(2.0))
    }

    /// An agent's slot in the sorted copy: one of those of its cell.
    pub(crate) fn sorted_slot(&mut self, id: AgentId) -> Result<usize, Error> {
        let slot = self.slot_of(id)?;
        self.update_shared_targets();
        self.sort();
        Ok(self.sorted_slot_of(slot))
    }

    /// The slot in the sorted copy, which is up to date, of the agent in a slot of the state.
    pub(crate) fn sorted_slot_of(&self, slot: usize) -> usize {
        let (motion, index) = (&self.state.motion, self.state.traits.index[slot]);
        let mut slots = self.workspace.grid.slots_at(motion.x[slot], motion.y[slot]);
        let found = slots.find(|&slot| self.workspace.traits_next.index[slot] == index);
        found.expect("the sort puts every agent into its cell")
    }

    /// Whether the agents in these slots of the state, and in these of the sorted copy, are the same.
    pub(crate) fn copies_agree(&self, mut pairs: impl Iterator<Item = (usize, usize)>) -> bool {
        let Self { setting: Setting { species, .. }, state, workspace, .. } = self;
        let sorted = (&workspace.motion_next, &workspace.traits_next);
        pairs.all(|(slot, place)| {
            state.hash_of((&state.motion, &state.traits), slot, species)
                == state.hash_of(sorted, place, species)
        })
    }

    /// The largest distance, when the grid is filled, between two agents that may be pushed apart in
    /// this step, if `moving` of them have moved since; 0 without non-penetration.
    fn contact_distance(&self, moving: f32) -> f32 {
        let largest = self.largest_radius();
        let last = self.setting.scene.non_penetration.checked_sub(1);
        let pushed = |last| moving * self.pushed_before(last);
        last.map_or(0.0, |last| contact_distance(largest, largest, pushed(last)))
    }

    /// How far from its center an agent may meet solid scenery, in a step or in a pass of pushes.
    pub(crate) fn solid_range(&self) -> f32 {
        let (radius, moved) = (self.largest_radius(), self.pushed_before(0));
        let pushed = if self.setting.scene.non_penetration > 0 { radius } else { 0.0 };
        radius + moved.max(pushed)
    }

    /// How far an agent may have moved since the grid was filled, before `iteration`, which counts
    /// from 0.
    pub(crate) fn pushed_before(&self, iteration: u32) -> f32 {
        let moved = self.largest_speed() * self.setting.scene.dt();
        iteration as f32 * self.largest_radius() + moved
    }
}

/// How far from an agent of this `radius` another one may have been when the grid was filled if
/// they overlap now; `pushed` is how far it may have moved since.
pub(crate) fn contact_distance(radius: f32, largest_radius: f32, pushed: f32) -> f32 {
    (radius + largest_radius + pushed) * 1.001
}
