//! Arrive: like seek, but the wanted speed falls with the distance that is left.

use serde::{Deserialize, Serialize};

use crate::fields::{Field, FieldValue, Parameters};
use crate::kernels::Batch;
use crate::lanes::Lanes;
use crate::target::Target;
use crate::vec2::Vec2;

/// How gently an agent brakes.
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

/// Steers towards a target and comes to rest on it
/// (Reynolds 1999, "Arrival"; Buckland 2004, ch. 3).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Arrive {
    /// Factor of the force, from 0 to 1e6. Default 200.
    pub weight: f32,
    /// Where to.
    pub target: Target,
    /// How gently to brake. Default normal.
    pub deceleration: Deceleration,
}

impl Default for Arrive {
    fn default() -> Self {
        let deceleration = Deceleration::default();
        Self { weight: 200.0, target: Target::Nobody, deceleration }
    }
}

impl Parameters for Arrive {
    fn fields(&mut self) -> Vec<Field<'_>> {
        vec![
            Field::weight(&mut self.weight),
            Field::target("target", &mut self.target),
            Field::choice("deceleration", FieldValue::Deceleration(&mut self.deceleration)),
        ]
    }
}

#[inline(always)]
pub(crate) fn force<L: Lanes>(arrive: &Arrive, batch: &mut Batch<'_, L>) -> Vec2<L> {
    let (target, present) = batch.target(&arrive.target);
    along(batch, batch.way_to(target.position), arrive.deceleration).keep(present)
}

/// The force that brings the agent to rest at the end of `way`.
#[inline(always)]
pub(crate) fn along<L: Lanes>(
    batch: &Batch<'_, L>,
    way: Vec2<L>,
    deceleration: Deceleration,
) -> Vec2<L> {
    let distance = way.length();
    let wanted = distance * L::splat(deceleration.rate());
    let speed = wanted.lt(batch.max_speed()).select(wanted, batch.max_speed());
    // On the target itself the wanted velocity is zero, which leaves −v.
    let per_distance = distance.gt(L::zero()).keep(speed / distance);
    way * per_distance - batch.velocity()
}
