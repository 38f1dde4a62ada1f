//! Agents that come and go while a crowd runs.

use std::collections::HashSet;

use crate::crowd::aim::NO_TARGET;
use crate::error::Error;
use crate::id::AgentId;
use crate::simulation::spawn::{self, NewAgent};
use crate::simulation::{Setting, Simulation};

impl Simulation {
    /// Adds an agent with the given heading, moving at its maximum speed.
    ///
    /// Values from per-agent ranges are drawn by its index.
    ///
    /// # Errors
    /// An unknown species, a position outside the world, a heading without direction.
    pub fn spawn(
        &mut self,
        species: &str,
        position: [f32; 2],
        heading: [f32; 2],
    ) -> Result<AgentId, Error> {
        Ok(self.spawn_many(species, &[position], &[heading])?[0])
    }

    /// Adds an agent at each position, like repeated calls of [`Self::spawn`]. Returns their ids.
    ///
    /// # Errors
    /// Those of [`Self::spawn`], and if there are not as many headings as positions; then nothing
    /// changes.
    pub fn spawn_many(
        &mut self,
        species: &str,
        positions: &[[f32; 2]],
        headings: &[[f32; 2]],
    ) -> Result<Vec<AgentId>, Error> {
        let (agents, ids) = self.new_agents(species, positions, headings)?;
        self.push(&agents);
        Ok(ids)
    }

    /// Agents to add, with the ids that they have been given.
    pub(crate) fn new_agents(
        &mut self,
        species: &str,
        positions: &[[f32; 2]],
        headings: &[[f32; 2]],
    ) -> Result<(Vec<NewAgent>, Vec<AgentId>), Error> {
        if positions.len() != headings.len() {
            let allowed = format!("{}, one for each position", positions.len());
            return Err(Error::refused("number of headings", headings.len(), allowed));
        }
        let number = self.setting.scene.species_index(species)?;
        let checked = positions.iter().zip(headings).map(|(&position, &heading)| {
            self.setting.space.check_position("position", position)?;
            let heading = spawn::unit_heading(heading)?;
            Ok(NewAgent { number, index: 0, position, heading })
        });
        let mut agents = checked.collect::<Result<Vec<_>, Error>>()?;
        let given = agents.iter_mut().map(|agent| {
            let id = self.state.ids.add();
            agent.index = id.index;
            id
        });
        let ids = given.collect();
        Ok((agents, ids))
    }

    /// Appends agents, whose ids have been given out.
    pub(crate) fn push(&mut self, agents: &[NewAgent]) {
        let Setting { scene, space, needs, .. } = &self.setting;
        let first = self.state.motion.x.len();
        for agent in agents {
            spawn::push(space, needs, &mut self.state, agent);
            self.state.history.push([agent.heading.x, agent.heading.y]);
        }
        spawn::fit_columns(scene, needs, &needs.columns, &mut self.state, first, |_| 1.0);
        self.workspace.grown();
    }

    /// Removes an agent. Its id never becomes valid again.
    ///
    /// # Errors
    /// [`ErrorKind::NoSuchAgent`] if it was already removed.
    pub fn remove(&mut self, id: AgentId) -> Result<(), Error> {
        self.remove_many(&[id])
    }

    /// Removes several agents, like repeated calls of [`Self::remove`].
    ///
    /// # Errors
    /// [`ErrorKind::NoSuchAgent`] if one was already removed, [`ErrorKind::OutOfRange`] if one is given
    /// twice; then nothing changes.
    pub fn remove_many(&mut self, ids: &[AgentId]) -> Result<(), Error> {
        let mut seen = HashSet::new();
        for &id in ids {
            self.slot_of(id)?;
            if !seen.insert(id.index) {
                return Err(Error::given_twice(id));
            }
        }
        for &id in ids {
            let slot = self.slot_of(id)?;
            self.take_out(slot);
            self.state.ids.remove(id, slot, self.state.traits.index.get(slot).copied());
        }
        self.forget_targets(|index| seen.contains(&index));
        Ok(())
    }

    /// Removes the agent in `slot` from all columns. The last agent moves into the slot.
    pub(crate) fn take_out(&mut self, slot: usize) {
        self.state.motion.swap_remove(slot);
        self.state.traits.swap_remove(slot);
        self.state.history.swap_remove(slot);
        self.workspace.moved();
    }

    /// Makes sure that removed agents, whose indices may be reused, stay nobody's targets.
    pub(crate) fn forget_targets(&mut self, is_removed: impl Fn(u32) -> bool) {
        for target in self.state.traits.target.iter_mut().filter(|target| is_removed(**target)) {
            *target = NO_TARGET;
        }
        self.workspace.shared_targets.iter_mut().for_each(|target| target.slot = None);
    }
}
