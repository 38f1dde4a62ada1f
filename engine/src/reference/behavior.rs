//! The twin of each behavior.

use crate::behaviors::{Behavior, registry};
use crate::math::force::Force;
use crate::reference::agent::Agent;

/// The unweighted force on an agent.
pub(crate) fn force(behavior: &Behavior, agent: &mut Agent<'_>) -> Force<f32> {
    macro_rules! dispatch {
        ($($(#[$doc:meta])* $name:ident: $module:ident,)+) => {
            match behavior {
                $(Behavior::$name(parameters) => {
                    super::$module::force(parameters, agent).into()
                })+
            }
        };
    }
    registry!(dispatch)
}
