//! For the measurement of the processor's limits: rates of vector operations, as recurrences in the
//! instructions that kernels are compiled for, which programs outside of this crate cannot choose.
//! Not part of the API.

use std::hint::black_box;

use crate::cpu::{Instructions, Level};
use crate::error::Error;
use crate::math::fused;
use crate::math::lanes::{Lanes, MAX_WIDTH};
use crate::math::width::with_widest_lanes;

/// What each chain repeats on its value x.
#[derive(Clone, Copy, Debug)]
pub enum Operation {
    /// x + b
    Add,
    /// x · a
    Mul,
    /// x · a + b, fused
    MulAdd,
    /// (x + b) · a + b, the latter two fused
    AddMulAdd,
    /// 1 / x
    Div,
    /// √(x + 1)
    Sqrt,
    /// x + a number from memory, a different one each time
    Broadcast,
}

/// Independent chains: more than two units times the latency of their longest operation, and still
/// in registers.
pub const CHAINS: usize = 12;

/// Repeats an operation on [`CHAINS`] vectors, whose lanes begin with `starts`, and returns the
/// lanes of each at the end. `numbers` are broadcast in turns, a row to all chains; only their
/// number of rows counts for the other operations.
///
/// # Errors
/// [`Error::OutOfRange`] if this processor lacks the level.
pub fn repeat(
    level: Level,
    operation: Operation,
    [a, b]: [f32; 2],
    starts: &[f32; CHAINS],
    numbers: &[[f32; CHAINS]],
    rounds: usize,
) -> Result<[[f32; MAX_WIDTH]; CHAINS], Error> {
    let instructions = Instructions::new(level)?;
    let ends = with_widest_lanes!(
        instructions,
        L => repeat_with::<L>(operation, [a, b], starts, numbers, rounds)
    );
    Ok(ends)
}

fn repeat_with<L: Lanes>(
    operation: Operation,
    [a, b]: [f32; 2],
    starts: &[f32; CHAINS],
    numbers: &[[f32; CHAINS]],
    rounds: usize,
) -> [[f32; MAX_WIDTH]; CHAINS] {
    macro_rules! repeat {
        (|$a:ident, $b:ident, $x:ident, $number:ident| $next:expr) => {
            L::compiled(
                #[inline(always)]
                || {
                    let ($a, $b) = (L::splat(a), L::splat(b));
                    chains(
                        (starts, numbers, rounds),
                        #[inline(always)]
                        |$x: L, $number: f32| $next,
                    )
                },
            )
        };
    }
    match operation {
        Operation::Add => repeat!(|_a, b, x, _number| x + b),
        Operation::Mul => repeat!(|a, _b, x, _number| x * a),
        Operation::MulAdd => repeat!(|a, b, x, _number| x.mul_add(a, b)),
        Operation::AddMulAdd => repeat!(|a, b, x, _number| (x + b).mul_add(a, b)),
        Operation::Div => repeat!(|_a, _b, x, _number| L::splat(1.0) / x),
        Operation::Sqrt => repeat!(|_a, _b, x, _number| (x + L::splat(1.0)).sqrt()),
        Operation::Broadcast => repeat!(|_a, _b, x, number| x + L::splat(number)),
    }
}

#[inline(always)]
fn chains<L: Lanes>(
    (starts, numbers, rounds): (&[f32; CHAINS], &[[f32; CHAINS]], usize),
    next: impl Fn(L, f32) -> L,
) -> [[f32; MAX_WIDTH]; CHAINS] {
    let mut chains = [L::zero(); CHAINS];
    for (chain, &start) in chains.iter_mut().zip(starts) {
        *chain = L::splat(start);
    }
    for _ in 0..rounds {
        for row in black_box(numbers) {
            for (x, &number) in chains.iter_mut().zip(row) {
                *x = next(*x, number);
            }
        }
    }
    let mut ends = [[0.0; MAX_WIDTH]; CHAINS];
    for (end, chain) in ends.iter_mut().zip(chains) {
        for lanes in end.chunks_exact_mut(L::WIDTH) {
            chain.store(lanes);
        }
    }
    ends
}

/// Independent sums, so that additions do not wait for each other.
const SUMS: usize = 8;

/// The sum of all values, of which there are a multiple of 128: exact for ones, up to two gigabytes
/// of them.
///
/// # Errors
/// [`Error::OutOfRange`] if this processor lacks the level.
pub fn sum(level: Level, values: &[f32]) -> Result<f64, Error> {
    let instructions = Instructions::new(level)?;
    Ok(with_widest_lanes!(instructions, L => sum_with::<L>(values)))
}

fn sum_with<L: Lanes>(values: &[f32]) -> f64 {
    let mut lanes = [[0.0; MAX_WIDTH]; SUMS];
    L::compiled(
        #[inline(always)]
        || {
            let mut sums = [L::zero(); SUMS];
            for row in values.chunks_exact(SUMS * L::WIDTH) {
                for (sum, lanes) in sums.iter_mut().zip(row.chunks_exact(L::WIDTH)) {
                    *sum = *sum + L::load(lanes);
                }
            }
            for (lanes, sum) in lanes.iter_mut().zip(sums) {
                sum.store(&mut lanes[..L::WIDTH]);
            }
        },
    );
    lanes.into_iter().flatten().map(f64::from).sum()
}

/// `x * a + b` with a single rounding, as the engine computes it, for loops outside of it that are
/// to reach the same bits.
#[must_use]
#[inline(always)]
pub fn mul_add(x: f32, a: f32, b: f32) -> f32 {
    fused::mul_add(x, a, b)
}
