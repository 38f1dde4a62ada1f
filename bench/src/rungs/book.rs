//! The vehicle from Buckland's book (2004, ch. 3): one object holds all of a vehicle's data, and
//! each group behavior loops over the neighbors. Also contains the book's all-pairs step.

use super::order::Order;
use super::rules::{
    Force, Motion, Rules, Vec2, alignment_force, cohesion_force, push, separation_force,
};

pub(crate) trait Loops {
    fn step(&mut self, rules: &Rules<2>, order: &Order);
    /// All vehicles, in no particular order.
    fn vehicles(&self) -> &[Vehicle];
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Vehicle {
    pub(crate) id: u32,
    /// True if the vehicle being steered sees this vehicle.
    pub(crate) tagged: bool,
    pub(crate) motion: Motion,
    mass: f32,
    max_speed: f32,
    max_force: f32,
}

impl Vehicle {
    pub(crate) fn new(id: u32, motion: Motion, rules: &Rules<2>) -> Self {
        let &Rules { mass, max_speed, max_force, .. } = rules;
        Self { id, tagged: false, motion, mass, max_speed, max_force }
    }

    /// Returns the vehicle after a step. `seen` includes this vehicle.
    pub(crate) fn updated(
        &self,
        seen: impl Iterator<Item = Motion> + Clone,
        rules: &Rules<2>,
    ) -> Self {
        let force = rules.combined(
            self.max_force,
            [&|| self.separation(seen.clone(), rules), &|| self.alignment(seen.clone()), &|| {
                self.cohesion(seen.clone(), rules)
            }],
        );
        let motion = rules.moved(self.motion, force, self.mass, self.max_speed);
        Self { motion, ..*self }
    }

    fn separation(&self, seen: impl Iterator<Item = Motion>, rules: &Rules<2>) -> Force {
        let push_by = |sum, other: Motion| push(self.offset_to(other.position, rules), sum);
        separation_force(seen.fold(Vec2::ZERO, push_by))
    }

    fn alignment(&self, seen: impl Iterator<Item = Motion>) -> Force {
        let (mut count, mut headings) = (0.0, Vec2::ZERO);
        for other in seen {
            count += 1.0;
            headings = other.heading + headings;
        }
        alignment_force(headings, count, self.motion.heading)
    }

    fn cohesion(&self, seen: impl Iterator<Item = Motion>, rules: &Rules<2>) -> Force {
        let (mut count, mut offsets) = (0.0, Vec2::ZERO);
        for other in seen {
            count += 1.0;
            offsets = self.offset_to(other.position, rules) + offsets;
        }
        cohesion_force(offsets, count, self.max_speed, self.motion.velocity)
    }

    pub(crate) fn offset_to(&self, position: Vec2, rules: &Rules<2>) -> Vec2 {
        rules.offset(self.motion.position, position)
    }
}

/// The book's step without cells. Each vehicle tags the vehicles it sees,
/// and then each behavior scans the whole array again for tagged vehicles.
pub(crate) struct BookPairs {
    vehicles: Vec<Vehicle>,
    /// Updated vehicles. In-place updates would let later vehicles see earlier vehicles' new state.
    next: Vec<Vehicle>,
}

impl BookPairs {
    pub(crate) fn new(vehicles: Vec<Vehicle>) -> Self {
        Self { next: vehicles.clone(), vehicles }
    }
}

impl Loops for BookPairs {
    fn step(&mut self, rules: &Rules<2>, order: &Order) {
        self.vehicles.sort_by_key(|vehicle| order.cell(vehicle.motion.position));
        for me in 0..self.vehicles.len() {
            let vehicle = self.vehicles[me];
            for other in &mut self.vehicles {
                other.tagged = rules.sees(vehicle.offset_to(other.motion.position, rules));
            }
            let seen = self.vehicles.iter().filter(|other| other.tagged).map(|other| other.motion);
            self.next[me] = vehicle.updated(seen, rules);
        }
        std::mem::swap(&mut self.vehicles, &mut self.next);
    }

    fn vehicles(&self) -> &[Vehicle] {
        &self.vehicles
    }
}
