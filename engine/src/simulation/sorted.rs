use std::sync::Arc;

use crate::crowd::SortedCrowd;
use crate::crowd::sorted_copy::SortedCopy;
use crate::error::Error;
use crate::grid::Layout;
use crate::id::AgentId;
use crate::math::lanes::dispatch::with_vectors;
use crate::parallel::Workers;
use crate::simulation::targets::{locate, shared_targets};
use crate::simulation::{Setting, Simulation};

impl Simulation {
    pub(crate) fn layout(&self, agents: usize) -> Layout {
        let Setting { space, scene, plan, .. } = &self.setting;
        Layout { space: *space, agents, plan: Arc::clone(plan), cell_size: scene.cell_size }
    }

    /// Returns the sorted copy. The first query after a change sorts the crowd, and the next step
    /// reuses the copy. The state itself stays unsorted, so queries do not affect later steps.
    ///
    /// Never call this from a job on the crowd's own thread pool: sorting may need that pool.
    pub(crate) fn sorted(&self) -> &SortedCopy {
        self.workspace.sorted.get(|outdated| {
            self.sorted_anew(outdated, &self.execution.workers.for_query(self.len()))
        })
    }

    /// Takes the sorted copy for a step. After the step, the caller returns it with `put_outdated`.
    pub(crate) fn take_sorted_copy(&mut self) -> Box<SortedCopy> {
        if let Some(sorted) = self.workspace.sorted.take_current() {
            return sorted;
        }
        let outdated = self.workspace.sorted.take_outdated();
        self.sorted_anew(outdated, &self.execution.workers.for_crowd(self.len()))
    }

    fn sorted_anew(&self, outdated: Option<Box<SortedCopy>>, workers: &Workers) -> Box<SortedCopy> {
        let Self { setting, state, .. } = self;
        let mut sorted = outdated.unwrap_or_else(|| Box::new(self.new_copy()));
        let SortedCopy { sorter, motion, attributes, surroundings } = &mut *sorted;
        let grid = &mut surroundings.grid;
        grid.lay_out(self.layout(self.len()));
        with_vectors!(self.execution.instructions, L => sorter.sort::<L>(
            workers,
            grid,
            (&state.motion, motion),
            (&state.attributes, attributes),
        ));
        surroundings.fill(0..state.attributes.index.len(), motion, attributes);
        locate(&mut surroundings.shared_targets, state, &setting.species);
        sorted.index_slots(state.ids.indices());
        sorted
    }

    pub(crate) fn new_copy(&self) -> SortedCopy {
        let Setting { space, scene, .. } = &self.setting;
        SortedCopy::new(space, shared_targets(scene, space))
    }

    pub(crate) fn sorted_crowd(&self) -> SortedCrowd<'_> {
        let sorted = self.sorted();
        self.sorted_crowd_in(&sorted.surroundings, (&sorted.motion, &sorted.attributes))
    }

    pub(crate) fn sorted_slot(&self, id: AgentId) -> Result<usize, Error> {
        let slot = self.slot_of(id)?;
        Ok(self.sorted_slot_of(self.sorted(), slot))
    }

    pub(crate) fn sorted_slot_of(&self, sorted: &SortedCopy, slot: usize) -> usize {
        let (motion, index) = (&self.state.motion, self.state.attributes.index[slot]);
        let mut slots = sorted.surroundings.grid.slots_at(motion.position.at(slot));
        let sorted_slot = slots.find(|&slot| sorted.attributes.index[slot] == index);
        sorted_slot.expect("the sort puts every agent into its cell")
    }

    pub(crate) fn copies_agree(&self, mut pairs: impl Iterator<Item = (usize, usize)>) -> bool {
        let Self { setting: Setting { species, .. }, state, workspace, .. } = self;
        let Some(sorted) = workspace.sorted.current() else { return true };
        pairs.all(|(slot, sorted_slot)| {
            state.hash_of((&state.motion, &state.attributes), slot, species)
                == state.hash_of((&sorted.motion, &sorted.attributes), sorted_slot, species)
        })
    }

    /// Upper bound on how far an agent moves along y or z in a step.
    pub(crate) fn max_displacement(&self) -> f32 {
        let Setting { scene, plan, .. } = &self.setting;
        self.largest_speed() * scene.dt() + plan.max_lift + scene.passes() as f32 * plan.max_push
    }
}

#[cfg(test)]
mod tests {
    use crate::scene::Scene;

    #[test]
    fn a_query_and_the_step_after_it_share_one_sort_and_its_memory() {
        let mut simulation = Scene::named("flock").unwrap().agents(200).build().unwrap();
        simulation.run(2).unwrap();
        assert!(simulation.workspace.sorted.current().is_none(), "a step outdates the copy");
        simulation.grid_cells();
        let copy = std::ptr::from_ref(simulation.sorted());

        // Clear the list of sources. If it is still empty later, nothing has sorted the crowd
        // again.
        simulation.workspace.sorted.current_mut().unwrap().sorter.sources_mut().clear();
        simulation.grid_cells();
        let taken = simulation.take_sorted_copy();
        assert!(taken.sorter.sources().is_empty(), "sorted once");
        assert!(std::ptr::eq(&raw const *taken, copy));

        simulation.workspace.sorted.put_outdated(taken);
        simulation.step().unwrap();
        assert!(
            std::ptr::eq(simulation.sorted(), copy),
            "the step and the next query reuse the copy"
        );
    }
}
