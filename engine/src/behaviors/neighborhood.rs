//! Neighborhoods: which agents a rule counts as neighbors.

/// Which agents a rule counts as neighbors. By default, all that the agent's species sees.
///
/// In scene files, the parts are parameters of the rule:
/// `{ cohesion = { distance = 30, species = ["fish"] } }`.
#[derive(Clone, Debug, Default, PartialEq)]
#[must_use]
pub struct Neighborhood {
    /// How far the rule looks, in world units, from 1e-3 to 1e6; the species' view distance by
    /// default. Where the species has `view_includes_radius`, a neighbor's radius is added to it.
    pub distance: Option<f32>,
    /// The full angle in which the rule looks, in degrees, from 0 to 360; the agent's field of view
    /// by default.
    pub field_of_view: Option<f32>,
    /// The names of the species that count; all by default.
    pub species: Vec<String>,
}

impl Neighborhood {
    /// All agents in view of the species with these names.
    pub fn of(species: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let species = species.into_iter().map(Into::into).collect();
        Self { species, ..Self::default() }
    }

    /// All agents within a distance, in world units, and in the field of view.
    pub fn within(distance: f32) -> Self {
        Self { distance: Some(distance), ..Self::default() }
    }

    setters! {
        /// Sets how far the rule looks, in world units.
        distance(distance: f32) = Some(distance);
        /// Sets the full angle in which the rule looks, in degrees.
        field_of_view(degrees: f32) = Some(degrees);
    }
}
