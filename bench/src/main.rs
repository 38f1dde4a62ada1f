//! Measures how the time of a step grows with the number of agents, and what it goes into;
//! checks every result before it prints a time; says how sure it is.

mod command;
mod crowds;
mod experiments;
mod measure;
mod output;
mod peers;
mod results;
mod roofline;
mod rungs;

use std::io;
use std::process::ExitCode;

use clap::Parser;

use crate::command::options::{Command, Options};
use crate::command::plan::Plan;

/// What stops a measurement.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// Methods that should agree bit for bit and do not.
    #[error("{0}")]
    WrongResult(String),
    #[error("{0}")]
    WrongRate(#[from] roofline::WrongResult),
    #[error("{0}")]
    Engine(#[from] flockwork::Error),
    #[error("cannot write {path}: {message}")]
    Output { path: String, message: String },
    #[error("cannot use {path}: {message}")]
    Input { path: String, message: String },
    #[error("interrupted before anything was measured; nothing is written")]
    Interrupted,
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
    dispatch(options).unwrap_or_else(|failure| {
        eprintln!("error: {failure}");
        match failure {
            Failure::WrongResult(_) | Failure::WrongRate(_) => ExitCode::from(1),
            Failure::Interrupted => ExitCode::from(130),
            _ => ExitCode::from(2),
        }
    })
}

fn dispatch(options: Options) -> Result<ExitCode, Failure> {
    match &options.command {
        Some(Command::Compare(options)) => return command::compare::run(options),
        Some(Command::Render(options)) => return command::session::render(options),
        _ => {}
    }
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match Plan::new(options, &arguments)? {
        Some(plan) if plan.common.list => command::session::list(&plan),
        Some(plan) => command::session::run(&plan),
        None => unreachable!("what reads reports is handled above"),
    }
}
