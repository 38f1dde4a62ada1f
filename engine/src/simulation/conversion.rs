use crate::error::Error;
use crate::id::AgentId;
use crate::simulation::Simulation;
use crate::simulation::first_values;
use crate::simulation::write::Row;

impl Simulation {
    /// Changes the species of agents. Each agent keeps its id, position, heading,
    /// velocity, columns, own target, and any limits that were set for it individually.
    /// Other limits are drawn from the ranges of the new species,
    /// and state that behaviors keep between steps (wander target, waypoint, alert) is reset.
    /// Agents with constant-speed locomotion get their new speed at once. Other agents that are too
    /// fast slow down in the next step. Agents that already belong to the species do not change.
    ///
    /// Agents join a [formation](crate::behaviors::OffsetPursuit::abreast) at its end, in the order
    /// of `ids`. A [`Target::Member`](crate::Target::Member) still refers to the same agent, and
    /// the number of agents in each species' definition does not change.
    ///
    /// # Errors
    /// An unknown species, or [`NoSuchAgent`](crate::ErrorKind::NoSuchAgent) if an agent
    /// was removed. On error, nothing changes.
    pub fn change_species(&mut self, ids: &[AgentId], species: &str) -> Result<(), Error> {
        let species = self.setting.scene.species_index(species)?;
        let slots: Vec<usize> = ids.iter().map(|&id| self.slot_of(id)).collect::<Result<_, _>>()?;
        if !slots.is_empty() {
            let joined = self.join(slots.len());
            // In reverse, because the last mention of an agent counts.
            self.convert(slots.into_iter().rev().zip(joined.rev()), species);
            self.plan_anew();
        }
        Ok(())
    }

    /// Converts the agents in the given slots, each with its value of the column `joined`.
    /// In a slab that owns none of the agents, there are no slots,
    /// but the call still records that agents have changed species.
    pub(crate) fn convert(&mut self, joining: impl Iterator<Item = (usize, u64)>, species: usize) {
        let Self { setting, state, workspace, .. } = self;
        state.overrides.species = true;
        for (slot, joined) in joining {
            let before = state.attributes.species_of(slot);
            if before == species {
                continue;
            }
            // Until a slab has counted, it may own agents that are not in its count.
            setting.populations[before] = setting.populations[before].saturating_sub(1);
            setting.populations[species] += 1;
            state.attributes.species[slot] = species as u8;
            if let Some(entry) = state.attributes.joined.get_mut(slot) {
                *entry = joined;
            }
            first_values::fit_to_species(&setting.scene, state, slot);
            let heading = state.motion.heading.at(slot);
            let (motion, attributes) = (&mut state.motion, &mut state.attributes);
            Row { motion, attributes, species: &setting.scene.species, slot }.turn(heading);
        }
        workspace.agents_moved();
    }
}
