//! Cohesion: seek the mean position of the neighbors.
//!
//! The sweep sums offsets from the agent rather than positions, so the mean offset *is*
//! the way to the center, across the seam of the torus as well, and its direction does
//! not even need the division by the count. The vector is the seek force times the length of
//! that way, so that whoever weighs the force divides once.

use serde::{Deserialize, Serialize};

use crate::fields::{Field, Parameters};
use crate::force::{Force, Per};
use crate::kernels::Batch;
use crate::lanes::Lanes;

/// Steers towards the center of the neighbors; zero without neighbors
/// (Reynolds 1999, "Cohesion"; Buckland 2004, ch. 3).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Cohesion {
    /// Factor of the force, from 0 to 1e6. Default 400.
    pub weight: f32,
    /// Whether the force is cut to a unit vector before the weight, which is what the
    /// book's weights assume. Default true.
    pub normalized: bool,
}

impl Default for Cohesion {
    fn default() -> Self {
        Self { weight: 400.0, normalized: true }
    }
}

impl Parameters for Cohesion {
    fn fields(&mut self) -> Vec<Field<'_>> {
        vec![Field::weight(&mut self.weight), Field::flag("normalized", &mut self.normalized)]
    }
}

#[inline(always)]
pub(crate) fn force<L: Lanes>(cohesion: &Cohesion, batch: &mut Batch<'_, L>) -> Force<L> {
    let near = batch.neighborhood();
    let length = near.offset.length();
    // In the center itself the wanted velocity is zero, which leaves −v.
    let length = length.gt(L::zero()).select(length, L::splat(1.0));
    let seek = near.offset.mul_add(batch.max_speed(), -(batch.velocity() * length));
    let per = if cohesion.normalized { Per::Length } else { Per::Number(length) };
    Force { vector: seek.keep(near.any()), per }
}
