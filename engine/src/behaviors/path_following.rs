//! Path following: parameters, ranges and defaults.

use serde::{Deserialize, Serialize};

use crate::behaviors::fields::{CHOICE, WEIGHT, fields, number};
use crate::behaviors::parameters::{Parameters, Remembers};

/// Visits the waypoints of a path in order (Buckland 2004, ch. 3, "Path Following").
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PathFollowing {
    /// Scales the force, from 0 to 1e6. Default 200; the book uses 10.
    pub weight: f32,
    /// The name of one of the scene's paths.
    pub path: String,
    /// The distance within which a waypoint counts as visited, from 1e-3 to 1e6, in world units.
    /// Default 20.
    pub waypoint_distance: f32,
}

impl Default for PathFollowing {
    fn default() -> Self {
        Self { weight: 200.0, path: String::new(), waypoint_distance: 20.0 }
    }
}

impl Parameters for PathFollowing {
    fields! {
        weight: WEIGHT,
        path: CHOICE,
        waypoint_distance: number(1.0e-3, 1.0e6, "world units"),
    }

    fn remembers(&self) -> Remembers {
        Remembers { waypoint: true, ..Remembers::default() }
    }
}
