//! Sums over the neighbors an agent sees.

use crate::math::lanes::{Lanes, Mask};
use crate::math::vec2::Vec2;

/// Added to squared distances, in units²: (1e-6 units)². It vanishes in the rounding of any pair
/// further apart than a few thousandths of a unit. What pushes by 1 / distance pushes closer pairs
/// less: 1 % less at 1e-5 units, half as much at 1e-6.
pub(crate) const SOFTENING: f32 = 1.0e-12;

/// Sums over an agent's neighbors.
#[derive(Clone, Copy)]
pub(crate) struct Neighborhood<L> {
    /// Number of neighbors.
    pub(crate) count: L,
    /// Σ heading.
    pub(crate) heading: Vec2<L>,
    /// Σ (pj − p).
    pub(crate) offset: Vec2<L>,
    /// Σ (pj − p) / |pj − p|².
    pub(crate) inverse_offset: Vec2<L>,
}

impl<L: Lanes> Neighborhood<L> {
    /// No neighbors.
    #[inline(always)]
    pub(crate) fn none() -> Self {
        let (count, none) = (L::zero(), Vec2::zero());
        Self { count, heading: none, offset: none, inverse_offset: none }
    }

    /// The lanes that have a neighbor.
    #[inline(always)]
    pub(crate) fn any(&self) -> Mask<L> {
        self.count.gt(L::zero())
    }
}
