//! Targets that any slab may own: targets shared by whole species, and agents' own targets.
//!
//! All slabs exchange the poses of shared targets. For own targets, a distributed directory maps
//! each agent's index to the slab that owns the agent; every slab stores one part of
//! the directory.
//! In each step, slabs register their agents in the directory. A slab that needs poses asks the
//! directory, which forwards the request to the owners. The owners reply to the slab directly.
//! The order in which messages arrive does not affect the result.

use crate::crowd::formation::{Joined, places};
use crate::crowd::store::values_in;
use crate::crowd::stored_target::StoredTarget;
use crate::crowd::target::{Pose, SharedTarget};
use crate::crowd::velocity;
use crate::math::vec3::Vec3;
use crate::simulation::{Simulation, State};
use crate::slab::exchange::Exchange;
use crate::slab::post::Post;
use crate::slab::state::Slab;

/// In messages to the directory, separates the agents that a slab owns from those that it asks for.
const END: u32 = u32::MAX;

impl Slab {
    /// Exchanges the poses of agents that are shared targets.
    pub(super) fn find_shared_targets<X: Exchange>(
        &mut self,
        post: &mut Post<'_, X>,
    ) -> Result<(), X::Lost> {
        if self.sorted.surroundings.shared_targets.iter().all(|target| target.id.is_none()) {
            return Ok(());
        }
        self.list_shared_targets();
        let poses = post.all_gather(&self.messages[self.number])?;
        // Removing agents resets all poses, so no pose is outdated.
        for (index, pose) in poses.iter().flat_map(|bytes| entries(bytes)) {
            self.sorted.surroundings.shared_targets[index as usize].pose = Some(pose);
        }
        Ok(())
    }

    fn list_shared_targets(&mut self) {
        let Self { local, sorted, own, messages, number, words: sought, .. } = self;
        let Simulation { setting, state, .. } = &*local;
        let State { motion, attributes, ids, .. } = state;
        let targets = &mut sorted.surroundings.shared_targets;
        let current = |shared: &SharedTarget| shared.id.filter(|&id| ids.is_current(id));
        sought.clear();
        for shared in &mut *targets {
            let Some(id) = current(shared) else { continue };
            shared.slot = shared.known_slot(&attributes.index).filter(|slot| own.contains(slot));
            sought.extend(shared.slot.is_none().then_some(id.index));
        }
        sought.sort_unstable();
        if let (Some(first), Some(last)) = (sought.first(), sought.last()) {
            for (slot, index) in (own.start..).zip(&attributes.index[own.clone()]) {
                // Most agents are outside this range, so few need a binary search.
                if (first..=last).contains(&index) && sought.binary_search(index).is_ok() {
                    let is_it = |shared: &&mut SharedTarget| {
                        current(shared).is_some_and(|id| id.index == *index)
                    };
                    targets.iter_mut().filter(is_it).for_each(|shared| shared.slot = Some(slot));
                }
            }
        }
        let message = &mut messages[*number];
        message.clear();
        for (index, shared) in (0_u32..).zip(&*targets) {
            if let (Some(_), Some(slot)) = (current(shared), shared.slot) {
                let pose = velocity::pose(motion, attributes, &setting.species, slot);
                write_entry(index, pose, message);
            }
        }
    }

    /// Numbers all agents in their formations, if a behavior uses these numbers and agents have
    /// joined or left a species.
    pub(super) fn renumber<X: Exchange>(&mut self, post: &mut Post<'_, X>) -> Result<(), X::Lost> {
        let Simulation { setting, state, workspace, .. } = &mut self.local;
        if !setting.required.joined || self.numbered {
            return Ok(());
        }
        let message = &mut self.messages[self.number];
        message.clear();
        let forms = setting.scene.forms();
        let joined = state.attributes.joined(self.own.clone(), &forms);
        joined.for_each(|agent| message.extend(bytemuck::bytes_of(&agent)));
        let joined = post.all_gather(message)?.iter().flat_map(|bytes| values_in::<Joined>(bytes));
        workspace.formation.put_current(places(joined.collect(), state.ids.indices()));
        self.numbered = true;
        Ok(())
    }

    /// Finds agents' own targets, if a behavior uses them, in three exchanges among all slabs.
    pub(super) fn find_own_targets<X: Exchange>(
        &mut self,
        post: &mut Post<'_, X>,
    ) -> Result<(), X::Lost> {
        if !self.local.setting.required.target {
            return Ok(());
        }
        self.ask_directory();
        post.swap(&self.messages, 0..self.slabs())?;
        self.ask_owners(post.received());
        post.swap(&self.messages, 0..self.slabs())?;
        self.answer(post.received());
        post.swap(&self.messages, 0..self.slabs())?;
        self.take_answers(post.received());
        Ok(())
    }

    /// Tells the directory which agents this slab owns and which poses it needs.
    fn ask_directory(&mut self) {
        let indices_per_slab = self.local.state.ids.indices().div_ceil(self.slabs()).max(1);
        let attributes = &self.local.state.attributes;
        let directory = &mut self.directory;
        directory.indices_per_slab = indices_per_slab;
        directory.slots.clear();
        let own_indices = &attributes.index[self.own.clone()];
        directory.slots.extend(own_indices.iter().copied().zip(self.own.start as u32..));
        directory.wanted.clear();
        let wanted = self.own.clone().filter_map(|slot| match attributes.stored_target(slot) {
            StoredTarget::Agent(index) => Some(index),
            StoredTarget::Nothing | StoredTarget::Point(_) => None,
        });
        directory.wanted.extend(wanted);
        directory.wanted.sort_unstable();
        directory.wanted.dedup();

        self.messages.iter_mut().for_each(Vec::clear);
        for index in own_indices {
            self.messages[*index as usize / indices_per_slab].extend(index.to_ne_bytes());
        }
        self.messages.iter_mut().for_each(|message| message.extend(END.to_ne_bytes()));
        for index in &directory.wanted {
            self.messages[*index as usize / indices_per_slab].extend(index.to_ne_bytes());
        }
    }

    /// Forwards the pose requests of all slabs to the slabs that own the agents.
    fn ask_owners<'m>(&mut self, received: impl Iterator<Item = (usize, &'m [u8])> + Clone) {
        let Self { directory, messages, number, .. } = self;
        let first = *number * directory.indices_per_slab;
        directory.owners.resize(directory.indices_per_slab, 0);
        for (from, bytes) in received.clone() {
            for index in values_in::<u32>(bytes).take_while(|&index| index != END) {
                directory.owners[index as usize - first] = from as u32;
            }
        }
        messages.iter_mut().for_each(Vec::clear);
        for (from, bytes) in received {
            for index in values_in::<u32>(bytes).skip_while(|&index| index != END).skip(1) {
                let owner = directory.owners[index as usize - first] as usize;
                messages[owner].extend_from_slice(bytemuck::bytes_of(&[from as u32, index]));
            }
        }
    }

    /// Answers the pose requests that the directory forwarded.
    fn answer<'m>(&mut self, received: impl Iterator<Item = (usize, &'m [u8])>) {
        let Self { directory, messages, local, .. } = self;
        let Simulation { setting, state: State { motion, attributes, .. }, .. } = &*local;
        messages.iter_mut().for_each(Vec::clear);
        for [from, index] in received.flat_map(|(_, bytes)| values_in::<[u32; 2]>(bytes)) {
            let Some(&slot) = directory.slots.get(&index) else { continue };
            let pose = velocity::pose(motion, attributes, &setting.species, slot as usize);
            write_entry(index, pose, &mut messages[from as usize]);
        }
    }

    fn take_answers<'m>(&mut self, received: impl Iterator<Item = (usize, &'m [u8])>) {
        let directory = &mut self.directory;
        directory.poses.clear();
        directory.poses.extend(received.flat_map(|(_, bytes)| entries(bytes)));
        let Simulation { setting, state: State { attributes, motion, .. }, .. } = &self.local;
        let own_targets = &mut self.sorted.surroundings.own_targets;
        own_targets.clear();
        own_targets.resize(motion.position.len(), None);
        for slot in self.own.clone() {
            own_targets[slot] = match attributes.stored_target(slot) {
                StoredTarget::Nothing => None,
                StoredTarget::Agent(index) => directory.poses.get(&index).copied(),
                StoredTarget::Point(point) => Some(Pose::at(&setting.space, point)),
            };
        }
    }
}

fn write_entry(index: u32, pose: Pose<f32>, message: &mut Vec<u8>) {
    message.extend(index.to_ne_bytes());
    message.extend(bytemuck::bytes_of(&pose.to_array()));
}

fn entries(bytes: &[u8]) -> impl Iterator<Item = (u32, Pose<f32>)> {
    values_in(bytes).map(|[index, pose @ ..]: [u32; 10]| {
        let vector = |first| Vec3::by_axis(|axis| f32::from_bits(pose[first + axis]));
        (index, Pose { position: vector(0), velocity: vector(3), heading: vector(6) })
    })
}
