//! Own targets: every agent may steer by another, which any slab may own.
//!
//! Each index has a home: a slab that knows which slab owns the agent. Slabs tell the homes of the
//! agents that have arrived. A slab that needs poses asks the homes of the targets, these pass the
//! question on to the owners, and the owners answer. Only values travel, so no order matters.

use std::collections::HashMap;

use crate::crowd::columns::NO_TARGET;
use crate::crowd::velocity;
use crate::simulation::Simulation;
use crate::simulation::needs::Needs;
use crate::slab::messages::{Message, Received, messages};
use crate::slab::state::Slab;
use crate::slab::targets::pose_of;

impl Slab {
    /// Whether some behavior steers by own targets. Then, in every step, all slabs exchange three
    /// messages: [`Self::ask_homes`], [`Self::ask_owners`], [`Self::answer`].
    #[must_use]
    pub fn has_own_targets(&self) -> bool {
        Needs::of(&self.held.scene).target
    }

    /// For each home, which agents this slab owns, and whose poses it needs.
    pub fn ask_homes(&mut self) -> Vec<Message<'_>> {
        let share = self.held.ids.indices().div_ceil(self.slabs()).max(1);
        let Simulation { traits, .. } = &self.held;
        let home = &mut self.home;
        home.share = share;
        home.slots.clear();
        let own = &traits.index[self.own.clone()];
        home.slots.extend(own.iter().copied().zip(self.own.start as u32..));
        home.wanted.clear();
        let targets = traits.target.get(self.own.clone()).unwrap_or_default();
        home.wanted.extend(targets.iter().copied().filter(|&target| target != NO_TARGET));
        home.wanted.sort_unstable();
        home.wanted.dedup();

        let mut lists = vec![[Vec::new(), Vec::new()]; self.messages.len()];
        for &index in own {
            lists[index as usize / share][0].push(index);
        }
        for &index in &home.wanted {
            lists[index as usize / share][1].push(index);
        }
        for (message, [owned, wanted]) in self.messages.iter_mut().zip(&lists) {
            message.clear();
            message.extend((owned.len() as u32).to_ne_bytes());
            message.extend_from_slice(bytemuck::cast_slice(owned));
            message.extend_from_slice(bytemuck::cast_slice(wanted));
        }
        messages(self.others(), &self.messages)
    }

    /// For each owner, what others ask of it: as the home of some agents, from what
    /// [`Self::ask_homes`] of all slabs sent.
    pub fn ask_owners(&mut self, received: &[Received<'_>]) -> Vec<Message<'_>> {
        let home = &mut self.home;
        let own = std::mem::take(&mut self.messages[self.number]);
        let from_here = [Received { from: self.number, bytes: &own }];
        let asked: Vec<(usize, Vec<u32>)> = received
            .iter()
            .chain(&from_here)
            .map(|message| (message.from, words(message)))
            .collect();
        let first = self.number * home.share;
        home.owners.resize(home.share, 0);
        for (from, words) in &asked {
            for &index in &words[1..][..words[0] as usize] {
                home.owners[index as usize - first] = *from as u32;
            }
        }
        self.messages.iter_mut().for_each(Vec::clear);
        for (from, words) in &asked {
            for &index in &words[1 + words[0] as usize..] {
                let owner = home.owners[index as usize - first] as usize;
                self.messages[owner].extend_from_slice(bytemuck::bytes_of(&[*from as u32, index]));
            }
        }
        messages(self.others(), &self.messages)
    }

    /// For each slab, the poses that it asked for, from what [`Self::ask_owners`] of all slabs sent.
    pub fn answer(&mut self, received: &[Received<'_>]) -> Vec<Message<'_>> {
        let own = std::mem::take(&mut self.messages[self.number]);
        let from_here = [Received { from: self.number, bytes: &own }];
        let asked: Vec<u32> = received.iter().chain(&from_here).flat_map(words).collect();
        self.messages.iter_mut().for_each(Vec::clear);
        let Simulation { motion, traits, kinds, .. } = &self.held;
        for question in asked.as_chunks().0 {
            let [from, index] = *question;
            let Some(&slot) = self.home.slots.get(&index) else { continue };
            let pose = velocity::pose(motion, traits, kinds, slot as usize).to_array();
            let message = &mut self.messages[from as usize];
            message.extend(index.to_ne_bytes());
            message.extend_from_slice(bytemuck::bytes_of(&pose));
        }
        messages(self.others(), &self.messages)
    }

    /// Takes the poses that [`Self::answer`] of all slabs sent.
    pub fn take_answers(&mut self, received: &[Received<'_>]) {
        let own = std::mem::take(&mut self.messages[self.number]);
        let from_here = [Received { from: self.number, bytes: &own }];
        let mut poses = HashMap::new();
        for message in received.iter().chain(&from_here) {
            for answer in words(message).as_chunks::<7>().0 {
                let [index, pose @ ..] = *answer;
                poses.insert(index, pose_of(pose.map(f32::from_bits)));
            }
        }
        let Simulation { traits, own_targets, motion, .. } = &mut self.held;
        own_targets.clear();
        own_targets.resize(motion.x.len(), None);
        for slot in self.own.clone() {
            let target = traits.target.get(slot);
            own_targets[slot] = target.and_then(|target| poses.get(target).copied());
        }
    }
}

fn words(message: &Received<'_>) -> Vec<u32> {
    message.bytes.chunks_exact(4).map(bytemuck::pod_read_unaligned).collect()
}
