//! Encoding of each agent's own target in the `target` and `target_point` columns.

use crate::crowd::columns::Attributes;
use crate::math::vec3::Vec3;

pub(crate) const NO_TARGET: u32 = u32::MAX;

/// Entry in the `target` column for an agent whose own target is the point in `target_point`.
pub(crate) const AT_POINT: u32 = NO_TARGET - 1;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum StoredTarget {
    Nothing,
    Agent(u32),
    /// A point, in world units. On a torus, the point may be outside the world.
    Point(Vec3<f32>),
}

impl Attributes {
    pub(crate) fn stored_target(&self, slot: usize) -> StoredTarget {
        match self.target.get(slot) {
            None | Some(&NO_TARGET) => StoredTarget::Nothing,
            Some(&AT_POINT) => StoredTarget::Point(self.target_point.at(slot)),
            Some(&index) => StoredTarget::Agent(index),
        }
    }

    pub(crate) fn store_target(&mut self, slot: usize, target: StoredTarget) {
        let (entry, point) = match target {
            StoredTarget::Nothing => (NO_TARGET, Vec3::ZERO),
            StoredTarget::Agent(index) => (index, Vec3::ZERO),
            StoredTarget::Point(point) => (AT_POINT, point),
        };
        self.target[slot] = entry;
        // Zeros replace an outdated point, so that equal states save to identical bytes.
        if !self.target_point.is_empty() {
            self.target_point.set(slot, point);
        }
    }
}
