//! Passes over the rows of two programs, block by block.

use std::time::{Duration, Instant};

use crate::compare::asked::Asked;
use crate::compare::verdict::{Judged, Pass, is_narrow, judge};
use crate::failure::Failure;
use crate::results::statistics::{median, trimmed_mean};

/// Blocks of each program in a pass over a row, and the time after which fewer are enough.
const ROUNDS: usize = 6;
const FEWEST_ROUNDS: usize = 3;
const LONG: Duration = Duration::from_secs(1);

pub(super) struct Passes {
    rows: Vec<Row>,
    number: usize,
}

struct Row {
    id: String,
    passes: Vec<Pass>,
    /// The state that each program reached.
    hashes: [String; 2],
}

impl Passes {
    pub(super) fn new(ids: Vec<String>) -> Self {
        let row = |id| Row { id, passes: Vec::new(), hashes: Default::default() };
        Self { rows: ids.into_iter().map(row).collect(), number: 0 }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Passes of the row that has the most.
    pub(super) fn most(&self) -> usize {
        self.rows.iter().map(|row| row.passes.len()).max().unwrap_or(0)
    }

    /// Whether nothing is left to learn.
    pub(super) fn are_enough(&self) -> bool {
        self.rows.iter().all(|row| row.needs_no_more(self.rows.len()))
    }

    /// One pass over all rows that need it, with both programs started anew. `is_over` is asked
    /// before every row, and told whether it has been measured before.
    pub(super) fn pass(
        &mut self,
        start: &impl Fn(usize) -> Result<Asked, Failure>,
        is_over: &impl Fn(&str, bool) -> bool,
    ) -> Result<(), Failure> {
        let all = self.rows.len();
        let swapped = self.number % 2 == 1;
        self.number += 1;
        let mut programs = if swapped {
            let b = start(1)?;
            [start(0)?, b]
        } else {
            [start(0)?, start(1)?]
        };
        for row in self.rows.iter_mut().filter(|row| !row.needs_no_more(all)) {
            if is_over(&row.id, !row.passes.is_empty()) {
                break;
            }
            row.pass(&mut programs, swapped)?;
        }
        Ok(())
    }

    pub(super) fn judge(&self) -> Vec<Judged> {
        let all = self.rows.len();
        let measured = self.rows.iter().filter(|row| !row.passes.is_empty());
        measured.map(|row| judge(&row.id, &row.passes, all, &row.hashes)).collect()
    }
}

impl Row {
    fn needs_no_more(&self, rows: usize) -> bool {
        self.hashes[0] != self.hashes[1] || is_narrow(&self.passes, rows)
    }

    fn pass(&mut self, programs: &mut [Asked; 2], swapped: bool) -> Result<(), Failure> {
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
