//! A row of two programs, measured block by block.

use std::time::{Duration, Instant};

use crate::compare::asked::Asked;
use crate::compare::verdict::{Pass, is_narrow};
use crate::failure::Failure;
use crate::results::statistics::{median, trimmed_mean};

/// Blocks of each program in a pass over a row, and the time after which fewer are enough.
const ROUNDS: usize = 6;
const FEWEST_ROUNDS: usize = 3;
const LONG: Duration = Duration::from_secs(1);

pub(super) struct Row {
    pub(super) id: String,
    pub(super) passes: Vec<Pass>,
    /// The state that each program reached.
    pub(super) hashes: [String; 2],
}

impl Row {
    pub(super) fn new(id: String) -> Self {
        Self { id, passes: Vec::new(), hashes: Default::default() }
    }

    /// Whether little is left to learn of it, in a comparison of this many rows.
    pub(super) fn needs_no_more(&self, rows: usize) -> bool {
        self.hashes[0] != self.hashes[1] || is_narrow(&self.passes, rows)
    }

    /// Blocks of both programs in turns. In every other pass the second comes first.
    pub(super) fn pass(&mut self, programs: &mut [Asked; 2], swapped: bool) -> Result<(), Failure> {
        let begun = Instant::now();
        let mut ns: [Vec<f64>; 2] = Default::default();
        for round in 0..ROUNDS {
            if round >= FEWEST_ROUNDS && begun.elapsed() > LONG {
                break;
            }
            let first = usize::from((round % 2 == 1) != swapped);
            for k in [first, 1 - first] {
                let block = programs[k].block(&self.id)?;
                ns[k].push(block.ns);
                self.hashes[k] = block.hash;
            }
        }
        let logs: Vec<f64> = ns[0].iter().zip(&ns[1]).map(|(a, b)| (b / a).ln()).collect();
        let (log, _) = trimmed_mean(&logs, 0.95).expect("three rounds or more");
        self.passes.push(Pass { ns: ns.map(|ns| median(&ns)), log });
        Ok(())
    }
}
