//! The rules shared by all rungs: visibility on the torus, combination of forces, and motion.
//! Operations run in the engine's order, so that results agree bit for bit.

use flockwork::internal::mul_add;
use flockwork::{Behavior, Combine, Locomotion, Simulation, Species, SpeciesValue, Topology};

pub(crate) use super::vector::Vector;

/// A vector of the flat worlds that the rungs step.
pub(crate) type Vec2 = Vector<2>;

/// Added to squared distances, so that coincident agents do not cause a division by zero.
pub(crate) const SOFTENING: f32 = 1.0e-12;
/// The force budget counts as spent when at most this fraction of the maximum force remains.
pub(crate) const SPENT: f32 = 1.0e-6;
/// At or below this squared speed, in (units/s)², the heading stays unchanged.
const REST_SPEED_SQ: f32 = 1.0e-8;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules<const D: usize> {
    pub(crate) size: Vector<D>,
    inverse_size: Vector<D>,
    pub(crate) view: f32,
    pub(crate) max_speed: f32,
    pub(crate) max_force: f32,
    pub(crate) mass: f32,
    /// Weights of separation, alignment and cohesion.
    pub(crate) weights: [f32; 3],
    pub(crate) dt: f32,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Motion {
    pub(crate) position: Vec2,
    pub(crate) velocity: Vec2,
    pub(crate) heading: Vec2,
}

/// An unweighted force: `vector` divided by `divisor`. A divisor of 0 means no force.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Force {
    vector: Vec2,
    /// If `None`, the divisor is the length of `vector`, so the force is a unit vector.
    divisor: Option<f32>,
}

impl<const D: usize> Rules<D> {
    /// Returns `None` for crowds other than workload W, and for worlds of other dimensions.
    pub(crate) fn of(crowd: &Simulation) -> Option<Self> {
        let scene = crowd.scene();
        let [species] = &scene.species[..] else { return None };
        let [
            Behavior::Separation(separation),
            Behavior::Alignment(alignment),
            Behavior::Cohesion(cohesion),
        ] = &species.behaviors[..]
        else {
            return None;
        };
        let (
            SpeciesValue::Shared(max_speed),
            SpeciesValue::Shared(max_force),
            SpeciesValue::Shared(mass),
        ) = (species.max_speed, species.max_force, species.mass)
        else {
            return None;
        };
        let plain = Species {
            name: species.name.clone(),
            agents: species.agents,
            view_distance: species.view_distance,
            max_speed: species.max_speed,
            max_force: species.max_force,
            mass: species.mass,
            radius: species.radius,
            behaviors: species.behaviors.clone(),
            locomotion: Locomotion::ConstantSpeed,
            combine: Combine::Prioritized,
            ..Species::default()
        };
        let known = *species == plain
            && cohesion.normalized
            && crowd.world().topology == Topology::Torus
            && crowd.world().depth.is_some() == (D == 3)
            && scene.non_penetration == 0
            && scene.heading_samples.is_none();
        known.then(|| Self {
            size: world_size(crowd),
            inverse_size: world_size(crowd).map(f32::recip),
            view: species.view_distance,
            max_speed,
            max_force,
            mass,
            weights: [separation.weight, alignment.weight, cohesion.weight],
            dt: 1.0 / scene.steps_per_second,
        })
    }
}

impl Rules<2> {
    pub(crate) fn offset(&self, from: Vec2, to: Vec2) -> Vec2 {
        let worlds = (to - from)
            .zip(self.inverse_size, |offset, inverse| offset * inverse)
            .map(f32::round_ties_even);
        let along = |axis: usize| mul_add(worlds.0[axis], self.size.0[axis], from.0[axis]);
        to - Vector([along(0), along(1)])
    }

    pub(crate) fn sees(&self, offset: Vec2) -> bool {
        distance_sq(offset) < self.view * self.view
    }

    /// Combines three behaviors by priority. A behavior is computed only if force budget remains.
    pub(crate) fn combined(&self, max_force: f32, behaviors: [&dyn Fn() -> Force; 3]) -> Vec2 {
        let (mut total, mut length) = (Vec2::ZERO, 0.0);
        for (k, (behavior, weight)) in behaviors.into_iter().zip(self.weights).enumerate() {
            if k > 1 {
                length = total.length();
            }
            let remaining = max_force - length;
            if remaining <= max_force * SPENT {
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

    pub(crate) fn moved(&self, from: Motion, force: Vec2, mass: f32, max_speed: f32) -> Motion {
        let pushed = force.mul_add(self.dt / mass, from.velocity);
        let speed_sq = pushed.dot(pushed);
        let moves = speed_sq > REST_SPEED_SQ;
        let heading = if moves { pushed * (1.0 / speed_sq.sqrt()) } else { from.heading };
        let velocity = heading * max_speed;
        let moved = velocity.mul_add(self.dt, from.position);
        let position = moved.zip(self.size, wrapped);
        Motion { position, velocity, heading }
    }
}

pub(crate) fn push(offset: Vec2, sum: Vec2) -> Vec2 {
    offset.mul_add(1.0 / distance_sq(offset), sum)
}

pub(crate) fn separation_force(pushes: Vec2) -> Force {
    Force { vector: -pushes, divisor: Some(1.0) }
}

/// `headings` includes the agent's own heading. It is subtracted last, as in the engine,
/// because the order of additions affects the last bits of the sum.
pub(crate) fn alignment_force(headings: Vec2, seen: f32, own: Vec2) -> Force {
    let neighbors = seen - 1.0;
    Force { vector: own.mul_add(-neighbors, headings - own), divisor: Some(neighbors) }
}

pub(crate) fn cohesion_force(offsets: Vec2, seen: f32, max_speed: f32, velocity: Vec2) -> Force {
    let vector = if seen - 1.0 > 0.0 {
        let length = offsets.length();
        let length = if length > 0.0 { length } else { 1.0 };
        offsets.mul_add(max_speed, -(velocity * length))
    } else {
        Vec2::ZERO
    };
    Force { vector, divisor: None }
}

fn distance_sq(Vector([x, y]): Vec2) -> f32 {
    mul_add(x, x, mul_add(y, y, SOFTENING))
}

pub(crate) fn world_size<const D: usize>(crowd: &Simulation) -> Vector<D> {
    let [width, height] = crowd.world_size();
    let size = [width, height, crowd.world().depth.unwrap_or_default()];
    Vector(std::array::from_fn(|axis| size[axis]))
}

pub(crate) fn wrapped(x: f32, size: f32) -> f32 {
    let x = if x < 0.0 { x + size } else { x };
    let x = if x >= size { x - size } else { x };
    if x >= size { 0.0 } else { x }
}
