//! Targets that any slab may own: targets shared by whole species, and agents' own targets.
//!
//! All slabs exchange the poses of shared targets. For own targets, a distributed directory maps
//! each agent's index to the slab that owns the agent; every slab stores one share of the indices.
//! In each step, slabs register their agents in the directory. A slab that needs poses asks the
//! directory, which forwards the request to the owners. The owners reply to the slab directly.
//! The order in which messages arrive does not affect the result.

use crate::crowd::aim::Aim;
use crate::crowd::formation::{Joined, numbers};
use crate::crowd::target::Pose;
use crate::crowd::velocity;
use crate::math::vec2::Vec2;
use crate::simulation::{Simulation, State};
use crate::slab::messages::{Outbox, Received};
use crate::slab::state::Slab;

const ENTRY_BYTES: usize = 4 + 6 * 4;

impl Slab {
    /// True if all agents of some species steer by the same target agent.
    /// In that case, all slabs exchange [`Self::target_poses`].
    #[must_use]
    pub fn has_targets(&self) -> bool {
        self.sorted.shared_targets.iter().any(|target| target.id.is_some())
    }

    /// Poses of the shared targets that this slab owns, as a message to all slabs.
    pub fn target_poses(&mut self) -> &[u8] {
        let own = self.own.clone();
        let Simulation { setting, state, .. } = &self.local;
        let State { motion, attributes, ids, .. } = state;
        let message = &mut self.messages[self.number];
        message.clear();
        for (number, shared) in (0_u32..).zip(&mut self.sorted.shared_targets) {
            let Some(id) = shared.id.filter(|&id| ids.is_current(id)) else { continue };
            let is_it = |&slot: &usize| attributes.index.get(slot) == Some(&id.index);
            let expected = shared.known_slot(&attributes.index).filter(|slot| own.contains(slot));
            let slot = expected.or_else(|| own.clone().find(is_it));
            shared.slot = slot;
            if let Some(slot) = slot {
                let pose = velocity::pose(motion, attributes, &setting.species, slot);
                write_entry(number, pose, message);
            }
        }
        message
    }

    /// Stores the poses received from all slabs, including this one. Removing agents resets all
    /// poses, so no pose is outdated.
    pub fn set_target_poses(&mut self, received: &[Vec<u8>]) {
        for (number, pose) in received.iter().flat_map(|bytes| entries(bytes)) {
            self.sorted.shared_targets[number as usize].pose = Some(pose);
        }
    }

    /// True if agents have joined or left a species since all slabs last agreed on agents' numbers
    /// in formations, and a behavior uses these numbers. All slabs then exchange [`Self::joined`].
    #[must_use]
    pub fn must_renumber(&self) -> bool {
        self.local.setting.required.joined && self.numbered != self.local.workspace.populations
    }

    /// The order in which this slab's agents joined their species, as a message to all slabs.
    pub fn joined(&mut self) -> &[u8] {
        let Simulation { setting, state, .. } = &self.local;
        let message = &mut self.messages[self.number];
        message.clear();
        let forms = setting.scene.forms();
        let joined = state.attributes.joined(self.own.clone(), &forms);
        joined.for_each(|agent| message.extend(bytemuck::bytes_of(&agent)));
        message
    }

    /// Numbers all agents, given the messages from all slabs, including this one.
    pub fn renumber(&mut self, received: &[Vec<u8>]) {
        let Simulation { state, workspace, .. } = &mut self.local;
        let agents = received.iter().flat_map(|bytes| bytes.as_chunks().0);
        let agents = agents.map(|agent: &[u8; size_of::<Joined>()]| bytemuck::cast(*agent));
        workspace.formation.put_current(numbers(agents.collect(), state.ids.indices()));
        self.numbered = workspace.populations;
    }

    /// True if a behavior uses agents' own targets. All slabs then exchange messages three times
    /// per step: [`Self::ask_directory`], [`Self::ask_owners`], [`Self::answer`].
    #[must_use]
    pub fn has_own_targets(&self) -> bool {
        self.local.setting.required.target
    }

    /// Tells the directory which agents this slab owns and which poses it needs.
    pub fn ask_directory<'a>(&'a mut self, out: &mut Outbox<'a>) {
        let share = self.local.state.ids.indices().div_ceil(self.slabs()).max(1);
        let attributes = &self.local.state.attributes;
        let directory = &mut self.directory;
        directory.share = share;
        directory.slots.clear();
        let own = &attributes.index[self.own.clone()];
        directory.slots.extend(own.iter().copied().zip(self.own.start as u32..));
        directory.wanted.clear();
        let wanted = self.own.clone().filter_map(|slot| match attributes.aim(slot) {
            Aim::Agent(index) => Some(index),
            Aim::Nothing | Aim::Point(_) => None,
        });
        directory.wanted.extend(wanted);
        directory.wanted.sort_unstable();
        directory.wanted.dedup();

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
        for index in &directory.wanted {
            self.messages[*index as usize / share].extend(index.to_ne_bytes());
        }
        self.post_to_others(out);
    }

    /// Forwards the pose requests that all slabs sent in [`Self::ask_directory`]
    /// to the slabs that own the agents.
    pub fn ask_owners<'a, 'm>(
        &'a mut self,
        received: impl Iterator<Item = Received<'m>> + Clone,
        out: &mut Outbox<'a>,
    ) {
        self.keep_own_message();
        let Self { directory, messages, number, .. } = self;
        let here = (*number, &directory.message[..]);
        let received = received.map(|message| (message.from, message.bytes)).chain([here]);
        let first = *number * directory.share;
        directory.owners.resize(directory.share, 0);
        for (from, bytes) in received.clone() {
            let mut words = words(bytes);
            let owned = words.next().unwrap_or(0) as usize;
            words
                .take(owned)
                .for_each(|index| directory.owners[index as usize - first] = from as u32);
        }
        messages.iter_mut().for_each(Vec::clear);
        for (from, bytes) in received {
            let owned = words(bytes).next().unwrap_or(0) as usize;
            for index in words(bytes).skip(1 + owned) {
                let owner = directory.owners[index as usize - first] as usize;
                messages[owner].extend_from_slice(bytemuck::bytes_of(&[from as u32, index]));
            }
        }
        self.post_to_others(out);
    }

    /// Answers the pose requests that all slabs forwarded in [`Self::ask_owners`].
    pub fn answer<'a, 'm>(
        &'a mut self,
        received: impl Iterator<Item = Received<'m>>,
        out: &mut Outbox<'a>,
    ) {
        self.keep_own_message();
        let Self { directory, messages, local, .. } = self;
        let Simulation { setting, state: State { motion, attributes, .. }, .. } = &*local;
        messages.iter_mut().for_each(Vec::clear);
        let questions = received.map(|message| message.bytes).chain([&directory.message[..]]);
        for question in questions.flat_map(|bytes| bytes.as_chunks::<8>().0) {
            let [from, index] = bytemuck::pod_read_unaligned::<[u32; 2]>(question);
            let Some(&slot) = directory.slots.get(&index) else { continue };
            let pose = velocity::pose(motion, attributes, &setting.species, slot as usize);
            write_entry(index, pose, &mut messages[from as usize]);
        }
        self.post_to_others(out);
    }

    /// Stores the requested poses that all slabs sent in [`Self::answer`].
    pub fn take_answers<'m>(&mut self, received: impl Iterator<Item = Received<'m>>) {
        self.keep_own_message();
        let directory = &mut self.directory;
        directory.poses.clear();
        let answers = received.map(|message| message.bytes).chain([&directory.message[..]]);
        directory.poses.extend(answers.flat_map(entries));
        let Simulation { setting, state: State { attributes, motion, .. }, .. } = &self.local;
        let own_targets = &mut self.sorted.own_targets;
        own_targets.clear();
        own_targets.resize(motion.position.len(), None);
        for slot in self.own.clone() {
            own_targets[slot] = match attributes.aim(slot) {
                Aim::Nothing => None,
                Aim::Agent(index) => directory.poses.get(&index).copied(),
                Aim::Point(point) => Some(Pose::at(&setting.space, point)),
            };
        }
    }

    fn keep_own_message(&mut self) {
        std::mem::swap(&mut self.directory.message, &mut self.messages[self.number]);
    }

    pub(super) fn post_to_others<'a>(&'a self, out: &mut Outbox<'a>) {
        for other in self.others() {
            out.push(other, [&self.messages[other][..]]);
        }
    }
}

fn write_entry(number: u32, pose: Pose<f32>, message: &mut Vec<u8>) {
    message.extend(number.to_ne_bytes());
    message.extend(bytemuck::bytes_of(&pose.to_array()));
}

fn entries(bytes: &[u8]) -> impl Iterator<Item = (u32, Pose<f32>)> {
    bytes.as_chunks::<ENTRY_BYTES>().0.iter().map(|entry| {
        let (number, pose) = entry.split_at(4);
        let [x, y, vx, vy, hx, hy]: [f32; 6] = bytemuck::pod_read_unaligned(pose);
        let [position, velocity, heading] = [Vec2::new(x, y), Vec2::new(vx, vy), Vec2::new(hx, hy)];
        (bytemuck::pod_read_unaligned(number), Pose { position, velocity, heading })
    })
}

fn words(bytes: &[u8]) -> impl Iterator<Item = u32> {
    bytes.as_chunks().0.iter().map(|word| u32::from_ne_bytes(*word))
}
