//! Encoding of each agent's own target in the `target` and `target_point` columns.

use crate::crowd::columns::Attributes;
use crate::math::vec3::Vec3;

pub(crate) const NO_TARGET: u32 = u32::MAX;

/// Entry in the `target` column for an agent whose own target is the point in `target_point`.
pub(crate) const AT_POINT: u32 = NO_TARGET - 1;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Aim {
    Nothing,
    Agent(u32),
    /// A point, in world units. On a torus, the point may be outside the world.
    Point(Vec3<f32>),
}

impl Attributes {
    pub(crate) fn aim(&self, slot: usize) -> Aim {
        match self.target.get(slot) {
            None | Some(&NO_TARGET) => Aim::Nothing,
            Some(&AT_POINT) => Aim::Point(self.target_point.at(slot)),
            Some(&index) => Aim::Agent(index),
        }
    }

    pub(crate) fn set_aim(&mut self, slot: usize, aim: Aim) {
        let (entry, point) = match aim {
            Aim::Nothing => (NO_TARGET, Vec3::ZERO),
            Aim::Agent(index) => (index, Vec3::ZERO),
            Aim::Point(point) => (AT_POINT, point),
        };
        self.target[slot] = entry;
        // Zeros replace an outdated point, so that equal states save to identical bytes.
        if !self.target_point.is_empty() {
            self.target_point.set(slot, point);
        }
    }
}
