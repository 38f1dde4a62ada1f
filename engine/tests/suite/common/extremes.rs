//! Random scenes with numbers drawn from their entire allowed ranges.

use std::sync::Arc;

use flockwork::behaviors::FieldValue;
use flockwork::{
    Behavior, COORDINATE_LIMIT, Locomotion, Scene, Species, SpeciesValue, Topology, World,
};
use proptest::prelude::*;
use proptest::test_runner::TestRng;

use crate::common::arbitrary;

struct Draws(TestRng);

impl Draws {
    fn one_in(&mut self, count: u32) -> bool {
        self.0.next_u32().is_multiple_of(count)
    }

    /// A random number from 0 to 1.
    fn share(&mut self) -> f64 {
        f64::from(self.0.next_u32()) / f64::from(u32::MAX)
    }

    /// Draws 0, the maximum, or any magnitude: 1e-20 to 1e-19 is as likely as 1 to 10.
    fn below(&mut self, max: f32) -> f32 {
        match self.0.next_u32() % 16 {
            0 => 0.0,
            1 => max,
            2 => f32::from_bits(1),
            _ => 10.0_f64.powf(-40.0 + self.share() * (f64::from(max).log10() + 40.0)) as f32,
        }
        .min(max)
    }

    /// Draws either end, 0, or any magnitude between.
    fn within(&mut self, min: f32, max: f32) -> f32 {
        if min < 0.0 {
            let sign = if self.one_in(2) { 1.0 } else { -1.0 };
            return (sign * self.below(max.max(-min))).clamp(min, max);
        }
        if min == 0.0 {
            return self.below(max);
        }
        match self.0.next_u32() % 8 {
            0 => min,
            1 => max,
            _ => {
                let [low, high] = [min, max].map(|end| f64::from(end).ln());
                ((low + self.share() * (high - low)).exp() as f32).clamp(min, max)
            }
        }
    }

    fn number(&mut self, value: &mut f32, min: f32, max: f32) {
        if self.one_in(2) {
            *value = self.within(min, max);
        }
    }

    fn value(&mut self, value: &mut SpeciesValue, min: f32, max: f32) {
        if self.one_in(2) {
            let [a, b] = [self.within(min, max), self.within(min, max)];
            *value = match self.one_in(2) {
                true => SpeciesValue::Shared(a),
                false => SpeciesValue::Between([a.min(b), a.max(b)]),
            };
        }
    }

    /// With probability 1/4, replaces the point with one anywhere within the coordinate limits.
    fn point(&mut self, point: &mut [f32]) {
        if self.one_in(4) {
            for part in point {
                *part = self.within(-COORDINATE_LIMIT, COORDINATE_LIMIT);
            }
        }
    }

    fn species(&mut self, species: &mut Species) {
        species.agents = species.agents.min(30);
        self.number(&mut species.view_distance, 1.0e-3, 1.0e6);
        self.number(&mut species.field_of_view, 0.0, 360.0);
        self.value(&mut species.max_speed, 1.0e-3, 1.0e5);
        self.value(&mut species.max_force, 0.0, 1.0e9);
        self.value(&mut species.mass, 1.0e-3, 1.0e6);
        self.value(&mut species.radius, 0.0, 1.0e4);
        if let Some(rate) = &mut species.max_turn_rate {
            self.number(rate, 0.0, 1.0e4);
        }
        if let Some(degrees) = &mut species.max_climb {
            self.number(degrees, 0.0, 89.0);
        }
        if let Some(speed) = &mut species.start.speed {
            self.number(speed, 0.0, 1.0);
        }
        if let Locomotion::CarLike { throttle, brake, steering } = &mut species.locomotion {
            for limit in [throttle, brake, steering] {
                self.number(limit, 0.0, 1.0e9);
            }
        }
        for behavior in &mut species.behaviors {
            let probability = self.within(1.0e-3, 1.0);
            species.probabilities.insert(behavior.name().to_owned(), probability);
            let mut fields = behavior.fields();
            for field in &mut fields {
                let (min, max) = (field.min, field.max);
                match &mut field.value {
                    FieldValue::Number(value) => self.number(value, min, max),
                    FieldValue::Optional(Some(value)) => self.number(value, min, max),
                    FieldValue::Whole(value) => *value = self.within(min, max) as u32,
                    FieldValue::Vector(parts) => {
                        parts.iter_mut().for_each(|part| self.number(part, min, max));
                    }
                    _ => {}
                }
            }
            behavior.set_fields(fields);
        }
    }

    fn scene(&mut self, scene: &mut Scene) {
        self.number(&mut scene.steps_per_second, 1.0, 1.0e5);
        let World { width, height, depth, .. } = &mut scene.world;
        for side in [width, height, depth].into_iter().flatten() {
            self.number(side, 1.0e-3, COORDINATE_LIMIT);
        }
        if self.one_in(8) {
            scene.non_penetration = 64;
        }
        scene.heading_samples = self.one_in(3).then(|| self.within(1.0, 100.0) as u32);
        scene.cell_size = self.one_in(3).then(|| self.within(0.25, 16.0));
        scene.points.values_mut().for_each(|point| self.point(point));
        for obstacle in Arc::make_mut(&mut scene.obstacles) {
            self.point(&mut obstacle.center);
            self.number(&mut obstacle.radius, 0.0, 1.0e6);
        }
        let walls = Arc::make_mut(&mut scene.walls).iter_mut().flat_map(|wall| &mut wall.points);
        let paths = Arc::make_mut(&mut scene.paths).iter_mut().flat_map(|path| &mut path.points);
        walls.chain(paths).for_each(|point| self.point(point));
        scene.species.iter_mut().for_each(|species| self.species(species));
        let World { width, height, depth, .. } = scene.world;
        let shortest = [width, height, depth].into_iter().flatten().fold(f32::MAX, f32::min);
        for behavior in scene.species.iter_mut().flat_map(|species| &mut species.behaviors) {
            if let Behavior::Containment(containment) = behavior {
                containment.margin = containment.margin.min(shortest / 2.0);
            }
        }
        if scene.world.topology == Topology::Torus {
            // On a torus, an agent may move at most the length of the shorter side per step.
            let fastest = shortest * scene.steps_per_second;
            for species in &mut scene.species {
                species.max_speed = match species.max_speed {
                    SpeciesValue::Shared(speed) => SpeciesValue::Shared(speed.min(fastest)),
                    SpeciesValue::Between(range) => {
                        SpeciesValue::Between(range.map(|speed| speed.min(fastest)))
                    }
                };
            }
        }
    }
}

/// Any world, species and behaviors, with weights, distances and limits drawn from their entire
/// allowed ranges, ends included. A few scenes are refused because numbers conflict: points
/// coincide, or a torus is too small for a speed or for the reach of a behavior.
pub(crate) fn scene() -> impl Strategy<Value = Scene> {
    arbitrary::scene().prop_perturb(|mut scene, rng| {
        Draws(rng).scene(&mut scene);
        scene
    })
}
