//! The command line, and the commands that it runs.

use std::process::ExitCode;

use crate::command::plan::Plan;
use crate::compare;
use crate::failure::Failure;
use crate::options::Command;

mod plan;
mod session;

pub use crate::options::Options;

/// Runs a command. `arguments` are the words after the program's name; the report keeps them.
pub fn run(options: Options, arguments: &[String]) -> Result<ExitCode, Failure> {
    match options.command {
        Some(Command::Compare(asked)) => return compare::run(&asked),
        Some(Command::Render(asked)) => return session::render(&asked),
        Some(Command::Serve(asked)) => {
            let plan = Plan::of_words(&asked.measurement)?;
            compare::serve(&plan.groups, plan.pace.step_seconds)?;
            return Ok(ExitCode::SUCCESS);
        }
        _ => {}
    }
    let plan = Plan::new(options, arguments)?;
    if plan.request.list { session::list(&plan) } else { session::run(&plan) }
}
