//! Pursuit: seek the point where the evader will be by the time one gets there.
//!
//! An evader that is ahead and comes straight on is sought where it is.

use serde::{Deserialize, Serialize};

use crate::fields::{Field, Parameters};
use crate::kernels::{Batch, seek};
use crate::lanes::Lanes;
use crate::target::Target;
use crate::vec2::Vec2;

/// cos of the angle between headings from which on an evader comes straight on (about 18°).
pub(crate) const HEAD_ON: f32 = -0.95;

/// Steers to intercept a moving target
/// (Reynolds 1999, "Pursuit"; Buckland 2004, ch. 3).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Pursuit {
    /// Factor of the force, from 0 to 1e6. Default 200.
    pub weight: f32,
    /// Whom to pursue.
    pub evader: Target,
    /// Adds (1 − cos of the angle to turn) times this many seconds to the time of the
    /// prediction, from 0 to 100. The book uses 0.5, one second for a half-turn. Default 0.
    pub turnaround: f32,
}

impl Default for Pursuit {
    fn default() -> Self {
        Self { weight: 200.0, evader: Target::Nobody, turnaround: 0.0 }
    }
}

impl Parameters for Pursuit {
    fn fields(&mut self) -> Vec<Field<'_>> {
        vec![
            Field::weight(&mut self.weight),
            Field::target("evader", &mut self.evader),
            Field::number("turnaround", &mut self.turnaround, 0.0, 100.0, "s"),
        ]
    }
}

#[inline(always)]
pub(crate) fn force<L: Lanes>(pursuit: &Pursuit, batch: &mut Batch<'_, L>) -> Vec2<L> {
    let (evader, present) = batch.target(&pursuit.evader);
    let way = batch.way_to(evader.position);
    let ahead = way.dot(batch.heading()).gt(L::zero());
    let head_on = ahead & batch.heading().dot(evader.heading).lt(L::splat(HEAD_ON));

    let turn = L::splat(1.0) - batch.heading().dot(way.normalized());
    let time = way.length() / (batch.max_speed() + evader.velocity.length());
    let time = turn.mul_add(L::splat(pursuit.turnaround), time);
    let predicted = evader.velocity.mul_add(time, evader.position);
    let way = Vec2::select(head_on, way, batch.way_to(predicted));
    seek::along(batch, way).keep(present)
}
