//! The kernel of each behavior.

use crate::behaviors::{Behavior, registry};
use crate::kernels::batch::Batch;
use crate::math::force::Force;
use crate::math::lanes::Lanes;

/// The unweighted force on every agent of a batch.
#[inline(always)]
pub(crate) fn force<L: Lanes>(behavior: &Behavior, batch: &mut Batch<'_, L>) -> Force<L> {
    macro_rules! dispatch {
        ($($(#[$doc:meta])* $name:ident: $module:ident,)+) => {
            match behavior {
                $(Behavior::$name(parameters) => L::compiled(
                    #[inline(always)]
                    || super::$module::force(parameters, batch).into(),
                ),)+
            }
        };
    }
    registry!(dispatch)
}
