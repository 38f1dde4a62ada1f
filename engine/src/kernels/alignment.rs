//! Alignment: mean(hj) − h over the neighbors.
//!
//! The heading sum comes from the shared sweep; whoever weighs the force divides by the count.

use serde::{Deserialize, Serialize};

use crate::fields::{Field, Parameters};
use crate::force::{Force, Per};
use crate::kernels::Batch;
use crate::lanes::Lanes;

/// Turns towards the mean heading of the neighbors; zero without neighbors
/// (Reynolds 1999, "Alignment"; Buckland 2004, ch. 3).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Alignment {
    /// Factor of the force, from 0 to 1e6. Default 200.
    pub weight: f32,
}

impl Default for Alignment {
    fn default() -> Self {
        Self { weight: 200.0 }
    }
}

impl Parameters for Alignment {
    fn fields(&mut self) -> Vec<Field<'_>> {
        vec![Field::weight(&mut self.weight)]
    }
}

#[inline(always)]
pub(crate) fn force<L: Lanes>(_: &Alignment, batch: &mut Batch<'_, L>) -> Force<L> {
    let near = batch.neighborhood();
    let vector = batch.heading().mul_add(-near.count, near.heading);
    Force { vector, per: Per::Number(near.count) }
}
