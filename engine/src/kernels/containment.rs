//! Containment: push the predicted position back over the edge, the deeper the harder.

use serde::{Deserialize, Serialize};

use crate::fields::{Field, Parameters};
use crate::kernels::Batch;
use crate::lanes::Lanes;
use crate::vec2::Vec2;

/// Keeps agents inside the world's rectangle (Reynolds 1999, "Containment"). For bounded and
/// open worlds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Containment {
    /// Factor of the force, from 0 to 1e6. Default 4.
    pub weight: f32,
    /// How far ahead in time the position is predicted, from 1e-2 to 100 seconds. Default 0.5.
    pub prediction: f32,
    /// How far inside the edges agents are to stay, from 0 to 1e6, in world units. Default 0.
    pub margin: f32,
}

impl Default for Containment {
    fn default() -> Self {
        Self { weight: 4.0, prediction: 0.5, margin: 0.0 }
    }
}

impl Parameters for Containment {
    fn fields(&mut self) -> Vec<Field<'_>> {
        vec![
            Field::weight(&mut self.weight),
            Field::number("prediction", &mut self.prediction, 1.0e-2, 100.0, "s"),
            Field::number("margin", &mut self.margin, 0.0, 1.0e6, "world units"),
        ]
    }
}

/// The velocity that is missing to be inside in time.
#[inline(always)]
pub(crate) fn force<L: Lanes>(containment: &Containment, batch: &mut Batch<'_, L>) -> Vec2<L> {
    let predicted = batch.velocity().mul_add(L::splat(containment.prediction), batch.position());
    let size = batch.crowd.space.size;
    let rate = L::splat(1.0 / containment.prediction);
    Vec2::new(
        inward(predicted.x, containment.margin, size.x) * rate,
        inward(predicted.y, containment.margin, size.y) * rate,
    )
}

/// How far a coordinate is from [margin, size − margin], positive if it is below.
#[inline(always)]
fn inward<L: Lanes>(x: L, margin: f32, size: f32) -> L {
    let (below, above) = (L::splat(margin) - x, L::splat(size - margin) - x);
    below.gt(L::zero()).select(below, above.lt(L::zero()).keep(above))
}
