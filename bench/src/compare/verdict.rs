use std::time::{Duration, Instant};

use serde::Serialize;

use crate::compare::protocol::ServedProgram;
use crate::failure::Failure;
use crate::results::statistics::{median, trimmed_mean};

/// Blocks per program in one pass. A pass that takes longer than `MAX_PASS_TIME` ends early,
/// but not before `MIN_ROUNDS` blocks.
const ROUNDS: usize = 6;
const MIN_ROUNDS: usize = 3;
const MAX_PASS_TIME: Duration = Duration::from_secs(1);

#[derive(Default)]
pub(super) struct RowPasses {
    pub(super) id: String,
    pub(super) passes: Vec<Pass>,
    hashes: [String; 2],
}

impl RowPasses {
    pub(super) fn new(id: String) -> Self {
        Self { id, ..Self::default() }
    }

    pub(super) fn pass(&mut self, programs: &mut [ServedProgram; 2]) -> Result<(), Failure> {
        let begun = Instant::now();
        let mut ns: [Vec<f64>; 2] = Default::default();
        for round in 0..ROUNDS {
            if round >= MIN_ROUNDS && begun.elapsed() > MAX_PASS_TIME {
                break;
            }
            // Each program leads in half of the rounds, and begins half of the passes.
            let first = (round + self.passes.len()) % 2;
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

    /// Returns the mean logarithm of the time ratio and the half-width of its interval. With fewer
    /// than `MIN_PASSES` passes, the half-width is infinite. `rows` is the number of compared rows.
    fn interval(&self, rows: usize) -> (f64, f64) {
        let logs: Vec<f64> = self.passes.iter().map(|pass| pass.log).collect();
        // Bonferroni correction: `CONFIDENCE` applies to all rows together.
        let confidence = 1.0 - (1.0 - CONFIDENCE) / rows as f64;
        match trimmed_mean(&logs, confidence) {
            Some(found) if logs.len() >= MIN_PASSES => found,
            Some((mean, _)) => (mean, f64::INFINITY),
            None => (logs.first().copied().unwrap_or(f64::NAN), f64::INFINITY),
        }
    }

    pub(super) fn needs_no_more(&self, rows: usize) -> bool {
        self.hashes[0] != self.hashes[1] || self.interval(rows).1 <= TARGET_HALF_WIDTH
    }

    pub(super) fn judge(&self, rows: usize) -> RowVerdict {
        let (mean, half) = self.interval(rows);
        let [ratio, low, high] = [mean, mean - half, mean + half].map(f64::exp);
        let verdict = if self.hashes[0] != self.hashes[1] {
            Verdict::Different
        } else if mean - half > MIN_EFFECT {
            Verdict::Slower
        } else if mean + half < -MIN_EFFECT {
            Verdict::Faster
        } else if mean.abs() + half <= EQUIVALENCE {
            Verdict::Same
        } else {
            Verdict::Unknown
        };
        let times = |k: usize| self.passes.iter().map(|pass| pass.ns[k]).collect::<Vec<_>>();
        RowVerdict {
            id: self.id.clone(),
            ns: [0, 1].map(|k| median(&times(k))),
            ratio,
            // Clamp: JSON has no infinity, and a wider interval carries no more information.
            low: low.max(0.1),
            high: high.min(10.0),
            passes: self.passes.len(),
            state_hashes: self.hashes.clone(),
            verdict,
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Pass {
    pub(super) ns: [f64; 2],
    /// Trimmed mean of ln(time B / time A) over pairs of blocks.
    pub(super) log: f64,
}

/// Probability that all intervals of a comparison contain their true ratios.
const CONFIDENCE: f64 = 0.99;
/// Smallest relevant difference, as the logarithm of a ratio. If a row's interval is within ± this
/// value, the verdict is that the programs are equally fast.
const EQUIVALENCE: f64 = 0.01;
/// Smallest difference for a verdict of slower or faster, as the logarithm of a ratio. Code and
/// memory layout alone can cause differences of about this size, and intervals at a confidence as
/// high as `CONFIDENCE` are only approximate.
const MIN_EFFECT: f64 = 0.002;
/// With fewer passes, agreement may be chance, so the confidence interval is infinite.
const MIN_PASSES: usize = 10;
/// A row needs no more passes once the half-width of its interval, a log ratio, is at most this.
const TARGET_HALF_WIDTH: f64 = 0.004;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Verdict {
    /// The final states differ, so the programs do different work.
    Different,
    Slower,
    Faster,
    Same,
    Unknown,
}

#[derive(Clone, Debug, Serialize)]
pub(super) struct RowVerdict {
    pub(super) id: String,
    pub(super) ns: [f64; 2],
    pub(super) ratio: f64,
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) passes: usize,
    pub(super) state_hashes: [String; 2],
    pub(super) verdict: Verdict,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::fixtures::Draws;

    const ROWS: usize = 20;

    /// Simulates up to 40 passes in which program B is slower than A by the fraction `by`. Memory
    /// layout varies between passes, and some passes are disturbed. Returns the verdict.
    fn verdict(draws: &mut Draws, by: f64) -> Verdict {
        let mut row = RowPasses::default();
        while row.passes.len() < 40 && !row.needs_no_more(ROWS) {
            let disturbed = if draws.unit() < 0.1 { 0.05 * draws.normal() } else { 0.0 };
            let log = by.ln_1p() + 0.005 * draws.normal() + disturbed;
            row.passes.push(Pass { ns: [100.0, 100.0 * log.exp()], log });
        }
        row.judge(ROWS).verdict
    }

    #[test]
    fn a_program_against_itself_gets_no_verdict_in_twenty_rows() {
        let mut draws = Draws::new();
        let wrong = |draws: &mut Draws| {
            let verdicts = (0..ROWS).map(|_| verdict(draws, 0.0));
            verdicts.filter(|found| matches!(found, Verdict::Slower | Verdict::Faster)).count() > 0
        };
        let wrong = (0..200).filter(|_| wrong(&mut draws)).count();
        assert!(wrong <= 4, "{wrong} of 200 comparisons");
    }

    #[test]
    fn one_percent_is_found_within_forty_passes_and_two_percent_always() {
        let mut draws = Draws::new();
        let mut share = |by: f64, sought: Verdict| {
            (0..300).filter(|_| verdict(&mut draws, by) == sought).count() as f64 / 300.0
        };
        assert!(share(0.01, Verdict::Slower) > 0.95);
        assert!(share(-0.01, Verdict::Faster) > 0.95);
        assert!(share(0.02, Verdict::Slower) > 0.999);
        assert!(share(0.0, Verdict::Same) > 0.95);
    }

    #[test]
    fn few_passes_say_nothing_and_other_states_are_a_finding() {
        let pass = Pass { ns: [100.0, 150.0], log: 1.5_f64.ln() };
        let verdict = |passes: &[Pass], hash: &str| {
            let hashes = ["f".into(), hash.into()];
            let row = RowPasses { passes: passes.to_vec(), hashes, ..RowPasses::default() };
            let judged = row.judge(1);
            assert!(judged.low >= 0.1 && judged.high <= 10.0);
            judged.verdict
        };
        assert_eq!(verdict(&[pass; 1], "f"), Verdict::Unknown);
        assert_eq!(verdict(&[pass; MIN_PASSES - 1], "f"), Verdict::Unknown);
        assert_eq!(verdict(&[pass; MIN_PASSES], "f"), Verdict::Slower);
        assert_eq!(verdict(&[pass; MIN_PASSES], "e"), Verdict::Different);
    }
}
