//! The book's vehicle, one object with all its data, and its group behaviors, each with its own
//! loop over the neighbors (Buckland 2004, ch. 3).

use super::rules::{Force, Motion, Rules, alignment_force, cohesion_force, push, separation_force};
use super::vec2::Vec2;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Vehicle {
    pub(crate) id: u32,
    /// Whether the vehicle being steered sees this one.
    pub(crate) tagged: bool,
    pub(crate) motion: Motion,
    mass: f32,
    max_speed: f32,
    max_force: f32,
}

impl Vehicle {
    pub(crate) fn new(id: u32, motion: Motion, rules: &Rules) -> Self {
        let &Rules { mass, max_speed, max_force, .. } = rules;
        Self { id, tagged: false, motion, mass, max_speed, max_force }
    }

    /// The vehicle after a step, steered by the vehicles it sees, including itself.
    pub(crate) fn updated<'a, I>(&self, seen: I, rules: &Rules) -> Self
    where
        I: Iterator<Item = &'a Self> + Clone,
    {
        let force = rules.combined(
            self.max_force,
            [&|| self.separation(seen.clone(), rules), &|| self.alignment(seen.clone()), &|| {
                self.cohesion(seen.clone(), rules)
            }],
        );
        let motion = rules.moved(self.motion, force, self.mass, self.max_speed);
        Self { motion, ..*self }
    }

    fn separation<'a>(&self, seen: impl Iterator<Item = &'a Self>, rules: &Rules) -> Force {
        separation_force(
            seen.fold(Vec2::ZERO, |sum, other| push(self.offset_to(other, rules), sum)),
        )
    }

    fn alignment<'a>(&self, seen: impl Iterator<Item = &'a Self>) -> Force {
        let (mut count, mut headings) = (0.0, Vec2::ZERO);
        for other in seen {
            count += 1.0;
            headings = other.motion.heading + headings;
        }
        alignment_force(headings, count, self.motion.heading)
    }

    fn cohesion<'a>(&self, seen: impl Iterator<Item = &'a Self>, rules: &Rules) -> Force {
        let (mut count, mut offsets) = (0.0, Vec2::ZERO);
        for other in seen {
            count += 1.0;
            offsets = self.offset_to(other, rules) + offsets;
        }
        cohesion_force(offsets, count, self.max_speed, self.motion.velocity)
    }

    pub(crate) fn offset_to(&self, other: &Self, rules: &Rules) -> Vec2 {
        rules.offset(self.motion.position, other.motion.position)
    }
}
