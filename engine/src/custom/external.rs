//! Forces from outside: an acceleration that the caller sets for each agent.

use crate::batch::Batch;
use crate::behaviors::external::External;
use crate::behaviors::fields::{WEIGHT, fields};
use crate::custom::behavior::CustomBehavior;
use crate::math::force::Force;
use crate::math::lanes::Lanes;
use crate::math::vec2::Vec2;

impl CustomBehavior for External {
    const NAME: &'static str = "external";

    fields! {
        weight: WEIGHT,
    }

    fn weight(&self) -> f32 {
        self.weight
    }

    fn columns(&self) -> Vec<&str> {
        vec![Self::X, Self::Y]
    }

    #[inline(always)]
    fn force<L: Lanes>(&self, batch: &mut Batch<'_, L>) -> Force<L> {
        (Vec2::new(batch.column(0), batch.column(1)) * batch.mass()).into()
    }
}
