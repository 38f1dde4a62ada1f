//! Separation: Σ (p − pj) / |p − pj|² over the neighbors.
//!
//! The sum comes from the shared sweep; two sign changes remain.

use serde::{Deserialize, Serialize};

use crate::fields::{Field, Parameters};
use crate::kernels::Batch;
use crate::lanes::Lanes;
use crate::vec2::Vec2;

/// Steers away from each neighbor, with a force that falls with distance
/// (Reynolds 1999, "Separation"; Buckland 2004, ch. 3).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Separation {
    /// Factor of the force, from 0 to 1e6. Default 200.
    pub weight: f32,
}

impl Default for Separation {
    fn default() -> Self {
        Self { weight: 200.0 }
    }
}

impl Parameters for Separation {
    fn fields(&mut self) -> Vec<Field<'_>> {
        vec![Field::weight(&mut self.weight)]
    }
}

#[inline(always)]
pub(crate) fn force<L: Lanes>(_: &Separation, batch: &mut Batch<'_, L>) -> Vec2<L> {
    -batch.neighborhood().inverse_offset
}
