//! Reports, rows and random numbers for the tests of this crate.

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::experiment::Experiment;
use crate::results::machine::Machine;
use crate::results::report::{Report, Setup};
use crate::results::row::{Block, Row};
use crate::variant::Variant;

pub(crate) struct Draws(Xoshiro256PlusPlus);

impl Draws {
    pub(crate) fn new() -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(2004))
    }

    /// Returns a uniform random number between 0 and 1, excluding both ends.
    pub(crate) fn unit(&mut self) -> f64 {
        ((self.0.next_u64() >> 12) as f64 + 0.5) / (1_u64 << 52) as f64
    }

    /// Returns a standard normal variate (Box–Muller).
    pub(crate) fn normal(&mut self) -> f64 {
        let radius = (-2.0 * self.unit().ln()).sqrt();
        radius * (std::f64::consts::TAU * self.unit()).cos()
    }
}

pub(crate) fn row_of(variant: Variant, n: usize, blocks: Vec<Vec<f64>>) -> Row {
    let block = |ns| Block { ns, ..Block::default() };
    let mut row = Row {
        id: format!("scaling/{variant}/{n}"),
        variant,
        n,
        threads: 1,
        blocks: blocks.into_iter().map(block).collect(),
        ..Row::default()
    };
    row.summarize();
    row
}

pub(crate) fn report_of(rows: Vec<Row>) -> Report {
    let setup = Setup { command: "scaling".into(), dimensions: 2, ..Setup::default() };
    Report { rows, ..Report::new(Machine::detect(), setup) }
}

pub(crate) fn quiet_row(experiment: Experiment, variant: Variant, n: usize, ns: f64) -> Row {
    let row = row_of(variant, n, vec![vec![ns; 3]; 3]);
    let id = format!("{experiment}/{variant}/{n}");
    Row { id, experiment, point: n.to_string(), x: n as f64, threads: 1, ..row }
}
