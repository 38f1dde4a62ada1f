//! Leader following: parameters, ranges and defaults.

use serde::{Deserialize, Serialize};

use crate::behaviors::fields::{CHOICE, WEIGHT, fields, number};
use crate::behaviors::parameters::Parameters;
use crate::behaviors::target::Target;

/// Follows a leader without getting in its way (Reynolds 1999, "Leader following"). Put
/// [`Separation`](crate::Separation) before it to keep followers apart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LeaderFollowing {
    /// Scales the force, from 0 to 1e6. Default 200.
    pub weight: f32,
    /// The target to follow.
    pub leader: Target,
    /// How far behind the leader to arrive, from 0 to 1e5, in world units. Default 30.
    pub distance: f32,
    /// How far to keep clear ahead of the leader, from 0 to 1e5, in world units. Default 60.
    pub clear_ahead: f32,
    /// How far to keep clear to either side, from 0 to 1e5, in world units. Default 20.
    pub clear_aside: f32,
}

impl Default for LeaderFollowing {
    fn default() -> Self {
        Self {
            weight: 200.0,
            leader: Target::Unset,
            distance: 30.0,
            clear_ahead: 60.0,
            clear_aside: 20.0,
        }
    }
}

impl Parameters for LeaderFollowing {
    fields! {
        weight: WEIGHT,
        leader: CHOICE,
        distance: number(0.0, 1.0e5, "world units"),
        clear_ahead: number(0.0, 1.0e5, "world units"),
        clear_aside: number(0.0, 1.0e5, "world units"),
    }
}
