//! Parameter types shared by several behaviors or named in the list of behavior fields.

use serde::{Deserialize, Serialize};

/// How early an agent brakes for its target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Deceleration {
    /// Starts braking close to the target.
    Fast,
    /// Starts braking at twice the distance of `Fast`.
    #[default]
    Normal,
    /// Starts braking at three times the distance of `Fast`.
    Slow,
}

/// Arrangement of the feelers that detect walls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Feelers {
    /// One feeler straight ahead, and one half as long at 45° to each side.
    #[default]
    Three,
    /// A single feeler that sweeps from side to side.
    Sweeping,
}

/// The agents that a behavior counts as neighbors; by default, all agents in view.
///
/// In scene files, the fields are parameters of the behavior:
/// `{ cohesion = { distance = 30, species = ["fish"] } }`.
#[derive(Clone, Debug, Default, PartialEq)]
#[must_use]
pub struct Neighborhood {
    /// View distance of the behavior, from 1e-3 to 1e6 world units. Defaults to the species' view
    /// distance. If the species has `view_includes_radius`, each neighbor's radius is added.
    pub distance: Option<f32>,
    /// Full angle of the behavior's field of view, from 0 to 360 degrees. Defaults to the agent's
    /// field of view.
    pub field_of_view: Option<f32>,
    /// Names of the species that count as neighbors; all species by default.
    pub species: Vec<String>,
}

impl Neighborhood {
    /// A neighborhood of all agents in view that belong to the named species.
    pub fn of(species: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let species = species.into_iter().map(Into::into).collect();
        Self { species, ..Self::default() }
    }

    /// A neighborhood of all agents in the field of view, up to a distance in world units.
    pub fn within(distance: f32) -> Self {
        Self { distance: Some(distance), ..Self::default() }
    }

    setters! {
        /// Sets the behavior's view distance, in world units, from 1e-3 to 1e6.
        distance(distance: f32) = Some(distance);
        /// Sets the full angle of the behavior's field of view, in degrees, from 0 to 360.
        field_of_view(degrees: f32) = Some(degrees);
    }
}
