//! Species parameters, checked and prepared for the kernels.

use crate::crowd::limits::Limit;
use crate::crowd::target::Target;
use crate::grid::groups::Reach;

#[derive(Debug, PartialEq)]
pub(crate) struct SpeciesParams {
    /// Index in [`Scene::species`](crate::Scene::species).
    pub(crate) index: usize,
    /// Group in which the species is sorted.
    pub(crate) group: usize,
    /// Default of each [`Limit`], for agents that do not override it.
    pub(crate) limits: [f32; Limit::ALL.len()],
    pub(crate) constant_speed: bool,
    /// Maximum throttle, brake and steering forces, in mass·units/s², if agents move like cars.
    pub(crate) controls: Option<[f32; 3]>,
    pub(crate) view_distance: f32,
    /// The species' own view comes first, then the views of behaviors with other neighborhoods.
    pub(crate) views: Vec<View>,
    pub(crate) nearest: Vec<(Target, View)>,
    /// (sin, cos) of the maximum turn angle per step; `None` if the angle is 180° or more.
    pub(crate) turn: Option<(f32, f32)>,
    /// (sin, cos) of the steepest climb, in worlds with depth.
    pub(crate) climb: Option<(f32, f32)>,
    pub(crate) inputs: Vec<BehaviorInputs>,
}

impl SpeciesParams {
    #[inline(always)]
    pub(crate) fn own_view(&self) -> &View {
        &self.views[0]
    }

    pub(crate) fn all_views(&self) -> impl Iterator<Item = &View> {
        self.views.iter().chain(self.nearest.iter().map(|(_, view)| view))
    }

    pub(crate) fn all_views_mut(&mut self) -> impl Iterator<Item = &mut View> {
        self.views.iter_mut().chain(self.nearest.iter_mut().map(|(_, view)| view))
    }

    #[inline(always)]
    pub(crate) fn view_of(&self, behavior: usize) -> &View {
        &self.views[self.inputs[behavior].view]
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct View {
    /// Index in [`SpeciesParams::views`].
    pub(crate) index: usize,
    /// View distance in world units. It includes the bounding radius if the view extends to
    /// neighbors' rims and all agents have the same radius.
    pub(crate) distance: f32,
    pub(crate) adds_radius: bool,
    /// Maximum distance of agents in view, for each group.
    pub(crate) reach: Reach,
    /// Largest entry of `reach`.
    pub(crate) search_radius: f32,
    /// Index of the search that finds all agents in view, in the plan's `searches`.
    pub(crate) search: usize,
    /// For nearest targets, the index of their species in the plan's `sought`; `None` if the list
    /// does not contain the species.
    pub(crate) sought: Option<usize>,
    /// For nearest targets in the grid, the distance of the first search, in world units.
    pub(crate) first_distance: f32,
    /// Signed square cos θ·|cos θ|, where θ is half the viewing angle; `None` for a full circle.
    pub(crate) cos_signed_sq: Option<f32>,
    /// True if a field of view stored per agent overrides `cos_signed_sq`.
    pub(crate) uses_agent_angle: bool,
    /// One flag per species, true if the view includes it; empty if the view includes all species.
    pub(crate) species: Vec<bool>,
    /// True if the view includes all or none of each group's species.
    pub(crate) names_groups: bool,
    /// For nearest targets, true if walls and obstacles hide other agents.
    pub(crate) line_of_sight: bool,
    /// True if the view includes the agent's own species, so that each agent is its own candidate.
    pub(crate) includes_itself: bool,
    /// True if a behavior may read neighbors in this view. Affects only speed.
    pub(crate) is_read: bool,
    /// True if a behavior reads neighbor sums other than `inverse_offset`. Affects only speed.
    pub(crate) reads_all_sums: bool,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct BehaviorInputs {
    pub(crate) probability: f32,
    pub(crate) view: usize,
    /// Multiplier applied to the force when the behavior is evaluated:
    /// the weight, divided by the probability of evaluation if the species uses dithering.
    pub(crate) weight: f32,
    /// For the overflow check: a force from another crate's behavior, times this factor, must
    /// have a finite square. The factor is 0 if each force is clamped before it is summed.
    pub(crate) largest_factor: f32,
    /// Key of the behavior's random stream.
    pub(crate) key: u32,
    pub(crate) columns: Vec<usize>,
    pub(crate) obstacle_range: f32,
    pub(crate) wall_range: f32,
}
