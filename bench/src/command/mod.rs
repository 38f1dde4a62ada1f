//! The command line, and the commands that it runs.

use std::process::ExitCode;

use crate::command::options::Command;
use crate::command::plan::Plan;
use crate::compare;
use crate::failure::Failure;

mod options;
mod plan;
mod session;

pub use options::Options;

/// Runs a command. `arguments` are the words after the program's name; the report keeps them.
pub fn run(options: Options, arguments: &[String]) -> Result<ExitCode, Failure> {
    match &options.command {
        Some(Command::Compare(options)) => return compare::run(&options.comparison()),
        Some(Command::Render(options)) => return session::render(options),
        _ => {}
    }
    if let Some(Command::Serve(asked)) = &options.command {
        let plan = Plan::of_words(&asked.measurement)?;
        compare::serve(&plan.groups, plan.pace.step_seconds)?;
        return Ok(ExitCode::SUCCESS);
    }
    match Plan::new(options, arguments)? {
        Some(plan) if plan.common.list => session::list(&plan),
        Some(plan) => session::run(&plan),
        None => unreachable!("commands that read reports are handled above"),
    }
}
