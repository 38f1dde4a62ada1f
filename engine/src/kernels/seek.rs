//! Seek: norm(T − p)·max speed − v.

use serde::{Deserialize, Serialize};

use crate::fields::{Field, Parameters};
use crate::kernels::Batch;
use crate::lanes::Lanes;
use crate::target::Target;
use crate::vec2::Vec2;

/// Steers towards a target at full speed (Reynolds 1999, "Seek"; Buckland 2004, ch. 3).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Seek {
    /// Factor of the force, from 0 to 1e6. Default 200.
    pub weight: f32,
    /// Where to.
    pub target: Target,
}

impl Default for Seek {
    fn default() -> Self {
        Self { weight: 200.0, target: Target::Nobody }
    }
}

impl Parameters for Seek {
    fn fields(&mut self) -> Vec<Field<'_>> {
        vec![Field::weight(&mut self.weight), Field::target("target", &mut self.target)]
    }
}

#[inline(always)]
pub(crate) fn force<L: Lanes>(seek: &Seek, batch: &mut Batch<'_, L>) -> Vec2<L> {
    let (target, present) = batch.target(&seek.target);
    along(batch, batch.way_to(target.position)).keep(present)
}

/// The force that turns the velocity to full speed along `way`.
#[inline(always)]
pub(crate) fn along<L: Lanes>(batch: &Batch<'_, L>, way: Vec2<L>) -> Vec2<L> {
    way.normalized() * batch.max_speed() - batch.velocity()
}
