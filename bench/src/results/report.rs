use std::collections::BTreeMap;

use serde::Serialize;

use crate::experiment::Experiment;
use crate::method::Method;
use crate::results::fit::{Crossing, Slope, crossing, fit_slope};
use crate::results::machine::Machine;
use crate::results::ratio::{Answer, Ratio};
use crate::results::row::Row;
use crate::roofline::{Pairs, Roofline, Share, Step};

/// Version of the report.json schema.
const FORMAT: u32 = 5;

#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Report {
    pub(crate) format: u32,
    pub(crate) machine: Machine,
    pub(crate) setup: Setup,
    pub(crate) interrupted: bool,
    /// Largest difference between two measurements of the same row, as a share of its time.
    pub(crate) noise: Option<f64>,
    pub(crate) ratios: Vec<Answer>,
    pub(crate) slopes: Vec<Slope>,
    /// Crowd size from which cells beat all pairs, both with SIMD.
    pub(crate) crossover: Option<Crossing>,
    pub(crate) stopped: Vec<Skipped>,
    pub(crate) roofline: Option<Roofline>,
    /// Share of the machine's limits that each row reached, by row id.
    pub(crate) reached: BTreeMap<String, Share>,
    pub(crate) rows: Vec<Row>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(crate) struct Setup {
    pub(crate) command: String,
    pub(crate) arguments: Vec<String>,
    pub(crate) seed: u64,
    pub(crate) mean_neighbors: f32,
    pub(crate) step_seconds: f64,
    pub(crate) time_seconds: f64,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct Skipped {
    pub(crate) id: String,
    pub(crate) n: usize,
    pub(crate) reason: String,
}

impl Report {
    pub(crate) fn new(machine: Machine, setup: Setup) -> Self {
        Self { format: FORMAT, machine, setup, interrupted: true, ..Self::default() }
    }

    pub(crate) fn rows_of(&self, experiment: Experiment) -> impl Iterator<Item = &Row> + Clone {
        self.rows.iter().filter(move |row| row.experiment == experiment)
    }

    pub(crate) fn curve(&self, experiment: Experiment, method: Method) -> Vec<&Row> {
        let mut rows: Vec<&Row> =
            self.rows_of(experiment).filter(|row| row.method == method).collect();
        rows.sort_by(|a, b| a.x.total_cmp(&b.x));
        rows
    }

    pub(crate) fn most_agents(&self, experiment: Experiment) -> usize {
        self.rows_of(experiment).map(|row| row.n).max().unwrap_or(0)
    }

    /// Rows of an experiment's largest crowds, since a chart shows only one crowd size.
    pub(crate) fn largest(&self, experiment: Experiment) -> impl Iterator<Item = &Row> {
        let n = self.most_agents(experiment);
        self.rows_of(experiment).filter(move |row| row.n == n)
    }

    pub(crate) fn experiments(&self) -> Vec<Experiment> {
        distinct(self.rows.iter().map(|row| row.experiment))
    }

    pub(crate) fn methods_of(&self, experiment: Experiment) -> Vec<Method> {
        distinct(self.rows_of(experiment).map(|row| row.method))
    }

    fn common(&self, experiment: Experiment, a: Method, b: Method) -> Vec<(&Row, &Row)> {
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

    pub(crate) fn conclude(&mut self) {
        self.rows.iter_mut().for_each(Row::summarize);
        let crowds = self.rows.chunk_by(Row::is_same_crowd);
        self.ratios = crowds.flat_map(|rows| Answer::all(rows.iter())).collect();
        let noises = self.common(Experiment::Scaling, Method::CellsSimd, Method::CellsSimdAgain);
        let noise = |(row, copy): (&Row, &Row)| Ratio::of(row, copy).farthest_from_one();
        self.noise = noises.into_iter().map(noise).reduce(f64::max);
        let methods = self.methods_of(Experiment::Scaling).into_iter();
        self.slopes = methods.filter_map(|method| self.slope(method)).collect();
        // Compare on one thread: the engine runs crowds this small on one thread anyway.
        let [pairs, cells] = [Method::AllPairsSimd, Method::CellsSimd];
        self.crossover = crossing(&self.common(Experiment::Scaling, pairs, cells));
        let reached = |row: &Row| Some((row.id.clone(), self.share_of_limit(row)?));
        self.reached = self.rows_of(Experiment::Scaling).filter_map(reached).collect();
    }

    /// Fits a power law where growth has settled: from 3,000 agents for all pairs, where neighbors
    /// cost little compared with pairs, and from 10,000 agents for cells. If fewer than two sizes
    /// remain, fits the sizes from 1,000 agents, or all sizes. Small crowds stay on one thread
    /// and grow differently, so only sizes with the thread count of the largest size are used.
    fn slope(&self, method: Method) -> Option<Slope> {
        let settled = if method.is_all_pairs() { 3_000 } else { 10_000 };
        let curve = self.curve(Experiment::Scaling, method);
        let threads = curve.last()?.threads;
        let points = |from: usize| -> Vec<(usize, f64)> {
            let rows = curve.iter().filter(|row| row.n >= from && row.threads == threads);
            rows.map(|row| (row.n, row.seconds_per_step())).collect()
        };
        [settled, 1_000, 0].into_iter().find_map(|from| fit_slope(method, &points(from)))
    }

    pub(crate) fn slope_of(&self, method: Method) -> Option<&Slope> {
        self.slopes.iter().find(|slope| slope.method == method)
    }

    fn share_of_limit(&self, row: &Row) -> Option<Share> {
        let scalar = row.method.is_scalar();
        let (bytes, pairs) = (row.bytes_per_agent? * row.n as f64, row.pairs_per_agent?);
        let roofline = self.roofline.as_ref()?;
        roofline.share(&Step {
            pairs: if row.method.is_all_pairs() { Pairs::All } else { Pairs::Cells },
            threads: row.threads,
            lanes: if scalar { 1 } else { roofline.lanes },
            pairs_per_agent: pairs,
            // Scalar sums include the agent itself, which is subtracted afterwards.
            summed_per_agent: if scalar { row.mean_neighbors + 1.0 } else { pairs },
            bytes: bytes as usize,
            ns_per_agent: row.ns_per_agent_step,
        })
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
pub(crate) mod tests {
    use super::*;
    use crate::results::row::tests::row_of;

    pub(crate) fn report_of(rows: Vec<Row>) -> Report {
        let setup = Setup { command: "scaling".into(), ..Setup::default() };
        Report { rows, ..Report::new(Machine::detect(), setup) }
    }

    pub(crate) fn quiet_row(experiment: Experiment, method: Method, n: usize, ns: f64) -> Row {
        let row = row_of(method, n, vec![vec![ns; 3]; 3]);
        let id = format!("{experiment}/{method}/{n}");
        Row { id, experiment, point: n.to_string(), x: n as f64, threads: 1, ..row }
    }

    #[test]
    fn a_slope_is_fitted_through_sizes_with_the_same_threads() {
        // Time grows linearly from 100,000 agents; smaller crowds use a single
        // thread and are slower.
        let method = Method::CellsSimdMt(None);
        let row = |n: usize| {
            let threads = if n < 100_000 { 1 } else { 2 };
            let ns = 20.0 / threads as f64;
            Row { threads, ..quiet_row(Experiment::Scaling, method, n, ns) }
        };
        let mut report = report_of([10_000, 100_000, 1_000_000].map(row).to_vec());
        report.conclude();
        let slope = report.slope_of(method).unwrap();
        assert!((slope.slope - 1.0).abs() < 1.0e-9, "{slope:?}");
        assert_eq!(slope.from_n, 100_000);
    }

    #[test]
    fn only_the_largest_of_several_sweeps_is_shown() {
        let row = |(n, x): (usize, f64)| Row {
            x,
            ..quiet_row(Experiment::Density, Method::CellsSimd, n, 10.0)
        };
        let report =
            report_of([(200, 4.0), (2_000, 4.0), (200, 8.0), (2_000, 8.0)].map(row).to_vec());
        let shown: Vec<f64> = report.largest(Experiment::Density).map(|row| row.x).collect();
        assert_eq!(shown, [4.0, 8.0]);
    }

    #[test]
    fn the_difference_of_two_copies_is_the_noise() {
        let row = |method, ns| quiet_row(Experiment::Scaling, method, 10_000, ns);
        let rows = vec![row(Method::CellsSimd, 20.0), row(Method::CellsSimdAgain, 20.2)];
        let mut report = report_of(rows);
        report.conclude();
        assert!((report.noise.unwrap() - 0.01).abs() < 1.0e-3, "{:?}", report.noise);
    }
}
