//! The scaling measurement: how the time of a step grows with the number of agents, for all
//! pairs and cell space, scalar and SIMD, one thread and all.

mod ladder;
mod machine;
mod method;
mod numbers;
mod options;
mod plot;
mod report;
mod statistics;
mod table;

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use clap::Parser;

use crate::ladder::Ladder;
use crate::machine::Machine;
use crate::method::Method;
use crate::options::Options;
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
}

fn main() -> ExitCode {
    flockwork::cpu::require_build_features();
    run()
}

#[inline(never)]
fn run() -> ExitCode {
    let options = Options::parse();
    if options.list {
        Method::ALL.iter().for_each(|method| println!("{:16}  {}", method.id(), method.about()));
        return ExitCode::SUCCESS;
    }
    match measure(&options) {
        Ok(report) if report.interrupted => ExitCode::from(130),
        Ok(_) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("error: {failure}");
            match failure {
                Failure::WrongResult(_) => ExitCode::from(1),
                _ => ExitCode::from(2),
            }
        }
    }
}

fn measure(options: &Options) -> Result<Report, Failure> {
    report::prepare_folder(&options.out)?;
    let stop = Arc::new(AtomicBool::new(false));
    let on_interrupt = Arc::clone(&stop);
    // Without a handler Ctrl-C ends the run the usual way; that is no reason not to measure.
    let _ = ctrlc::set_handler(move || on_interrupt.store(true, Relaxed));

    let machine = Machine::look();
    machine.print(options);
    let ladder = Ladder::new(options, &stop)?;
    let measured = ladder.climb()?;
    let report = Report::new(machine, options, measured);
    table::print(&report);
    report.write(&options.out)?;
    plot::draw(&report, &options.out.join("report.svg"))?;
    table::print_conclusion(&report, &options.out);
    Ok(report)
}
