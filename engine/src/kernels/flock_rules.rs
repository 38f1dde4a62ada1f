//! The normalized flocking rules: three unit vectors, weighted and added.

use serde::{Deserialize, Serialize};

use crate::fields::{Field, Parameters};
use crate::kernels::Batch;
use crate::lanes::Lanes;
use crate::vec2::Vec2;

/// Alignment, cohesion and separation as unit vectors, for
/// [`Locomotion::ConstantSpeed`](crate::Locomotion::ConstantSpeed) (Fernando Bevilacqua
/// 2013, "The Three Simple Rules of Flocking Behaviors").
///
/// The tutorial's separation points exactly opposite to its cohesion, so that the two
/// only ever subtract; `near_separation` weighs neighbors by 1/distance² instead, which
/// keeps both meaningful.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct FlockRules {
    /// Factor of the sum, from 0 to 1e6. Default 200.
    pub weight: f32,
    /// Weight of norm(mean heading), from 0 to 1e3. Default 1.
    pub alignment: f32,
    /// Weight of norm(mean position − p), from 0 to 1e3. Default 1.
    pub cohesion: f32,
    /// Weight of separation, from 0 to 1e3. Default 1.
    pub separation: f32,
    /// Whether separation is norm(Σ (p − pj)/|p − pj|²) rather than −norm(mean(pj − p)).
    /// Default true.
    pub near_separation: bool,
}

impl Default for FlockRules {
    fn default() -> Self {
        Self {
            weight: 200.0,
            alignment: 1.0,
            cohesion: 1.0,
            separation: 1.0,
            near_separation: true,
        }
    }
}

impl Parameters for FlockRules {
    fn fields(&mut self) -> Vec<Field<'_>> {
        vec![
            Field::weight(&mut self.weight),
            Field::number("alignment", &mut self.alignment, 0.0, 1.0e3, ""),
            Field::number("cohesion", &mut self.cohesion, 0.0, 1.0e3, ""),
            Field::number("separation", &mut self.separation, 0.0, 1.0e3, ""),
            Field::flag("near_separation", &mut self.near_separation),
        ]
    }
}

#[inline(always)]
pub(crate) fn force<L: Lanes>(rules: &FlockRules, batch: &mut Batch<'_, L>) -> Vec2<L> {
    let near = batch.neighborhood();
    let alignment = near.heading.normalized();
    let cohesion = near.offset.normalized();
    let separation =
        if rules.near_separation { -near.inverse_offset.normalized() } else { -cohesion };
    let sum = alignment * L::splat(rules.alignment);
    let sum = cohesion.mul_add(L::splat(rules.cohesion), sum);
    let sum = separation.mul_add(L::splat(rules.separation), sum);
    sum.keep(near.any())
}
