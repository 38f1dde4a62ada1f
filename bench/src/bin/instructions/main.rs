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

use baseline::{Baseline, Verdict};
use workloads::Workload;

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
    if !workloads::LEVEL.is_available() {
        writeln!(
            out,
            "skipped: this processor lacks {}, which the baseline needs",
            workloads::LEVEL
        )?;
        return Ok(ExitCode::SUCCESS);
    }
    let Some(version) = callgrind::version() else {
        writeln!(out, "skipped: valgrind is not installed, so nothing was counted")?;
        return Ok(ExitCode::SUCCESS);
    };
    let workloads = Workload::all();
    let counted = callgrind::count(&workloads).map_err(Failure::Uncounted)?;
    if options.update {
        let baseline = Baseline::of(&workloads, &counted);
        baseline.write().map_err(Failure::Uncounted)?;
        writeln!(out, "{} counts written to {}", counted.len(), baseline::NAME)?;
        return Ok(ExitCode::SUCCESS);
    }

    let baseline = Baseline::read().map_err(Failure::Uncounted)?;
    writeln!(out, "instructions per agent-step, {version}, {}", env!("FLOCKWORK_RUSTC"))?;
    writeln!(out, "{:24} {:>10} {:>10} {:>8}", "workload", "baseline", "now", "change")?;
    let (mut worse, mut better) = (0, 0);
    for (workload, &now) in workloads.iter().zip(&counted) {
        let before = baseline.of_workload(workload);
        let verdict = Verdict::of(before, now);
        worse += u32::from(verdict.is_worse());
        better += u32::from(verdict.is_better());
        let known =
            |count: Option<f64>| count.map_or("-".to_owned(), |count| format!("{count:.1}"));
        let mark = if verdict.is_worse() { "  more" } else { "" };
        writeln!(out, "{:24} {:>10} {now:>10.1} {verdict:>8}{mark}", workload.name, known(before))?;
    }
    let (all, name, tolerance) = (workloads.len(), baseline::NAME, baseline::TOLERANCE_PERCENT);
    let update = format!("run with --update and commit {name}");
    if let Some(reason) = baseline.incomparable() {
        writeln!(
            out,
            "no verdict, since the baseline is not comparable: {reason}. For a new one, {update}"
        )?;
        return Ok(ExitCode::SUCCESS);
    }
    if better > 0 {
        writeln!(
            out,
            "{better} of {all} take over {tolerance} % less. To keep that as the baseline, {update}"
        )?;
    }
    if worse > 0 {
        writeln!(
            out,
            "{worse} of {all} take over {tolerance} % more. If that is intended, {update}"
        )?;
        return Ok(ExitCode::from(1));
    }
    writeln!(out, "none of {all} takes over {tolerance} % more than in {name}")?;
    Ok(ExitCode::SUCCESS)
}
