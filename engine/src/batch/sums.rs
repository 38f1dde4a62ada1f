//! Sums over neighbors, which the behaviors of a view share.

use crate::math::lanes::{Lanes, Mask};
use crate::math::vec3::Vec3;

/// Sums over the neighbors that each agent of a batch sees.
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct NeighborSums<L: Lanes> {
    /// Number of neighbors, as a float. Divide the other sums by it to get means.
    pub count: L,
    /// Sum of the neighbors' headings, which are unit vectors.
    pub heading: Vec3<L>,
    /// Sum of the offsets to the neighbors: Σ (pj − p), in world units.
    pub offset: Vec3<L>,
    /// Sum of offset / distance² over the neighbors: Σ (pj − p) / |pj − p|², in 1 / world units.
    pub inverse_offset: Vec3<L>,
}

impl<L: Lanes> NeighborSums<L> {
    #[inline(always)]
    pub(super) fn none() -> Self {
        let (count, none) = (L::zero(), Vec3::zero());
        Self { count, heading: none, offset: none, inverse_offset: none }
    }

    /// Mask of the agents that have a neighbor.
    #[inline(always)]
    pub fn any(&self) -> Mask<L> {
        self.count.gt(L::zero())
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Computed {
    Nothing,
    InverseOffset,
    All,
}

#[derive(Clone, Copy)]
pub(super) struct ViewSums<L: Lanes> {
    pub(super) view: usize,
    pub(super) computed: Computed,
    pub(super) sums: NeighborSums<L>,
}
