use std::fmt;

use flockwork::cpu::{Level, cpu_name};
use serde::Serialize;

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(crate) struct Machine {
    pub(crate) cpu: String,
    pub(crate) cores: usize,
    pub(crate) level: String,
    pub(crate) level_found: String,
    /// Agents per vector.
    pub(crate) lanes: usize,
    pub(crate) rustc: String,
    pub(crate) flockwork: String,
    /// Git commit; ends in `+` if there were uncommitted changes.
    pub(crate) commit: String,
}

impl Machine {
    pub(crate) fn detect() -> Self {
        Self {
            cpu: cpu_name(),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            level: Level::used_or_found().name().into(),
            level_found: Level::found().name().into(),
            lanes: Level::used_or_found().lanes(),
            rustc: env!("FLOCKWORK_RUSTC").into(),
            flockwork: env!("CARGO_PKG_VERSION").into(),
            commit: env!("FLOCKWORK_COMMIT").into(),
        }
    }
}

impl fmt::Display for Machine {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { cpu, cores, level, level_found, lanes, .. } = self;
        write!(out, "{cpu}, {cores} cores; {level}, {lanes} lanes")?;
        match level == level_found {
            true => Ok(()),
            false => write!(out, " (the processor has {level_found})"),
        }
    }
}
