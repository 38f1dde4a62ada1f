//! Velocities: two columns, unless all agents are of constant speed.
//!
//! Then the velocity is the heading times the maximum speed, to the last bit what the step would
//! store, and a third of what the sort and the step move through memory is not there. A bounded
//! world keeps the columns, since its edges stop agents; so do a species that starts at another
//! speed than its maximum, and behaviors that read the velocities of all neighbors.

use crate::columns::{Motion, Traits};
use crate::reference::agent::value;
use crate::scene::Scene;
use crate::species::{Kind, Locomotion, Species};
use crate::target::Pose;
use crate::vec2::Vec2;
use crate::world::Topology;

/// Whether velocities are something that headings do not tell, or not quickly enough.
pub(crate) fn are_columns(scene: &Scene) -> bool {
    let follows_heading = |species: &Species| {
        species.locomotion == Locomotion::ConstantSpeed
            && species.start.speed.is_none_or(|share| share == 1.0)
    };
    let is_read = |species: &Species| {
        species.behaviors.iter().any(|behavior| behavior.parameters().reads_velocities())
    };
    scene.world.topology == Topology::Bounded
        || !scene.species.iter().all(follows_heading)
        || scene.species.iter().any(is_read)
}

/// The velocity of the agent in `slot`.
pub(crate) fn of(motion: &Motion, traits: &Traits, kinds: &[Kind], slot: usize) -> Vec2<f32> {
    if let (Some(&x), Some(&y)) = (motion.vx.get(slot), motion.vy.get(slot)) {
        return Vec2::new(x, y);
    }
    let species = &kinds[traits.kind(slot)].species;
    let max_speed = value(&traits.max_speed, slot, species.max_speed);
    Vec2::new(motion.hx[slot], motion.hy[slot]) * max_speed
}

/// Where the agent in `slot` is and how it moves.
pub(crate) fn pose(motion: &Motion, traits: &Traits, kinds: &[Kind], slot: usize) -> Pose<f32> {
    Pose {
        position: Vec2::new(motion.x[slot], motion.y[slot]),
        velocity: of(motion, traits, kinds, slot),
        heading: Vec2::new(motion.hx[slot], motion.hy[slot]),
    }
}
