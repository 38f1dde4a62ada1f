//! Who is who: stable ids over slots that the sort reshuffles every step.

use std::fmt;

use crate::error::Error;

/// A stable name for one agent. The index may be given to a new agent after this one is
/// removed; the generation then differs, so an old id never reaches a new agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AgentId {
    /// Dense index, below the largest number of agents there ever was.
    pub index: u32,
    /// How often the index was given out before.
    pub generation: u32,
}

impl fmt::Display for AgentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}.{}", self.index, self.generation)
    }
}

/// No agent has this index.
const VACANT: u32 = u32::MAX;

/// Index → slot and generation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Roster {
    slots: Vec<u32>,
    generations: Vec<u32>,
    /// Indices of removed agents, to be given out again, last removed first.
    free: Vec<u32>,
}

impl Roster {
    /// Gives out an id for the agent in `slot`.
    pub(crate) fn add(&mut self, slot: usize) -> AgentId {
        if let Some(index) = self.free.pop() {
            self.slots[index as usize] = slot as u32;
            return AgentId { index, generation: self.generations[index as usize] };
        }
        let index = self.slots.len() as u32;
        self.slots.push(slot as u32);
        self.generations.push(0);
        AgentId { index, generation: 0 }
    }

    /// Takes back the id of a removed agent.
    pub(crate) fn remove(&mut self, id: AgentId) {
        self.slots[id.index as usize] = VACANT;
        let generation = &mut self.generations[id.index as usize];
        // An index whose generations are used up is retired rather than repeated.
        if let Some(next) = generation.checked_add(1) {
            *generation = next;
            self.free.push(id.index);
        }
    }

    pub(crate) fn slot(&self, id: AgentId) -> Result<usize, Error> {
        match (self.slots.get(id.index as usize), self.generations.get(id.index as usize)) {
            (Some(&slot), Some(&generation)) if generation == id.generation && slot != VACANT => {
                Ok(slot as usize)
            }
            _ => Err(Error::NoSuchAgent { id: id.to_string() }),
        }
    }

    pub(crate) fn id(&self, index: u32) -> AgentId {
        AgentId { index, generation: self.generations[index as usize] }
    }

    /// After a sort: the agent with index `indices[slot]` is in `slot`.
    pub(crate) fn relocate(&mut self, indices: &[u32]) {
        for (slot, &index) in (0..).zip(indices) {
            self.slots[index as usize] = slot;
        }
    }

    pub(crate) fn move_to(&mut self, index: u32, slot: usize) {
        self.slots[index as usize] = slot as u32;
    }

    /// Indices of removed agents in the order in which they will be given out again, which
    /// is part of the state.
    pub(crate) fn free(&self) -> &[u32] {
        &self.free
    }

    pub(crate) fn generation(&self, index: u32) -> u32 {
        self.generations[index as usize]
    }

    pub(crate) fn bytes(&self) -> usize {
        (self.slots.capacity() + self.generations.capacity() + self.free.capacity()) * 4
    }
}
