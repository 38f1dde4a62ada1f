//! What the figures were measured on.

use std::io::{self, Write};

use flockwork::LaneWidth;
use flockwork::cpu::{build_features, cpu_name};
use serde::Serialize;

use crate::options::Options;

/// The machine and the build.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Machine {
    pub(crate) cpu: String,
    pub(crate) cores: usize,
    pub(crate) os: &'static str,
    pub(crate) arch: &'static str,
    /// Instruction sets that the kernels were compiled for.
    pub(crate) features: Vec<&'static str>,
    /// Agents per vector.
    pub(crate) lanes: usize,
    pub(crate) rustc: &'static str,
    pub(crate) flockwork: &'static str,
    pub(crate) commit: &'static str,
    /// Processes that wanted to run, averaged over the minute before the measurement.
    pub(crate) load_before: Option<f64>,
}

impl Machine {
    pub(crate) fn look() -> Self {
        Self {
            cpu: cpu_name(),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            os: std::env::consts::OS,
            arch: std::env::consts::ARCH,
            features: build_features(),
            lanes: LaneWidth::native().lanes(),
            rustc: env!("FLOCKWORK_RUSTC"),
            flockwork: env!("CARGO_PKG_VERSION"),
            commit: env!("FLOCKWORK_COMMIT"),
            load_before: load(),
        }
    }

    pub(crate) fn print(&self, options: &Options, out: &mut impl Write) -> io::Result<()> {
        let telling = ["avx512f", "avx2", "fma", "sse4.2"];
        let isa: Vec<&str> =
            telling.into_iter().filter(|name| self.features.contains(name)).collect();
        let isa = if isa.is_empty() { "baseline".to_owned() } else { isa.join(" + ") };
        writeln!(out, "flockwork {} ({}), {}", self.flockwork, self.commit, self.rustc)?;
        writeln!(out, "{}, {} cores; built for {isa}, {} lanes", self.cpu, self.cores, self.lanes)?;
        writeln!(
            out,
            "workload: separation, alignment, cohesion, prioritized sum; torus, {} neighbors on \
             average, seed {}",
            options.mean_neighbors, options.seed
        )?;
        if let Some(load) = self.load_before.filter(|load| *load > 0.5 * self.cores as f64) {
            writeln!(
                out,
                "warning: the machine is busy (load {load:.1} on {} cores); expect noise",
                self.cores
            )?;
        }
        writeln!(out)
    }
}

fn load() -> Option<f64> {
    std::fs::read_to_string("/proc/loadavg").ok()?.split(' ').next()?.parse().ok()
}
