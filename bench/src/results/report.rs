//! The report of a measurement: everything that is printed, drawn and saved.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::method::Method;
use crate::results::fit::{Crossing, Slope, crossing, fit_slope};
use crate::results::machine::{self, Machine};
use crate::results::ratio::{Answer, Ratio};
use crate::results::row::Row;
use crate::roofline::{Pairs, Roofline, Share, Step};

/// The version of the file format.
pub(crate) const FORMAT: u32 = 4;

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Report {
    pub(crate) format: u32,
    pub(crate) machine: Machine,
    pub(crate) setup: Setup,
    /// Runnable processes, averaged over the minute before the run.
    pub(crate) load_before: Option<f64>,
    /// Runnable processes, averaged over the last minute of the run.
    pub(crate) load_after: Option<f64>,
    pub(crate) interrupted: bool,
    /// Why the processor's counters were not read; `None` if they were.
    pub(crate) uncounted: Option<String>,
    /// Speed-ups between ways to compute the same crowd, in order of measurement.
    pub(crate) ratios: Vec<Answer>,
    pub(crate) slopes: Vec<Slope>,
    pub(crate) crossovers: Vec<Crossover>,
    pub(crate) stopped: Vec<Stopped>,
    /// The limits of the machine, if they were measured.
    pub(crate) roofline: Option<Roofline>,
    /// The share of these limits that rows reached, by id.
    pub(crate) reached: BTreeMap<String, Share>,
    pub(crate) rows: Vec<Row>,
}

/// The requested measurement.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Setup {
    /// The subcommand.
    pub(crate) command: String,
    /// The command line without destinations: enough to measure the same again.
    pub(crate) arguments: Vec<String>,
    pub(crate) quick: bool,
    pub(crate) seed: u64,
    pub(crate) mean_neighbors: f32,
    /// The most seconds that one step may take.
    pub(crate) step_seconds: f64,
    /// The most seconds that the whole measurement may take.
    pub(crate) time_seconds: f64,
}

/// A row left out, mostly because it would have taken too long.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Stopped {
    pub(crate) experiment: String,
    pub(crate) method: String,
    /// The point on the curve.
    pub(crate) point: String,
    pub(crate) n: usize,
    pub(crate) reason: String,
}

impl fmt::Display for Stopped {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { experiment, method, point, reason, .. } = self;
        write!(out, "{experiment}/{method}/{point} was not measured: {reason}")
    }
}

/// The N from which on cell space beats all pairs.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Crossover {
    pub(crate) all_pairs: String,
    pub(crate) cells: String,
    pub(crate) n: Crossing,
}

impl Report {
    pub(crate) fn new(machine: Machine, setup: Setup) -> Self {
        let (format, load_before) = (FORMAT, machine::load());
        Self { format, machine, setup, load_before, interrupted: true, ..Self::default() }
    }

    pub(crate) fn row(&self, id: &str) -> Option<&Row> {
        self.rows.iter().find(|row| row.id == id)
    }

    pub(crate) fn row_mut(&mut self, id: &str) -> Option<&mut Row> {
        self.rows.iter_mut().find(|row| row.id == id)
    }

    /// The rows of one curve, ascending.
    pub(crate) fn curve(&self, experiment: &str, method: &str) -> Vec<&Row> {
        let of = |row: &&Row| row.experiment == experiment && row.method == method;
        let mut rows: Vec<&Row> = self.rows.iter().filter(of).collect();
        rows.sort_by(|a, b| a.x.total_cmp(&b.x));
        rows
    }

    pub(crate) fn rows_of(&self, experiment: &str) -> impl Iterator<Item = &Row> + Clone {
        self.rows.iter().filter(move |row| row.experiment == experiment)
    }

    /// The largest measured size of an experiment.
    pub(crate) fn most_agents(&self, experiment: &str) -> usize {
        self.rows_of(experiment).map(|row| row.n).max().unwrap_or(0)
    }

    /// The rows of an experiment at that size, since a figure shows one sweep.
    pub(crate) fn largest(&self, experiment: &str) -> impl Iterator<Item = &Row> {
        let n = self.most_agents(experiment);
        self.rows_of(experiment).filter(move |row| row.n == n)
    }

    /// One curve of that sweep, ascending.
    pub(crate) fn largest_curve(&self, experiment: &str, method: &str) -> Vec<&Row> {
        let mut rows = self.curve(experiment, method);
        let n = self.most_agents(experiment);
        rows.retain(|row| row.n == n);
        rows
    }

    /// Sentences about when other processes kept the machine busy. After the run its own threads
    /// are part of the load.
    pub(crate) fn busy(&self) -> Vec<String> {
        let cores = self.machine.cores as f64;
        let own = self.rows.iter().map(|row| row.threads).max().unwrap_or(0) as f64;
        let loads = [("before", self.load_before, 0.0), ("after", self.load_after, own)];
        let busy = |(when, load, own): (&str, Option<f64>, f64)| {
            let load = load.filter(|load| load - own > 0.5 * cores)?;
            Some(format!(
                "The machine was busy {when} the run (load {load:.1} on {cores} cores): expect noise."
            ))
        };
        loads.into_iter().filter_map(busy).collect()
    }

    /// The experiments that have rows, in order of measurement.
    pub(crate) fn experiments(&self) -> Vec<&str> {
        distinct(self.rows.iter().map(|row| row.experiment.as_str()))
    }

    /// The curves of an experiment, in order of measurement.
    pub(crate) fn methods_of(&self, experiment: &str) -> Vec<&str> {
        distinct(self.rows_of(experiment).map(|row| row.method.as_str()))
    }

    /// The rows of two curves at their common points, ascending.
    pub(crate) fn common(&self, experiment: &str, a: &str, b: &str) -> Vec<(&Row, &Row)> {
        let b = self.curve(experiment, b);
        let rows = self.curve(experiment, a).into_iter();
        rows.filter_map(|row| Some((row, *b.iter().find(|other| other.point == row.point)?)))
            .collect()
    }

    /// Notes a row that is not measured, once.
    pub(crate) fn stop(&mut self, stopped: Stopped) {
        let same = |known: &Stopped| {
            (&known.experiment, &known.method, &known.point)
                == (&stopped.experiment, &stopped.method, &stopped.point)
        };
        if !self.stopped.iter().any(same) {
            self.stopped.push(stopped);
        }
    }

    /// Notes that the ratio of two rows answers a question, once both are measured.
    pub(crate) fn ask(&mut self, question: &str, slow: &str, fast: &str) {
        let known = |answer: &Answer| (&*answer.slow, &*answer.fast) == (slow, fast);
        if self.ratios.iter().any(known) {
            return;
        }
        if let Some((a, b)) = self.row(slow).zip(self.row(fast)) {
            let ratio = Ratio::of(a, b);
            let [question, slow, fast] = [question, slow, fast].map(str::to_owned);
            self.ratios.push(Answer { question, slow, fast, ratio });
        }
    }

    /// The ratios of an experiment with their faster rows.
    pub(crate) fn ratios_of(&self, experiment: &str) -> impl Iterator<Item = (&Answer, &Row)> {
        let rows = self.rows_of(experiment);
        self.ratios.iter().flat_map(move |answer| {
            let fast = rows.clone().find(|row| row.id == answer.fast);
            fast.map(|row| (answer, row))
        })
    }

    /// Of these ratios, those at the largest crowd that answers their question.
    pub(crate) fn largest_answers(&self, experiment: &str) -> Vec<(&Answer, &Row)> {
        let all: Vec<(&Answer, &Row)> = self.ratios_of(experiment).collect();
        let is_larger = |a: &(&Answer, &Row), b: &(&Answer, &Row)| {
            a.0.question == b.0.question && a.1.n > b.1.n
        };
        let is_largest = |one: &(&Answer, &Row)| !all.iter().any(|other| is_larger(other, one));
        all.iter().copied().filter(is_largest).collect()
    }

    /// Computes the statistics of some rows, and of the ratios between them, from their times.
    pub(crate) fn summarize(&mut self, which: impl Fn(&Row) -> bool) {
        let cores = self.machine.cores;
        self.rows.iter_mut().filter(|row| which(row)).for_each(|row| row.summarize(cores));
        let mut ratios = std::mem::take(&mut self.ratios);
        ratios.retain_mut(|answer| {
            let rows = self.row(&answer.slow).zip(self.row(&answer.fast));
            rows.map(|(slow, fast)| answer.ratio = Ratio::of(slow, fast)).is_some()
        });
        self.ratios = ratios;
    }

    /// Computes everything that follows from the times.
    pub(crate) fn conclude(&mut self) {
        self.summarize(|_| true);
        self.slopes =
            self.methods_of("scaling").into_iter().filter_map(|m| self.slope(m)).collect();
        self.crossovers = self.find_crossovers();
        let reached = |row: &Row| Some((row.id.clone(), self.share_of_limit(row)?));
        self.reached = self.rows_of("scaling").filter_map(reached).collect();
    }

    /// Where cells overtake all pairs, scalar and SIMD, on one thread: the engine keeps such crowds on
    /// one whatever it is given.
    fn find_crossovers(&self) -> Vec<Crossover> {
        let crossover = |[all_pairs, cells]: [Method; 2]| {
            let n = crossing(&self.common("scaling", all_pairs.id(), cells.id()))?;
            let [all_pairs, cells] = [all_pairs, cells].map(|method| method.id().to_owned());
            Some(Crossover { all_pairs, cells, n })
        };
        let scalar = [Method::AllPairsScalar, Method::CellsScalar];
        let simd = [Method::AllPairsSimd, Method::CellsSimd];
        [scalar, simd].into_iter().filter_map(crossover).collect()
    }

    /// Fits the sizes at which the growth has settled: from 3,000 on for all pairs, where the cost
    /// of neighbors is small beside that of pairs, and from 10,000 on for cells. If these are fewer
    /// than two, it fits the sizes from 1,000 on, or all. Small crowds stay on one thread and grow
    /// differently, so only sizes with as many threads as the largest count.
    fn slope(&self, method: &str) -> Option<Slope> {
        let all_pairs = Method::named(method).is_some_and(Method::is_all_pairs);
        let settled = if all_pairs { 3_000 } else { 10_000 };
        let curve = self.curve("scaling", method);
        let threads = curve.last()?.threads;
        let points = |from: usize| -> Vec<(usize, f64)> {
            let rows = curve.iter().filter(|row| row.n >= from && row.threads == threads);
            rows.map(|row| (row.n, row.seconds_per_step())).collect()
        };
        let fit = |from| fit_slope(method, &points(from));
        [settled, 1_000, 0].into_iter().find_map(fit)
    }

    /// The share of the machine's limit that a row of workload W reached.
    fn share_of_limit(&self, row: &Row) -> Option<Share> {
        let method = Method::named(&row.method);
        let all_pairs = method.is_some_and(Method::is_all_pairs);
        let scalar = method.is_some_and(Method::is_scalar);
        let (bytes, pairs) = (row.bytes_per_agent? * row.n as f64, row.pairs_per_agent?);
        let roofline = self.roofline.as_ref()?;
        roofline.share(&Step {
            pairs: if all_pairs { Pairs::All } else { Pairs::Cells },
            threads: row.threads,
            lanes: if scalar { 1 } else { roofline.lanes },
            pairs_per_agent: pairs,
            // The agent itself is summed too and subtracted afterwards.
            summed_per_agent: if scalar { row.mean_neighbors + 1.0 } else { pairs },
            bytes: bytes as usize,
            ns_per_agent: row.ns_per_agent_step,
        })
    }

    pub(crate) fn slope_of(&self, method: &str) -> Option<&Slope> {
        self.slopes.iter().find(|slope| slope.method == method)
    }
}

fn distinct<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut distinct = Vec::new();
    for name in names {
        if !distinct.contains(&name) {
            distinct.push(name);
        }
    }
    distinct
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::results::row::tests::row_of;

    /// A report with these rows.
    pub(crate) fn report_of(rows: Vec<Row>) -> Report {
        let setup = Setup {
            command: "scaling".into(),
            arguments: Vec::new(),
            quick: true,
            seed: 1,
            mean_neighbors: 16.0,
            step_seconds: 1.0,
            time_seconds: 60.0,
        };
        Report { rows, ..Report::new(Machine::look(), setup) }
    }

    /// A quiet row of an experiment.
    pub(crate) fn quiet_row(experiment: &str, method: &str, n: usize, ns: f64) -> Row {
        let row = row_of(method, n, vec![vec![ns; 3]; 3]);
        let id = format!("{experiment}/{method}/{n}");
        let (experiment, point) = (experiment.to_owned(), n.to_string());
        Row { id, experiment, point, x: n as f64, threads: 1, ..row }
    }

    #[test]
    fn a_slope_is_fitted_through_sizes_with_the_same_threads() {
        // Linear from 100,000 on; below that, a single thread is slower.
        let row = |n: usize| {
            let threads = if n < 100_000 { 1 } else { 2 };
            Row { threads, ..quiet_row("scaling", "cells-simd-mt", n, 20.0 / threads as f64) }
        };
        let mut report = report_of([10_000, 100_000, 1_000_000].map(row).to_vec());
        report.conclude();
        let slope = report.slope_of("cells-simd-mt").unwrap();
        assert!((slope.slope - 1.0).abs() < 1.0e-9, "{slope:?}");
        assert_eq!(slope.from_n, 100_000);
    }

    #[test]
    fn only_the_largest_of_several_sweeps_is_a_curve() {
        let row = |(n, x): (usize, f64)| Row { x, ..quiet_row("density", "cells-simd", n, 10.0) };
        let rows = [(200, 4.0), (2_000, 4.0), (200, 8.0), (2_000, 8.0)].map(row).to_vec();
        let report = report_of(rows);
        let curve = report.largest_curve("density", "cells-simd");
        assert_eq!(curve.iter().map(|row| row.x).collect::<Vec<_>>(), [4.0, 8.0]);
        assert!(curve.iter().all(|row| row.n == 2_000));
    }

    #[test]
    fn only_the_load_of_other_processes_makes_the_machine_busy() {
        let mut report = report_of(vec![Row { threads: 2, ..Row::default() }]);
        report.machine.cores = 2;
        (report.load_before, report.load_after) = (Some(0.9), Some(2.9));
        assert_eq!(report.busy(), [""; 0]);
        (report.load_before, report.load_after) = (Some(1.1), Some(3.1));
        assert_eq!(report.busy().len(), 2);
    }
}
