//! Own targets: every agent may steer by another, which any slab may own.
//!
//! Each index has a home: a slab that knows which slab owns the agent. Slabs tell the homes of the
//! agents that have arrived. A slab that needs poses asks the homes of the targets, these pass the
//! question on to the owners, and the owners answer. Only values travel, so no order matters.

use crate::crowd::columns::NO_TARGET;
use crate::crowd::velocity;
use crate::simulation::{Simulation, State};
use crate::slab::messages::{Outbox, Received};
use crate::slab::state::Slab;
use crate::slab::targets::pose_of;

impl Slab {
    /// Whether some behavior steers by own targets: known once a step has begun. Then, in every step, all slabs exchange three
    /// messages: [`Self::ask_homes`], [`Self::ask_owners`], [`Self::answer`].
    #[must_use]
    pub fn has_own_targets(&self) -> bool {
        self.has_own_targets
    }

    /// For each home, which agents this slab owns, and whose poses it needs.
    pub fn ask_homes<'a>(&'a mut self, out: &mut Outbox<'a>) {
        let share = self.held.state.ids.indices().div_ceil(self.slabs()).max(1);
        let traits = &self.held.state.traits;
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

        for message in &mut self.messages {
            message.clear();
            message.extend(0_u32.to_ne_bytes());
        }
        for index in own {
            self.messages[*index as usize / share].extend(index.to_ne_bytes());
        }
        for message in &mut self.messages {
            let owned = (message.len() / 4 - 1) as u32;
            message[..4].copy_from_slice(&owned.to_ne_bytes());
        }
        for index in &home.wanted {
            self.messages[*index as usize / share].extend(index.to_ne_bytes());
        }
        self.post_to_others(out);
    }

    /// For each owner, what others ask of it: as the home of some agents, from what
    /// [`Self::ask_homes`] of all slabs sent.
    pub fn ask_owners<'a, 'm>(
        &'a mut self,
        received: impl Iterator<Item = Received<'m>> + Clone,
        out: &mut Outbox<'a>,
    ) {
        self.keep_own_message();
        let Self { home, messages, number, .. } = self;
        let here = (*number, &home.message[..]);
        let received = received.map(|message| (message.from, message.bytes)).chain([here]);
        let first = *number * home.share;
        home.owners.resize(home.share, 0);
        for (from, bytes) in received.clone() {
            let mut words = words(bytes);
            let owned = words.next().unwrap_or(0) as usize;
            words.take(owned).for_each(|index| home.owners[index as usize - first] = from as u32);
        }
        messages.iter_mut().for_each(Vec::clear);
        for (from, bytes) in received {
            let owned = words(bytes).next().unwrap_or(0) as usize;
            for index in words(bytes).skip(1 + owned) {
                let owner = home.owners[index as usize - first] as usize;
                messages[owner].extend_from_slice(bytemuck::bytes_of(&[from as u32, index]));
            }
        }
        self.post_to_others(out);
    }

    /// For each slab, the poses that it asked for, from what [`Self::ask_owners`] of all slabs sent.
    pub fn answer<'a, 'm>(
        &'a mut self,
        received: impl Iterator<Item = Received<'m>>,
        out: &mut Outbox<'a>,
    ) {
        self.keep_own_message();
        let Self { home, messages, held, .. } = self;
        let Simulation { setting, state: State { motion, traits, .. }, .. } = &*held;
        messages.iter_mut().for_each(Vec::clear);
        let questions = received.map(|message| message.bytes).chain([&home.message[..]]);
        for question in questions.flat_map(|bytes| bytes.as_chunks::<8>().0) {
            let [from, index] = bytemuck::pod_read_unaligned::<[u32; 2]>(question);
            let Some(&slot) = home.slots.get(&index) else { continue };
            let pose = velocity::pose(motion, traits, &setting.species, slot as usize).to_array();
            let message = &mut messages[from as usize];
            message.extend(index.to_ne_bytes());
            message.extend_from_slice(bytemuck::bytes_of(&pose));
        }
        self.post_to_others(out);
    }

    /// Takes the poses that [`Self::answer`] of all slabs sent.
    pub fn take_answers<'m>(&mut self, received: impl Iterator<Item = Received<'m>>) {
        self.keep_own_message();
        let home = &mut self.home;
        home.poses.clear();
        let answers = received.map(|message| message.bytes).chain([&home.message[..]]);
        for answer in answers.flat_map(|bytes| bytes.as_chunks::<ANSWER>().0) {
            let (index, pose) = answer.split_at(4);
            let pose = pose_of(bytemuck::pod_read_unaligned(pose));
            home.poses.insert(bytemuck::pod_read_unaligned(index), pose);
        }
        let Simulation { state: State { traits, motion, .. }, workspace, .. } = &mut self.held;
        let own_targets = &mut workspace.own_targets;
        own_targets.clear();
        own_targets.resize(motion.x.len(), None);
        for slot in self.own.clone() {
            let target = traits.target.get(slot);
            own_targets[slot] = target.and_then(|target| home.poses.get(target).copied());
        }
    }

    /// What a slab has to say to itself is not posted.
    fn keep_own_message(&mut self) {
        std::mem::swap(&mut self.home.message, &mut self.messages[self.number]);
    }

    fn post_to_others<'a>(&'a self, out: &mut Outbox<'a>) {
        for other in self.others() {
            out.push(other, [&self.messages[other][..]]);
        }
    }
}

/// The bytes of an index and a pose.
const ANSWER: usize = 4 + 6 * 4;

fn words(bytes: &[u8]) -> impl Iterator<Item = u32> {
    bytes.as_chunks().0.iter().map(|word| u32::from_ne_bytes(*word))
}
