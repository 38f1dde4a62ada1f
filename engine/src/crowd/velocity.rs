//! Velocities: two columns, unless all agents move at constant speed.
//!
//! Then the velocity is the heading times the maximum speed, bit for bit what the step would
//! store, and the sort and the step move a third less memory. Bounded worlds keep the columns,
//! since their edges stop agents. So do scenes with a species that does not start at its maximum
//! speed, and those with behaviors that read the velocities of all neighbors.

use crate::crowd::columns::{Motion, Traits};
use crate::crowd::limits::Limit;
use crate::crowd::shared::SharedTraits;
use crate::crowd::target::Pose;
use crate::math::vec2::Vec2;

/// The velocity of the agent in `slot`.
#[inline(always)]
pub(crate) fn of(
    motion: &Motion,
    traits: &Traits,
    species: &[SharedTraits],
    slot: usize,
) -> Vec2<f32> {
    if let (Some(&x), Some(&y)) = (motion.vx.get(slot), motion.vy.get(slot)) {
        return Vec2::new(x, y);
    }
    let shared = &species[traits.species_of(slot)];
    Vec2::new(motion.hx[slot], motion.hy[slot]) * traits.limit_of(Limit::MaxSpeed, slot, shared)
}

/// Where the agent in `slot` is and how it moves.
#[inline(always)]
pub(crate) fn pose(
    motion: &Motion,
    traits: &Traits,
    species: &[SharedTraits],
    slot: usize,
) -> Pose<f32> {
    Pose {
        position: Vec2::new(motion.x[slot], motion.y[slot]),
        velocity: of(motion, traits, species, slot),
        heading: Vec2::new(motion.hx[slot], motion.hy[slot]),
    }
}
