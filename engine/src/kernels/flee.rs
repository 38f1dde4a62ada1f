//! Flee: norm(p − T)·max speed − v, within the panic distance.

use serde::{Deserialize, Serialize};

use crate::error::{Error, within};
use crate::kernels::Batch;
use crate::kernels::seek::{check_target, default_weight};
use crate::lanes::Lanes;
use crate::vec2::Vec2;

/// Steers away from a fixed point at full speed (Reynolds 1999, "Flee").
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Flee {
    /// Factor of the force, from 0 to 1e6. Default 200.
    #[serde(default = "default_weight")]
    pub weight: f32,
    /// The point, in world units.
    pub target: [f32; 2],
    /// Beyond this distance, in world units from 0 to 1e7, the agent does not care; without
    /// it, it always flees. The book uses 100.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub panic_distance: Option<f32>,
}

impl Flee {
    pub(crate) fn check(&self, path: &str) -> Result<(), Error> {
        within(&format!("{path}.weight"), self.weight, 0.0, 1.0e6, "")?;
        if let Some(distance) = self.panic_distance {
            within(&format!("{path}.panic_distance"), distance, 0.0, 1.0e7, "world units")?;
        }
        check_target(path, self.target)
    }
}

#[inline(always)]
pub(crate) fn force<L: Lanes>(flee: &Flee, batch: &mut Batch<'_, L>) -> Vec2<L> {
    let away = -batch.towards(flee.target);
    let force = away.normalized() * batch.max_speed - batch.velocity;
    match flee.panic_distance {
        Some(distance) => force.keep(away.dot(away).le(L::splat(distance * distance))),
        None => force,
    }
}
