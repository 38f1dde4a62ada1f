//! The speed-up of one variant over another.
//!
//! Repeats of the variants on a crowd alternate, so their blocks form pairs that ran
//! under the same conditions: the same minute, clock speed and background load.
//! A slowdown of both variants cancels out in a pair's ratio. The ratio of two rows is
//! the trimmed mean over their pairs, and its interval shows how well the pairs agree.
//! A ratio can therefore be reliable even if both times are in doubt.
//!
//! Pairs during which other processes were busy are left out if enough others remain. The interval
//! also contains the quotient of the two times, which reports print next to the ratio, and is
//! widened by the usual difference between runs.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::experiment::{Experiment, IDLE, Question};
use crate::numbers::{count, digits, is_unknown, with_interval};
use crate::results::calm::CALM_BLOCKS;
use crate::results::row::{Block, Load, Row};
use crate::results::statistics::{lower_quartile, trimmed_mean};

#[derive(Clone, Debug, Serialize)]
pub(crate) struct Answer {
    #[serde(serialize_with = "crate::numbers::in_words")]
    pub(crate) question: Question,
    #[serde(skip)]
    pub(crate) experiment: Experiment,
    pub(crate) n: usize,
    #[serde(skip)]
    pub(crate) place: String,
    pub(crate) slow: String,
    pub(crate) fast: String,
    pub(crate) ratio: Ratio,
}

impl Answer {
    pub(crate) fn all<'a>(rows: impl Iterator<Item = &'a Row> + Clone) -> Vec<Self> {
        let variants: Vec<_> = rows.clone().map(|row| row.variant).collect();
        let Some(first) = rows.clone().next().filter(|row| !row.point.starts_with(IDLE)) else {
            return Vec::new();
        };
        let of = |variant| rows.clone().find(|row| row.variant == variant).expect("asked about");
        let answer = |question: Question| {
            let (slow, fast) = (of(question.slow), of(question.fast));
            // Small crowds stay on one thread, so their ratios do not measure threading.
            (fast.threads > 1 || !fast.variant.uses_threads()).then(|| Self {
                question,
                experiment: fast.experiment,
                n: fast.n,
                place: fast.crowd_name(),
                slow: slow.id.clone(),
                fast: fast.id.clone(),
                ratio: Ratio::of(slow, fast),
            })
        };
        first.experiment.questions(&variants).into_iter().filter_map(answer).collect()
    }
}

/// A speed-up with its 95% confidence interval.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Ratio {
    pub(crate) times: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
    pub(crate) doubt: Option<Doubt>,
}

/// Reason to distrust a ratio.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Doubt {
    /// Number of pairs of blocks.
    TooFew(usize),
    Busy(Load),
    /// Either variant could be the faster one; the half-width of the interval, as a logarithm.
    Undecided(f64),
}

impl fmt::Display for Doubt {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooFew(pairs) => {
                let pairs = count(*pairs, "pair");
                write!(out, "only {pairs} of blocks measured; {CALM_BLOCKS} must agree")
            }
            Self::Busy(load) => {
                write!(out, "other processes took {:.0} % of a core", load.percent())
            }
            Self::Undecided(half) => {
                write!(out, "its pairs of blocks differ by ±{:.0} %", 100.0 * half.exp_m1())
            }
        }
    }
}

impl Serialize for Doubt {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.collect_str(self)
    }
}

/// Half-width, as a logarithm, by which runs differ beyond their pairs of blocks: each process lays
/// out its memory anew. Without it, one in five of the intervals in `ratios.csv` of five quiet runs
/// of `scaling` misses the median of these runs.
const BETWEEN_RUNS: f64 = 0.005;

impl Ratio {
    pub(crate) fn of(slow: &Row, fast: &Row) -> Self {
        Self::from_pairs(slow, fast).unwrap_or_else(|| Self::from_times(slow, fast))
    }

    fn from_pairs(slow: &Row, fast: &Row) -> Option<Self> {
        let mut pairs: Vec<(&Block, &Block)> = slow.blocks.iter().zip(&fast.blocks).collect();
        let load = |pairs: &[(&Block, &Block)]| -> Load {
            pairs.iter().flat_map(|(a, b)| [a.load, b.load]).flatten().sum()
        };
        let calm = |pair: &(&Block, &Block)| !load(&[*pair]).is_busy();
        if pairs.iter().filter(|pair| calm(pair)).count() >= CALM_BLOCKS {
            pairs.retain(calm);
        }
        let log =
            |(a, b): &(&Block, &Block)| (cpu_ns(a, slow.threads) / cpu_ns(b, fast.threads)).ln();
        let logs: Vec<f64> = pairs.iter().map(log).collect();
        let (mean, half) = trimmed_mean(&logs, 0.95)?;
        let quotient = (slow.ns_per_agent_step / fast.ns_per_agent_step).ln();
        let low = (mean - half).min(quotient) - BETWEEN_RUNS;
        let ends = [low, (mean + half).max(quotient) + BETWEEN_RUNS];
        let [times, low, high] = [mean, ends[0], ends[1]].map(f64::exp);
        let load = load(&pairs);
        let doubt = too_few(logs.len()).or(load.is_busy().then_some(Doubt::Busy(load)));
        Some(Self { times, low, high, doubt: doubt.or_else(|| undecided(ends)) })
    }

    /// Computes a ratio from the times of two rows that have fewer than two pairs of blocks.
    /// The times' errors are independent, so the squares of their relative errors add.
    fn from_times(slow: &Row, fast: &Row) -> Self {
        let half = |row: &Row| (row.ns_high / row.ns_low).ln() / 2.0;
        let by = half(slow).hypot(half(fast)).exp();
        let times = slow.ns_per_agent_step / fast.ns_per_agent_step;
        let pairs = slow.blocks.len().min(fast.blocks.len());
        Self { times, low: times / by, high: times * by, doubt: too_few(pairs) }
    }

    /// Relative half-width of the interval; infinite if `doubt` holds a reason to distrust it.
    pub(crate) fn disagreement(&self) -> f64 {
        let half = (self.high / self.low).ln() / 2.0;
        if self.doubt.is_some() { f64::INFINITY } else { half }
    }

    /// True unless enough pairs were measured on a quiet machine.
    pub(crate) fn is_unreliable(&self) -> bool {
        matches!(self.doubt, Some(Doubt::TooFew(_) | Doubt::Busy(_)))
    }

    pub(crate) fn is_unknown(&self) -> bool {
        is_unknown([self.low, self.high])
    }
}

/// Nanoseconds per agent-step, without the time spent waiting for a core. On a machine with too few
/// cores, a long step may always have to wait while a short step never does. With several threads,
/// nothing is subtracted: the threads wait for each other, which is part of a step.
fn cpu_ns(block: &Block, threads: usize) -> f64 {
    let waited = block.waited().filter(|_| threads == 1).unwrap_or(0.0);
    lower_quartile(&block.ns) * (1.0 - waited.min(0.9))
}

fn too_few(pairs: usize) -> Option<Doubt> {
    (pairs < CALM_BLOCKS).then_some(Doubt::TooFew(pairs))
}

/// An answer is in doubt if either variant could be the faster one. A wide interval alone
/// does not make it doubtful, since reports print the interval. `ends` are logarithms.
fn undecided([low, high]: [f64; 2]) -> Option<Doubt> {
    let (middle, half) = ((low + high) / 2.0, (high - low) / 2.0);
    let is_close = middle.abs() < EQUAL_SPEED_TOLERANCE && half < EQUAL_SPEED_TOLERANCE;
    (middle.abs() <= half && !is_close).then_some(Doubt::Undecided(half))
}

/// Variants whose speeds differ by less than this fraction are considered equally fast.
const EQUAL_SPEED_TOLERANCE: f64 = 0.1;

impl fmt::Display for Ratio {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&with_interval(self.times, [self.low, self.high], "×", digits))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::fixtures::quiet_row;
    use crate::variant::Variant;

    /// Returns a slow and a fast row. Each pair in `by` scales the times of one block in each row.
    fn rows(by: &[[f64; 2]]) -> [Row; 2] {
        [(Variant::CellsScalar, 300.0, 0), (Variant::CellsSimd, 30.0, 1)].map(|(variant, ns, k)| {
            let mut row = quiet_row(Experiment::Scaling, variant, 1_000, ns);
            let block = row.blocks[0].clone();
            let block = |by: &[f64; 2]| Block { ns: vec![ns * by[k]; 4], ..block.clone() };
            row.blocks = by.iter().map(block).collect();
            row.summarize();
            row
        })
    }

    /// Regression: with several sizes, whose points end in the number of agents, the stage without
    /// behaviors had ratios.
    #[test]
    fn the_stage_without_behaviors_has_no_ratios() {
        for (point, ratios) in [("(none)", 0), ("(none), 5000 agents", 0), ("seek", 1)] {
            let mut rows = rows(&[[1.0; 2]; 5]);
            rows.iter_mut().for_each(|row| row.point = point.into());
            assert_eq!(Answer::all(rows.iter()).len(), ratios, "{point}");
        }
    }

    #[test]
    fn what_slows_down_both_leaves_a_ratio_without_doubt() {
        let [slow, fast] = rows(&[[1.0; 2], [1.4; 2], [1.9; 2], [1.2, 1.21], [1.7; 2]]);
        assert!(slow.disagreement() > 0.1 && fast.disagreement() > 0.1);
        let ratio = Ratio::of(&slow, &fast);
        assert!((ratio.times - 10.0).abs() < 0.1 && ratio.high / ratio.low < 1.02, "{ratio}");
        assert_eq!(ratio.doubt, None);
    }

    /// Regression: with two other programs keeping both cores busy, SIMD appeared 26.5 times
    /// as fast as scalar code instead of 12.9 times.
    #[test]
    fn waiting_for_a_core_does_not_count_in_a_ratio() {
        let [mut slow, fast] = rows(&[[2.0, 1.0]; 5]);
        slow.blocks.iter_mut().for_each(|block| block.waited = vec![0.5]);
        let ratio = Ratio::of(&slow, &fast);
        assert!((ratio.times - 10.0).abs() < 0.1, "{ratio}");
    }

    #[test]
    fn a_ratio_is_in_doubt_only_if_the_answer_could_be_another() {
        let doubt = |by: &[[f64; 2]]| {
            let [slow, fast] = rows(by);
            Ratio::of(&slow, &fast).doubt.map_or(String::new(), |doubt| doubt.to_string())
        };
        assert_eq!(doubt(&[[1.0; 2], [1.9, 1.0], [1.0, 1.8], [1.5, 1.0], [1.0; 2]]), "");
        let differ = [[1.0; 2], [9.0, 0.1], [0.1, 9.0], [9.0, 0.1], [0.1, 9.0]];
        assert!(
            doubt(&differ).starts_with("its pairs of blocks differ by ±"),
            "{}",
            doubt(&differ)
        );
        assert_eq!(doubt(&[[1.0; 2]; 2]), "only 2 pairs of blocks measured; 3 must agree");
        // Regression: a single pair read "only 0 pairs".
        assert_eq!(doubt(&[[1.0; 2]]), "only 1 pair of blocks measured; 3 must agree");
        assert_eq!(doubt(&[[1.0; 2], [1.0; 2], [1.0, 2.0], [1.0; 2], [1.0; 2]]), "");
    }

    #[test]
    fn which_of_two_is_faster_is_in_doubt_unless_both_are_as_fast() {
        let doubt = |by: [f64; 3]| {
            let [mut slow, fast] = rows(&by.map(|by| [by, 1.0]));
            slow.blocks.iter_mut().flat_map(|block| &mut block.ns).for_each(|ns| *ns /= 10.0);
            slow.summarize();
            Ratio::of(&slow, &fast).doubt.is_some()
        };
        assert!(!doubt([1.0, 1.01, 0.99]) && !doubt([2.0, 2.04, 1.96]));
        assert!(doubt([1.0, 1.06, 1.12]));
    }

    /// Gives each block of both rows a load: the fraction of a core's time that other processes
    /// took.
    fn beside(rows: &mut [Row; 2], shares: &[f64]) {
        for row in rows {
            for (block, share) in row.blocks.iter_mut().zip(shares) {
                block.load = Some(Load { others_seconds: 2.0 * share, wall_seconds: 2.0 });
            }
        }
    }

    /// Regression: a busy machine reported a ratio of 244 without a question mark; the ratio was
    /// 342 on a quiet machine.
    #[test]
    fn a_ratio_is_in_doubt_if_other_processes_took_more_than_5_percent_of_its_blocks() {
        let mut rows = rows(&[[1.0, 1.4], [1.0, 1.4], [1.0; 2], [1.0; 2], [1.0; 2]]);
        beside(&mut rows, &[0.04; 5]);
        assert_eq!(Ratio::of(&rows[0], &rows[1]).doubt, None);
        beside(&mut rows, &[0.9, 0.9, 0.9, 0.04, 0.04]);
        let doubt = Ratio::of(&rows[0], &rows[1]).doubt.map(|doubt| doubt.to_string());
        assert_eq!(doubt.as_deref(), Some("other processes took 56 % of a core"));
    }

    #[test]
    fn pairs_beside_busy_processes_are_left_out_if_three_others_remain() {
        let mut rows = rows(&[[1.0, 1.4], [1.0, 1.5], [1.0; 2], [1.0; 2], [1.0; 2]]);
        beside(&mut rows, &[0.9, 0.9, 0.0, 0.0, 0.0]);
        let ratio = Ratio::of(&rows[0], &rows[1]);
        assert!((ratio.times - 10.0).abs() < 1.0e-9 && ratio.high < 10.06, "{ratio}");
        assert_eq!(ratio.doubt, None);
    }

    /// Regression: the title showed a ratio of 244 above two times whose quotient was 574.
    #[test]
    fn the_interval_contains_the_quotient_of_the_two_times() {
        // All pairs of blocks agree except two, in which only the fast row was faster than usual.
        let mut by: Vec<[f64; 2]> = (1..=8).map(|k| [1.0 + 0.1 * f64::from(k); 2]).collect();
        by.extend([[1.5, 0.1]; 2]);
        let [slow, fast] = rows(&by);
        let (ratio, quotient) =
            (Ratio::of(&slow, &fast), slow.ns_per_agent_step / fast.ns_per_agent_step);
        assert!(ratio.low <= quotient && quotient <= ratio.high, "{quotient} {ratio}");
    }

    #[test]
    fn pairs_that_agree_leave_the_difference_between_runs() {
        let [slow, fast] = rows(&[[1.0; 2]; 5]);
        assert_eq!(Ratio::of(&slow, &fast).to_string(), "10.0× [9.95, 10.1]");
    }

    #[test]
    fn an_interval_wider_than_a_factor_of_100_is_unknown() {
        let ratio = |high| Ratio { times: 2.0, low: 1.0, high, doubt: None }.to_string();
        assert_eq!([ratio(99.0), ratio(101.0)], ["2.00× [1.00, 99.0]", "unknown"]);
    }

    #[test]
    fn times_that_were_not_measured_in_turns_have_a_ratio_from_their_intervals() {
        let row = |point: &str, ns: f64, by: f64| Row {
            point: point.into(),
            ns_per_agent_step: ns,
            ns_low: ns / by,
            ns_high: ns * by,
            ..Row::default()
        };
        let ratio = Ratio::of(&row("a", 30.0, 1.03), &row("b", 10.0, 1.04));
        assert!((ratio.times - 3.0).abs() < 1.0e-12);
        assert!((ratio.high / 3.0 - 1.05).abs() < 0.001 && ratio.doubt.is_some(), "{ratio}");
        assert_eq!(
            Ratio::of(&row("a", 30.0, 1.0), &row("b", 10.0, 1.0)).to_string(),
            "3.00× [3.00, 3.00]"
        );
    }
}
