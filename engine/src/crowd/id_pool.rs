//! The id pool: which agent has which index, over slots that the sort permutes every step.

use std::sync::{Mutex, OnceLock, PoisonError};

use crate::error::{Error, ErrorKind};
use crate::id::AgentId;

/// The slot of an index that no agent has.
pub(crate) const VACANT: u32 = u32::MAX;

/// The indices of agents, and their slots.
///
/// The sort moves every agent every step, but most crowds never look up an agent by id. So the
/// table of slots is only built on demand: scattering it costs as much as a quarter of the sort.
#[derive(Debug, Default)]
pub(crate) struct IdPool {
    /// Number of indices ever given out.
    given: u32,
    generations: Generations,
    /// Indices of removed agents, to be given out again, last removed first.
    free: Vec<u32>,
    /// Index → slot, once somebody has asked since agents last moved.
    slots: OnceLock<Vec<u32>>,
    /// Memory for the next such table.
    spare: Mutex<Vec<u32>>,
}

/// How often each index was given out before. In pages, of which only those exist that hold an index
/// given out again: each part of a crowd keeps the generations of all.
#[derive(Clone, Debug, Default, PartialEq)]
struct Generations(Vec<Option<Box<[u32; PAGE]>>>);

const PAGE: usize = 512;

impl Generations {
    #[inline]
    fn get(&self, index: u32) -> u32 {
        match self.0.get(index as usize / PAGE) {
            Some(Some(page)) => page[index as usize % PAGE],
            _ => 0,
        }
    }

    fn set(&mut self, index: u32, generation: u32) {
        let page = index as usize / PAGE;
        if page >= self.0.len() {
            self.0.resize(page + 1, None);
        }
        self.0[page].get_or_insert_with(|| Box::new([0; PAGE]))[index as usize % PAGE] = generation;
    }

    /// The indices that were given out more than once, ascending, and how often before.
    fn repeated(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        let pages = (0..).step_by(PAGE).zip(&self.0);
        let pages = pages.filter_map(|(first, page)| Some((first, page.as_deref()?)));
        let all = pages.flat_map(|(first, page)| (first..).zip(page.iter().copied()));
        all.filter(|&(_, generation)| generation > 0)
    }

    fn bytes(&self) -> usize {
        let pages = self.0.iter().flatten().count();
        self.0.capacity() * size_of::<usize>() + pages * size_of::<[u32; PAGE]>()
    }
}

impl Clone for IdPool {
    fn clone(&self) -> Self {
        let (generations, free) = (self.generations.clone(), self.free.clone());
        Self { given: self.given, generations, free, ..Self::default() }
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

    /// The indices of the ids that [`Self::add`] gives out next.
    pub(crate) fn next_indices(&self) -> impl Iterator<Item = u32> + '_ {
        self.free.iter().rev().copied().chain(self.given..)
    }

    /// Takes back the id of an agent removed from `slot`, which the agent of index `successor`
    /// now has, if any.
    pub(crate) fn remove(&mut self, id: AgentId, slot: usize, successor: Option<u32>) {
        if let Some(slots) = self.slots.get_mut() {
            // Rebuilding the table at each of many removals would cost O(n²).
            slots[id.index as usize] = VACANT;
            if let Some(successor) = successor {
                slots[successor as usize] = slot as u32;
            }
        }
        self.retire(id);
    }

    /// Takes back an id, where nobody asks for slots.
    pub(crate) fn retire(&mut self, id: AgentId) {
        // An index whose generations are used up is retired rather than repeated.
        if let Some(next) = id.generation.checked_add(1) {
            self.generations.set(id.index, next);
            self.free.push(id.index);
        }
    }

    /// Notes that agents have changed slots.
    pub(crate) fn moved(&mut self) {
        if let Some(slots) = self.slots.take() {
            *self.spare.get_mut().unwrap_or_else(PoisonError::into_inner) = slots;
        }
    }

    /// The slot of an agent, where `indices` holds the index of the agent in each slot.
    #[inline]
    pub(crate) fn slot(&self, id: AgentId, indices: &[u32]) -> Result<usize, Error> {
        match self.slots(indices).get(id.index as usize) {
            Some(&slot) if slot != VACANT && self.is_given(id) => Ok(slot as usize),
            _ => Err(Error::new(ErrorKind::NoSuchAgent { id })),
        }
    }

    /// The slot of each index, [`VACANT`] if no agent has it.
    #[inline]
    pub(crate) fn slots(&self, indices: &[u32]) -> &[u32] {
        self.slots.get_or_init(|| {
            let mut spare = self.spare.lock().unwrap_or_else(PoisonError::into_inner);
            let mut slots = std::mem::take(&mut *spare);
            slots.clear();
            slots.resize(self.indices(), VACANT);
            for (slot, &index) in (0..).zip(indices) {
                slots[index as usize] = slot;
            }
            slots
        })
    }

    /// Number of indices ever given out.
    pub(crate) fn indices(&self) -> usize {
        self.given as usize
    }

    /// Whether this is the latest id of its index.
    #[inline]
    pub(crate) fn is_given(&self, id: AgentId) -> bool {
        id.index < self.given && self.id(id.index) == id
    }

    #[inline]
    pub(crate) fn id(&self, index: u32) -> AgentId {
        AgentId { index, generation: self.generations.get(index) }
    }

    /// Indices of removed agents; the last one is given out again first. Their order is part of
    /// the state.
    pub(crate) fn free(&self) -> &[u32] {
        &self.free
    }

    /// How often each index was given out before.
    pub(crate) fn generations(&self) -> Vec<u32> {
        (0..self.given).map(|index| self.generations.get(index)).collect()
    }

    /// The indices that were given out more than once, ascending, and how often before.
    pub(crate) fn repeated(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.generations.repeated()
    }

    /// The pool of a saved state whose indices were given out once, except the `repeated` ones.
    pub(crate) fn with_repeated(
        given: u32,
        repeated: impl IntoIterator<Item = (u32, u32)>,
        free: Vec<u32>,
    ) -> Self {
        let mut generations = Generations::default();
        repeated.into_iter().for_each(|(index, generation)| generations.set(index, generation));
        Self { given, generations, free, ..Self::default() }
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

    /// Whether both pools are in the same state, apart from the table of slots.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        let Self { given, generations, free, .. } = other;
        (self.given, &self.generations, &self.free) == (*given, generations, free)
    }

    pub(crate) fn bytes(&self) -> usize {
        let spare = self.spare.lock().unwrap_or_else(PoisonError::into_inner);
        let slots = self.slots.get().map_or(spare.capacity(), Vec::capacity);
        (slots + self.free.capacity()) * size_of::<u32>() + self.generations.bytes()
    }
}

#[cfg(test)]
mod tests;
