//! Rates of vector operations. Enough independent chains keep every unit busy; each is a recurrence
//! that a compiler cannot shorten, and its end is compared with the same recurrence in scalar code.

use std::hint::black_box;

use serde::{Deserialize, Serialize};

use super::error::WrongResult;
use super::timing::fastest;

#[cfg(target_feature = "avx512f")]
pub(super) type Vector = wide::f32x16;
#[cfg(all(target_feature = "avx2", not(target_feature = "avx512f")))]
pub(super) type Vector = wide::f32x8;
#[cfg(not(target_feature = "avx2"))]
pub(super) type Vector = wide::f32x4;

pub(crate) const LANES: usize = size_of::<Vector>() / size_of::<f32>();

/// More than two units times the latency of their longest operation, and still in registers.
const CHAINS: usize = if cfg!(target_feature = "avx512f") { 16 } else { 12 };
const ROUNDS: usize = 100_000;
/// Whether the target has a multiply-add instruction; otherwise it is a library call.
const HAS_FMA: bool = cfg!(any(target_feature = "fma", target_arch = "aarch64"));
/// Fewer rounds if each lane takes a call, so that a repeat is short enough not to be interrupted.
const FMA_ROUNDS: usize = if HAS_FMA { ROUNDS } else { ROUNDS / 10 };
/// Numbers to broadcast; they fit the first cache.
const NUMBERS: usize = CHAINS * 64;

/// Operations per second, counted in lanes: one vector of 16 is 16 operations.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rates {
    /// Additions; subtractions and comparisons run in the same units.
    pub add: f64,
    pub mul: f64,
    /// Fused multiply-adds, each one operation.
    pub fma: f64,
    /// Whether these are library calls, one per lane, since the build has no instruction for them.
    /// Older reports lack this.
    #[serde(default)]
    pub fma_calls: bool,
    /// Equal numbers of additions and multiply-adds, both counted; shows whether they share units.
    pub add_and_fma: f64,
    pub div: f64,
    pub sqrt: f64,
    /// Loads of one number into all lanes, each followed by an addition.
    pub broadcast: f64,
}

pub(crate) fn rates(threads: usize) -> Result<Rates, WrongResult> {
    // Opaque, so that the compiler cannot simplify the operations.
    let [near_one, tiny, one] = black_box([0.999_999_9_f32, 1.0e-3, 1.0]);
    let vectors = [near_one, tiny, one].map(Vector::splat);
    let [near_one_v, tiny_v, one_v] = vectors;
    let measure = Measure { threads };
    Ok(Rates {
        add: measure.rate("addition", ROUNDS, |x| x + tiny_v, |x| x + tiny)?,
        mul: measure.rate("multiplication", ROUNDS, |x| x * near_one_v, |x| x * near_one)?,
        fma: measure.rate(
            "multiply-add",
            FMA_ROUNDS,
            |x| fma(x, near_one_v, tiny_v),
            |x| x.mul_add(near_one, tiny),
        )?,
        fma_calls: !HAS_FMA,
        add_and_fma: 2.0
            * measure.rate(
                "addition and multiply-add",
                FMA_ROUNDS,
                |x| fma(x + tiny_v, near_one_v, tiny_v),
                |x| (x + tiny).mul_add(near_one, tiny),
            )?,
        div: measure.rate("division", ROUNDS, |x| one_v / x, |x| one / x)?,
        // The root of x + 1 converges to the golden ratio; the addition runs in another unit.
        sqrt: measure.rate("square root", ROUNDS, |x| (x + one_v).sqrt(), |x| (x + one).sqrt())?,
        broadcast: measure.broadcast()?,
    })
}

/// A fused multiply-add as in the kernels: by an instruction if the build has it, otherwise by the
/// same call for each lane.
#[inline(always)]
fn fma(x: Vector, a: Vector, b: Vector) -> Vector {
    if HAS_FMA {
        x.mul_add(a, b)
    } else {
        let (x, a, b) = (x.to_array(), a.to_array(), b.to_array());
        Vector::from(std::array::from_fn::<f32, LANES, _>(|lane| x[lane].mul_add(a[lane], b[lane])))
    }
}

/// The start of each chain; all differ.
fn starts() -> [f32; CHAINS] {
    std::array::from_fn(|chain| 1.25 + chain as f32)
}

struct Measure {
    threads: usize,
}

impl Measure {
    /// Lane-operations per second of a recurrence, given for vectors and for scalars.
    fn rate(
        &self,
        operation: &'static str,
        rounds: usize,
        vector: impl Fn(Vector) -> Vector + Sync,
        scalar: impl Fn(f32) -> f32,
    ) -> Result<f64, WrongResult> {
        let (seconds, ends) = fastest(
            self.threads,
            || starts().map(Vector::splat),
            |starts| {
                // Copied value by value, so that the chains stay in registers, not in an array.
                let mut chains: [Vector; CHAINS] = std::array::from_fn(|chain| starts[chain]);
                for _ in 0..rounds {
                    for x in &mut chains {
                        *x = vector(*x);
                    }
                }
                chains
            },
        );
        for (start, end) in starts().into_iter().zip(ends) {
            let expected = (0..rounds).fold(start, |x, _| scalar(x));
            check(operation, end, expected)?;
        }
        Ok(self.per_second(rounds * CHAINS, seconds))
    }

    /// Loads of one number into all lanes, in lane-operations per second.
    fn broadcast(&self) -> Result<f64, WrongResult> {
        let numbers: Vec<f32> = (0..NUMBERS).map(|k| k as f32 * 1.0e-3).collect();
        let rounds = ROUNDS * CHAINS / NUMBERS;
        let (seconds, ends) = fastest(
            self.threads,
            || black_box(numbers.clone()),
            |numbers| {
                let mut chains = starts().map(Vector::splat);
                for _ in 0..rounds {
                    for row in black_box(&numbers[..]).as_chunks::<CHAINS>().0 {
                        for (x, &number) in chains.iter_mut().zip(row) {
                            *x += Vector::splat(number);
                        }
                    }
                }
                chains
            },
        );
        for (chain, (start, end)) in starts().into_iter().zip(ends).enumerate() {
            let once = |x: f32| numbers.iter().skip(chain).step_by(CHAINS).fold(x, |x, n| x + n);
            let expected = (0..rounds).fold(start, |x, _| once(x));
            check("broadcast load", end, expected)?;
        }
        Ok(self.per_second(rounds * NUMBERS, seconds))
    }

    fn per_second(&self, vectors: usize, seconds: f64) -> f64 {
        (self.threads * vectors * LANES) as f64 / seconds
    }
}

fn check(operation: &'static str, end: Vector, expected: f32) -> Result<(), WrongResult> {
    match end.to_array().into_iter().find(|lane| lane.to_bits() != expected.to_bits()) {
        Some(found) => Err(WrongResult { operation, found, expected }),
        None => Ok(()),
    }
}
