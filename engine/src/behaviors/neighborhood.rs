/// The agents that a behavior counts as neighbors; by default, all agents in the species' view.
///
/// In scene files, the fields are parameters of the behavior:
/// `{ cohesion = { distance = 30, species = ["fish"] } }`.
#[derive(Clone, Debug, Default, PartialEq)]
#[must_use]
pub struct Neighborhood {
    /// View distance of the rule, in world units, from 1e-3 to 1e6; the species' view distance by
    /// default. If the species has `view_includes_radius`, a neighbor's radius is added.
    pub distance: Option<f32>,
    /// Full angle of the rule's field of view, in degrees, from 0 to 360; the agent's field of view
    /// by default.
    pub field_of_view: Option<f32>,
    /// Names of the species that count; all species by default.
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
        /// Sets the rule's view distance, in world units.
        distance(distance: f32) = Some(distance);
        /// Sets the full angle of the rule's field of view, in degrees.
        field_of_view(degrees: f32) = Some(degrees);
    }
}
