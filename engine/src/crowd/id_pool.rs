//! The id pool: which agent has which index, over slots that the sort permutes every step.

use std::sync::{PoisonError, RwLock};

use crate::error::Error;
use crate::id::AgentId;

/// The slot of an index that no agent has.
const VACANT: u32 = u32::MAX;

/// The indices of agents, and their slots.
///
/// The sort moves every agent every step, but most crowds never look up an agent by id. So the
/// table of slots is only built on demand: scattering it costs as much as a quarter of the sort.
#[derive(Debug, Default)]
pub(crate) struct IdPool {
    generations: Vec<u32>,
    /// Indices of removed agents, to be given out again, last removed first.
    free: Vec<u32>,
    table: RwLock<SlotTable>,
}

/// Index → slot, as of the latest lookup.
#[derive(Debug, Default)]
struct SlotTable {
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

    /// Takes back the id of an agent removed from `slot`, which the agent of index `successor`
    /// now has, if any.
    pub(crate) fn remove(&mut self, id: AgentId, slot: usize, successor: Option<u32>) {
        let table = self.table.get_mut().unwrap_or_else(PoisonError::into_inner);
        if table.current {
            // Rebuilding the table at each of many removals would cost O(n²).
            table.slots[id.index as usize] = VACANT;
            if let Some(successor) = successor {
                table.slots[successor as usize] = slot as u32;
            }
        }
        let generation = &mut self.generations[id.index as usize];
        // An index whose generations are used up is retired rather than repeated.
        if let Some(next) = generation.checked_add(1) {
            *generation = next;
            self.free.push(id.index);
        }
    }

    /// Notes that agents have changed slots.
    pub(crate) fn moved(&mut self) {
        self.table.get_mut().unwrap_or_else(PoisonError::into_inner).current = false;
    }

    /// The slot of an agent, where `indices` holds the index of the agent in each slot.
    pub(crate) fn slot(&self, id: AgentId, indices: &[u32]) -> Result<usize, Error> {
        let unknown = || Error::NoSuchAgent { id };
        if self.generations.get(id.index as usize) != Some(&id.generation) {
            return Err(unknown());
        }
        let find = |table: &SlotTable| match table.slots.get(id.index as usize) {
            Some(&slot) if slot != VACANT => Ok(slot as usize),
            _ => Err(unknown()),
        };
        let table = self.table.read().unwrap_or_else(PoisonError::into_inner);
        if table.current {
            return find(&table);
        }
        drop(table);
        let mut table = self.table.write().unwrap_or_else(PoisonError::into_inner);
        table.slots.clear();
        table.slots.resize(self.generations.len(), VACANT);
        for (slot, &index) in (0..).zip(indices) {
            table.slots[index as usize] = slot;
        }
        table.current = true;
        find(&table)
    }

    /// Number of indices ever given out.
    pub(crate) fn indices(&self) -> usize {
        self.generations.len()
    }

    pub(crate) fn id(&self, index: u32) -> AgentId {
        AgentId { index, generation: self.generations[index as usize] }
    }

    /// Indices of removed agents; the last one is given out again first. Their order is part of
    /// the state.
    pub(crate) fn free(&self) -> &[u32] {
        &self.free
    }

    /// How often each index was given out before.
    pub(crate) fn generations(&self) -> &[u32] {
        &self.generations
    }

    /// The pool of a saved state.
    pub(crate) fn of(generations: Vec<u32>, free: Vec<u32>) -> Self {
        Self { generations, free, table: RwLock::default() }
    }

    pub(crate) fn bytes(&self) -> usize {
        let table = self.table.read().unwrap_or_else(PoisonError::into_inner);
        (table.slots.capacity() + self.generations.capacity() + self.free.capacity()) * 4
    }
}

#[cfg(test)]
mod tests;
