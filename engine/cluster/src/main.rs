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
    let options = Options::parse();
    let started_by_mpi = options::started_by_mpi();
    if started_by_mpi && options.ranks.is_some() {
        return refuse(
            "--ranks is for threads of one process: under mpirun, its -n sets the ranks",
        );
    }
    match if started_by_mpi { on_processes(&options) } else { on_threads(&options) } {
        Ok(false) => ExitCode::SUCCESS,
        Ok(true) => ExitCode::from(INTERRUPTED),
        Err(message) => refuse(&message),
    }
}

fn refuse(message: &str) -> ExitCode {
    eprintln!("error: {message}");
    ExitCode::from(REFUSED)
}

/// Runs all ranks. True if they were asked to end before all steps were taken.
fn on_threads(options: &Options) -> Result<bool, String> {
    use flockwork_cluster::transport::threads::run;
    let session = Session::new(options).map_err(|error| error.to_string())?;
    let ranks = options.ranks.unwrap_or(1);
    session.warn_of_few_cores(ranks);
    let done = run(ranks, |transport| -> Result<bool, Failure> { session.run(transport) });
    done.map(|stopped| stopped.contains(&true)).map_err(|lost| lost.reason)
}

#[cfg(feature = "mpi")]
fn on_processes(options: &Options) -> Result<bool, String> {
    use flockwork_cluster::transport::Transport;
    use flockwork_cluster::transport::mpi::Mpi;
    let mut transport = Mpi::start().map_err(|error| error.to_string())?;
    let outcome = Session::new(options).and_then(|session| {
        session.warn_of_few_cores(1);
        session.run(&mut transport)
    });
    // Failing ends all ranks.
    outcome.map_err(|failure| {
        transport.fail(&failure.to_string());
        failure.to_string()
    })
}

#[cfg(not(feature = "mpi"))]
fn on_processes(_: &Options) -> Result<bool, String> {
    Err("this program was built without MPI: build it with `cargo build --release -p \
         flockwork-cluster --features mpi`"
        .into())
}
