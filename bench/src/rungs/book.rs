//! The vehicle from Buckland's book (2004, ch. 3): one object holds all of a vehicle's data, and
//! each group behavior loops over the neighbors. Also contains the book's all-pairs step.
//! Operations run in the engine's order, so that results agree bit for bit.

use flockwork::internal::mul_add;

use super::order::Order;
use super::rules::{Rules, SOFTENING, SPENT, wrapped};
use super::vector::{Vec2, Vector};

/// At or below this squared speed, in (units/s)², the heading stays unchanged.
const REST_SPEED_SQ: f32 = 1.0e-8;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Vehicle {
    pub(crate) id: u32,
    /// True if the vehicle being steered sees this vehicle.
    pub(crate) tagged: bool,
    pub(crate) position: Vec2,
    pub(crate) velocity: Vec2,
    pub(crate) heading: Vec2,
    pub(crate) mass: f32,
    pub(crate) max_speed: f32,
    pub(crate) max_force: f32,
}

/// An unweighted force: `vector` divided by `divisor`. A divisor of 0 means no force.
struct Force {
    vector: Vec2,
    /// If `None`, the divisor is the length of `vector`, so the force is a unit vector.
    divisor: Option<f32>,
}

impl Vehicle {
    /// Returns the vehicle after a step. `seen` includes this vehicle.
    pub(crate) fn updated<'a>(
        &self,
        seen: impl Iterator<Item = &'a Self> + Clone,
        rules: &Rules<2>,
    ) -> Self {
        let force = self.combined(
            rules,
            [&|| self.separation(seen.clone(), rules), &|| self.alignment(seen.clone()), &|| {
                self.cohesion(seen.clone(), rules)
            }],
        );
        let pushed = force.mul_add(rules.dt / self.mass, self.velocity);
        let speed_sq = pushed.dot(pushed);
        let moves = speed_sq > REST_SPEED_SQ;
        let heading = if moves { pushed * (1.0 / speed_sq.sqrt()) } else { self.heading };
        let velocity = heading * self.max_speed;
        let position = velocity.mul_add(rules.dt, self.position).zip(rules.size, wrapped);
        Self { position, velocity, heading, ..*self }
    }

    /// Combines three behaviors by priority. A behavior is computed only if force budget remains.
    fn combined(&self, rules: &Rules<2>, behaviors: [&dyn Fn() -> Force; 3]) -> Vec2 {
        let (mut total, mut length) = (Vec2::ZERO, 0.0);
        for (k, (behavior, weight)) in behaviors.into_iter().zip(rules.weights).enumerate() {
            if k > 1 {
                length = total.length();
            }
            let remaining = self.max_force - length;
            if remaining <= self.max_force * SPENT {
                break;
            }
            let Force { vector, divisor } = behavior();
            let size = vector.length();
            let fits = match divisor {
                Some(number) => size * weight <= remaining * number,
                None => weight <= remaining,
            };
            let divisor = divisor.unwrap_or(size);
            let factor = if fits { weight / divisor } else { remaining / size };
            let factor = if divisor > 0.0 { factor } else { 0.0 };
            length = size * factor;
            total = vector.mul_add(factor, total);
        }
        total
    }

    fn separation<'a>(&self, seen: impl Iterator<Item = &'a Self>, rules: &Rules<2>) -> Force {
        let pushes = seen.fold(Vec2::ZERO, |sum, other| {
            let offset = self.offset_to(other, rules);
            offset.mul_add(1.0 / distance_sq(offset), sum)
        });
        Force { vector: -pushes, divisor: Some(1.0) }
    }

    fn alignment<'a>(&self, seen: impl Iterator<Item = &'a Self>) -> Force {
        let (mut neighbors, mut headings) = (-1.0, Vec2::ZERO);
        for other in seen {
            neighbors += 1.0;
            headings = other.heading + headings;
        }
        // The sum includes the vehicle's own heading. It is subtracted last, as in the engine,
        // because the order of additions affects the last bits of the sum.
        let vector = self.heading.mul_add(-neighbors, headings - self.heading);
        Force { vector, divisor: Some(neighbors) }
    }

    fn cohesion<'a>(&self, seen: impl Iterator<Item = &'a Self>, rules: &Rules<2>) -> Force {
        let (mut neighbors, mut offsets) = (-1.0, Vec2::ZERO);
        for other in seen {
            neighbors += 1.0;
            offsets = self.offset_to(other, rules) + offsets;
        }
        let length = offsets.length();
        let length = if length > 0.0 { length } else { 1.0 };
        let toward = offsets.mul_add(self.max_speed, -(self.velocity * length));
        Force { vector: if neighbors > 0.0 { toward } else { Vec2::ZERO }, divisor: None }
    }

    fn offset_to(&self, other: &Self, rules: &Rules<2>) -> Vec2 {
        let worlds = (other.position - self.position)
            .zip(rules.inverse_size, |offset, inverse| offset * inverse)
            .map(f32::round_ties_even);
        let along =
            |axis: usize| mul_add(worlds.0[axis], rules.size.0[axis], self.position.0[axis]);
        other.position - Vector([along(0), along(1)])
    }

    pub(crate) fn sees(&self, other: &Self, rules: &Rules<2>) -> bool {
        distance_sq(self.offset_to(other, rules)) < rules.view * rules.view
    }
}

fn distance_sq(Vector([x, y]): Vec2) -> f32 {
    mul_add(x, x, mul_add(y, y, SOFTENING))
}

/// The book's step without cells. Each vehicle tags the vehicles it sees,
/// and then each behavior scans the whole array again for tagged vehicles.
pub(crate) fn step_all_pairs(
    vehicles: &mut [Vehicle],
    next: &mut [Vehicle],
    rules: &Rules<2>,
    order: &Order,
) {
    vehicles.sort_by_key(|vehicle| order.cell(vehicle.position));
    for (me, next) in next.iter_mut().enumerate() {
        let vehicle = vehicles[me];
        for other in &mut *vehicles {
            other.tagged = vehicle.sees(other, rules);
        }
        *next = vehicle.updated(vehicles.iter().filter(|other| other.tagged), rules);
    }
}
