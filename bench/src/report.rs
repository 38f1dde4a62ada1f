//! What was found, and the files it is written to.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::Serialize;

use crate::Failure;
use crate::machine::Machine;
use crate::method::Method;
use crate::numbers::digits;
use crate::options::Options;
use crate::statistics::{Crossing, Slope, crossing, fit_slope};

/// One method at one crowd size.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Row {
    pub(crate) method: Method,
    pub(crate) n: usize,
    pub(crate) threads: usize,
    pub(crate) median_ns_per_agent_step: f64,
    /// 95 % interval of the median.
    pub(crate) interval_ns_per_agent_step: [f64; 2],
    pub(crate) min_ns_per_agent_step: f64,
    pub(crate) mean_neighbors: f64,
    /// Pairs tested per agent; for SIMD, candidates times lanes.
    pub(crate) pairs_per_agent: f64,
    /// Steps taken when the hash was computed.
    pub(crate) steps: u64,
    pub(crate) repeats: usize,
    pub(crate) state_hash: String,
}

impl Row {
    pub(crate) fn seconds_per_step(&self) -> f64 {
        self.median_ns_per_agent_step * 1.0e-9 * self.n as f64
    }
}

/// A method that would have taken too long.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Stopped {
    pub(crate) method: Method,
    /// The first size that was not measured.
    pub(crate) n: usize,
    pub(crate) predicted_seconds: f64,
    pub(crate) budget_seconds: f64,
    pub(crate) reason: String,
}

impl Stopped {
    pub(crate) fn new(method: Method, n: usize, seconds: f64, options: &Options) -> Self {
        let budget_seconds = options.step_budget();
        let reason = format!(
            "one step would take about {} s, the budget is {budget_seconds} s",
            digits(seconds)
        );
        Self { method, n, predicted_seconds: seconds, budget_seconds, reason }
    }
}

/// The raw outcome of a measurement.
#[derive(Debug, Default)]
pub(crate) struct Measured {
    pub(crate) rows: Vec<Row>,
    pub(crate) stopped: Vec<Stopped>,
    pub(crate) interrupted: bool,
}

impl Measured {
    /// Notes where a method stopped, once.
    pub(crate) fn stop(&mut self, stopped: Stopped) {
        if !self.stopped.iter().any(|known| known.method == stopped.method) {
            self.stopped.push(stopped);
        }
    }
}

/// Everything that is printed and written.
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    pub(crate) machine: Machine,
    pub(crate) scene: &'static str,
    pub(crate) seed: u64,
    pub(crate) mean_neighbors: f32,
    pub(crate) quick: bool,
    pub(crate) interrupted: bool,
    pub(crate) rows: Vec<Row>,
    pub(crate) slopes: BTreeMap<&'static str, Slope>,
    pub(crate) crossovers: Vec<Crossover>,
    pub(crate) stopped: Vec<Stopped>,
}

/// From which N on cell space beats all pairs.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Crossover {
    pub(crate) all_pairs: Method,
    pub(crate) cells: Method,
    pub(crate) n: Crossing,
}

impl Report {
    pub(crate) fn new(machine: Machine, options: &Options, measured: Measured) -> Self {
        let mut report = Self {
            machine,
            scene: "stress",
            seed: options.seed,
            mean_neighbors: options.mean_neighbors,
            quick: options.quick,
            interrupted: measured.interrupted,
            rows: measured.rows,
            slopes: BTreeMap::new(),
            crossovers: Vec::new(),
            stopped: measured.stopped,
        };
        for method in Method::ALL {
            if let Some(slope) = report.slope(method) {
                report.slopes.insert(method.id(), slope);
            }
        }
        let pairs = [
            (Method::AllPairsScalar, Method::CellsScalar),
            (Method::AllPairsSimd, Method::CellsSimd),
        ];
        for (all_pairs, cells) in pairs {
            let points: Vec<(usize, f64, f64)> = report
                .common_rows(all_pairs, cells)
                .map(|(slow, fast)| (slow.n, slow.seconds_per_step(), fast.seconds_per_step()))
                .collect();
            if let Some(n) = crossing(&points) {
                report.crossovers.push(Crossover { all_pairs, cells, n });
            }
        }
        report
    }

    /// The rows of one method, ascending in N.
    pub(crate) fn rows_of(&self, method: Method) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(move |row| row.method == method)
    }

    /// Rows of two methods at the sizes that both were measured at.
    pub(crate) fn common_rows(&self, a: Method, b: Method) -> impl Iterator<Item = (&Row, &Row)> {
        self.rows_of(a)
            .filter_map(move |row| Some((row, self.rows_of(b).find(|other| other.n == row.n)?)))
    }

    /// Fits the sizes at which the growth has settled: 1,000 and up for all pairs, 10,000
    /// and up for cells; all sizes if these are fewer than two.
    fn slope(&self, method: Method) -> Option<Slope> {
        let settled = if method.expected_slope() > 1.5 { 1_000 } else { 10_000 };
        let points = |from: usize| -> Vec<(usize, f64)> {
            let rows = self.rows_of(method).filter(|row| row.n >= from);
            rows.map(|row| (row.n, row.seconds_per_step())).collect()
        };
        fit_slope(&points(settled)).or_else(|| fit_slope(&points(0)))
    }

    /// Writes report.json and report.csv.
    pub(crate) fn write(&self, folder: &Path) -> Result<(), Failure> {
        let json = folder.join("report.json");
        let text = serde_json::to_string_pretty(self).expect("a report is plain data");
        fs::write(&json, text + "\n").map_err(|error| cannot_write(&json, &error))?;
        let csv = folder.join("report.csv");
        self.write_csv(&csv).map_err(|error| cannot_write(&csv, &error))
    }

    fn write_csv(&self, path: &Path) -> Result<(), csv::Error> {
        let mut writer = csv::Writer::from_path(path)?;
        writer.write_record([
            "method",
            "n",
            "threads",
            "median_ns_per_agent_step",
            "low_ns_per_agent_step",
            "high_ns_per_agent_step",
            "min_ns_per_agent_step",
            "mean_neighbors",
            "pairs_per_agent",
            "steps",
            "repeats",
            "state_hash",
        ])?;
        for row in &self.rows {
            let [low, high] = row.interval_ns_per_agent_step;
            writer.write_record([
                row.method.id(),
                &row.n.to_string(),
                &row.threads.to_string(),
                &row.median_ns_per_agent_step.to_string(),
                &low.to_string(),
                &high.to_string(),
                &row.min_ns_per_agent_step.to_string(),
                &row.mean_neighbors.to_string(),
                &row.pairs_per_agent.to_string(),
                &row.steps.to_string(),
                &row.repeats.to_string(),
                &row.state_hash,
            ])?;
        }
        Ok(writer.flush()?)
    }
}

/// Makes sure, before anything is measured, that the report can be written.
pub(crate) fn prepare_folder(folder: &Path) -> Result<(), Failure> {
    fs::create_dir_all(folder).map_err(|error| cannot_write(folder, &error))?;
    let probe = folder.join(".writable");
    fs::write(&probe, "").map_err(|error| cannot_write(folder, &error))?;
    fs::remove_file(&probe).map_err(|error| cannot_write(folder, &error))
}

pub(crate) fn cannot_write(path: &Path, message: &impl ToString) -> Failure {
    Failure::Output { path: path.display().to_string(), message: message.to_string() }
}
