//! One row of a report: all measured times of one variant on one crowd,
//! and the estimate from the calmest blocks.

use std::iter::Sum;

use serde::{Serialize, Serializer};

use crate::experiment::Experiment;
use crate::numbers::count;
use crate::results::calm::{CALM_BLOCKS, Calm};
use crate::results::statistics::{lower_quartile, median, quantile};
use crate::variant::Variant;

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(crate) struct Row {
    /// Experiment, variant and point, e.g. `scaling/cells-simd/10000`.
    pub(crate) id: String,
    pub(crate) experiment: Experiment,
    #[serde(serialize_with = "crate::numbers::in_words")]
    pub(crate) variant: Variant,
    pub(crate) point: String,
    pub(crate) x: f64,
    pub(crate) scene: String,
    pub(crate) n: usize,
    pub(crate) threads: usize,
    /// Time per agent-step in nanoseconds, estimated from the calmest blocks.
    pub(crate) ns_per_agent_step: f64,
    /// 95% confidence interval of `ns_per_agent_step`.
    pub(crate) ns_low: f64,
    pub(crate) ns_high: f64,
    /// Median and minimum time per agent-step over all repeats.
    pub(crate) ns_median: f64,
    pub(crate) ns_min: f64,
    pub(crate) repeats: usize,
    pub(crate) steps_per_repeat: u64,
    /// Number of crowds stepped per repeat.
    pub(crate) crowds: usize,
    pub(crate) worst: Option<Worst>,
    /// Stage times: medians over the calm blocks.
    pub(crate) stages_ns: Option<Stages>,
    pub(crate) mean_neighbors: f64,
    /// Pairs tested per agent; with SIMD, every candidate is tested against all lanes.
    pub(crate) pairs_per_agent: Option<f64>,
    pub(crate) bytes_per_agent: Option<f64>,
    pub(crate) state_hash: String,
    /// Number of steps from the initial state to the hashed state.
    pub(crate) steps: u64,
    /// Fraction of thread time spent waiting for a core, as the median over the calm blocks.
    pub(crate) waited: Option<f64>,
    pub(crate) blocks: Vec<Block>,
}

/// The slowest single steps, in seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub(crate) struct Worst {
    /// `None` below [`MIN_STEPS`] steps.
    pub(crate) percentile_99: Option<f64>,
    pub(crate) maximum: f64,
    pub(crate) steps: usize,
}

/// Minimum number of steps for a 99th percentile. With fewer, it nearly equals the slowest step.
pub(crate) const MIN_STEPS: usize = 200;

/// Consecutive repeats. The blocks of a row are spread over the whole run,
/// so that their differences show how well separate runs would agree.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(crate) struct Block {
    pub(crate) ns: Vec<f64>,
    pub(crate) step_seconds: Vec<f64>,
    /// Fraction of thread time spent waiting for a core in the timed repeats, one entry per turn
    /// (see `Runner::turn`). Empty if the system does not report waiting times.
    pub(crate) waited: Vec<f64>,
    /// Load during the timed repeats of all variants; `None` if the system does not report it.
    pub(crate) load: Option<Load>,
    /// Stage times in the last step of each repeat. Empty for variants outside the engine.
    #[serde(skip)]
    pub(crate) stages_ns: Vec<Stages>,
}

impl Block {
    /// Fraction of thread time spent waiting for a core: the lower quartile over the block's turns.
    pub(crate) fn waited(&self) -> Option<f64> {
        (!self.waited.is_empty()).then(|| lower_quartile(&self.waited))
    }
}

/// Processor time that other processes took during a measurement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub(crate) struct Load {
    pub(crate) others_seconds: f64,
    pub(crate) wall_seconds: f64,
}

/// Processor time of other processes above which the machine counts as busy, as a fraction of the
/// measuring time.
const MAX_LOAD: f64 = 0.05;
/// Linux reports idle time in units of 10 ms.
const RESOLUTION_SECONDS: f64 = 0.01;

impl Load {
    pub(crate) fn is_busy(self) -> bool {
        self.others_seconds - RESOLUTION_SECONDS > MAX_LOAD * self.wall_seconds
    }

    /// Load caused by other processes, in percent of one core.
    pub(crate) fn percent(self) -> f64 {
        100.0 * self.others_seconds / self.wall_seconds.max(RESOLUTION_SECONDS)
    }
}

impl Sum for Load {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |sum, load| Self {
            others_seconds: sum.others_seconds + load.others_seconds,
            wall_seconds: sum.wall_seconds + load.wall_seconds,
        })
    }
}

/// Nanoseconds per agent in each stage of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Stages(pub(crate) [f64; 4]);

impl Stages {
    pub(crate) const NAMES: [&'static str; 4] = ["sort", "steer", "non_penetration", "smooth"];

    pub(crate) fn medians(all: &[Self]) -> Option<Self> {
        let of_stage = |k: usize| median(&all.iter().map(|it| it.0[k]).collect::<Vec<_>>());
        (!all.is_empty()).then(|| Self([0, 1, 2, 3].map(of_stage)))
    }
}

impl Serialize for Stages {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.collect_map(Self::NAMES.into_iter().zip(self.0))
    }
}

impl Row {
    pub(crate) fn seconds_per_step(&self) -> f64 {
        self.seconds(self.ns_per_agent_step)
    }

    pub(crate) fn seconds(&self, ns: f64) -> f64 {
        ns * 1.0e-9 * self.n as f64
    }

    /// True if both rows measure the same crowd, with alternating repeats.
    pub(crate) fn is_same_crowd(&self, other: &Self) -> bool {
        (self.experiment, &self.point) == (other.experiment, &other.point)
    }

    /// Relative error of the time; infinite until enough blocks are measured.
    pub(crate) fn disagreement(&self) -> f64 {
        let whole = self.calm().filter(|calm| calm.blocks.len() >= CALM_BLOCKS);
        whole.and_then(|calm| calm.half).unwrap_or(f64::INFINITY)
    }

    fn calm(&self) -> Option<Calm> {
        Calm::of(self.blocks.iter().map(|block| &block.ns[..]))
    }

    pub(crate) fn useful_share(&self) -> Option<f64> {
        self.pairs_per_agent.filter(|pairs| *pairs > 0.0).map(|pairs| self.mean_neighbors / pairs)
    }

    pub(crate) fn label(&self) -> String {
        match self.variant {
            Variant::CellsSimdMt(None) if self.threads > 1 => {
                Variant::CellsSimdMt(Some(self.threads)).words()
            }
            variant => variant.words(),
        }
    }

    /// Name of the crowd, e.g. `1,000 agents`, or its label in the experiment.
    pub(crate) fn crowd_name(&self) -> String {
        let of_size = self.point == self.n.to_string();
        if of_size { count(self.n, "agent") } else { self.point.clone() }
    }

    pub(crate) fn summarize(&mut self) {
        let Some(calm) = self.calm() else { return };
        let times: Vec<f64> = self.blocks.iter().flat_map(|block| &block.ns).copied().collect();
        self.repeats = times.len();
        self.ns_median = median(&times);
        self.ns_min = times.iter().copied().fold(f64::INFINITY, f64::min);
        self.ns_per_agent_step = calm.ns();
        [self.ns_low, self.ns_high] = match calm.half {
            Some(half) => [calm.ns() * (-half).exp(), calm.ns() * half.exp()],
            // exp(ln x) may be rounded below the minimum, so extend the interval to the estimate.
            None => [self.ns_min.min(calm.ns()), times.iter().copied().fold(calm.ns(), f64::max)],
        };
        let singly: Vec<f64> =
            self.blocks.iter().flat_map(|block| &block.step_seconds).copied().collect();
        self.worst = (!singly.is_empty()).then(|| Worst {
            percentile_99: (singly.len() >= MIN_STEPS).then(|| quantile(&singly, 0.99)),
            maximum: singly.iter().copied().fold(0.0, f64::max),
            steps: singly.len(),
        });
        let calm_blocks: Vec<&Block> = calm.blocks.iter().map(|&k| &self.blocks[k]).collect();
        let stages: Vec<Stages> =
            calm_blocks.iter().flat_map(|block| &block.stages_ns).copied().collect();
        self.stages_ns = Stages::medians(&stages);
        let waited: Vec<f64> = calm_blocks.iter().filter_map(|block| block.waited()).collect();
        self.waited = (!waited.is_empty()).then(|| median(&waited));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::fixtures::row_of;

    #[test]
    fn a_quiet_row_is_summarized() {
        let row = row_of(Variant::CellsSimd, 100, vec![vec![10.0, 10.2, 10.1]; 3]);
        assert_eq!((row.ns_median, row.ns_min, row.repeats), (10.1, 10.0, 9));
        assert!((row.ns_per_agent_step - 10.0 - 0.1 / 6.0).abs() < 1.0e-9);
        assert!((row.seconds_per_step() - 1.0e-7 * row.ns_per_agent_step).abs() < 1.0e-15);
    }

    #[test]
    fn the_interval_of_a_single_block_contains_its_estimate_in_spite_of_rounding() {
        for k in 1..1_000 {
            let row = row_of(Variant::CellsSimd, 100, vec![vec![0.1 * f64::from(k)]]);
            let time = row.ns_per_agent_step;
            assert!(row.ns_low <= time && time <= row.ns_high, "{row:?}");
        }
    }

    #[test]
    fn bursts_leave_the_time_of_a_row_unchanged() {
        let burst = vec![15.0, 10.0, 16.0, 10.1, 10.0, 14.0, 10.1, 10.0];
        let row = row_of(
            Variant::CellsSimd,
            100,
            vec![burst, vec![18.0; 8], vec![10.0; 8], vec![10.1; 8]],
        );
        assert!((row.ns_per_agent_step - 10.03).abs() < 0.04, "{}", row.ns_per_agent_step);
    }

    #[test]
    fn too_few_blocks_agree_with_nothing() {
        let disagreement =
            |blocks| row_of(Variant::CellsSimd, 100, vec![vec![10.0; 6]; blocks]).disagreement();
        assert_eq!(disagreement(2), f64::INFINITY);
        assert!(disagreement(3) < 1.0e-9);
    }

    #[test]
    fn the_time_spent_waiting_is_that_of_the_calm_blocks() {
        let mut row = row_of(Variant::CellsSimd, 100, vec![vec![10.0; 6]; 4]);
        row.blocks[3].ns = vec![15.0; 6];
        row.blocks.iter_mut().for_each(|block| block.waited = vec![0.01]);
        row.blocks[3].waited = vec![0.5];
        row.summarize();
        assert_eq!(row.waited, Some(0.01));
    }

    #[test]
    fn the_slowest_of_the_steps_timed_singly_is_told() {
        let mut row = row_of(Variant::CellsSimd, 10_000, vec![vec![10.0; 2]; 3]);
        assert_eq!(row.worst, None);
        let steps = |block: usize| (0..100).map(|k| 0.01 * (100 * block + k + 1) as f64).collect();
        row.blocks.iter_mut().enumerate().for_each(|(k, block)| block.step_seconds = steps(k));
        row.summarize();
        let worst = row.worst.unwrap();
        assert!((worst.percentile_99.unwrap() - 2.97).abs() < 0.02, "{worst:?}");
        assert!(worst.maximum == 3.0 && worst.steps == 300, "{worst:?}");
        row.blocks.truncate(1);
        row.summarize();
        let worst = row.worst.unwrap();
        assert_eq!((worst.percentile_99, worst.steps), (None, 100), "one step is no percentile");
    }
}
