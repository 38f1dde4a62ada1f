//! Offset pursuit: parameters, ranges and defaults.

use serde::{Deserialize, Serialize};

use crate::behaviors::fields::{CHOICE, WEIGHT, fields, number, whole};
use crate::behaviors::parameters::Parameters;
use crate::behaviors::target::Target;
use crate::math::vec2::Vec2;

/// Keeps a position at an offset from a leader
/// (Reynolds 1999, "Offset pursuit"; Buckland 2004, ch. 3).
///
/// With `abreast`, the agents of the species form ranks of that many behind the offset, in order
/// of their numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct OffsetPursuit {
    /// Scales the force, from 0 to 1e6. Default 200.
    pub weight: f32,
    /// The target to follow.
    pub leader: Target,
    /// The position in the leader's own frame (ahead, to the left), each from -1e6 to 1e6, in
    /// world units. Default 30 behind.
    pub offset: [f32; 2],
    /// Agents per rank, up to 65535; 0 gives all agents the same position. Default 0.
    pub abreast: u32,
    /// Distance between neighboring positions, from 0 to 1e5, in world units. Default 20.
    pub spacing: f32,
}

impl Default for OffsetPursuit {
    fn default() -> Self {
        let leader = Target::Unset;
        Self { weight: 200.0, leader, offset: [-30.0, 0.0], abreast: 0, spacing: 20.0 }
    }
}

impl Parameters for OffsetPursuit {
    fields! {
        weight: WEIGHT,
        leader: CHOICE,
        offset: number(-1.0e6, 1.0e6, "world units"),
        abreast: whole(u16::MAX),
        spacing: number(0.0, 1.0e5, "world units"),
    }
}

impl OffsetPursuit {
    /// The offset of the agent with this number in its species, in the leader's own frame.
    pub(crate) fn offset_of(&self, number: u32) -> Vec2<f32> {
        let offset = Vec2::from(self.offset);
        if self.abreast == 0 {
            return offset;
        }
        let (rank, file) = (number / self.abreast, number % self.abreast);
        let aside = file as f32 - (self.abreast - 1) as f32 / 2.0;
        Vec2::new(-(rank as f32), aside).mul_add(self.spacing, offset)
    }
}
