//! The pool of ids: which agent has which index, over slots that the sort permutes every step.

use std::sync::{PoisonError, RwLock};

use crate::error::Error;
use crate::id::AgentId;

/// No agent has this index.
const VACANT: u32 = u32::MAX;

/// Who has which index, and where they are.
///
/// The sort moves every agent every step, but most crowds are never asked for anyone by id,
/// so the slots are only worked out when somebody asks: scattering them costs as much as a
/// quarter of the sort.
#[derive(Debug, Default)]
pub(crate) struct IdPool {
    generations: Vec<u32>,
    /// Indices of removed agents, to be given out again, last removed first.
    free: Vec<u32>,
    /// Index → slot, as of the last time somebody asked.
    located: RwLock<Located>,
}

#[derive(Debug, Default)]
struct Located {
    current: bool,
    slots: Vec<u32>,
}

impl Clone for IdPool {
    fn clone(&self) -> Self {
        Self::of(self.generations.clone(), self.free.clone())
    }

    fn clone_from(&mut self, other: &Self) {
        self.generations.clone_from(&other.generations);
        self.free.clone_from(&other.free);
        self.moved();
    }
}

impl IdPool {
    /// Gives out an id.
    pub(crate) fn add(&mut self) -> AgentId {
        self.moved();
        let index = self.free.pop().unwrap_or_else(|| {
            self.generations.push(0);
            self.generations.len() as u32 - 1
        });
        self.id(index)
    }

    /// Takes back the id of an agent removed from `slot`, which the agent of index `heir` now
    /// has, if any.
    pub(crate) fn remove(&mut self, id: AgentId, slot: usize, heir: Option<u32>) {
        let located = self.located.get_mut().unwrap_or_else(PoisonError::into_inner);
        if located.current {
            // Worked out anew at each of many removals, the table would cost n² altogether.
            located.slots[id.index as usize] = VACANT;
            if let Some(heir) = heir {
                located.slots[heir as usize] = slot as u32;
            }
        }
        let generation = &mut self.generations[id.index as usize];
        // An index whose generations are used up is retired rather than repeated.
        if let Some(next) = generation.checked_add(1) {
            *generation = next;
            self.free.push(id.index);
        }
    }

    /// Agents are no longer in the slots they were in.
    pub(crate) fn moved(&mut self) {
        self.located.get_mut().unwrap_or_else(PoisonError::into_inner).current = false;
    }

    /// The slot of an agent, where `indices` holds the index of the agent in each slot.
    pub(crate) fn slot(&self, id: AgentId, indices: &[u32]) -> Result<usize, Error> {
        let unknown = || Error::NoSuchAgent { id: id.to_string() };
        if self.generations.get(id.index as usize) != Some(&id.generation) {
            return Err(unknown());
        }
        let find = |located: &Located| match located.slots.get(id.index as usize) {
            Some(&slot) if slot != VACANT => Ok(slot as usize),
            _ => Err(unknown()),
        };
        let located = self.located.read().unwrap_or_else(PoisonError::into_inner);
        if located.current {
            return find(&located);
        }
        drop(located);
        let mut located = self.located.write().unwrap_or_else(PoisonError::into_inner);
        located.slots.clear();
        located.slots.resize(self.generations.len(), VACANT);
        for (slot, &index) in (0..).zip(indices) {
            located.slots[index as usize] = slot;
        }
        located.current = true;
        find(&located)
    }

    /// How many indices were ever given out.
    pub(crate) fn indices(&self) -> usize {
        self.generations.len()
    }

    pub(crate) fn id(&self, index: u32) -> AgentId {
        AgentId { index, generation: self.generations[index as usize] }
    }

    /// Indices of removed agents in the order in which they will be given out again, which
    /// is part of the state.
    pub(crate) fn free(&self) -> &[u32] {
        &self.free
    }

    /// How often each index was given out before.
    pub(crate) fn generations(&self) -> &[u32] {
        &self.generations
    }

    /// The roster of a kept state.
    pub(crate) fn of(generations: Vec<u32>, free: Vec<u32>) -> Self {
        Self { generations, free, located: RwLock::default() }
    }

    pub(crate) fn bytes(&self) -> usize {
        let located = self.located.read().unwrap_or_else(PoisonError::into_inner);
        (located.slots.capacity() + self.generations.capacity() + self.free.capacity()) * 4
    }
}

#[cfg(test)]
mod tests;
