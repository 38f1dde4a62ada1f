//! Measures the throughput of vector operations with the instructions that the kernels use. Several
//! independent dependency chains keep every execution unit busy. Each chain is a recurrence that a
//! compiler cannot shorten. Its final value is compared with the same recurrence in scalar code.

use std::hint::black_box;

use flockwork::cpu::Level;
use flockwork::internal::{LaneWork, mul_add, with_lanes_of};
use flockwork::kernel::Lanes;
use serde::Serialize;

use super::timing::{Unmeasured, check, fastest};

const MAX_LANES: usize = 16;
/// Number of independent chains: more than the longest latency, in cycles, times two execution
/// units, but few enough to stay in registers.
const CHAINS: usize = 12;
type Ends = [[f32; MAX_LANES]; CHAINS];
/// Rows of numbers to broadcast; together they fit in the L1 cache.
const ROWS: usize = 64;
const ROUNDS: usize = 1_500;
/// Rounds with emulated multiply-adds: few, so that repeats stay short and are rarely interrupted.
const ROUNDS_IN_SOFTWARE: usize = ROUNDS / 10;

/// Operations per second, counted per lane: one vector of 16 lanes is 16 operations.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Rates {
    /// Additions. Subtractions and comparisons run in the same execution units.
    pub add: f64,
    pub mul: f64,
    /// Fused multiply-adds, each counted as one operation.
    pub fma: f64,
    /// True if multiply-adds are emulated, because the instruction set lacks them.
    pub fma_calls: bool,
    /// Equal numbers of additions and multiply-adds, to show whether they share execution units.
    pub add_and_fma: f64,
    pub div: f64,
    pub sqrt: f64,
    /// Broadcast loads (one number into all lanes), each followed by an addition.
    pub broadcast: f64,
}

pub(super) fn rates(level: Level, threads: usize) -> Result<Rates, Unmeasured> {
    let has_fma =
        level > Level::Baseline || cfg!(any(target_feature = "fma", target_arch = "aarch64"));
    let fma_rounds = if has_fma { ROUNDS } else { ROUNDS_IN_SOFTWARE };
    // `black_box` keeps the compiler from simplifying the operations.
    let [a, b] = black_box([0.999_999_9_f32, 1.0e-3]);
    let starts: [f32; CHAINS] = std::array::from_fn(|chain| 1.25 + chain as f32);
    let number = |row: usize, chain: usize| (row * CHAINS + chain) as f32 * 1.0e-3;
    let rows: Vec<[f32; CHAINS]> =
        (0..ROWS).map(|row| std::array::from_fn(|chain| number(row, chain))).collect();
    // Returns lane operations per second. `scalar` computes the expected result for one lane.
    // Its second argument is the number that `Operation::Broadcast` loads.
    let rate = |name, operation, rounds, scalar: &dyn Fn(f32, f32) -> f32| {
        let (seconds, ends) = fastest(black_box(vec![rows.clone(); threads]), |rows| {
            let chains = Chains { operation, a, b, starts: &starts, rows, rounds };
            with_lanes_of(level, chains).expect("the processor has the level")
        })?;
        for (chain, (start, end)) in starts.into_iter().zip(ends).enumerate() {
            let once = |x: f32| rows.iter().fold(x, |x, row| scalar(x, row[chain]));
            let expected = (0..rounds).fold(start, |x, _| once(x));
            for lane in end {
                check(name, lane, expected)?;
            }
        }
        let lanes = level.lanes();
        Ok((threads * rounds * ROWS * CHAINS * lanes) as f64 / seconds)
    };
    let fused = |x: f32| mul_add(x, a, b);
    let both = |x: f32, _| fused(x + b);
    Ok(Rates {
        add: rate("addition", Operation::Add, ROUNDS, &|x, _| x + b)?,
        mul: rate("multiplication", Operation::Mul, ROUNDS, &|x, _| x * a)?,
        fma: rate("multiply-add", Operation::MulAdd, fma_rounds, &|x, _| fused(x))?,
        fma_calls: !has_fma,
        add_and_fma: 2.0
            * rate("addition and multiply-add", Operation::AddMulAdd, fma_rounds, &both)?,
        div: rate("division", Operation::Div, ROUNDS, &|x, _| 1.0 / x)?,
        // Iterating √(x + 1) converges. The addition is free: it runs on another execution unit.
        sqrt: rate("square root", Operation::Sqrt, ROUNDS, &|x, _| (x + 1.0).sqrt())?,
        broadcast: rate("broadcast load", Operation::Broadcast, ROUNDS, &|x, number| x + number)?,
    })
}

#[derive(Clone, Copy, Debug)]
enum Operation {
    Add,
    Mul,
    MulAdd,
    AddMulAdd,
    Div,
    Sqrt,
    /// Adds a number loaded from memory: a different one for each chain and row.
    Broadcast,
}

struct Chains<'a> {
    operation: Operation,
    a: f32,
    b: f32,
    starts: &'a [f32; CHAINS],
    /// `ROWS` rows with one number per chain. Only `Operation::Broadcast` uses the numbers.
    rows: &'a [[f32; CHAINS]],
    rounds: usize,
}

impl LaneWork for Chains<'_> {
    type Output = Ends;

    #[inline(always)]
    fn run<L: Lanes>(self) -> Self::Output {
        let (a, b, one) = (L::splat(self.a), L::splat(self.b), L::splat(1.0));
        // Use macros, because closures stored in variables might not be inlined.
        macro_rules! repeat {
            (|$x:ident, $number:ident| $next:expr) => {
                self.repeat(
                    #[inline(always)]
                    |$x: L, $number: f32| $next,
                )
            };
        }
        match self.operation {
            Operation::Add => repeat!(|x, _number| x + b),
            Operation::Mul => repeat!(|x, _number| x * a),
            Operation::MulAdd => repeat!(|x, _number| x.mul_add(a, b)),
            Operation::AddMulAdd => repeat!(|x, _number| (x + b).mul_add(a, b)),
            Operation::Div => repeat!(|x, _number| one / x),
            Operation::Sqrt => repeat!(|x, _number| (x + one).sqrt()),
            Operation::Broadcast => repeat!(|x, number| x + L::splat(number)),
        }
    }
}

impl Chains<'_> {
    #[inline(always)]
    fn repeat<L: Lanes>(&self, next: impl Fn(L, f32) -> L) -> Ends {
        let mut chains = [L::zero(); CHAINS];
        for (chain, &start) in chains.iter_mut().zip(self.starts) {
            *chain = L::splat(start);
        }
        for _ in 0..self.rounds {
            for row in black_box(self.rows) {
                for (x, &number) in chains.iter_mut().zip(row) {
                    *x = next(*x, number);
                }
            }
        }
        let mut ends = [[0.0; MAX_LANES]; CHAINS];
        for (end, chain) in ends.iter_mut().zip(chains) {
            end.chunks_exact_mut(L::WIDTH).for_each(|lanes| chain.store(lanes));
        }
        ends
    }
}
