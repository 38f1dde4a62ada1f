//! Counter-based random numbers for simulation steps.
//!
//! Threefry-2×32 with 13 rounds, the fewest rounds that pass BigCrush (Salmon et al. 2011,
//! "Parallel random numbers: as easy as 1, 2, 3"). It uses only additions, rotations and xors, so
//! every lane width gives the same bits. The key is the seed and the stream; the counter is (agent,
//! step). There is no state, so results depend neither on the order of draws nor on threads.

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::math::component::Depth;
use crate::math::lanes::{BitLanes, Lanes};
use crate::math::vec3::Vec3;

#[derive(Clone, Copy)]
pub(crate) enum Stream {
    Wander,
    WanderNoise,
    /// Sideways deviation from a route.
    Sway,
    /// Decides whether dithering evaluates the species' behavior with this index, from 0 to 63.
    Dither(u8),
    PushApart,
    /// Random numbers for a behavior from another crate. `name` is the hash of the behavior's name.
    /// `draw` distinguishes the behavior's draws within one step.
    Outside {
        name: u32,
        draw: u8,
    },
}

impl Stream {
    fn words(self) -> [u32; 2] {
        let word = |stream: u32| stream << 24;
        match self {
            Self::Wander => [0, word(1)],
            Self::PushApart => [0, word(2)],
            Self::WanderNoise => [0, word(67)],
            Self::Sway => [0, word(68)],
            Self::Dither(behavior) => {
                debug_assert!(behavior < 64, "{behavior} would have another stream's number");
                [0, word(3 + u32::from(behavior))]
            }
            Self::Outside { name, draw } => [name, word(128) | u32::from(draw) << 16],
        }
    }
}

const ROTATIONS: [u32; 8] = [13, 15, 26, 6, 17, 29, 16, 24];
const ROUNDS: usize = 13;
const PARITY: u32 = 0x1BD1_1BDA;

fn key(seed: u64, [low, high]: [u32; 2], tick: u64) -> [u32; 2] {
    [seed as u32 ^ low, (seed >> 32) as u32 ^ high ^ (tick >> 32) as u32]
}

#[inline(always)]
fn threefry<B: BitLanes>(key: [u32; 2], counter: [B; 2]) -> [B; 2] {
    let schedule = [key[0], key[1], PARITY ^ key[0] ^ key[1]];
    let mut x = counter[0].wrapping_add(B::splat(schedule[0]));
    let mut y = counter[1].wrapping_add(B::splat(schedule[1]));
    for round in 0..ROUNDS {
        x = x.wrapping_add(y);
        y = y.rotate_left(ROTATIONS[round % 8]) ^ x;
        if round % 4 == 3 {
            let injection = round / 4 + 1;
            x = x.wrapping_add(B::splat(schedule[injection % 3]));
            let next = schedule[(injection + 1) % 3].wrapping_add(injection as u32);
            y = y.wrapping_add(B::splat(next));
        }
    }
    [x, y]
}

/// Two random numbers per agent, each a multiple of 2⁻²² in [−1, 1).
#[inline(always)]
pub(crate) fn signed_units<L: Lanes>(
    seed: u64,
    stream: Stream,
    agents: L::Bits,
    tick: u64,
) -> [L; 2] {
    drawn::<L>(key(seed, stream.words(), tick), agents, tick)
}

#[inline(always)]
fn drawn<L: Lanes>(key: [u32; 2], agents: L::Bits, tick: u64) -> [L; 2] {
    let [x, y] = threefry(key, [agents, L::Bits::splat(tick as u32)]);
    [signed_unit(x), signed_unit(y)]
}

/// A random number per axis and agent, like [`signed_units`].
#[inline(always)]
pub(crate) fn signed_vector<L: Lanes>(
    seed: u64,
    stream: Stream,
    agents: L::Bits,
    tick: u64,
) -> Vec3<L> {
    let [low, high] = stream.words();
    let [x, y] = drawn::<L>(key(seed, [low, high], tick), agents, tick);
    let z = L::Z::from_fn(
        #[inline(always)]
        || drawn::<L>(key(seed, [low ^ 1, high], tick), agents, tick)[0],
    );
    Vec3 { x, y, z }
}

#[inline(always)]
fn signed_unit<L: Lanes>(bits: L::Bits) -> L {
    // The exponent bits of 1.0 and 23 random fraction bits give a number in [1, 2).
    let unit = L::from_bits(bits.shr(9) | L::Bits::splat(0x3F80_0000));
    unit.mul_add(L::splat(2.0), L::splat(-3.0))
}

#[derive(Clone, Copy)]
pub(crate) enum Purpose {
    Place = 1,
    Individual = 2,
    Obstacles = 3,
    Walls = 4,
    Clusters = 5,
    Column = 6,
}

pub(crate) struct AgentRng(Xoshiro256PlusPlus);

impl AgentRng {
    pub(crate) fn new(seed: u64, index: u32, purpose: Purpose) -> Self {
        let stream = u64::from(index) << 8 | purpose as u64;
        // `seed_from_u64` runs the seed through SplitMix64, which decorrelates adjacent seeds.
        Self(Xoshiro256PlusPlus::seed_from_u64(seed.wrapping_mul(0xD129_0B26_8C68_64DD) ^ stream))
    }

    pub(crate) fn unit(&mut self) -> f32 {
        (self.0.next_u64() >> 40) as f32 / (1 << 24) as f32
    }

    /// A point in the box from 0 to `size`, which is flat if its z is 0.
    pub(crate) fn point(&mut self, size: Vec3<f32>) -> Vec3<f32> {
        let (x, y) = (self.unit() * size.x, self.unit() * size.y);
        Vec3 { x, y, z: if size.z > 0.0 { self.unit() * size.z } else { 0.0 } }
    }

    /// A point in a circle or sphere.
    pub(crate) fn in_circle(&mut self, center: Vec3<f32>, radius: f32, is_flat: bool) -> Vec3<f32> {
        loop {
            let point = self.signed_point(is_flat);
            if point.dot(point) <= 1.0 {
                return point * radius + center;
            }
        }
    }

    /// Unit vector in a uniformly random direction, in the plane or in space. Draws points in a
    /// square or cube until one is inside the unit circle or sphere and not too near its center,
    /// which avoids trigonometry.
    pub(crate) fn direction(&mut self, is_flat: bool) -> Vec3<f32> {
        loop {
            let point = self.signed_point(is_flat);
            let length_sq = point.dot(point);
            if length_sq > 0.01 && length_sq <= 1.0 {
                return point.normalized();
            }
        }
    }

    fn signed_point(&mut self, is_flat: bool) -> Vec3<f32> {
        let mut signed = || self.unit() * 2.0 - 1.0;
        Vec3 { x: signed(), y: signed(), z: if is_flat { 0.0 } else { signed() } }
    }
}

/// Odd constant with well-spread bits: 2⁶⁴ divided by the golden ratio.
pub(crate) const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;

/// Mixes a word into a hash. For a given word, different hashes give different results.
pub(crate) fn mix(hash: u64, word: u64) -> u64 {
    let hash = (hash ^ word).wrapping_mul(SPREAD);
    hash ^ (hash >> 29)
}

/// Checksum. Detects any change within a single 8-byte word, because each round is a bijection.
pub(crate) fn hash_bytes(bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks::<8>();
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    let hash = words.iter().fold(SPREAD, |hash, &word| mix(hash, u64::from_le_bytes(word)));
    mix(mix(hash, u64::from_le_bytes(last)), bytes.len() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::lanes::dispatch::with_each_lanes;

    /// Known answers from the Random123 distribution (threefry2x32, 13 rounds).
    #[test]
    fn threefry_gives_the_published_answers() {
        for (key, counter, answer) in [
            ([0, 0], [0, 0], [0x9d1c_5ec6, 0x8bd5_0731]),
            ([u32::MAX, u32::MAX], [u32::MAX, u32::MAX], [0xfd36_d048, 0x2d17_272c]),
            ([0x1319_8a2e, 0x0370_7344], [0x243f_6a88, 0x85a3_08d3], [0xba3e_4725, 0xf27d_669e]),
        ] {
            assert_eq!(threefry(key, counter), answer);
        }
    }

    fn lanes_match_scalar<L: Lanes>() {
        let agents: Vec<u32> = (0..16).map(|k| k * 77_777).collect();
        let lanes = signed_units::<L>(42, Stream::Wander, L::load_bits(&agents), 1 << 33 | 5);
        for lane in 0..L::WIDTH {
            let scalar = signed_units::<f32>(42, Stream::Wander, agents[lane], 1 << 33 | 5);
            for axis in 0..2 {
                let mut out = [0.0; 16];
                lanes[axis].store(&mut out[..L::WIDTH]);
                assert_eq!(out[lane].to_bits(), scalar[axis].to_bits());
                assert!((-1.0..1.0).contains(&scalar[axis]));
            }
        }
    }

    #[test]
    fn lanes_draw_the_same_numbers_as_the_scalar_generator() {
        with_each_lanes!(L => lanes_match_scalar::<L>());
    }

    #[test]
    fn numbers_are_spread_evenly_and_uncorrelated() {
        let draws: Vec<[f32; 2]> = (0..100_000)
            .map(|k| signed_units::<f32>(1, Stream::Wander, k % 1000, u64::from(k / 1000)))
            .collect();
        let n = draws.len() as f64;
        let mean = |f: fn(&[f32; 2]) -> f64| draws.iter().map(f).sum::<f64>() / n;
        assert!(mean(|d| f64::from(d[0])).abs() < 0.01);
        assert!((mean(|d| f64::from(d[0]).powi(2)) - 1.0 / 3.0).abs() < 0.01);
        assert!(mean(|d| f64::from(d[0]) * f64::from(d[1])).abs() < 0.01);
    }
}
