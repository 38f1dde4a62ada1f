//! The twin of each behavior.

use crate::behaviors::{Behavior, registry};
use crate::custom::compiled::Compiled;
use crate::math::force::Force;
use crate::math::scalar::Scalar;
use crate::reference::agent::Agent;

/// The unweighted force of behavior `number` of its species on an agent.
#[inline(always)]
pub(crate) fn force<S: Scalar + Compiled>(
    behavior: &Behavior,
    number: usize,
    agent: &mut Agent<'_, S>,
) -> Force<S> {
    macro_rules! dispatch {
        ($($(#[$doc:meta])* $name:ident: $module:ident,)+) => {
            match behavior {
                $(Behavior::$name(parameters) => S::compiled(
                    #[inline(always)]
                    || super::$module::force(parameters, agent).into(),
                ),)+
                Behavior::Custom(custom) => super::custom::force(custom, number, agent),
            }
        };
    }
    registry!(dispatch)
}
