//! The twin of each behavior.

use crate::behaviors::{Behavior, registry};
use crate::math::force::Force;
use crate::math::scalar::Scalar;
use crate::reference::agent::Agent;

/// The unweighted force on an agent.
#[inline(always)]
pub(crate) fn force<S: Scalar>(behavior: &Behavior, agent: &mut Agent<'_, S>) -> Force<S> {
    macro_rules! dispatch {
        ($($(#[$doc:meta])* $name:ident: $module:ident,)+) => {
            match behavior {
                $(Behavior::$name(parameters) => S::compiled(
                    #[inline(always)]
                    || super::$module::force(parameters, agent).into(),
                ),)+
            }
        };
    }
    registry!(dispatch)
}
