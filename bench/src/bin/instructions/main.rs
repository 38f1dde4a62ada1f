//! Counts the instructions of a step under valgrind and compares them with a baseline. Counts do
//! not depend on machine load, so CI can detect a regression of a few percent.
//!
//! Instruction counts are not times: a division counts as much as an addition, and a cache miss is
//! not counted. They show only which workloads execute more instructions than before.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;
use flockwork_bench::failure::Failure;
use flockwork_bench::program;
use serde::{Deserialize, Serialize};

mod callgrind;
mod workloads;

use workloads::{LEVEL, Workload};

/// Counts instructions per agent-step under valgrind and compares them with a baseline
#[derive(Parser)]
struct Options {
    /// Write the baseline instead of comparing with it
    #[arg(long)]
    update: bool,

    /// Run only the counted steps; valgrind runs the program with this flag
    #[arg(long, hide = true)]
    steps: bool,
}

fn main() -> ExitCode {
    program::run(|options| count(&options))
}

fn count(options: &Options) -> Result<ExitCode, Failure> {
    let mut out = io::stdout();
    if options.steps {
        workloads::take_steps(&mut out)?;
        return Ok(ExitCode::SUCCESS);
    }
    if !LEVEL.is_available() {
        writeln!(out, "skipped: this processor lacks {LEVEL}, so nothing was counted")?;
        return Ok(ExitCode::SUCCESS);
    }
    let Some(version) = callgrind::version() else {
        writeln!(out, "skipped: valgrind is not installed, so nothing was counted")?;
        return Ok(ExitCode::SUCCESS);
    };
    let workloads = Workload::all();
    let counted = callgrind::count(&workloads).map_err(Failure::Uncounted)?;
    if options.update {
        Baseline::of(&workloads, &counted).write().map_err(Failure::Uncounted)?;
        writeln!(out, "{} counts written to {NAME}", counted.len())?;
        return Ok(ExitCode::SUCCESS);
    }
    let baseline = Baseline::read().map_err(Failure::Uncounted)?;
    writeln!(out, "instructions per agent-step, {version}, {}", env!("FLOCKWORK_RUSTC"))?;
    writeln!(out, "{:42} {:>10} {:>10} {:>8}", "workload", "baseline", "now", "change")?;
    let mut changes = Vec::new();
    for (workload, &now) in workloads.iter().zip(&counted) {
        let before = baseline.instructions_per_agent_step.get(&workload.name).copied();
        let change = change(before, now);
        let before = before.map_or("-".to_owned(), |count| format!("{count:.1}"));
        let (percent, mark) = (in_words(change), if is_worse(change) { "  more" } else { "" });
        writeln!(out, "{:42} {before:>10} {now:>10.1} {percent:>8}{mark}", workload.name)?;
        changes.push(change);
    }
    let number = |is: fn(Option<f64>) -> bool| changes.iter().filter(|change| is(**change)).count();
    let (worse, better, all) = (number(is_worse), number(is_better), changes.len());
    let update = format!("run with --update and commit {NAME}");
    if let Some(why) = baseline.incomparable() {
        writeln!(out, "no verdict, because {why}. For a new baseline, {update}")?;
        return Ok(ExitCode::SUCCESS);
    }
    let of_all = |count: usize| format!("{count} of {all} take over {TOLERANCE_PERCENT} %");
    if better > 0 {
        writeln!(out, "{} less. To keep that as the baseline, {update}", of_all(better))?;
    }
    if worse > 0 {
        writeln!(out, "{} more. If that is intended, {update}", of_all(worse))?;
        return Ok(ExitCode::from(1));
    }
    writeln!(out, "none of {all} takes over {TOLERANCE_PERCENT} % more than in {NAME}")?;
    Ok(ExitCode::SUCCESS)
}

const NAME: &str = "bench/instructions.json";
const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/instructions.json");

/// A larger change in a count means that the code changed. Counts are reproducible to 0.3%. The
/// rest of the tolerance allows for C libraries that copy memory differently.
const TOLERANCE_PERCENT: f64 = 2.0;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Baseline {
    rustc: String,
    level: String,
    instructions_per_agent_step: BTreeMap<String, f64>,
}

impl Baseline {
    fn of(workloads: &[Workload], counted: &[f64]) -> Self {
        let rounded = |count: f64| (count * 10.0).round() / 10.0;
        let names = workloads.iter().map(|workload| workload.name.clone());
        Self {
            rustc: env!("FLOCKWORK_RUSTC").to_owned(),
            level: LEVEL.name().to_owned(),
            instructions_per_agent_step: names.zip(counted.iter().copied().map(rounded)).collect(),
        }
    }

    fn read() -> Result<Self, String> {
        let text = std::fs::read_to_string(PATH).map_err(|error| format!("{PATH}: {error}"))?;
        serde_json::from_str(&text).map_err(|error| format!("{PATH}: {error}"))
    }

    fn write(&self) -> Result<(), String> {
        let text = serde_json::to_string_pretty(self).map_err(|error| error.to_string())?;
        let written = flockwork::internal::file::replace(PATH, (text + "\n").as_bytes());
        written.map(drop).map_err(|error| format!("{PATH}: {error}"))
    }

    /// Returns why this build's counts cannot be compared with the baseline; `None` if they can.
    fn incomparable(&self) -> Option<String> {
        if self.rustc != env!("FLOCKWORK_RUSTC") {
            return Some(format!("the baseline was counted with {}", self.rustc));
        }
        (self.level != LEVEL.name()).then(|| format!("the baseline was counted for {}", self.level))
    }
}

fn change(before: Option<f64>, now: f64) -> Option<f64> {
    before.map(|before| 100.0 * (now / before - 1.0))
}

fn is_worse(change: Option<f64>) -> bool {
    change.is_some_and(|percent| percent > TOLERANCE_PERCENT)
}

fn is_better(change: Option<f64>) -> bool {
    change.is_some_and(|percent| percent < -TOLERANCE_PERCENT)
}

fn in_words(change: Option<f64>) -> String {
    // Adding zero turns -0.0 into 0.0.
    let rounded = |percent: f64| format!("{:+.1} %", (percent * 10.0).round() / 10.0 + 0.0);
    change.map_or("new".into(), rounded)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_more_instructions_than_tolerated_are_worse() {
        let worse = |before, now| is_worse(change(before, now));
        let better = |before, now| is_better(change(before, now));
        assert!(!worse(Some(100.0), 101.9));
        assert!(worse(Some(100.0), 102.1));
        assert!(!worse(Some(100.0), 50.0));
        assert!(better(Some(100.0), 97.9));
        assert!(!better(Some(100.0), 98.1));
        assert!(!worse(None, 50.0));
        assert_eq!(in_words(change(Some(200.0), 190.0)), "-5.0 %");
        assert_eq!(in_words(change(Some(200.0), 199.99)), "+0.0 %");
        assert_eq!(in_words(None), "new");
    }

    #[test]
    fn the_committed_baseline_has_every_workload_and_no_other() {
        let baseline = Baseline::read().unwrap();
        let names: Vec<String> = Workload::all().into_iter().map(|known| known.name).collect();
        assert_eq!(baseline.instructions_per_agent_step.len(), names.len());
        for name in names {
            let count = baseline.instructions_per_agent_step.get(&name);
            assert!(count.is_some_and(|count| *count > 0.0), "{name} is not in the baseline");
        }
    }
}
