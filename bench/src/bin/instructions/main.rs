//! Counts the instructions of steps under valgrind and compares them with a baseline. Counts are
//! the same on a busy machine as on an idle one, so that CI detects a regression of a few percent.
//!
//! Instructions are not time: a division counts as much as an addition, and a cache miss not at
//! all. Counts only show whether, and where, the compiled code executes more instructions.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;
use flockwork_bench::failure::Failure;
use flockwork_bench::program;

mod baseline;
mod callgrind;
mod workloads;

use baseline::{Baseline, NAME, TOLERANCE_PERCENT, change, in_words, is_better, is_worse};
use workloads::{LEVEL, Workload};

/// Counts instructions per agent-step under valgrind and compares them with a baseline
#[derive(Parser)]
struct Options {
    /// Write the baseline instead of comparing with it
    #[arg(long)]
    update: bool,

    /// Take the steps to count; this is what runs under valgrind
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
    writeln!(out, "{:24} {:>10} {:>10} {:>8}", "workload", "baseline", "now", "change")?;
    let mut changes = Vec::new();
    for (workload, &now) in workloads.iter().zip(&counted) {
        let before = baseline.of_workload(workload);
        let change = change(before, now);
        let before = before.map_or("-".to_owned(), |count| format!("{count:.1}"));
        let (percent, mark) = (in_words(change), if is_worse(change) { "  more" } else { "" });
        writeln!(out, "{:24} {before:>10} {now:>10.1} {percent:>8}{mark}", workload.name)?;
        changes.push(change);
    }
    let number = |is: fn(Option<f64>) -> bool| changes.iter().filter(|change| is(**change)).count();
    let (worse, better, all) = (number(is_worse), number(is_better), changes.len());
    let update = format!("run with --update and commit {NAME}");
    if let Some(why) = baseline.incomparable() {
        writeln!(out, "no verdict, since {why}. For a new baseline, {update}")?;
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
