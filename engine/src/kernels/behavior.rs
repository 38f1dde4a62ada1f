//! The kernel of each behavior.

use crate::batch::Batch;
use crate::behaviors::{Behavior, registry};
use crate::custom::compiled::{self, Compiled};
use crate::math::force::Force;

/// The unweighted force of behavior `number` of its species on every agent of a batch.
#[inline(always)]
pub(crate) fn force<L: Compiled>(
    behavior: &Behavior,
    number: usize,
    batch: &mut Batch<'_, L>,
) -> Force<L> {
    macro_rules! dispatch {
        ($($(#[$doc:meta])* $name:ident: $module:ident,)+) => {
            match behavior {
                $(Behavior::$name(parameters) => L::compiled(
                    #[inline(always)]
                    || super::$module::force(parameters, batch).into(),
                ),)+
                Behavior::Custom(custom) => compiled::force(custom, number, batch),
            }
        };
    }
    registry!(dispatch)
}
