use serde::Serialize;

use crate::experiment::Experiment;
use crate::results::fit::{Crossing, Slope, crossing, fit_slope};
use crate::results::machine::Machine;
use crate::results::ratio::{Answer, Ratio};
use crate::results::row::Row;
use crate::variant::Variant;

/// Version of report.json; incremented if readers of the file must change.
const FORMAT: u32 = 7;

#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Report {
    pub(crate) format: u32,
    pub(crate) machine: Machine,
    pub(crate) setup: Setup,
    pub(crate) interrupted: bool,
    /// Largest difference between two measurements of the same row, as a fraction of its time.
    pub(crate) noise: Option<f64>,
    pub(crate) ratios: Vec<Answer>,
    pub(crate) slopes: Vec<Slope>,
    pub(crate) extrapolated: Option<Extrapolated>,
    /// Crowd size above which cells are faster than all pairs, both with SIMD.
    pub(crate) crossover: Option<Crossing>,
    pub(crate) stopped: Vec<Skipped>,
    pub(crate) rows: Vec<Row>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(crate) struct Setup {
    pub(crate) command: String,
    pub(crate) arguments: Vec<String>,
    pub(crate) seed: u64,
    pub(crate) mean_neighbors: f64,
    pub(crate) dimensions: u32,
    pub(crate) step_seconds: f64,
    pub(crate) time_seconds: f64,
}

impl Setup {
    /// The arguments, quoted for a shell where necessary.
    pub(crate) fn quoted_arguments(&self) -> String {
        shell_words::join(&self.arguments)
    }
}

/// Estimated speed-up of cells over all pairs, both with SIMD, for the largest crowd, where all
/// pairs would take too long.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Extrapolated {
    pub(crate) n: usize,
    pub(crate) ratio: Ratio,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct Skipped {
    pub(crate) id: String,
    pub(crate) n: usize,
    /// Predicted step time, if it is why the crowd was skipped.
    #[serde(skip)]
    pub(crate) step_seconds: Option<f64>,
    pub(crate) reason: String,
}

impl Report {
    pub(crate) fn new(machine: Machine, setup: Setup) -> Self {
        Self { format: FORMAT, machine, setup, interrupted: true, ..Self::default() }
    }

    pub(crate) fn rows_of(&self, experiment: Experiment) -> impl Iterator<Item = &Row> + Clone {
        self.rows.iter().filter(move |row| row.experiment == experiment)
    }

    pub(crate) fn curve(&self, experiment: Experiment, variant: Variant) -> Vec<&Row> {
        let mut rows: Vec<&Row> =
            self.rows_of(experiment).filter(|row| row.variant == variant).collect();
        rows.sort_by(|a, b| a.x.total_cmp(&b.x));
        rows
    }

    pub(crate) fn most_agents(&self, experiment: Experiment) -> usize {
        self.rows_of(experiment).map(|row| row.n).max().unwrap_or(0)
    }

    /// Rows for the largest crowd size of an experiment, since a chart shows only one size.
    pub(crate) fn largest(&self, experiment: Experiment) -> impl Iterator<Item = &Row> {
        let n = self.most_agents(experiment);
        self.rows_of(experiment).filter(move |row| row.n == n)
    }

    pub(crate) fn experiments(&self) -> Vec<Experiment> {
        distinct(self.rows.iter().map(|row| row.experiment))
    }

    pub(crate) fn variants_of(&self, experiment: Experiment) -> Vec<Variant> {
        distinct(self.rows_of(experiment).map(|row| row.variant))
    }

    fn common(&self, experiment: Experiment, a: Variant, b: Variant) -> Vec<(&Row, &Row)> {
        let b = self.curve(experiment, b);
        let rows = self.curve(experiment, a).into_iter();
        rows.filter_map(|row| Some((row, *b.iter().find(|other| row.is_same_crowd(other))?)))
            .collect()
    }

    pub(crate) fn largest_answers(&self, experiment: Experiment) -> Vec<&Answer> {
        let all = || self.ratios.iter().filter(move |answer| answer.experiment == experiment);
        let is_largest =
            |one: &&Answer| !all().any(|other| other.question == one.question && other.n > one.n);
        all().filter(is_largest).collect()
    }

    /// Computes everything that depends on more than one row.
    pub(crate) fn conclude(&mut self) {
        let crowds = self.rows.chunk_by(Row::is_same_crowd);
        self.ratios = crowds.flat_map(|rows| Answer::all(rows.iter())).collect();
        let noises = self.common(Experiment::Scaling, Variant::CellsSimd, Variant::CellsSimdAgain);
        let noise = |(row, copy): (&Row, &Row)| {
            let Ratio { low, high, .. } = Ratio::of(row, copy);
            high.max(1.0 / low) - 1.0
        };
        self.noise = noises.into_iter().map(noise).reduce(f64::max);
        let variants = self.variants_of(Experiment::Scaling).into_iter();
        self.slopes = variants.filter_map(|variant| self.slope(variant)).collect();
        self.extrapolated = self.extrapolate();
        self.crossover = crossing(&self.pairs_and_cells());
    }

    /// Returns rows measured on one thread, since the engine runs small crowds on one thread
    /// anyway.
    pub(crate) fn pairs_and_cells(&self) -> Vec<(&Row, &Row)> {
        self.common(Experiment::Scaling, Variant::AllPairsSimd, Variant::CellsSimd)
    }

    /// Multiplies the ratio measured at the largest common size by the growth that the slopes
    /// predict. The interval also contains the ratio that follows from the printed times.
    fn extrapolate(&self) -> Option<Extrapolated> {
        let (slow, fast) = self.pairs_and_cells().pop()?;
        let largest = self.curve(Experiment::Scaling, Variant::CellsSimd).pop()?;
        let by = (largest.n as f64 / slow.n as f64).ln();
        let [pairs, cells] = [slow, fast].map(|row| {
            let fitted = self.slopes.iter().find(|slope| slope.variant == row.variant);
            fitted.map_or((row.variant.expected_slope(), 0.0), |fit| (fit.slope, fit.error))
        });
        let growth = |slope: f64| (by * slope).exp();
        let middle = pairs.0 - cells.0;
        let error = pairs.1.hypot(cells.1);
        let ratio = Ratio::of(slow, fast);
        let is_same = |skipped: &&Skipped| {
            skipped.n == largest.n && skipped.id.starts_with("scaling/all-pairs-simd/")
        };
        let predicted = self.stopped.iter().find(is_same).and_then(|skipped| skipped.step_seconds);
        let from_times = slow.seconds_per_step() * growth(slow.variant.expected_slope());
        let printed = [Some(from_times), predicted].into_iter().flatten();
        let printed = printed.map(|seconds| seconds / largest.seconds_per_step());
        let low = ratio.low * growth(middle - error);
        let high = ratio.high * growth(middle + error);
        let ratio = Ratio {
            times: ratio.times * growth(middle),
            low: printed.clone().fold(low, f64::min),
            high: printed.fold(high, f64::max),
            doubt: ratio.doubt,
        };
        (largest.n > slow.n).then_some(Extrapolated { n: largest.n, ratio })
    }

    /// Fits a power law to large crowds: at least 10,000 agents, or 3,000 for all pairs, where
    /// testing pairs takes most of the time. If fewer than two sizes remain, tries crowds of at
    /// least 1,000 agents, then all crowds. Small crowds stay on one thread and scale
    /// differently, so only sizes with the thread count of the largest size are used.
    fn slope(&self, variant: Variant) -> Option<Slope> {
        let settled = if variant.is_all_pairs() { 3_000 } else { 10_000 };
        let curve = self.curve(Experiment::Scaling, variant);
        let threads = curve.last()?.threads;
        let rows = |from: usize| -> Vec<&Row> {
            let is_used = |row: &&&Row| row.n >= from && row.threads == threads;
            curve.iter().filter(is_used).copied().collect()
        };
        [settled, 1_000, 0].into_iter().find_map(|from| fit_slope(variant, &rows(from)))
    }
}

fn distinct<T: PartialEq>(all: impl Iterator<Item = T>) -> Vec<T> {
    let mut distinct = Vec::new();
    for one in all {
        if !distinct.contains(&one) {
            distinct.push(one);
        }
    }
    distinct
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::fixtures::{quiet_row, report_of};

    #[test]
    fn a_slope_is_fitted_through_sizes_with_the_same_threads() {
        // From 100,000 agents up, the time grows linearly. Smaller crowds use a single
        // thread and take longer per agent.
        let variant = Variant::CellsSimdMt(None);
        let row = |n: usize| {
            let threads = if n < 100_000 { 1 } else { 2 };
            let ns = 20.0 / threads as f64;
            Row { threads, ..quiet_row(Experiment::Scaling, variant, n, ns) }
        };
        let mut report = report_of([10_000, 100_000, 1_000_000].map(row).to_vec());
        report.conclude();
        let [slope] = &report.slopes[..] else { panic!("one slope") };
        assert!((slope.slope - 1.0).abs() < 1.0e-9, "{slope:?}");
        assert_eq!(slope.from_n, 100_000);
    }

    #[test]
    fn only_the_largest_of_several_sweeps_is_shown() {
        let row = |(n, x): (usize, f64)| Row {
            x,
            ..quiet_row(Experiment::Density, Variant::CellsSimd, n, 10.0)
        };
        let report =
            report_of([(200, 4.0), (2_000, 4.0), (200, 8.0), (2_000, 8.0)].map(row).to_vec());
        let shown: Vec<f64> = report.largest(Experiment::Density).map(|row| row.x).collect();
        assert_eq!(shown, [4.0, 8.0]);
    }

    /// Regression: one page showed an extrapolated ratio of 10,000, although its times implied
    /// 7,350.
    #[test]
    fn the_extrapolated_ratio_is_the_measured_one_times_the_growth_by_the_slopes() {
        let row = |variant, n, ns| quiet_row(Experiment::Scaling, variant, n, ns);
        let cells = [(10_000, 20.0), (100_000, 20.0), (1_000_000, 22.0)];
        let pairs = [(10_000, 1_000.0), (100_000, 9_000.0)];
        let mut report = report_of(Vec::new());
        report.rows.extend(pairs.map(|(n, ns)| row(Variant::AllPairsSimd, n, ns)));
        report.rows.extend(cells.map(|(n, ns)| row(Variant::CellsSimd, n, ns)));
        report.conclude();
        let Extrapolated { n, ratio } = report.extrapolated.clone().unwrap();
        let slope = |k: usize| report.slopes[k].slope;
        let expected = 450.0 * 10.0_f64.powf(slope(0) - slope(1));
        assert!(n == 1_000_000 && (ratio.times / expected - 1.0).abs() < 1.0e-9, "{ratio}");
        // If all-pairs time grows quadratically, a million agents take 90,000 ns per agent-step.
        assert!(ratio.low < 1.001 * expected && ratio.high >= 90_000.0 / 22.0, "{ratio}");
        report.stopped.push(Skipped {
            id: "scaling/all-pairs-simd/1000000".into(),
            n,
            step_seconds: Some(22.0e-3 * 3_000.0),
            reason: "too long".into(),
        });
        report.conclude();
        let contains_prediction = report.extrapolated.as_ref().unwrap().ratio.low <= 3_000.0;
        assert!(contains_prediction, "{:?}", report.extrapolated);
        report.rows.retain(|row| row.n <= 100_000);
        report.conclude();
        assert!(report.extrapolated.is_none(), "nothing is extrapolated that was measured");
    }

    #[test]
    fn the_difference_of_two_copies_is_the_noise() {
        let row = |variant, ns| quiet_row(Experiment::Scaling, variant, 10_000, ns);
        let rows = vec![row(Variant::CellsSimd, 20.0), row(Variant::CellsSimdAgain, 20.2)];
        let mut report = report_of(rows);
        report.conclude();
        assert!((report.noise.unwrap() - 0.015).abs() < 1.0e-3, "{:?}", report.noise);
    }
}
