//! The command line, and the commands that it runs.

use std::process::ExitCode;

use crate::command::options::Command;
use crate::command::plan::Plan;
use crate::failure::Failure;

mod compare;
mod options;
mod plan;
mod session;
#[cfg(test)]
mod simulated;
mod verdict;

pub use options::Options;

/// Runs a command. `arguments` are the words after the program's name; the report keeps them.
pub fn run(options: Options, arguments: &[String]) -> Result<ExitCode, Failure> {
    match &options.command {
        Some(Command::Compare(options)) => return compare::run(options),
        Some(Command::Render(options)) => return session::render(options),
        _ => {}
    }
    match Plan::new(options, arguments)? {
        Some(plan) if plan.common.list => session::list(&plan),
        Some(plan) => session::run(&plan),
        None => unreachable!("commands that read reports are handled above"),
    }
}
