//! Random numbers for building scenes: streams from a seeded generator.
//!
//! Each agent, obstacle, wall and cluster has its own stream, seeded by the scene's seed and its
//! index, so adding one does not move the others. Steps draw from [`random`](super::random).

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::math::vec2::Vec2;

/// What a stream is for; streams for different purposes are independent.
#[derive(Clone, Copy)]
pub(crate) enum Purpose {
    Place = 1,
    Individual = 2,
    Obstacles = 3,
    Walls = 4,
    Clusters = 5,
    Column = 6,
}

/// The random numbers of one index and purpose.
pub(crate) struct Draws(Xoshiro256PlusPlus);

impl Draws {
    pub(crate) fn new(seed: u64, index: u32, purpose: Purpose) -> Self {
        let stream = u64::from(index) << 8 | purpose as u64;
        // `seed_from_u64` runs the seed through SplitMix64, which decorrelates adjacent seeds.
        Self(Xoshiro256PlusPlus::seed_from_u64(seed.wrapping_mul(0xD129_0B26_8C68_64DD) ^ stream))
    }

    /// The random numbers of one agent for the column whose name has this hash.
    pub(crate) fn of_column(seed: u64, index: u32, name: u64) -> Self {
        Self::new(seed ^ name, index, Purpose::Column)
    }

    /// Uniform in [0, 1), in steps of 2⁻²⁴.
    pub(crate) fn unit(&mut self) -> f32 {
        (self.0.next_u64() >> 40) as f32 / (1 << 24) as f32
    }

    /// A point in a circle, uniform by area.
    pub(crate) fn in_circle(&mut self, center: Vec2<f32>, radius: f32) -> Vec2<f32> {
        loop {
            let point = Vec2::new(self.unit() * 2.0 - 1.0, self.unit() * 2.0 - 1.0);
            if point.dot(point) <= 1.0 {
                return point * radius + center;
            }
        }
    }

    /// A unit vector, uniform by direction: points are drawn from a square until one falls into
    /// the circle and not too near its center, which needs no trigonometry.
    pub(crate) fn direction(&mut self) -> Vec2<f32> {
        loop {
            let point = Vec2::new(self.unit() * 2.0 - 1.0, self.unit() * 2.0 - 1.0);
            let length_sq = point.dot(point);
            if length_sq > 0.01 && length_sq <= 1.0 {
                return point.normalized();
            }
        }
    }
}
