use crate::error::{Error, ErrorKind};
use crate::id::AgentId;
use crate::on_demand::OnDemand;

pub(crate) const VACANT: u32 = u32::MAX;

/// Allocates agent ids and maps them to slots.
///
/// The sort moves every agent every step, but most crowds never look up an agent by id.
/// Filling the slot table costs a quarter as much as the sort, so the table is built on demand.
#[derive(Debug, Default)]
pub(crate) struct IdPool {
    assigned: u32,
    /// Generation of each index: the number of times it has been freed. Every slab stores the whole
    /// crowd's generations. To save memory, a page is allocated when one of its indices is first
    /// freed.
    generations: Vec<Option<Box<[u32; PAGE]>>>,
    free: Vec<u32>,
    /// Slots, indexed by `AgentId::index`. Agents that move outdate this table; the next lookup
    /// rebuilds it.
    slots: OnDemand<Vec<u32>>,
}

const PAGE: usize = 512;

impl Clone for IdPool {
    fn clone(&self) -> Self {
        let (generations, free) = (self.generations.clone(), self.free.clone());
        Self { assigned: self.assigned, generations, free, ..Self::default() }
    }
}

impl IdPool {
    /// Assigns an id to a new agent in `slot`.
    pub(crate) fn add(&mut self, slot: usize) -> AgentId {
        let index = self.free.pop().unwrap_or_else(|| {
            self.assigned += 1;
            self.assigned - 1
        });
        if let Some(slots) = self.slots.current_mut() {
            slots.resize(self.assigned as usize, VACANT);
            slots[index as usize] = slot as u32;
        }
        self.id(index)
    }

    pub(crate) fn next_indices(&self) -> impl Iterator<Item = u32> + '_ {
        self.free.iter().rev().copied().chain(self.assigned..)
    }

    /// Frees the id of an agent removed from `slot`.
    /// `successor` is the index of the agent that takes the slot, if any.
    pub(crate) fn remove(&mut self, id: AgentId, slot: usize, successor: Option<u32>) {
        if let Some(slots) = self.slots.current_mut() {
            // Updates the table in place: if each removal rebuilt it, n removals would cost O(n²).
            slots[id.index as usize] = VACANT;
            if let Some(successor) = successor {
                slots[successor as usize] = slot as u32;
            }
        }
        self.retire(id);
    }

    /// Frees an id without updating the slot table.
    pub(crate) fn retire(&mut self, id: AgentId) {
        let next = id.generation + 1;
        self.set_generation(id.index, next);
        // An index at the maximum generation is never reused, so ids stay unique.
        if next < u32::MAX {
            self.free.push(id.index);
        }
    }

    pub(crate) fn outdate_slots(&mut self) {
        self.slots.outdate();
    }

    #[inline]
    pub(crate) fn slot(&self, id: AgentId, indices: &[u32]) -> Result<usize, Error> {
        // Tested first, so that looking up a removed agent does not build the table.
        let slots = if self.is_current(id) { self.slots(indices) } else { &[] };
        match slots.get(id.index as usize) {
            Some(&slot) if slot != VACANT => Ok(slot as usize),
            _ => Err(Error::new(ErrorKind::NoSuchAgent { id })),
        }
    }

    #[inline]
    pub(crate) fn slots(&self, indices: &[u32]) -> &[u32] {
        self.slots.get(|outdated| {
            let mut slots = outdated.unwrap_or_default();
            slots.clear();
            slots.resize(self.indices(), VACANT);
            for (slot, &index) in (0..).zip(indices) {
                slots[index as usize] = slot;
            }
            slots
        })
    }

    pub(crate) fn indices(&self) -> usize {
        self.assigned as usize
    }

    /// True if `id` has the current generation of its index. Removing an agent ends a generation.
    #[inline]
    pub(crate) fn is_current(&self, id: AgentId) -> bool {
        id.index < self.assigned && id.generation < u32::MAX && self.id(id.index) == id
    }

    #[inline]
    pub(crate) fn id(&self, index: u32) -> AgentId {
        let generation = match self.generations.get(index as usize / PAGE) {
            Some(Some(page)) => page[index as usize % PAGE],
            _ => 0,
        };
        AgentId { index, generation }
    }

    fn set_generation(&mut self, index: u32, generation: u32) {
        let page = index as usize / PAGE;
        if page >= self.generations.len() {
            self.generations.resize(page + 1, None);
        }
        let page = self.generations[page].get_or_insert_with(|| Box::new([0; PAGE]));
        page[index as usize % PAGE] = generation;
    }

    /// Free indices. The last one is reused first, so their order is part of the crowd's state.
    pub(crate) fn free(&self) -> &[u32] {
        &self.free
    }

    pub(crate) fn generations(&self) -> Vec<u32> {
        (0..self.assigned).map(|index| self.id(index).generation).collect()
    }

    /// Returns (index, generation) for every index ever freed, in ascending order of index.
    pub(crate) fn repeated(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        let pages = (0..).step_by(PAGE).zip(&self.generations);
        let pages = pages.filter_map(|(first, page)| Some((first, page.as_deref()?)));
        let all = pages.flat_map(|(first, page)| (first..).zip(page.iter().copied()));
        all.filter(|&(_, generation)| generation > 0)
    }

    /// Bytes that [`Self::with_repeated`] allocates for `indices`, which must be ascending.
    pub(crate) fn bytes_with_repeated(indices: impl Iterator<Item = u32>) -> u64 {
        let mut pages: Vec<u32> = indices.map(|index| index / PAGE as u32).collect();
        pages.dedup();
        pages.len() as u64 * size_of::<[u32; PAGE]>() as u64
    }

    pub(crate) fn with_repeated(
        assigned: u32,
        repeated: impl IntoIterator<Item = (u32, u32)>,
        free: Vec<u32>,
    ) -> Self {
        let mut pool = Self { assigned, free, ..Self::default() };
        let repeated = repeated.into_iter().filter(|&(_, generation)| generation > 0);
        repeated.for_each(|(index, generation)| pool.set_generation(index, generation));
        pool
    }

    pub(crate) fn full(agents: usize) -> Self {
        Self { assigned: agents as u32, ..Self::default() }
    }

    pub(crate) fn is_same(&self, other: &Self) -> bool {
        let Self { assigned, generations, free, .. } = other;
        (self.assigned, &self.generations, &self.free) == (*assigned, generations, free)
    }

    pub(crate) fn bytes(&self) -> usize {
        let slots = self.slots.bytes(|slots| slots.capacity() * size_of::<u32>());
        let pages = self.generations.iter().flatten().count() * size_of::<[u32; PAGE]>();
        let generations = self.generations.capacity() * size_of::<usize>() + pages;
        slots + self.free.capacity() * size_of::<u32>() + generations
    }
}

#[cfg(test)]
mod tests;
