//! The optional columns that a scene needs.

use crate::behaviors::Behavior;
use crate::behaviors::fields::FieldValue;
use crate::behaviors::steer::Remembers;
use crate::crowd::shared::Locomotion;
use crate::crowd::shared::Value;
use crate::crowd::target::Target;
use crate::scene::Scene;
use crate::species::Species;
use crate::world::topology::Topology;

/// The optional columns that a scene needs.
pub(crate) struct Needs {
    pub(crate) velocity: bool,
    pub(crate) remembered: Remembers,
    pub(crate) species: bool,
    pub(crate) target: bool,
    pub(crate) max_speed: bool,
    pub(crate) max_force: bool,
    pub(crate) mass: bool,
    pub(crate) radius: bool,
    /// The names of the columns that the scene defines, ascending.
    pub(crate) columns: Vec<String>,
}

impl Needs {
    pub(crate) fn of(scene: &Scene) -> Self {
        let species = &scene.species;
        let behaviors = || species.iter().flat_map(|species| &species.behaviors);
        let drawn = |value: fn(&Species) -> Value| species.iter().any(|s| !value(s).is_shared());
        let radii_differ = species.windows(2).any(|pair| pair[0].radius != pair[1].radius);
        let radii_are_read = scene.non_penetration > 0
            || species.iter().any(|species| species.view_includes_radius)
            || behaviors().any(|behavior| behavior.as_steer().reads_radii());
        let own_target = |behavior: &Behavior| {
            let own = FieldValue::Target(&Target::Own);
            behavior.fields().iter().any(|field| field.value == own)
        };
        Self {
            velocity: needs_velocity(scene),
            remembered: behaviors()
                .map(|behavior| behavior.as_steer().remembers())
                .fold(Remembers::default(), |a, b| a | b),
            target: behaviors().any(own_target),
            species: species.len() > 1,
            max_speed: drawn(|species| species.max_speed),
            max_force: drawn(|species| species.max_force),
            mass: drawn(|species| species.mass),
            columns: scene.column_names().into_iter().map(str::to_owned).collect(),
            radius: drawn(|species| species.radius) || (radii_are_read && radii_differ),
        }
    }
}

/// Whether velocities cannot be computed from headings, or not quickly enough.
fn needs_velocity(scene: &Scene) -> bool {
    let follows_heading = |species: &Species| {
        species.locomotion == Locomotion::ConstantSpeed
            && species.start.speed.is_none_or(|share| share == 1.0)
    };
    let is_read = |species: &Species| {
        species.behaviors.iter().any(|behavior| behavior.as_steer().reads_velocities())
    };
    scene.world.topology == Topology::Bounded
        || !scene.species.iter().all(follows_heading)
        || scene.species.iter().any(is_read)
}
