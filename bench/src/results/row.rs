//! One row of a report: every measured time of one way to compute a step, their statistics, and
//! whether they can be trusted.

use serde::{Deserialize, Serialize};

use crate::results::statistics::{drift, median, median_interval, outlier_share};

/// Consecutive repeats. The blocks of a row are spread over the whole run, so that their
/// differences show how well another run would agree.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Block {
    /// Nanoseconds per agent-step, in order of measurement.
    pub(crate) ns: Vec<f64>,
    /// The time of a fixed chain of integer operations during the block, in microseconds.
    pub(crate) spin_us: f64,
    /// Cores kept busy by other processes during the block, if the system reports them. The system
    /// counts in hundredths of a second, so only all blocks of a row together are meaningful.
    pub(crate) cores_elsewhere: Option<f64>,
    /// Duration of the block. Older reports lack it, and their blocks have equal weight.
    #[serde(default = "one_second")]
    pub(crate) seconds: f64,
    /// Nanoseconds per agent of the stages of a step; only for the engine's own steps.
    pub(crate) stages_ns: Option<Stages>,
}

fn one_second() -> f64 {
    1.0
}

/// The times of the stages of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Stages {
    pub(crate) sort: f64,
    pub(crate) steer: f64,
    /// `part` in files, its former name.
    #[serde(rename = "part")]
    pub(crate) non_penetration: f64,
    pub(crate) smooth: f64,
}

impl Stages {
    pub(crate) const NAMES: [&'static str; 4] = ["sort", "steer", "non-penetration", "smooth"];

    pub(crate) fn as_array(self) -> [f64; 4] {
        [self.sort, self.steer, self.non_penetration, self.smooth]
    }

    pub(crate) fn median_of(all: &[Self]) -> Option<Self> {
        let of = |stage: fn(&Self) -> f64| median(&all.iter().map(stage).collect::<Vec<_>>());
        (!all.is_empty()).then(|| Self {
            sort: of(|s| s.sort),
            steer: of(|s| s.steer),
            non_penetration: of(|s| s.non_penetration),
            smooth: of(|s| s.smooth),
        })
    }
}

/// One way to compute a step of one crowd.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Row {
    /// Experiment, series and point, such as `scaling/cells-simd/10000`.
    pub(crate) id: String,
    pub(crate) experiment: String,
    /// The curve that the row is a point of.
    pub(crate) series: String,
    /// The point on the curve, in words.
    pub(crate) point: String,
    /// The point on the curve, as a number.
    pub(crate) x: f64,
    pub(crate) scene: String,
    pub(crate) n: usize,
    pub(crate) threads: usize,
    pub(crate) median_ns: f64,
    /// 95 % bootstrap interval of the median.
    pub(crate) interval_ns: [f64; 2],
    pub(crate) min_ns: f64,
    pub(crate) repeats: usize,
    /// Steps of each crowd in a repeat.
    pub(crate) steps_per_repeat: u64,
    /// Crowds in a repeat.
    pub(crate) crowds: usize,
    pub(crate) outlier_share: f64,
    /// By what share the second half of the times is slower than the first.
    pub(crate) drift: f64,
    pub(crate) stages_ns: Option<Stages>,
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
const MOST_OUTLIERS: f64 = 0.15;
const MOST_DRIFT: f64 = 0.08;
const WIDEST_INTERVAL: f64 = 0.15;
const MOST_CLOCK_CHANGE: f64 = 0.05;
const MOST_CORES_ELSEWHERE: f64 = 0.25;
/// The shortest time over which the system's ticks are precise enough.
const FEWEST_SECONDS: f64 = 0.3;

impl Row {
    pub(crate) fn seconds_per_step(&self) -> f64 {
        self.median_ns * 1.0e-9 * self.n as f64
    }

    pub(crate) fn times_by_block(&self) -> Vec<&[f64]> {
        self.blocks.iter().map(|block| block.ns.as_slice()).collect()
    }

    pub(crate) fn block_medians(&self) -> Vec<f64> {
        self.blocks.iter().map(|block| median(&block.ns)).collect()
    }

    /// The time of the fixed chain of operations while this row was measured.
    pub(crate) fn spin_us(&self) -> f64 {
        median(&self.blocks.iter().map(|block| block.spin_us).collect::<Vec<_>>())
    }

    /// The share of tested pairs that are neighbors.
    pub(crate) fn useful_share(&self) -> Option<f64> {
        self.pairs_per_agent.filter(|pairs| *pairs > 0.0).map(|pairs| self.mean_neighbors / pairs)
    }

    pub(crate) fn is_trusted(&self) -> bool {
        self.doubts.is_empty()
    }

    /// Computes everything that follows from the times. `usual_spin_us` is the median time of the
    /// spin loop in the run, which stands for the clock's usual speed.
    pub(crate) fn summarize(&mut self, usual_spin_us: f64) {
        let times = self.times_by_block().concat();
        self.median_ns = median(&times);
        self.interval_ns = median_interval(&self.times_by_block());
        self.min_ns = times.iter().copied().fold(f64::INFINITY, f64::min);
        self.repeats = times.len();
        self.outlier_share = outlier_share(&times);
        self.drift = drift(&times);
        let stages: Vec<Stages> = self.blocks.iter().filter_map(|block| block.stages_ns).collect();
        self.stages_ns = Stages::median_of(&stages);
        self.doubts = self.find_doubts(usual_spin_us);
    }

    fn find_doubts(&self, usual_spin_us: f64) -> Vec<String> {
        let mut doubts = Vec::new();
        let percent = |share: f64| format!("{:.1} %", 100.0 * share);
        let [low, high] = self.interval_ns;
        let width = (high - low) / self.median_ns;
        if width > WIDEST_INTERVAL {
            doubts.push(format!("the interval is as wide as {} of the median", percent(width)));
        }
        if self.outlier_share > MOST_OUTLIERS {
            doubts.push(format!("{} of the times are outliers", percent(self.outlier_share)));
        }
        if self.drift.abs() > MOST_DRIFT {
            let way = if self.drift > 0.0 { "slower" } else { "faster" };
            let by = percent(self.drift.abs());
            doubts.push(format!("the second half of the run was {by} {way} than the first"));
        }
        let clock = usual_spin_us / self.spin_us() - 1.0;
        if clock.abs() > MOST_CLOCK_CHANGE {
            let way = if clock > 0.0 { "faster" } else { "slower" };
            let by = percent(clock.abs());
            doubts.push(format!("the clock ran {by} {way} than in most of the run"));
        }
        if let Some(cores) = self.cores_elsewhere().filter(|cores| *cores > MOST_CORES_ELSEWHERE) {
            doubts.push(format!("other processes kept {cores:.1} cores busy"));
        }
        doubts
    }

    /// Cores kept busy by other processes in all blocks together; `None` if these are too short to
    /// tell.
    fn cores_elsewhere(&self) -> Option<f64> {
        let (mut busy, mut seconds) = (0.0, 0.0);
        for block in &self.blocks {
            if let Some(cores) = block.cores_elsewhere {
                busy += cores * block.seconds;
                seconds += block.seconds;
            }
        }
        (seconds >= FEWEST_SECONDS).then(|| busy / seconds)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A row with these times.
    pub(crate) fn row_of(series: &str, n: usize, blocks: Vec<Vec<f64>>) -> Row {
        let block = |ns| Block { ns, spin_us: 20.0, seconds: 1.0, ..Block::default() };
        let mut row = Row {
            id: format!("test/{series}/{n}"),
            experiment: "test".into(),
            series: series.into(),
            n,
            blocks: blocks.into_iter().map(block).collect(),
            ..Row::default()
        };
        row.summarize(20.0);
        row
    }

    #[test]
    fn a_quiet_row_is_trusted_and_summarized() {
        let row = row_of("a", 100, vec![vec![10.0, 10.2, 10.1], vec![10.1, 10.0, 10.2]]);
        assert_eq!((row.median_ns, row.min_ns, row.repeats), (10.1, 10.0, 6));
        assert_eq!(row.doubts, [""; 0]);
        assert!((row.seconds_per_step() - 1.01e-6).abs() < 1.0e-15);
    }

    #[test]
    fn short_blocks_together_reveal_other_processes() {
        let mut row = row_of("a", 100, vec![vec![10.0; 6]; 5]);
        let mut doubts = |cores: [f64; 5], seconds: f64| {
            for (block, cores) in row.blocks.iter_mut().zip(cores) {
                (block.cores_elsewhere, block.seconds) = (Some(cores), seconds);
            }
            row.summarize(20.0);
            row.doubts.clone()
        };
        assert_eq!(doubts([0.5; 5], 0.08), ["other processes kept 0.5 cores busy"]);
        assert_eq!(doubts([0.5; 5], 0.05), [""; 0], "too short to tell");
        assert_eq!(doubts([0.5, -0.5, 0.25, -0.25, 0.0], 0.08), [""; 0], "late ticks");
    }

    #[test]
    fn an_untrusted_row_lists_its_reasons() {
        let drifting = row_of("a", 100, vec![vec![10.0; 6], vec![12.0; 6]]);
        assert!(drifting.doubts.iter().any(|doubt| doubt.contains("20.0 % slower")));
        let mut clock = row_of("a", 100, vec![vec![10.0; 6]; 3]);
        for (usual, way) in [(15.0, "25.0 % slower"), (19.5, ""), (30.0, "50.0 % faster")] {
            clock.summarize(usual);
            let doubt = format!("the clock ran {way} than in most of the run");
            assert_eq!(clock.doubts, vec![doubt; usize::from(!way.is_empty())]);
        }
        let mut busy = row_of("a", 100, vec![vec![10.0; 6]; 3]);
        busy.blocks.iter_mut().for_each(|block| block.cores_elsewhere = Some(1.5));
        busy.summarize(20.0);
        assert_eq!(busy.doubts, ["other processes kept 1.5 cores busy"]);
        let mut times = vec![10.0; 8];
        times.extend([15.0, 16.0]);
        let spiky = row_of("a", 100, vec![times]);
        assert!(spiky.doubts.iter().any(|doubt| doubt.contains("20.0 % of the times")));
    }
}
