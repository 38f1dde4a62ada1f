use crate::error::Error;
use crate::grid::Layout;
use crate::id::AgentId;
use crate::math::lanes::dispatch::with_vectors;
use crate::simulation::{Setting, Simulation};

impl Simulation {
    pub(crate) fn layout(&self, agents: usize) -> Layout {
        let Setting { space, scene, .. } = &self.setting;
        let (space, cell_size) = (*space, scene.cell_size);
        Layout { space, agents, view: self.search_distance(), cell_size }
    }

    /// Sorts the crowd into the second copy of its columns, unless that copy is up to date.
    /// The state does not change, so inspecting a crowd does not affect later steps.
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
            (&self.state.attributes, &mut self.workspace.attributes_next),
        ));
        self.workspace.tail.fill(&self.workspace.motion_next, &self.workspace.attributes_next);
        self.index_slots();
        self.workspace.sorted = true;
    }

    pub(crate) fn search_distance(&self) -> f32 {
        let view =
            self.setting.species.iter().map(|species| species.search_radius).fold(0.0, f32::max);
        view.max(self.contact_distance(1.0))
    }

    /// Agents that interact in the step are at most this far apart when the grid is filled.
    pub(crate) fn needed_distance(&self) -> f32 {
        self.search_distance().max(self.contact_distance(2.0))
    }

    pub(crate) fn sorted_slot(&mut self, id: AgentId) -> Result<usize, Error> {
        let slot = self.slot_of(id)?;
        self.update_shared_targets();
        self.sort();
        Ok(self.sorted_slot_of(slot))
    }

    pub(crate) fn sorted_slot_of(&self, slot: usize) -> usize {
        let (motion, index) = (&self.state.motion, self.state.attributes.index[slot]);
        let mut slots = self.workspace.grid.slots_at(motion.x[slot], motion.y[slot]);
        let found = slots.find(|&slot| self.workspace.attributes_next.index[slot] == index);
        found.expect("the sort puts every agent into its cell")
    }

    pub(crate) fn copies_agree(&self, mut pairs: impl Iterator<Item = (usize, usize)>) -> bool {
        let Self { setting: Setting { species, .. }, state, workspace, .. } = self;
        let sorted = (&workspace.motion_next, &workspace.attributes_next);
        pairs.all(|(slot, place)| {
            state.hash_of((&state.motion, &state.attributes), slot, species)
                == state.hash_of(sorted, place, species)
        })
    }

    /// Two agents that may be pushed apart in this step are
    /// at most this far apart when the grid is filled; 0 without non-penetration.
    /// `moving` is the number of these two agents that move afterwards: 1 or 2.
    fn contact_distance(&self, moving: f32) -> f32 {
        let largest = self.largest_radius();
        let last = self.setting.scene.non_penetration.checked_sub(1);
        let pushed = |last| moving * self.pushed_before(last);
        last.map_or(0.0, |last| contact_distance(largest, largest, pushed(last)))
    }

    pub(crate) fn solid_range(&self) -> f32 {
        let (radius, moved) = (self.largest_radius(), self.pushed_before(0));
        let pushed = if self.setting.scene.non_penetration > 0 { radius } else { 0.0 };
        radius + moved.max(pushed)
    }

    /// Upper bound on how far an agent moves after the grid is filled and before pushing pass
    /// `iteration`, counted from 0.
    pub(crate) fn pushed_before(&self, iteration: u32) -> f32 {
        let moved = self.largest_speed() * self.setting.scene.dt();
        iteration as f32 * self.largest_radius() + moved
    }
}

/// Two agents that overlap now were at most this far apart when the grid was filled.
/// `pushed` bounds the sum of their movements since then.
pub(crate) fn contact_distance(radius: f32, largest_radius: f32, pushed: f32) -> f32 {
    (radius + largest_radius + pushed) * 1.001
}
