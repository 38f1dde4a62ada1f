//! Velocity matching: the neighbors' mean velocity, approached over a time constant.
//!
//! A sweep of its own over the candidates: 2 fma, 1 compare and 1 mask, 1 add and 2 fma per
//! candidate and batch.

use serde::{Deserialize, Serialize};

use crate::fields::{Field, Parameters};
use crate::force::{Force, Per};
use crate::kernels::{Batch, neighborhood};
use crate::lanes::Lanes;
use crate::vec2::Vec2;

/// Moves as fast and in the same direction as the neighbors
/// (Reynolds 1987, "Velocity matching").
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct VelocityMatching {
    /// Factor of the force, from 0 to 1e6. Default 1.
    pub weight: f32,
    /// The time over which the difference would vanish, from 1e-3 to 1e3 seconds. Default 0.5.
    pub time_constant: f32,
}

impl Default for VelocityMatching {
    fn default() -> Self {
        Self { weight: 1.0, time_constant: 0.5 }
    }
}

impl Parameters for VelocityMatching {
    fn fields(&mut self) -> Vec<Field<'_>> {
        vec![
            Field::weight(&mut self.weight),
            Field::number("time_constant", &mut self.time_constant, 1.0e-3, 1.0e3, "s"),
        ]
    }

    fn reads_velocities(&self) -> bool {
        true
    }
}

#[inline(always)]
pub(crate) fn force<L: Lanes>(matching: &VelocityMatching, batch: &mut Batch<'_, L>) -> Force<L> {
    let motion = batch.crowd.motion;
    let (one, mut count) = (L::splat(1.0), L::zero());
    let mut sum = Vec2::zero();
    neighborhood::for_each_seen(batch, |slot, _, seen| {
        let velocity = Vec2::new(L::splat(motion.vx[slot]), L::splat(motion.vy[slot]));
        let weight = seen.keep(one);
        count = count + weight;
        sum = velocity.mul_add(weight, sum);
    });
    // The agent itself was among those seen.
    let (count, sum) = (count - one, sum - batch.velocity());
    let vector = batch.velocity().mul_add(-count, sum);
    Force { vector, per: Per::Number(count * L::splat(matching.time_constant)) }
}
