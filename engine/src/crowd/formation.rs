//! Places of agents in the formation of their species, counted from 0.
//!
//! Agents keep the order in which they joined their species: initial agents by index, then others
//! as they are spawned or change species. An agent's place is the number of agents of its species
//! that joined earlier, so when an agent leaves, all agents behind it move up by one. Places change
//! only with the population, so steps read them from a table.

use std::ops::Range;

use crate::crowd::columns::Attributes;

/// Species, rank by time of joining (column `joined`), and `AgentId::index` of an agent.
pub(crate) type Joined = [u64; 3];

impl Attributes {
    /// Entries of the agents in `slots` whose species form formations, according to `forms`.
    pub(crate) fn joined(
        &self,
        slots: Range<usize>,
        forms: &[bool],
    ) -> impl Iterator<Item = Joined> {
        let slots = slots.filter(|&slot| forms[self.species_of(slot)]);
        slots.map(|slot| {
            [self.species_of(slot) as u64, self.joined[slot], u64::from(self.index[slot])]
        })
    }
}

/// Each agent's place in its species' formation, indexed by `AgentId::index`.
pub(crate) fn places(mut agents: Vec<Joined>, indices: usize) -> Vec<u32> {
    agents.sort_unstable();
    let mut places = vec![0; indices];
    for species in agents.chunk_by(|[one, ..], [next, ..]| one == next) {
        (0..).zip(species).for_each(|(place, &[.., index])| places[index as usize] = place);
    }
    places
}
