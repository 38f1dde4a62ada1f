//! Arrive: like seek, but the wanted speed falls with the distance that is left.

use serde::{Deserialize, Serialize};

use crate::error::{Error, within};
use crate::kernels::Batch;
use crate::kernels::seek::{check_target, default_weight};
use crate::lanes::Lanes;
use crate::vec2::Vec2;

/// How gently [`Arrive`] brakes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Deceleration {
    /// Brakes late.
    Fast,
    /// In between.
    #[default]
    Normal,
    /// Brakes early.
    Slow,
}

/// Seconds over which the remaining distance is spread at deceleration 1
/// (Buckland's `DecelerationTweaker`).
const SECONDS_PER_DECELERATION: f32 = 0.3;

impl Deceleration {
    /// 1 / the time, in seconds, in which the remaining distance would be covered.
    pub(crate) fn rate(self) -> f32 {
        let steps = match self {
            Self::Fast => 1.0,
            Self::Normal => 2.0,
            Self::Slow => 3.0,
        };
        1.0 / (steps * SECONDS_PER_DECELERATION)
    }
}

/// Steers towards a fixed point and comes to rest on it
/// (Reynolds 1999, "Arrival"; Buckland 2004, ch. 3).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Arrive {
    /// Factor of the force, from 0 to 1e6. Default 200.
    #[serde(default = "default_weight")]
    pub weight: f32,
    /// The point, in world units.
    pub target: [f32; 2],
    /// How gently to brake. Default normal.
    #[serde(default)]
    pub deceleration: Deceleration,
}

impl Arrive {
    pub(crate) fn check(&self, path: &str) -> Result<(), Error> {
        within(&format!("{path}.weight"), self.weight, 0.0, 1.0e6, "")?;
        check_target(path, self.target)
    }
}

#[inline(always)]
pub(crate) fn force<L: Lanes>(arrive: &Arrive, batch: &mut Batch<'_, L>) -> Vec2<L> {
    let to = batch.towards(arrive.target);
    let distance = to.length();
    let wanted = distance * L::splat(arrive.deceleration.rate());
    let speed = wanted.lt(batch.max_speed).select(wanted, batch.max_speed);
    // On the target itself the wanted velocity is zero, which leaves −v.
    let per_distance = distance.gt(L::zero()).keep(speed / distance);
    to * per_distance - batch.velocity
}
