//! Flee: norm(p − T)·max speed − v, within the panic distance.

use serde::{Deserialize, Serialize};

use crate::fields::{Field, Parameters};
use crate::kernels::{Batch, seek};
use crate::lanes::Lanes;
use crate::target::Target;
use crate::vec2::Vec2;

/// Steers away from a target at full speed (Reynolds 1999, "Flee"; Buckland 2004, ch. 3).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Flee {
    /// Factor of the force, from 0 to 1e6. Default 200.
    pub weight: f32,
    /// Where from.
    pub target: Target,
    /// Beyond this distance, in world units from 0 to 1e7, the agent does not care; without
    /// it, it always flees. The book uses 100. Default none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub panic_distance: Option<f32>,
}

impl Default for Flee {
    fn default() -> Self {
        Self { weight: 200.0, target: Target::Nobody, panic_distance: None }
    }
}

impl Parameters for Flee {
    fn fields(&mut self) -> Vec<Field<'_>> {
        vec![
            Field::weight(&mut self.weight),
            Field::target("target", &mut self.target),
            Field::optional("panic_distance", &mut self.panic_distance, 0.0, 1.0e7, "world units"),
        ]
    }
}

#[inline(always)]
pub(crate) fn force<L: Lanes>(flee: &Flee, batch: &mut Batch<'_, L>) -> Vec2<L> {
    let (target, present) = batch.target(&flee.target);
    let away = -batch.way_to(target.position);
    let force = seek::along(batch, away).keep(present);
    match flee.panic_distance {
        Some(distance) => force.keep(away.dot(away).le(L::splat(distance * distance))),
        None => force,
    }
}
