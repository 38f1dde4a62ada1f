//! Agents that change their species.

use crate::error::Error;
use crate::id::AgentId;
use crate::simulation::write::Row;
use crate::simulation::{Simulation, spawn};

impl Simulation {
    /// Makes agents members of another species. Each keeps its id, place, heading, velocity, columns,
    /// own target, and the limits that were written for it. Its other limits become those of the new
    /// species, drawn by its index as at a start, and what behaviors remember of it (wander target,
    /// waypoint, alert) begins anew. An agent of constant speed has its new speed at once; any other
    /// that is too fast slows down in the next step. Agents that are of this species stay as they are.
    ///
    /// A [`Target::Member`](crate::Target::Member) stays the same agent, and every species keeps the
    /// number of agents that its scene starts with.
    ///
    /// # Errors
    /// An unknown species, or [`NoSuchAgent`](crate::ErrorKind::NoSuchAgent); then nothing changes.
    pub fn change_species(&mut self, ids: &[AgentId], species: &str) -> Result<(), Error> {
        let number = self.setting.scene.species_index(species)?;
        let slots: Vec<usize> = ids.iter().map(|&id| self.slot_of(id)).collect::<Result<_, _>>()?;
        if !slots.is_empty() {
            self.convert(&slots, number);
        }
        Ok(())
    }

    /// Makes the agents in these slots members of species `number`. In a slab, which may own none of
    /// them, this notes that some have changed.
    pub(crate) fn convert(&mut self, slots: &[usize], number: usize) {
        let Self { setting, state, workspace, .. } = self;
        state.written.species = true;
        for &slot in slots {
            if state.traits.species_of(slot) == number {
                continue;
            }
            state.traits.species[slot] = number as u8;
            spawn::renew(&setting.scene, state, slot);
            let heading = [state.motion.hx[slot], state.motion.hy[slot]];
            let (motion, traits) = (&mut state.motion, &mut state.traits);
            Row { motion, traits, species: &setting.scene.species, slot }.turn(heading);
        }
        workspace.moved();
    }
}
