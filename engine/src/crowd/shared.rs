//! What the agents of a species share: the numbers that kernels read of it.

use crate::crowd::limits::Limit;
use crate::crowd::target::Target;

/// The numbers that all agents of a species share, checked and ready for the kernels.
#[derive(Debug)]
pub(crate) struct SharedTraits {
    /// Its number in the scene, from 0.
    pub(crate) number: usize,
    /// Each [`Limit`] of those agents that have no other.
    pub(crate) limits: [f32; Limit::ALL.len()],
    /// The largest bounding radius of any of them.
    pub(crate) largest_radius: f32,
    pub(crate) view_distance: f32,
    /// The species' own view, and those of rules with other neighborhoods.
    pub(crate) views: Vec<View>,
    /// The view for each target that is the nearest agent of some species.
    pub(crate) nearest: Vec<(Target, View)>,
    /// The largest distance at which an agent can be a neighbor in any view.
    pub(crate) search_radius: f32,
    /// (sin, cos) of the largest turn in one step.
    pub(crate) turn: Option<(f32, f32)>,
    /// What each behavior needs, in their order.
    pub(crate) needs: Vec<BehaviorNeeds>,
    /// How many agents the scene starts with.
    pub(crate) agents: u32,
    /// Id index of the first of them.
    pub(crate) first_index: u32,
}

impl SharedTraits {
    #[inline(always)]
    pub(crate) fn own_view(&self) -> &View {
        &self.views[0]
    }

    /// The view of a behavior, given by its number.
    #[inline(always)]
    pub(crate) fn view_of(&self, behavior: usize) -> &View {
        &self.views[self.needs[behavior].view]
    }
}

/// How the agents of a species look for the neighbors that a rule means.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct View {
    /// Its number in [`SharedTraits::views`].
    pub(crate) number: usize,
    /// Includes a neighbor's bounding radius if it counts and all have the same.
    pub(crate) distance: f32,
    /// Whether each neighbor's own radius adds to `distance`.
    pub(crate) adds_radius: bool,
    /// The largest distance at which an agent can be a neighbor.
    pub(crate) search_radius: f32,
    /// cos·|cos| of half the angle; `None` for a full circle.
    pub(crate) cos_signed_sq: Option<f32>,
    /// Whether fields of view that were written for single agents take the place of this one.
    pub(crate) is_as_wide_as_written: bool,
    /// Which species count, by number; empty if all do.
    pub(crate) species: Vec<bool>,
    /// Whether the agents' own species counts, so that each is among its own candidates.
    pub(crate) includes_itself: bool,
    /// Whether some behavior reads more of the sweep than what pushes agents apart. It decides
    /// what a sweep adds up, and no result.
    pub(crate) reads_all_sums: bool,
}

/// What a batch looks up for a behavior of a species.
#[derive(Clone, Debug, Default)]
pub(crate) struct BehaviorNeeds {
    /// With dithering, how likely it has its turn.
    pub(crate) probability: f32,
    /// The number of its view.
    pub(crate) view: usize,
    /// The factor of its force in a turn: with dithering, its weight divided by the probability.
    pub(crate) weight: f32,
    /// The most by which a force of another crate is multiplied before the sum is cut; 0 where
    /// each force is cut first.
    pub(crate) largest_factor: f32,
    /// Of its random numbers.
    pub(crate) key: u32,
    /// The number of each of its columns among those of the scene.
    pub(crate) columns: Vec<usize>,
    pub(crate) obstacle_range: f32,
    pub(crate) wall_range: f32,
}
