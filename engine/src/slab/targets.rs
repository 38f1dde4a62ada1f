//! Shared targets: agents that whole species steer by, wherever they are.

use crate::crowd::target::Pose;
use crate::crowd::target::Target;
use crate::crowd::velocity;
use crate::math::vec2::Vec2;
use crate::simulation::{Setting, Simulation, State};
use crate::slab::state::Slab;

/// The number of a shared target, and its pose.
type Entry = (u32, [f32; 6]);
const ENTRY: usize = 4 + 6 * 4;

impl Slab {
    /// Whether any behavior steers by agents that whole species share. Then all slabs exchange
    /// [`Self::target_poses`].
    #[must_use]
    pub fn has_targets(&self) -> bool {
        self.held.workspace.shared_targets.iter().any(|target| target.id.is_some())
    }

    /// Where those shared targets are that this slab owns, for all slabs.
    pub fn target_poses(&mut self) -> &[u8] {
        let own = self.own.clone();
        let Simulation { setting, state, workspace, .. } = &mut self.held;
        let State { motion, traits, ids, .. } = state;
        let message = &mut self.messages[self.number];
        message.clear();
        for (number, shared) in (0_u32..).zip(&mut workspace.shared_targets) {
            let Some(id) = shared.id.filter(|&id| ids.is_given(id)) else { continue };
            let is_it = |&slot: &usize| traits.index.get(slot) == Some(&id.index);
            let expected = shared.slot.filter(|slot| own.contains(slot)).filter(is_it);
            let slot = expected.or_else(|| own.clone().find(is_it));
            shared.slot = slot;
            if let Some(slot) = slot {
                let pose = velocity::pose(motion, traits, &setting.species, slot).to_array();
                message.extend(number.to_ne_bytes());
                message.extend(bytemuck::bytes_of(&pose));
            }
        }
        message
    }

    /// Takes the poses that all slabs sent, this one among them.
    pub fn set_target_poses(&mut self, received: &[Vec<u8>]) {
        let Simulation { setting: Setting { scene, space, .. }, workspace, .. } = &mut self.held;
        for shared in &mut workspace.shared_targets {
            shared.pose = match &shared.target {
                Target::Named(name) => scene.points.get(name).map(|&point| Pose::at(space, point)),
                _ => None,
            };
        }
        for bytes in received.iter().flat_map(|bytes| bytes.chunks_exact(ENTRY)) {
            let (number, pose) = entry(bytes);
            self.held.workspace.shared_targets[number as usize].pose = Some(pose_of(pose));
        }
    }

    /// Looks shared targets up in the cells that they were sorted into.
    pub(super) fn follow_targets(&mut self) {
        let Simulation { state, workspace, .. } = &mut self.held;
        for shared in &mut workspace.shared_targets {
            let (Some(id), Some(pose)) = (shared.id, shared.pose) else { continue };
            let mut slots = workspace.grid.slots_at(pose.position.x, pose.position.y);
            shared.slot = slots.find(|&slot| state.traits.index[slot] == id.index);
        }
    }
}

fn entry(bytes: &[u8]) -> Entry {
    (bytemuck::pod_read_unaligned(&bytes[..4]), bytemuck::pod_read_unaligned(&bytes[4..]))
}

/// The pose that [`Pose::to_array`] made numbers of.
pub(super) fn pose_of([x, y, vx, vy, hx, hy]: [f32; 6]) -> Pose<f32> {
    Pose { position: Vec2::new(x, y), velocity: Vec2::new(vx, vy), heading: Vec2::new(hx, hy) }
}
