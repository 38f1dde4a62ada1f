//! The scaling measurement: how the time of a step grows with the number of agents, for all
//! pairs and cell space, scalar and SIMD, one thread and all.

mod behaviors;
mod crowds;
mod ladder;
mod machine;
mod method;
mod numbers;
mod options;
mod plot;
mod report;
mod statistics;
mod table;

use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use clap::Parser;

use crate::ladder::Ladder;
use crate::machine::Machine;
use crate::method::Method;
use crate::options::{Command, Options};
use crate::report::Report;

/// What stops a measurement.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// Methods that should agree bit for bit and do not.
    #[error("{0}")]
    WrongResult(String),
    #[error("{0}")]
    Engine(#[from] flockwork::Error),
    #[error("cannot write {path}: {message}")]
    Output { path: String, message: String },
    #[error("cannot print: {0}")]
    Print(#[from] io::Error),
}

fn main() -> ExitCode {
    flockwork::cpu::require_build_features();
    run()
}

#[inline(never)]
fn run() -> ExitCode {
    let options = Options::parse();
    let done = match &options.command {
        Some(Command::Behaviors(options)) => tabulate(options),
        None if options.list => list(),
        None => measure(&options),
    };
    match done {
        Ok(code) => code,
        Err(failure) => {
            eprintln!("error: {failure}");
            match failure {
                Failure::WrongResult(_) => ExitCode::from(1),
                _ => ExitCode::from(2),
            }
        }
    }
}

/// Whoever reads along, `head` say, may leave early: that ends neither a measurement nor, in
/// a panic, its report.
fn unless_reader_left(printed: io::Result<()>) -> io::Result<()> {
    printed.or_else(|error| match error.kind() {
        ErrorKind::BrokenPipe => Ok(()),
        _ => Err(error),
    })
}

fn list() -> Result<ExitCode, Failure> {
    let mut out = io::stdout().lock();
    let mut line = |method: &Method| writeln!(out, "{:16}  {}", method.id(), method.about());
    unless_reader_left(Method::ALL.iter().try_for_each(&mut line))?;
    Ok(ExitCode::SUCCESS)
}

fn tabulate(options: &behaviors::Options) -> Result<ExitCode, Failure> {
    behaviors::check(options.out())?;
    behaviors::run(options, &Machine::look())?;
    Ok(ExitCode::SUCCESS)
}

fn measure(options: &Options) -> Result<ExitCode, Failure> {
    report::prepare_folder(&options.out)?;
    let stop = Arc::new(AtomicBool::new(false));
    let on_interrupt = Arc::clone(&stop);
    // Without a handler Ctrl-C ends the run the usual way; that is no reason not to measure.
    let _ = ctrlc::set_handler(move || on_interrupt.store(true, Relaxed));

    let ladder = Ladder::new(options, &stop)?;
    let mut out = io::stdout().lock();
    let machine = Machine::look();
    unless_reader_left(machine.print(options, &mut out))?;
    let measured = ladder.climb()?;
    let report = Report::new(machine, options, measured);
    // Files first: minutes of measuring must not be lost to a closed pipe.
    report.write(&options.out)?;
    plot::draw(&report, &options.out.join("report.svg"))?;
    unless_reader_left(
        table::print(&report, &mut out)
            .and_then(|()| table::print_conclusion(&report, &options.out, &mut out)),
    )?;
    Ok(if report.interrupted { ExitCode::from(130) } else { ExitCode::SUCCESS })
}
