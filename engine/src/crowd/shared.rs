//! What the agents of a species share: the numbers that kernels read of it.

use crate::crowd::limits::Limit;

/// The numbers that all agents of a species share, checked and ready for the kernels.
#[derive(Debug)]
pub(crate) struct SharedTraits {
    pub(crate) name: String,
    /// Its number in the scene, from 0.
    pub(crate) number: usize,
    /// Each [`Limit`] of those agents that have no other.
    pub(crate) limits: [f32; Limit::ALL.len()],
    /// The largest bounding radius of any of them.
    pub(crate) largest_radius: f32,
    pub(crate) view_distance: f32,
    /// View distance to neighbors, including their bounding radius if it counts and is uniform.
    pub(crate) view: f32,
    /// Whether each neighbor's own radius adds to `view`.
    pub(crate) view_adds_radius: bool,
    /// The largest distance at which an agent can be a neighbor.
    pub(crate) search_radius: f32,
    /// cos·|cos| of half the field of view; `None` for a full circle.
    pub(crate) view_cos_signed_sq: Option<f32>,
    /// (sin, cos) of the largest turn in one step.
    pub(crate) turn: Option<(f32, f32)>,
    /// What each behavior needs, in their order.
    pub(crate) needs: Vec<BehaviorNeeds>,
    /// Whether some behavior reads more of the sweep than what pushes agents apart. It decides
    /// what a sweep adds up, and no result.
    pub(crate) reads_all_sums: bool,
    /// How many agents the scene starts with.
    pub(crate) agents: u32,
    /// Id index of the first of them.
    pub(crate) first_index: u32,
}

/// What a batch looks up for a behavior of a species.
#[derive(Clone, Debug, Default)]
pub(crate) struct BehaviorNeeds {
    /// With dithering, how likely it has its turn.
    pub(crate) probability: f32,
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
