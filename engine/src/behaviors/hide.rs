//! Hide: its parameters.

use serde::{Deserialize, Serialize};

use crate::behaviors::fields::{CHOICE, FLAG, WEIGHT, fields, number};
use crate::behaviors::parameters::{Parameters, Remembers};
use crate::behaviors::target::Target;

/// Steers to where an obstacle hides the agent from a hunter
/// (Reynolds 1999, "Hiding"; Buckland 2004, ch. 3). Without an obstacle it evades.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Hide {
    /// Factor of the force, from 0 to 1e6. Default 200.
    pub weight: f32,
    /// From whom to hide.
    pub hunter: Target,
    /// The distance from an obstacle's rim to the hiding spot behind it, from 0 to 1e4, in
    /// world units. Default 30.
    pub gap: f32,
    /// Only obstacles whose rim is within this distance, in world units from 0 to 1e6, serve;
    /// without it all do, which costs time in proportion to their number. Default none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub search_distance: Option<f32>,
    /// The agent hides only while it sees the hunter, and for so many seconds (0 to 1e4) after;
    /// without it, it always hides. Default none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<f32>,
    /// The agent hides only while it and the hunter see each other; the hunter sees half the
    /// plane, ahead of it. Default false.
    pub mutual: bool,
    /// How much spots ahead of the hunter are put off in favor of those beside and behind it,
    /// from 0 to 1. The distance to a spot counts 1 + bias·cos times, where cos is that of the
    /// angle between the hunter's heading and the obstacle. Default 0.
    pub bias: f32,
    /// A hunter further away than this, in world units from 0 to 1e7, is no threat; without it,
    /// it always is. Default none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threat_distance: Option<f32>,
}

impl Default for Hide {
    fn default() -> Self {
        Self {
            weight: 200.0,
            hunter: Target::Nobody,
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
