//! Hide: parameters, ranges and defaults.

use serde::{Deserialize, Serialize};

use crate::behaviors::fields::{CHOICE, FLAG, WEIGHT, fields, number};
use crate::behaviors::parameters::{Parameters, Remembers};
use crate::behaviors::target::Target;

/// Steers to where an obstacle hides the agent from a hunter
/// (Reynolds 1999, "Hiding"; Buckland 2004, ch. 3). Without an obstacle it evades the hunter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Hide {
    /// Scales the force, from 0 to 1e6. Default 200.
    pub weight: f32,
    /// The target to hide from.
    pub hunter: Target,
    /// The distance from an obstacle's rim to the hiding spot behind it, from 0 to 1e4, in
    /// world units. Default 30.
    pub gap: f32,
    /// Only obstacles whose rim is within this distance, in world units from 0 to 1e6, are used;
    /// if none, all are, which costs time in proportion to their number. Default none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub search_distance: Option<f32>,
    /// The agent hides only while it sees the hunter, and for this many seconds (0 to 1e4) after;
    /// if none, it always hides. Default none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<f32>,
    /// Whether the agent hides only while it and the hunter see each other; the hunter sees the
    /// half-plane ahead of it. Default false.
    pub mutual: bool,
    /// Penalty on spots ahead of the hunter, in favor of those beside and behind it, from 0 to 1.
    /// The distance to a spot is multiplied by 1 + bias·cos, with the cosine of the angle between
    /// the hunter's heading and the direction to the obstacle. Default 0.
    pub bias: f32,
    /// Beyond this distance, in world units from 0 to 1e7, the hunter is no threat; if none, it
    /// always is. Default none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threat_distance: Option<f32>,
}

impl Default for Hide {
    fn default() -> Self {
        Self {
            weight: 200.0,
            hunter: Target::Unset,
            gap: 30.0,
            search_distance: None,
            memory: None,
            mutual: false,
            bias: 0.0,
            threat_distance: None,
        }
    }
}

impl Parameters for Hide {
    fields! {
        weight: WEIGHT,
        hunter: CHOICE,
        gap: number(0.0, 1.0e4, "world units"),
        search_distance: number(0.0, 1.0e6, "world units"),
        memory: number(0.0, 1.0e4, "s"),
        mutual: FLAG,
        bias: number(0.0, 1.0, ""),
        threat_distance: number(0.0, 1.0e7, "world units"),
    }

    fn obstacle_range(&self) -> f32 {
        self.search_distance.unwrap_or(0.0)
    }

    fn remembers(&self) -> Remembers {
        Remembers { alert: self.memory.is_some(), ..Remembers::default() }
    }
}
