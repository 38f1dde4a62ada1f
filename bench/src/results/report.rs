//! What was found: everything that is printed, drawn and written.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::experiments::method::Method;
use crate::experiments::{Case, Group};
use crate::results::fit::{Crossing, Slope, crossing, fit_slope};
use crate::results::machine::Machine;
use crate::results::row::Row;
use crate::roofline::{Pairs, Roofline, Share, Step};

/// Counts changes of what a result file means.
pub(crate) const FORMAT: u32 = 2;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Report {
    pub(crate) format: u32,
    pub(crate) machine: Machine,
    pub(crate) setup: Setup,
    /// Processes that wanted to run, averaged over the minute before and after.
    pub(crate) load_before: Option<f64>,
    pub(crate) load_after: Option<f64>,
    pub(crate) interrupted: bool,
    pub(crate) slopes: Vec<Slope>,
    pub(crate) crossovers: Vec<Crossover>,
    pub(crate) stopped: Vec<Stopped>,
    /// What the machine can do at most, if it was measured.
    pub(crate) roofline: Option<Roofline>,
    /// How much of that was reached, by the id of the row.
    pub(crate) reached: BTreeMap<String, Share>,
    pub(crate) rows: Vec<Row>,
}

/// What was asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Setup {
    /// The subcommand.
    pub(crate) command: String,
    /// What was typed, without where reports go: enough to measure the same again.
    pub(crate) arguments: Vec<String>,
    pub(crate) quick: bool,
    pub(crate) seed: u64,
    pub(crate) mean_neighbors: f32,
    pub(crate) budget_seconds: f64,
}

/// A row that would have taken too long.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Stopped {
    pub(crate) experiment: String,
    pub(crate) series: String,
    /// Where on the curve; older reports do not tell.
    #[serde(default)]
    pub(crate) point: String,
    pub(crate) n: usize,
    pub(crate) predicted_seconds: f64,
    pub(crate) budget_seconds: f64,
    pub(crate) reason: String,
}

impl Stopped {
    pub(crate) fn new(group: &Group, case: &Case, seconds: f64, budget_seconds: f64) -> Self {
        // As many decimals as tell it from a budget that is nearly as long.
        let decimals = (2.0 - seconds.log10().floor()).clamp(0.0, 6.0) as usize;
        let reason = format!(
            "one step would take about {seconds:.decimals$} s, the budget is {budget_seconds} s"
        );
        Self {
            experiment: group.experiment.to_owned(),
            series: case.series.clone(),
            point: group.point.clone(),
            n: group.agents(),
            predicted_seconds: seconds,
            budget_seconds,
            reason,
        }
    }
}

impl fmt::Display for Stopped {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { experiment, series, point, n, reason, .. } = self;
        // Older reports tell only the size.
        let size = n.to_string();
        let point = if point.is_empty() { &size } else { point };
        write!(out, "{experiment}/{series}/{point} was not measured: {reason}")
    }
}

/// From which N on cell space beats all pairs.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Crossover {
    pub(crate) all_pairs: String,
    pub(crate) cells: String,
    pub(crate) n: Crossing,
}

impl Report {
    pub(crate) fn new(machine: Machine, setup: Setup) -> Self {
        Self {
            format: FORMAT,
            machine,
            setup,
            load_before: crate::measure::watch::load(),
            load_after: None,
            interrupted: true,
            slopes: Vec::new(),
            crossovers: Vec::new(),
            stopped: Vec::new(),
            roofline: None,
            reached: BTreeMap::new(),
            rows: Vec::new(),
        }
    }

    pub(crate) fn row(&self, id: &str) -> Option<&Row> {
        self.rows.iter().find(|row| row.id == id)
    }

    pub(crate) fn row_mut(&mut self, id: &str) -> Option<&mut Row> {
        self.rows.iter_mut().find(|row| row.id == id)
    }

    /// The rows of one curve, ascending.
    pub(crate) fn curve(&self, experiment: &str, series: &str) -> Vec<&Row> {
        let of = |row: &&Row| row.experiment == experiment && row.series == series;
        let mut rows: Vec<&Row> = self.rows.iter().filter(of).collect();
        rows.sort_by(|a, b| a.x.total_cmp(&b.x));
        rows
    }

    pub(crate) fn rows_of(&self, experiment: &str) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(move |row| row.experiment == experiment)
    }

    /// The experiments that there are rows of, in the order they were measured.
    pub(crate) fn experiments(&self) -> Vec<&str> {
        distinct(self.rows.iter().map(|row| row.experiment.as_str()))
    }

    /// The curves of an experiment, in the order they were measured.
    pub(crate) fn series_of(&self, experiment: &str) -> Vec<&str> {
        distinct(self.rows_of(experiment).map(|row| row.series.as_str()))
    }

    /// Rows of two curves at the points that both were measured at, ascending.
    pub(crate) fn common(&self, experiment: &str, a: &str, b: &str) -> Vec<(&Row, &Row)> {
        let b = self.curve(experiment, b);
        let rows = self.curve(experiment, a).into_iter();
        rows.filter_map(|row| Some((row, *b.iter().find(|other| other.point == row.point)?)))
            .collect()
    }

    /// Notes what is not measured, once.
    pub(crate) fn stop(&mut self, stopped: Stopped) {
        let same = |known: &Stopped| {
            (&known.experiment, &known.series, &known.point)
                == (&stopped.experiment, &stopped.series, &stopped.point)
        };
        if !self.stopped.iter().any(same) {
            self.stopped.push(stopped);
        }
    }

    /// Works out anew what follows from the times of some rows.
    pub(crate) fn summarize(&mut self, which: impl Fn(&Row) -> bool) {
        let spins = self.rows.iter().flat_map(|row| &row.blocks).map(|block| block.spin_us);
        let fastest = spins.fold(f64::INFINITY, f64::min);
        self.rows.iter_mut().filter(|row| which(row)).for_each(|row| row.summarize(fastest));
    }

    /// Works out everything anew that follows from the times.
    pub(crate) fn conclude(&mut self) {
        self.load_after = crate::measure::watch::load();
        self.summarize(|_| true);
        self.slopes = Method::ALL.iter().filter_map(|&method| self.slope(method)).collect();
        let pairs = [
            (Method::AllPairsScalar, Method::CellsScalar),
            (Method::AllPairsSimd, Method::CellsSimd),
        ];
        let crossover = |(all_pairs, cells): (Method, Method)| {
            let n = crossing(&self.common("scaling", all_pairs.id(), cells.id()))?;
            Some(Crossover { all_pairs: all_pairs.id().into(), cells: cells.id().into(), n })
        };
        self.crossovers = pairs.into_iter().filter_map(crossover).collect();
        let reached = |row: &Row| Some((row.id.clone(), self.share_of_limit(row)?));
        self.reached = self.rows_of("scaling").filter_map(reached).collect();
    }

    /// Fits the sizes at which the growth has settled: 1,000 and up for all pairs, 10,000
    /// and up for cells; all sizes if these are fewer than two.
    fn slope(&self, method: Method) -> Option<Slope> {
        let settled = if method.expected_slope() > 1.5 { 1_000 } else { 10_000 };
        let curve = self.curve("scaling", method.id());
        let points = |from: usize| -> Vec<(usize, f64)> {
            let rows = curve.iter().filter(|row| row.n >= from);
            rows.map(|row| (row.n, row.seconds_per_step())).collect()
        };
        let fit = |from| fit_slope(method.id(), &points(from));
        fit(settled).or_else(|| fit(0))
    }

    /// How much of what the machine can do at most a row of workload W reached.
    fn share_of_limit(&self, row: &Row) -> Option<Share> {
        let all_pairs = [Method::AllPairsScalar.id(), Method::AllPairsSimd.id()];
        let all_pairs = all_pairs.contains(&row.series.as_str());
        let bytes = row.bytes_per_agent? * row.n as f64;
        self.roofline.as_ref()?.share(&Step {
            pairs: if all_pairs { Pairs::All } else { Pairs::Cells },
            threads: row.threads,
            pairs_per_agent: row.pairs_per_agent?,
            bytes: bytes as usize,
            ns_per_agent: row.median_ns,
        })
    }

    pub(crate) fn slope_of(&self, series: &str) -> Option<&Slope> {
        self.slopes.iter().find(|slope| slope.series == series)
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
mod tests {
    use super::*;
    use crate::experiments::workload;

    #[test]
    fn what_is_not_measured_is_told_apart_from_its_budget() {
        let scene = workload(100, 16.0, 1).expect("the stress scene");
        let group = Group::new("density", "100 agents, 4 neighbors", 4.0, scene, Vec::new());
        let case = Case::of(Method::CellsSimd, 1);
        let note = |seconds, budget| Stopped::new(&group, &case, seconds, budget).to_string();
        assert_eq!(
            note(0.0204, 0.02),
            "density/cells-simd/100 agents, 4 neighbors was not measured: one step would take about \
             0.0204 s, the budget is 0.02 s"
        );
        assert!(note(123.456, 2.0).contains("about 123 s, the budget is 2 s"));
    }
}
