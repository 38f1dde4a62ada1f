//! The reference's random numbers: a direct implementation of Threefry-2×32 with 13 rounds
//! (Salmon et al. 2011). The key combines the seed, the stream and the upper 32 bits of the step
//! number; the counter combines the agent's index and the lower 32 bits.

use std::ops::RangeFrom;

use crate::reference::vector::V;

pub(super) const WANDER: u32 = 1;
pub(super) const PUSH_APART: u32 = 2;
pub(super) const WANDER_NOISE: u32 = 67;
pub(super) const SWAY: u32 = 68;
pub(super) const DITHER: RangeFrom<u32> = 3..;

/// Three random numbers, each a multiple of 2⁻²² in [−1, 1). The third comes from a separate
/// stream.
pub(super) fn signed_units(seed: u64, stream: u32, agent: u32, step: u64) -> V {
    let (low, high) = (|value: u64| value as u32, |value: u64| (value >> 32) as u32);
    let drawn = |word: u32| {
        let key = [low(seed) ^ word, high(seed) ^ (stream << 24) ^ high(step)];
        let unit = |bits: u32| f64::from(bits >> 9) / f64::from(1 << 22) - 1.0;
        threefry(key, [agent, low(step)]).map(unit)
    };
    let ([x, y], [z, _]) = (drawn(0), drawn(1));
    V { x, y, z }
}

fn threefry(key: [u32; 2], [mut a, mut b]: [u32; 2]) -> [u32; 2] {
    let keys = [key[0], key[1], key[0] ^ key[1] ^ 0x1BD1_1BDA];
    let inject = |a: &mut u32, b: &mut u32, injection: u32| {
        let next = |k: u32| keys[((injection + k) % 3) as usize];
        *a = a.wrapping_add(next(0));
        *b = b.wrapping_add(next(1)).wrapping_add(injection);
    };
    inject(&mut a, &mut b, 0);
    for (round, turn) in (1..=13).zip([13, 15, 26, 6, 17, 29, 16, 24].into_iter().cycle()) {
        a = a.wrapping_add(b);
        b = b.rotate_left(turn) ^ a;
        if round % 4 == 0 {
            inject(&mut a, &mut b, round / 4);
        }
    }
    [a, b]
}
