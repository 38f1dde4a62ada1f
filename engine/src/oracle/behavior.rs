//! The oracle of each behavior.

use crate::behaviors::{Behavior, registry};
use crate::oracle::agent::Oracle;
use crate::oracle::vector::V;

/// The unweighted force on an agent.
pub(super) fn force(behavior: &Behavior, oracle: &mut Oracle<'_>) -> V {
    macro_rules! dispatch {
        ($($(#[$doc:meta])* $name:ident: $module:ident,)+) => {
            match behavior {
                $(Behavior::$name(parameters) => {
                    super::$module::force(parameters, oracle)
                })+
                Behavior::Custom(_) => unreachable!("custom behaviors have no oracle"),
            }
        };
    }
    registry!(dispatch)
}
