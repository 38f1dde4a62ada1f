//! What the agents of a species share: the numbers that kernels read of it.

use serde::{Deserialize, Serialize};

use crate::error::{Error, within};
use crate::math::lanes::fused::mul_add;

/// How an agent's steering forces combine into one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Combine {
    /// Weighted forces are added in priority order until the force budget is spent. A force that
    /// does not fit is cut to what is left. Once nothing is left, the remaining behaviors are not
    /// evaluated (Buckland 2004, ch. 3, "weighted truncated running sum with prioritization").
    #[default]
    Prioritized,
    /// All weighted forces are added, and the sum is truncated to the maximum force.
    WeightedSum,
    /// In priority order, each behavior has its turn with its probability. The first nonzero
    /// weighted force, divided by that probability and truncated to the maximum force, is the
    /// result (Buckland 2004, ch. 3, "prioritized dithering").
    Dithered,
}

/// How a steering force becomes motion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Locomotion {
    /// A point mass: acceleration = force / mass; the speed is capped at the maximum speed.
    #[default]
    PointMass,
    /// The force only turns the agent, which always moves at its maximum speed.
    ConstantSpeed,
    /// A point mass driven like a car: the force is split into components along and across the
    /// heading, each with its own limits, from 0 to 1e9, in mass · units/s² (Reynolds 1999,
    /// "Locomotion").
    CarLike {
        /// Maximum force forward.
        throttle: f32,
        /// Maximum force backward.
        brake: f32,
        /// Maximum force to either side.
        steering: f32,
    },
}

/// The numbers that all agents of a species share, checked and ready for the kernels.
#[derive(Debug)]
pub(crate) struct SharedTraits {
    pub(crate) name: String,
    /// Its number in the scene, from 0.
    pub(crate) number: usize,
    pub(crate) max_speed: Value,
    pub(crate) max_force: Value,
    pub(crate) mass: Value,
    pub(crate) radius: Value,
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
    pub(crate) combine: Combine,
    pub(crate) locomotion: Locomotion,
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

/// A number that all agents of a species share, or one drawn for each agent.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged, expecting = "a number, or a pair [from, to] to draw from for each agent")]
pub enum Value {
    /// The same for all agents.
    Shared(f32),
    /// Drawn once for each agent, uniformly between the two.
    Between([f32; 2]),
}

impl From<f32> for Value {
    fn from(value: f32) -> Self {
        Self::Shared(value)
    }
}

impl From<[f32; 2]> for Value {
    fn from(range: [f32; 2]) -> Self {
        Self::Between(range)
    }
}

impl Value {
    /// The largest value an agent can have.
    pub(crate) fn max(self) -> f32 {
        match self {
            Self::Shared(value) => value,
            Self::Between([_, to]) => to,
        }
    }

    /// The smallest value an agent can have.
    pub(crate) fn min(self) -> f32 {
        match self {
            Self::Shared(value) => value,
            Self::Between([from, _]) => from,
        }
    }

    /// The value at `fraction` (0 to 1) of the range.
    pub(crate) fn at(self, fraction: f32) -> f32 {
        match self {
            Self::Shared(value) => value,
            Self::Between([from, to]) => mul_add(fraction, to - from, from),
        }
    }

    /// This value or range, extended to have at least `largest` as its largest value.
    pub(crate) fn up_to(self, largest: f32) -> Self {
        if largest <= self.max() { self } else { Self::Between([self.min(), largest]) }
    }

    pub(crate) fn is_shared(self) -> bool {
        matches!(self, Self::Shared(_))
    }

    pub(crate) fn check(self, field: &str, min: f32, max: f32, unit: &str) -> Result<(), Error> {
        match self {
            Self::Shared(value) => within(field, value, min, max, unit),
            Self::Between([from, to]) => {
                within(&format!("{field}[0]"), from, min, max, unit)?;
                within(&format!("{field}[1]"), to, from, max, unit)
            }
        }
    }
}
