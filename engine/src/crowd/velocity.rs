//! Agent velocities: one column per axis, or none if all agents move at constant speed.
//!
//! At constant speed, the velocity is the heading times the maximum speed, bit-identical to the
//! value that a step would store. Without these columns, the sort and the step move a third less
//! data. The columns are still needed in bounded worlds (whose edges stop agents), for species
//! that do not start at maximum speed, and for behaviors that read all neighbors' velocities.

use crate::crowd::columns::{Attributes, Motion};
use crate::crowd::limits::Limit;
use crate::crowd::params::SpeciesParams;
use crate::crowd::target::Pose;
use crate::math::vec3::Vec3;

#[inline(always)]
pub(crate) fn at(
    motion: &Motion,
    attributes: &Attributes,
    species: &[SpeciesParams],
    slot: usize,
) -> Vec3<f32> {
    if let Some(velocity) = motion.velocity.get(slot) {
        return velocity;
    }
    let shared = &species[attributes.species_of(slot)];
    motion.heading.at(slot) * attributes.limit_of(Limit::MaxSpeed, slot, shared)
}

#[inline(always)]
pub(crate) fn pose(
    motion: &Motion,
    attributes: &Attributes,
    species: &[SpeciesParams],
    slot: usize,
) -> Pose<f32> {
    Pose {
        position: motion.position.at(slot),
        velocity: at(motion, attributes, species, slot),
        heading: motion.heading.at(slot),
    }
}
