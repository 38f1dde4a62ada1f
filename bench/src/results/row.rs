//! One row of a report: every measured time of one way to compute a step, the estimate from the
//! calmest of them, and the reasons to doubt it.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

use crate::counters::Counts;
use crate::numbers::{count, digits};
use crate::results::block::{Block, Stages, medians};
use crate::results::calm::{CALM_BLOCKS, Calm};
use crate::results::statistics::median;

/// One way to compute a step of one crowd. What follows from the times is computed
/// again when a report is read.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Row {
    /// Experiment, method and point, such as `scaling/cells-simd/10000`.
    pub(crate) id: String,
    pub(crate) experiment: String,
    /// The curve that the row is a point of: how the step is computed.
    pub(crate) method: String,
    /// The point on the curve, in words.
    pub(crate) point: String,
    /// The point on the curve, as a number.
    pub(crate) x: f64,
    pub(crate) scene: String,
    pub(crate) n: usize,
    pub(crate) threads: usize,
    /// The estimate from the calmest blocks.
    pub(crate) ns_per_agent_step: f64,
    /// Its 95 % interval.
    pub(crate) ns_low: f64,
    pub(crate) ns_high: f64,
    /// The median and the minimum of all times.
    pub(crate) ns_median: f64,
    pub(crate) ns_min: f64,
    pub(crate) repeats: usize,
    /// Steps of each crowd in a repeat.
    pub(crate) steps_per_repeat: u64,
    /// Crowds in a repeat.
    pub(crate) crowds: usize,
    /// Medians over the calm blocks.
    pub(crate) stages_ns: Option<Stages>,
    /// What the processor counted, per agent-step.
    pub(crate) counts: Option<Counts>,
    pub(crate) mean_neighbors: f64,
    /// Pairs that the engine tests per agent; for SIMD, candidates times lanes.
    pub(crate) pairs_per_agent: Option<f64>,
    pub(crate) bytes_per_agent: Option<f64>,
    pub(crate) state_hash: String,
    /// Number of steps at which the hash was computed.
    pub(crate) steps: u64,
    /// Reasons not to trust the time; empty for a trusted row.
    pub(crate) doubts: Vec<String>,
    pub(crate) blocks: Vec<Block>,
}

/// The limits of a trusted row.
const MOST_DISAGREEMENT: f64 = 0.05;
const MOST_WAITED: f64 = 0.05;
/// More than bursts that take half a core.
const MOST_CORES_ELSEWHERE: f64 = 0.75;
/// What may explain why blocks disagree.
const NOTED_CORES_ELSEWHERE: f64 = 0.15;
/// The shortest time over which the system's ticks are precise enough.
const FEWEST_SECONDS: f64 = 0.3;

impl Row {
    pub(crate) fn seconds_per_step(&self) -> f64 {
        self.ns_per_agent_step * 1.0e-9 * self.n as f64
    }

    /// Which of two takes less time per agent.
    pub(crate) fn by_time(a: &&Self, b: &&Self) -> Ordering {
        a.ns_per_agent_step.total_cmp(&b.ns_per_agent_step)
    }

    /// The share by which the time may be wrong; infinite while too few blocks are measured, or
    /// there is a doubt that more of them may lift.
    pub(crate) fn disagreement(&self) -> f64 {
        let whole = Calm::of(&self.blocks).filter(|calm| calm.is_whole() && self.is_trusted());
        whole.and_then(|calm| calm.half).unwrap_or(f64::INFINITY)
    }

    /// The share of tested pairs that are neighbors.
    pub(crate) fn useful_share(&self) -> Option<f64> {
        self.pairs_per_agent.filter(|pairs| *pairs > 0.0).map(|pairs| self.mean_neighbors / pairs)
    }

    /// Whether the engine computed the whole steps.
    pub(crate) fn is_of_engine(&self) -> bool {
        self.pairs_per_agent.is_some()
    }

    /// The point, or the crowd if that is the point.
    pub(crate) fn place(&self) -> String {
        let of_size = self.point == self.n.to_string();
        if of_size { count(self.n, "agent") } else { self.point.clone() }
    }

    /// The time with its interval: `15.3 [15.2, 15.4]`.
    pub(crate) fn interval(&self) -> String {
        let [ns, low, high] = [self.ns_per_agent_step, self.ns_low, self.ns_high].map(digits);
        format!("{ns} [{low}, {high}]")
    }

    pub(crate) fn is_trusted(&self) -> bool {
        self.doubts.is_empty()
    }

    /// Computes everything that follows from the times, on a machine with this many cores.
    pub(crate) fn summarize(&mut self, cores: usize) {
        let Some(calm) = Calm::of(&self.blocks) else { return };
        let times: Vec<f64> = self.blocks.iter().flat_map(|block| &block.ns).copied().collect();
        self.repeats = times.len();
        self.ns_median = median(&times);
        self.ns_min = times.iter().copied().fold(f64::INFINITY, f64::min);
        self.ns_per_agent_step = calm.ns();
        [self.ns_low, self.ns_high] = match calm.half {
            Some(half) => [calm.ns() * (-half).exp(), calm.ns() * half.exp()],
            // The estimate is the exponential of a logarithm, which may round to below the minimum.
            None => [self.ns_min.min(calm.ns()), times.iter().copied().fold(calm.ns(), f64::max)],
        };
        let calm_blocks: Vec<&Block> = calm.blocks.iter().map(|&k| &self.blocks[k]).collect();
        self.stages_ns = medians(calm_blocks.iter().filter_map(|block| block.stages_ns));
        self.counts = medians(calm_blocks.iter().filter_map(|block| block.counts));
        self.doubts = self.find_doubts(&calm, &calm_blocks, cores);
    }

    fn find_doubts(&self, calm: &Calm, calm_blocks: &[&Block], cores: usize) -> Vec<String> {
        let mut doubts = Vec::new();
        if !calm.is_whole() {
            let count = self.blocks.len();
            let blocks = if count == 1 { "block was" } else { "blocks were" };
            doubts.push(format!("only {count} {blocks} measured; {CALM_BLOCKS} have to agree"));
        } else if let Some(half) = calm.half.filter(|half| *half > MOST_DISAGREEMENT) {
            let busy = cores_elsewhere(self.blocks.iter());
            let busy = busy.filter(|cores| *cores > NOTED_CORES_ELSEWHERE);
            let cause = busy.map_or(String::new(), |cores| {
                format!("; other processes kept {cores:.1} cores busy")
            });
            doubts.push(format!("its calmest blocks differ by ±{}{cause}", percent(half)));
        }
        let waited: Vec<f64> = calm_blocks.iter().filter_map(|block| block.waited).collect();
        let waited = if waited.is_empty() { 0.0 } else { median(&waited) };
        // They wait for each other, too, and to be woken, which is part of a step: for others, no
        // longer than these were on a core.
        let others = cores_elsewhere(calm_blocks.iter().copied());
        let waited = others.map_or(waited, |cores| waited.min(cores / self.threads as f64));
        if waited > MOST_WAITED {
            let share = percent(waited);
            doubts.push(format!(
                "even in calm blocks, threads waited for a core {share} of the time"
            ));
        }
        // Where a core is left for the others, they hardly disturb.
        let crowded = |busy: &f64| busy + self.threads as f64 > cores as f64 - 0.5;
        let busy = self.cores_elsewhere_at_best();
        if let Some(busy) = busy.filter(|busy| *busy > MOST_CORES_ELSEWHERE).filter(crowded) {
            doubts.push(format!("other processes kept {busy:.1} cores busy throughout"));
        }
        doubts
    }

    /// Cores kept busy by other processes in the blocks that they left most in peace, a third of
    /// the time.
    fn cores_elsewhere_at_best(&self) -> Option<f64> {
        let cores = |block: &Block| block.cores_elsewhere.unwrap_or(f64::INFINITY);
        let mut blocks: Vec<&Block> = self.blocks.iter().collect();
        blocks.sort_by(|a, b| cores(a).total_cmp(&cores(b)));
        let third = blocks.iter().map(|block| block.seconds).sum::<f64>() / 3.0;
        let mut before = 0.0;
        let quietest = blocks.into_iter().take_while(|block| {
            let is_needed = before < third.max(FEWEST_SECONDS);
            before += block.seconds;
            is_needed
        });
        cores_elsewhere(quietest)
    }
}

fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// Cores kept busy by other processes in some blocks together; `None` if these are too short to
/// tell.
fn cores_elsewhere<'a>(blocks: impl Iterator<Item = &'a Block>) -> Option<f64> {
    let (mut busy, mut seconds) = (0.0, 0.0);
    for block in blocks {
        if let Some(cores) = block.cores_elsewhere {
            busy += cores * block.seconds;
            seconds += block.seconds;
        }
    }
    (seconds >= FEWEST_SECONDS).then(|| busy / seconds)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) const CORES: usize = 2;

    /// A row with these times.
    pub(crate) fn row_of(method: &str, n: usize, blocks: Vec<Vec<f64>>) -> Row {
        let block = |ns| Block { ns, seconds: 1.0, ..Block::default() };
        let mut row = Row {
            id: format!("test/{method}/{n}"),
            experiment: "test".into(),
            method: method.into(),
            n,
            threads: 1,
            blocks: blocks.into_iter().map(block).collect(),
            ..Row::default()
        };
        row.summarize(CORES);
        row
    }

    #[test]
    fn a_quiet_row_is_trusted_and_summarized() {
        let row = row_of("a", 100, vec![vec![10.0, 10.2, 10.1]; 3]);
        assert_eq!((row.ns_median, row.ns_min, row.repeats), (10.1, 10.0, 9));
        assert!((row.ns_per_agent_step - 10.0 - 0.1 / 6.0).abs() < 1.0e-9);
        assert_eq!(row.doubts, [""; 0]);
        assert!((row.seconds_per_step() - 1.0e-7 * row.ns_per_agent_step).abs() < 1.0e-15);
    }

    #[test]
    fn the_interval_of_a_single_block_contains_its_estimate_in_spite_of_rounding() {
        for k in 1..1_000 {
            let row = row_of("a", 100, vec![vec![0.1 * f64::from(k)]]);
            let time = row.ns_per_agent_step;
            assert!(row.ns_low <= time && time <= row.ns_high, "{row:?}");
        }
    }

    #[test]
    fn bursts_leave_a_row_without_doubt_and_its_time_unchanged() {
        let burst = vec![15.0, 10.0, 16.0, 10.1, 10.0, 14.0, 10.1, 10.0];
        let mut row = row_of("a", 100, vec![burst, vec![18.0; 8], vec![10.0; 8], vec![10.1; 8]]);
        row.blocks.iter_mut().for_each(|block| block.cores_elsewhere = Some(0.5));
        row.summarize(CORES);
        assert!((row.ns_per_agent_step - 10.03).abs() < 0.04, "{}", row.ns_per_agent_step);
        assert_eq!(row.doubts, [""; 0]);
    }

    #[test]
    fn calm_blocks_that_disagree_are_a_doubt_with_its_causes() {
        let mut row = row_of("a", 100, vec![vec![10.0; 6], vec![12.0; 6], vec![11.0; 6]]);
        let said = |row: &Row| row.doubts.join("; ");
        assert!(said(&row).starts_with("its calmest blocks differ by ±"), "{row:?}");
        assert!(!said(&row).contains(';'), "no cause is known: {}", said(&row));
        row.blocks.iter_mut().for_each(|block| block.cores_elsewhere = Some(0.6));
        row.summarize(CORES);
        assert!(said(&row).ends_with("; other processes kept 0.6 cores busy"), "{}", said(&row));
        let short = row_of("a", 100, vec![vec![10.0; 6]; 2]);
        assert_eq!(said(&short), "only 2 blocks were measured; 3 have to agree");
        assert_eq!((short.disagreement(), row.disagreement()), (f64::INFINITY, f64::INFINITY));
    }

    #[test]
    fn a_core_that_is_busy_throughout_is_a_doubt_where_none_is_left() {
        let mut row = row_of("a", 100, vec![vec![10.0; 6]; 5]);
        let mut doubts = |cores: [f64; 5], seconds: f64, cores_of_machine: usize| {
            for (block, cores) in row.blocks.iter_mut().zip(cores) {
                (block.cores_elsewhere, block.seconds) = (Some(cores), seconds);
            }
            row.summarize(cores_of_machine);
            row.doubts.clone()
        };
        let busy = ["other processes kept 1.0 cores busy throughout"];
        let bursts = [0.1, 1.0, 0.9, 1.0, 0.2];
        assert_eq!(doubts([1.0; 5], 0.2, 2), busy);
        assert_eq!(doubts([1.0; 5], 0.2, 8), [""; 0], "there are cores left");
        assert_eq!(doubts([1.0; 5], 0.05, 2), [""; 0], "too short to tell");
        assert_eq!(doubts([0.5; 5], 0.2, 2), [""; 0], "bursts");
        assert_eq!(doubts(bursts, 0.2, 2), [""; 0], "some blocks were left in peace");
    }

    #[test]
    fn threads_that_always_wait_are_a_doubt() {
        let mut row = row_of("a", 100, vec![vec![10.0; 6]; 4]);
        for (waited, said) in
            [(0.2, "even in calm blocks, threads waited for a core 20.0 % of the time"), (0.01, "")]
        {
            row.blocks.iter_mut().for_each(|block| block.waited = Some(waited));
            // Others may wait as long as three do not.
            row.blocks[3].waited = Some(0.5);
            row.summarize(CORES);
            assert_eq!(row.doubts.join("; "), said);
        }
    }

    #[test]
    fn threads_that_wait_only_for_each_other_are_no_doubt() {
        let mut row = row_of("a", 100, vec![vec![10.0; 6]; 4]);
        row.threads = 2;
        for (cores, said) in
            [(0.02, ""), (0.2, "even in calm blocks, threads waited for a core 10.0 % of the time")]
        {
            for block in &mut row.blocks {
                (block.waited, block.cores_elsewhere) = (Some(0.2), Some(cores));
                block.seconds = 1.0;
            }
            row.summarize(CORES);
            assert_eq!(row.doubts.join("; "), said);
        }
    }
}
