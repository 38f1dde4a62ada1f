//! Removes agents from a crowd divided into slabs. The whole crowd's last agents move into the
//! vacated slots, as in [`Simulation::remove_many`].
//!
//! [`Simulation::remove_many`]: crate::Simulation::remove_many

use std::collections::{HashMap, HashSet};

use crate::crowd::store::values_in;
use crate::error::{Error, ErrorKind};
use crate::id::AgentId;
use crate::slab::exchange::Exchange;
use crate::slab::state::Slab;

/// Number of a slab, and a slot among its own agents.
type SlabSlot = (usize, usize);

impl Slab {
    /// Removes agents, whichever slabs own them: see [`Simulation::remove_many`].
    ///
    /// # Errors
    /// If a slab is no longer running. The inner error is the same on all slabs:
    /// [`ErrorKind::NoSuchAgent`] if an agent was already removed, [`ErrorKind::OutOfRange`] if an
    /// id appears twice. After an inner error, nothing changes.
    ///
    /// [`Simulation::remove_many`]: crate::Simulation::remove_many
    pub fn remove_many<X: Exchange>(
        &mut self,
        exchange: &mut X,
        ids: &[AgentId],
    ) -> Result<Result<(), Error>, X::Lost> {
        self.through(exchange, |slab, post| {
            slab.list_owned(ids);
            let owned = post.all_gather(&slab.messages[slab.number])?;
            let (moves, left) = match slab.removal(ids, owned) {
                Ok(removal) => removal,
                Err(error) => return Ok(Err(error)),
            };
            slab.list_gap_fillers(&moves);
            post.swap(&slab.messages, 0..slab.slabs())?;
            slab.fill_gaps(ids, &moves, left, post.received());
            Ok(Ok(()))
        })
    }

    /// Lists the agents among `ids` that this slab owns, as a message to all slabs.
    fn list_owned(&mut self, ids: &[AgentId]) {
        let Self { local, messages, number, own, .. } = self;
        let named = (0..ids.len() as u32).zip(ids).rev();
        let current = named.filter(|(_, id)| local.state.ids.is_current(**id));
        let named: HashMap<u32, u32> = current.map(|(mention, id)| (id.index, mention)).collect();
        let message = &mut messages[*number];
        message.clear();
        message.extend(bytemuck::bytes_of(&[own.len() as u32, 0]));
        for (slot, index) in (0_u32..).zip(&local.state.attributes.index[own.clone()]) {
            if let Some(&mention) = named.get(index) {
                message.extend(bytemuck::bytes_of(&[mention, slot]));
            }
        }
    }

    /// Returns the moves that fill the slots of removed agents, and how many agents this slab has
    /// left.
    fn removal(
        &self,
        ids: &[AgentId],
        owned_by_slab: &[Vec<u8>],
    ) -> Result<(Vec<[SlabSlot; 2]>, usize), Error> {
        // The whole crowd's slots are numbered slab by slab.
        let mut firsts = vec![0];
        let mut named = vec![None; ids.len()];
        for (slab, owned_among) in owned_by_slab.iter().enumerate() {
            let mut pairs = values_in::<[u32; 2]>(owned_among);
            let [agents, _] = pairs.next().unwrap_or_default();
            for [mention, slot] in pairs {
                named[mention as usize] = Some(firsts[slab] + slot as usize);
            }
            firsts.push(firsts[slab] + agents as usize);
        }
        let mut end = self.agents;
        // `current_slots` maps original slots to current slots,
        // and `original_slots` maps current slots to original slots.
        let (mut current_slots, mut original_slots) = (HashMap::new(), HashMap::new());
        let mut seen = HashSet::new();
        for (named, &id) in named.iter().zip(ids) {
            if !seen.insert(id) {
                return Err(Error::duplicate_id(id));
            }
            let leaves: usize = named.ok_or_else(|| Error::new(ErrorKind::NoSuchAgent { id }))?;
            let slot = current_slots.remove(&leaves).unwrap_or(leaves);
            end -= 1;
            let last = original_slots.remove(&end).unwrap_or(end);
            if slot != end {
                current_slots.insert(last, slot);
                original_slots.insert(slot, last);
            }
        }
        let locate = |slot: usize| {
            let slab = firsts.partition_point(|&first| first <= slot) - 1;
            (slab, slot - firsts[slab])
        };
        let mut moves: Vec<[SlabSlot; 2]> =
            current_slots.into_iter().map(|slots| <[usize; 2]>::from(slots).map(locate)).collect();
        moves.sort_unstable();
        let [first, after] = [0, 1].map(|next| firsts[self.number + next]);
        Ok((moves, end.clamp(first, after) - first))
    }

    /// Writes messages with this slab's agents that move into vacated slots of any slab.
    fn list_gap_fillers(&mut self, moves: &[[SlabSlot; 2]]) {
        self.messages.iter_mut().for_each(Vec::clear);
        for &[(from, slot), (to, _)] in moves {
            if from == self.number {
                let (slot, message) = (self.own.start + slot, &mut self.messages[to]);
                self.local.state.write(&[slot as u32], self.own.start, message);
            }
        }
    }

    fn fill_gaps<'m>(
        &mut self,
        ids: &[AgentId],
        moves: &[[SlabSlot; 2]],
        left: usize,
        received: impl Iterator<Item = (usize, &'m [u8])>,
    ) {
        let number = self.number;
        self.agents -= ids.len();
        self.change(|simulation| {
            for (from, mut bytes) in received {
                let arrive = moves.iter().filter(|[sender, to]| (sender.0, to.0) == (from, number));
                for &[_, (_, slot)] in arrive {
                    simulation.state.read(1, &mut bytes);
                    simulation.take_out(slot);
                }
            }
            while simulation.len() > left {
                simulation.take_out(simulation.len() - 1);
            }
            ids.iter().for_each(|&id| simulation.state.ids.retire(id));
            let removed: HashSet<u32> = ids.iter().map(|id| id.index).collect();
            simulation.forget_targets(|index| removed.contains(&index));
            simulation.workspace.population_changed();
        });
    }
}
