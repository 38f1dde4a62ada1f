//! A species as the kernels read it.

use crate::behaviors::Behavior;
use crate::behaviors::fields::FieldValueMut;
use crate::behaviors::target::Target;
use crate::math::angle::sin_cos;
use crate::math::hash;
use crate::species::Species;
use crate::world::edge;
use crate::world::space::Space;

/// A checked species, with what the kernels need computed once.
#[derive(Clone, Debug)]
pub(crate) struct Kind {
    pub(crate) species: Species,
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
    /// Of each behavior, for dithering.
    pub(crate) probabilities: Vec<f32>,
    /// Of each behavior; empty for the engine's own.
    pub(crate) custom: Vec<Custom>,
    /// Id index of its first agent.
    pub(crate) first_index: u32,
}

/// What a species knows of a custom behavior.
#[derive(Clone, Debug, Default)]
pub(crate) struct Custom {
    /// Of its random numbers.
    pub(crate) key: u32,
    /// The number of each of its columns among those of the scene.
    pub(crate) columns: Vec<usize>,
    pub(crate) obstacle_range: f32,
    pub(crate) wall_range: f32,
}

impl Custom {
    fn new(behavior: &Behavior, columns: &[String]) -> Self {
        let Behavior::Custom(custom) = behavior else { return Self::default() };
        let number = |name: &str| columns.iter().position(|column| column == name);
        Self {
            key: hash::bytes(custom.0.name().as_bytes()) as u32,
            columns: custom.0.columns().into_iter().filter_map(number).collect(),
            obstacle_range: custom.0.obstacle_range(),
            wall_range: custom.0.wall_range(),
        }
    }
}

/// What a [`Kind`] takes from the scene besides its species.
#[derive(Clone, Copy)]
pub(crate) struct Common<'a> {
    pub(crate) space: &'a Space,
    /// Seconds per step.
    pub(crate) dt: f32,
    /// The largest bounding radius of all species.
    pub(crate) largest_radius: f32,
    /// Whether agents carry their own bounding radius.
    pub(crate) radius_column: bool,
    /// The names of all columns that the scene defines.
    pub(crate) columns: &'a [String],
}

impl Kind {
    pub(crate) fn new(species: &Species, first_index: u32, scene: Common<'_>) -> Self {
        let Common { space, dt, largest_radius, radius_column, columns } = scene;
        let includes = species.view_includes_radius;
        let uniform_radius = if includes && !radius_column { species.radius.max() } else { 0.0 };
        let (_, cos) = sin_cos((species.field_of_view / 2.0).to_radians());
        let turn = species.max_turn_rate.map(|rate| rate * dt);
        let largest_radius = if includes { largest_radius } else { 0.0 };
        Self {
            search_radius: species.view_distance + largest_radius,
            view: species.view_distance + uniform_radius,
            view_adds_radius: includes && radius_column,
            view_cos_signed_sq: (species.field_of_view < 360.0).then_some(cos * cos.abs()),
            turn: turn.filter(|angle| *angle < std::f32::consts::PI).map(sin_cos),
            probabilities: species
                .behaviors
                .iter()
                .map(|behavior| species.probability(behavior.name()))
                .collect(),
            custom: species
                .behaviors
                .iter()
                .map(|behavior| Custom::new(behavior, columns))
                .collect(),
            first_index,
            species: with_near_points(species, space),
        }
    }
}

/// The species with its targets that are points brought into the world.
fn with_near_points(species: &Species, space: &Space) -> Species {
    let mut species = species.clone();
    for field in species.behaviors.iter_mut().flat_map(Behavior::fields_mut) {
        if let FieldValueMut::Target(Target::Point(point)) = field.value {
            *point = edge::exactly_inside(space, *point);
        }
    }
    species
}
