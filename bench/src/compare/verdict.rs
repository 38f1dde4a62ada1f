//! A row of two programs: its passes, and what they say.

use std::time::{Duration, Instant};

use serde::Serialize;

use crate::compare::protocol::Asked;
use crate::failure::Failure;
use crate::results::statistics::{median, trimmed_mean};

/// Blocks of each program in a pass over a row, and the time after which fewer are enough.
const ROUNDS: usize = 6;
const MIN_ROUNDS: usize = 3;
const LONG: Duration = Duration::from_secs(1);

/// A row of two programs, measured block by block.
pub(super) struct Compared {
    pub(super) id: String,
    pub(super) passes: Vec<Pass>,
    /// The state that each program reached.
    pub(super) hashes: [String; 2],
}

impl Compared {
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
            if round >= MIN_ROUNDS && begun.elapsed() > LONG {
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

/// Both programs in one pass over a row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pass {
    /// Nanoseconds per agent-step.
    pub(super) ns: [f64; 2],
    /// The logarithm of the second time over the first, from pairs of blocks.
    pub(super) log: f64,
}

/// That all intervals of a comparison hold together.
const CONFIDENCE: f64 = 0.99;
/// The difference that is looked for: a row that surely has less is the same.
const SAME: f64 = 0.01;
/// A smaller difference is no verdict. Where code and memory lie makes as much, and intervals of such
/// confidence are not exact.
const NONE: f64 = 0.002;
/// Passes from which intervals are taken: fewer may agree by chance.
const MIN_PASSES: usize = 10;
/// A row whose interval is so narrow, on either side, needs no more passes.
const NARROW: f64 = 0.004;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Verdict {
    /// The states differ: the programs do not compute the same.
    Different,
    Slower,
    Faster,
    Same,
    Unknown,
}

impl Verdict {
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Different => "different states",
            Self::Slower => "B is slower",
            Self::Faster => "B is faster",
            Self::Same => "the same within 1 %",
            Self::Unknown => "unknown: --time gives more passes",
        }
    }

    /// Whether the second program must not replace the first.
    pub(super) fn is_bad(self) -> bool {
        matches!(self, Self::Different | Self::Slower)
    }
}

/// A row of a comparison.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Judged {
    pub(super) id: String,
    /// Nanoseconds per agent-step of A and of B, medians over passes.
    pub(super) ns: [f64; 2],
    /// The time of B over that of A, and its interval.
    pub(super) ratio: f64,
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) passes: usize,
    pub(super) state_hashes: [String; 2],
    pub(super) verdict: Verdict,
}

/// The mean logarithm and half of its interval, in a comparison of this many rows; infinite for too
/// few passes.
fn interval(passes: &[Pass], rows: usize) -> (f64, f64) {
    let logs: Vec<f64> = passes.iter().map(|pass| pass.log).collect();
    // Each may be wrong so seldom that hardly ever one of all is.
    let confidence = 1.0 - (1.0 - CONFIDENCE) / rows as f64;
    match trimmed_mean(&logs, confidence) {
        Some(found) if logs.len() >= MIN_PASSES => found,
        Some((mean, _)) => (mean, f64::INFINITY),
        None => (logs.first().copied().unwrap_or(f64::NAN), f64::INFINITY),
    }
}

/// Whether more passes would say little more.
pub(super) fn is_narrow(passes: &[Pass], rows: usize) -> bool {
    interval(passes, rows).1 <= NARROW
}

pub(super) fn judge(id: &str, passes: &[Pass], rows: usize, hashes: &[String; 2]) -> Judged {
    let (mean, half) = interval(passes, rows);
    let [ratio, low, high] = [mean, mean - half, mean + half].map(f64::exp);
    let verdict = if hashes[0] != hashes[1] {
        Verdict::Different
    } else if mean - half > NONE {
        Verdict::Slower
    } else if mean + half < -NONE {
        Verdict::Faster
    } else if mean.abs() + half <= SAME {
        Verdict::Same
    } else {
        Verdict::Unknown
    };
    // A wider interval says no more than this, and JSON has no infinity.
    let [low, high] = [low.max(0.1), high.min(10.0)];
    let ns = [0, 1].map(|k| median(&passes.iter().map(|pass| pass.ns[k]).collect::<Vec<_>>()));
    let (id, state_hashes, passes) = (id.to_owned(), hashes.clone(), passes.len());
    Judged { id, ns, ratio, low, high, passes, state_hashes, verdict }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::statistics::tests::Draws;

    const ROWS: usize = 20;

    /// The verdict on a row of two programs, the second slower by the share `by`, after as many
    /// passes as a minute allows at most. Passes differ by where memory lies, and some are disturbed.
    fn verdict(draws: &mut Draws, by: f64) -> Verdict {
        let mut passes = Vec::new();
        while passes.len() < 40 && !is_narrow(&passes, ROWS) {
            let disturbed = if draws.unit() < 0.1 { 0.05 * draws.normal() } else { 0.0 };
            let log = by.ln_1p() + 0.005 * draws.normal() + disturbed;
            passes.push(Pass { ns: [100.0, 100.0 * log.exp()], log });
        }
        judge("a", &passes, ROWS, &["f".into(), "f".into()]).verdict
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
            let judged = judge("a", passes, 1, &["f".into(), hash.into()]);
            assert!(judged.low >= 0.1 && judged.high <= 10.0);
            judged.verdict
        };
        assert_eq!(verdict(&[pass; 1], "f"), Verdict::Unknown);
        assert_eq!(verdict(&[pass; MIN_PASSES - 1], "f"), Verdict::Unknown);
        assert_eq!(verdict(&[pass; MIN_PASSES], "f"), Verdict::Slower);
        assert_eq!(verdict(&[pass; MIN_PASSES], "e"), Verdict::Different);
    }
}
