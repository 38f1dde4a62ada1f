//! Seek: norm(T − p)·max speed − v.

use serde::{Deserialize, Serialize};

use crate::error::{Error, within};
use crate::kernels::Batch;
use crate::lanes::Lanes;
use crate::vec2::Vec2;
use crate::world::COORDINATE_LIMIT;

/// Steers towards a fixed point at full speed (Reynolds 1999, "Seek").
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Seek {
    /// Factor of the force, from 0 to 1e6. Default 200.
    #[serde(default = "default_weight")]
    pub weight: f32,
    /// The point, in world units.
    pub target: [f32; 2],
}

pub(crate) fn default_weight() -> f32 {
    200.0
}

impl Seek {
    pub(crate) fn check(&self, path: &str) -> Result<(), Error> {
        within(&format!("{path}.weight"), self.weight, 0.0, 1.0e6, "")?;
        check_target(path, self.target)
    }
}

pub(crate) fn check_target(path: &str, target: [f32; 2]) -> Result<(), Error> {
    target.iter().enumerate().try_for_each(|(axis, &value)| {
        let field = format!("{path}.target[{axis}]");
        within(&field, value, -COORDINATE_LIMIT, COORDINATE_LIMIT, "world units")
    })
}

#[inline(always)]
pub(crate) fn force<L: Lanes>(seek: &Seek, batch: &mut Batch<'_, L>) -> Vec2<L> {
    batch.towards(seek.target).normalized() * batch.max_speed - batch.velocity
}
