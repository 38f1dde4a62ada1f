//! Runs a scene on many ranks: threads of this process, or processes that `mpirun` starts.

use std::process::ExitCode;

use clap::Parser;
use flockwork_cluster::member::Failure;

mod model;
mod options;
mod session;

use options::Options;
use session::{INTERRUPTED, Session};

/// What bad input exits with.
const REFUSED: u8 = 2;

fn main() -> ExitCode {
    let options = match Options::try_parse() {
        Ok(options) => options,
        Err(_) if options::is_another_rank() => return refuse(None),
        Err(error) => error.exit(),
    };
    let started_by_mpi = options::started_by_mpi();
    if started_by_mpi && options.ranks.is_some() {
        let why = "--ranks is for threads of one process: under mpirun, its -n sets the ranks";
        return refuse((!options::is_another_rank()).then_some(why));
    }
    match if started_by_mpi { on_processes(&options) } else { on_threads(&options) } {
        Ok(false) => ExitCode::SUCCESS,
        Ok(true) => ExitCode::from(INTERRUPTED),
        Err(message) => refuse(message.as_deref()),
    }
}

/// Says why; or nothing, if the first rank has the same input and says it. Launchers end all ranks
/// once one fails, so the others must not fail before it has.
fn refuse(message: Option<&str>) -> ExitCode {
    let Some(message) = message else { return ExitCode::SUCCESS };
    eprintln!("error: {message}");
    ExitCode::from(REFUSED)
}

/// Runs all ranks. True if they were asked to end before all steps were taken; on failure the reason,
/// unless another rank says it.
fn on_threads(options: &Options) -> Result<bool, Option<String>> {
    use flockwork_cluster::transport::threads::run;
    let session = Session::new(options).map_err(|error| Some(error.to_string()))?;
    let ranks = options.ranks.unwrap_or(1);
    session.warn_of_few_cores(ranks);
    let done = run(ranks, |transport| -> Result<bool, Failure> { session.run(transport) });
    done.map(|stopped| stopped.contains(&true)).map_err(|lost| Some(lost.reason))
}

#[cfg(feature = "mpi")]
fn on_processes(options: &Options) -> Result<bool, Option<String>> {
    use flockwork_cluster::transport::Transport;
    use flockwork_cluster::transport::mpi::Mpi;
    let mut transport = Mpi::start().map_err(|error| Some(error.to_string()))?;
    let session = Session::new(options);
    // What is wrong is nearly always wrong for all ranks: the first of them says it.
    let here = transport.rank() as u64;
    let refused = transport.least(if session.is_err() { here } else { u64::MAX });
    let refused = refused.map_err(|lost| Some(lost.reason))?;
    let session = match session {
        Ok(session) if refused == u64::MAX => session,
        Err(error) if refused == here => return Err(Some(error.to_string())),
        _ => return Err(None),
    };
    session.warn_of_few_cores(1);
    // Failing ends all ranks.
    session.run(&mut transport).map_err(|failure| {
        transport.fail(&failure.to_string());
        Some(failure.to_string())
    })
}

#[cfg(not(feature = "mpi"))]
fn on_processes(_: &Options) -> Result<bool, Option<String>> {
    let why = "this program was built without MPI: build it with `cargo build --release -p \
               flockwork-cluster --features mpi`";
    Err((!options::is_another_rank()).then(|| why.into()))
}
