//! Counts the instructions of steps under valgrind and compares them with a baseline. Counts are
//! the same on a busy machine as on an idle one, so that CI detects a regression of a few percent.
//!
//! Instructions are not time: a division counts as much as an addition, and a cache miss not at
//! all. Counts only show whether, and where, the compiled code executes more instructions.

use std::process::ExitCode;

use clap::Parser;

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
    let options = Options::parse();
    if options.steps {
        workloads::take_steps();
        return ExitCode::SUCCESS;
    }
    match count(&options) {
        Ok(code) => code,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::from(2)
        }
    }
}

fn count(options: &Options) -> Result<ExitCode, String> {
    if !workloads::LEVEL.is_available() {
        println!("skipped: this processor lacks {}, for which the baseline is", workloads::LEVEL);
        return Ok(ExitCode::SUCCESS);
    }
    let Some(version) = callgrind::version() else {
        println!("skipped: valgrind is not installed, so nothing was counted");
        return Ok(ExitCode::SUCCESS);
    };
    let workloads = Workload::all();
    let counted = callgrind::count(&workloads)?;
    if options.update {
        let baseline = Baseline::of(&workloads, &counted);
        baseline.write()?;
        println!("{} counts written to {}", counted.len(), baseline::NAME);
        return Ok(ExitCode::SUCCESS);
    }

    let baseline = Baseline::read()?;
    println!("instructions per agent-step, {version}, {}", env!("FLOCKWORK_RUSTC"));
    println!("{:24} {:>10} {:>10} {:>8}", "workload", "baseline", "now", "change");
    let (mut worse, mut better) = (0, 0);
    for (workload, &now) in workloads.iter().zip(&counted) {
        let before = baseline.of_workload(workload);
        let verdict = Verdict::of(before, now);
        worse += u32::from(verdict.is_worse());
        better += u32::from(verdict.is_better());
        let known =
            |count: Option<f64>| count.map_or("-".to_owned(), |count| format!("{count:.1}"));
        let mark = if verdict.is_worse() { "  more" } else { "" };
        println!("{:24} {:>10} {now:>10.1} {verdict:>8}{mark}", workload.name, known(before));
    }
    let (all, name, tolerance) = (workloads.len(), baseline::NAME, baseline::TOLERANCE_PERCENT);
    let update = format!("run with --update and commit {name}");
    if let Some(reason) = baseline.incomparable() {
        println!(
            "no verdict, since the baseline is not comparable: {reason}. For a new one, {update}"
        );
        return Ok(ExitCode::SUCCESS);
    }
    if better > 0 {
        println!(
            "{better} of {all} take over {tolerance} % less. To keep that as the baseline, {update}"
        );
    }
    if worse > 0 {
        println!("{worse} of {all} take over {tolerance} % more. If that is intended, {update}");
        return Ok(ExitCode::from(1));
    }
    println!("none of {all} takes over {tolerance} % more than in {name}");
    Ok(ExitCode::SUCCESS)
}
