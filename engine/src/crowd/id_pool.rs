//! The id pool: which agent has which index, over slots that the sort permutes every step.

use std::collections::BTreeMap;
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
    /// Number of indices ever given out.
    given: u32,
    /// How often an index was given out before, for those that were: a crowd begins without any.
    generations: BTreeMap<u32, u32>,
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
        Self {
            given: self.given,
            generations: self.generations.clone(),
            free: self.free.clone(),
            table: RwLock::default(),
        }
    }

    fn clone_from(&mut self, other: &Self) {
        self.given = other.given;
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
            self.given += 1;
            self.given - 1
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
        self.retire(id);
    }

    /// Takes back an id, where nobody asks for slots.
    pub(crate) fn retire(&mut self, id: AgentId) {
        // An index whose generations are used up is retired rather than repeated.
        if let Some(next) = id.generation.checked_add(1) {
            self.generations.insert(id.index, next);
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
        if !self.is_given(id) {
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
        table.slots.resize(self.indices(), VACANT);
        for (slot, &index) in (0..).zip(indices) {
            table.slots[index as usize] = slot;
        }
        table.current = true;
        find(&table)
    }

    /// Number of indices ever given out.
    pub(crate) fn indices(&self) -> usize {
        self.given as usize
    }

    /// Whether this is the latest id of its index.
    pub(crate) fn is_given(&self, id: AgentId) -> bool {
        id.index < self.given && self.id(id.index) == id
    }

    pub(crate) fn id(&self, index: u32) -> AgentId {
        AgentId { index, generation: self.generations.get(&index).copied().unwrap_or(0) }
    }

    /// Indices of removed agents; the last one is given out again first. Their order is part of
    /// the state.
    pub(crate) fn free(&self) -> &[u32] {
        &self.free
    }

    /// How often each index was given out before.
    pub(crate) fn generations(&self) -> Vec<u32> {
        let mut generations = vec![0; self.indices()];
        for (&index, &generation) in &self.generations {
            generations[index as usize] = generation;
        }
        generations
    }

    /// The indices that were given out more than once, and how often before.
    pub(crate) fn repeated(&self) -> impl ExactSizeIterator<Item = (u32, u32)> + '_ {
        self.generations.iter().map(|(&index, &generation)| (index, generation))
    }

    /// The pool of a saved state whose indices were given out once but for the `repeated` ones.
    pub(crate) fn with_repeated(
        given: u32,
        repeated: impl IntoIterator<Item = (u32, u32)>,
        free: Vec<u32>,
    ) -> Self {
        let generations = repeated.into_iter().collect();
        Self { given, generations, free, table: RwLock::default() }
    }

    /// The pool of a crowd whose indices were all given out once.
    pub(crate) fn full(agents: usize) -> Self {
        Self { given: agents as u32, ..Self::default() }
    }

    /// The pool of a saved state, with how often each index was given out before.
    pub(crate) fn from_generations(generations: &[u32], free: Vec<u32>) -> Self {
        let repeated = (0..).zip(generations.iter().copied()).filter(|&(_, number)| number > 0);
        Self::with_repeated(generations.len() as u32, repeated, free)
    }

    /// Whether both pools are in the same state but for the table of slots.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        let Self { given, generations, free, .. } = other;
        (self.given, &self.generations, &self.free) == (*given, generations, free)
    }

    pub(crate) fn bytes(&self) -> usize {
        let table = self.table.read().unwrap_or_else(PoisonError::into_inner);
        (table.slots.capacity() + 2 * self.generations.len() + self.free.capacity()) * 4
    }
}

#[cfg(test)]
mod tests;
