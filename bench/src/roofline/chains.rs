//! Recurrences in the vectors of a level: what is timed for rates.

use std::hint::black_box;

use flockwork::internal::LaneWork;
use flockwork::kernel::Lanes;

/// Memory is allocated and counted in vectors that no vector of the kernels crosses.
pub(crate) type Vector = wide::f32x16;
pub(crate) const LANES: usize = 16;

/// What each chain repeats on its value x.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Operation {
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
pub(crate) const CHAINS: usize = 12;

/// Repeats an operation on [`CHAINS`] vectors, whose lanes begin with `starts`. Results in the lanes
/// of each at the end.
pub(crate) struct Chains<'a> {
    pub(crate) operation: Operation,
    pub(crate) a: f32,
    pub(crate) b: f32,
    pub(crate) starts: &'a [f32; CHAINS],
    /// Broadcast in turns, a row to all chains; only their number counts for the other operations.
    pub(crate) rows: &'a [[f32; CHAINS]],
    pub(crate) rounds: usize,
}

impl LaneWork for Chains<'_> {
    type Output = [[f32; LANES]; CHAINS];

    #[inline(always)]
    fn run<L: Lanes>(self) -> Self::Output {
        let (a, b, one) = (L::splat(self.a), L::splat(self.b), L::splat(1.0));
        // Macros, since closures in variables may not be inlined.
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
    fn repeat<L: Lanes>(&self, next: impl Fn(L, f32) -> L) -> [[f32; LANES]; CHAINS] {
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
        let mut ends = [[0.0; LANES]; CHAINS];
        for (end, chain) in ends.iter_mut().zip(chains) {
            end.chunks_exact_mut(L::WIDTH).for_each(|lanes| chain.store(lanes));
        }
        ends
    }
}

/// Vectors that are summed together, so that additions do not wait for each other.
pub(crate) const ROW: usize = 8;

/// The sum of all values, of which there are whole rows of vectors: exact for ones, up to two
/// gigabytes of them.
pub(crate) struct Sum<'a>(pub(crate) &'a [Vector]);

impl LaneWork for Sum<'_> {
    type Output = f64;

    #[inline(always)]
    fn run<L: Lanes>(self) -> f64 {
        let mut sums = [L::zero(); ROW];
        for row in bytemuck::cast_slice::<_, f32>(self.0).chunks_exact(ROW * L::WIDTH) {
            for (sum, lanes) in sums.iter_mut().zip(row.chunks_exact(L::WIDTH)) {
                *sum = *sum + L::load(lanes);
            }
        }
        let mut lanes = [0.0; ROW * LANES];
        for (lanes, sum) in lanes.chunks_exact_mut(L::WIDTH).zip(sums) {
            sum.store(lanes);
        }
        lanes.into_iter().map(f64::from).sum()
    }
}
