//! Interpose: arrive in the middle between two others, as of when one gets there.

use serde::{Deserialize, Serialize};

use crate::fields::{Field, Parameters};
use crate::kernels::arrive::Deceleration;
use crate::kernels::{Batch, arrive};
use crate::lanes::Lanes;
use crate::target::Target;
use crate::vec2::Vec2;

/// Steers to the point midway between two targets (Buckland 2004, ch. 3, "Interpose"). Each
/// may be an agent or a point.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Interpose {
    /// Factor of the force, from 0 to 1e6. Default 200.
    pub weight: f32,
    /// One of them.
    pub a: Target,
    /// The other.
    pub b: Target,
}

impl Default for Interpose {
    fn default() -> Self {
        Self { weight: 200.0, a: Target::Nobody, b: Target::Nobody }
    }
}

impl Parameters for Interpose {
    fn fields(&mut self) -> Vec<Field<'_>> {
        vec![
            Field::weight(&mut self.weight),
            Field::target("a", &mut self.a),
            Field::target("b", &mut self.b),
        ]
    }
}

#[inline(always)]
pub(crate) fn force<L: Lanes>(interpose: &Interpose, batch: &mut Batch<'_, L>) -> Vec2<L> {
    let (a, a_present) = batch.target(&interpose.a);
    let (b, b_present) = batch.target(&interpose.b);
    let half = L::splat(0.5);
    // Halfway along the shortest ways to both: on a torus the middle is where one stands.
    let middle = (batch.way_to(a.position) + batch.way_to(b.position)) * half;
    let time = middle.length() / batch.max_speed();
    let a_then = a.velocity.mul_add(time, a.position);
    let b_then = b.velocity.mul_add(time, b.position);
    let way = (batch.way_to(a_then) + batch.way_to(b_then)) * half;
    arrive::along(batch, way, Deceleration::Fast).keep(a_present & b_present)
}
