//! Runs a scene on many ranks: threads of this process, or processes that `mpirun` starts.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{CommandFactory, Parser};

mod model;
mod options;
mod output;
mod session;

use options::Options;
use output::say;
use session::{INTERRUPTED, Session, common};

const REFUSED: u8 = 2;

fn main() -> ExitCode {
    let options = match Options::try_parse().map_err(name_invalid_words) {
        Ok(options) => options,
        Err(_) if options::is_another_rank() => return refuse(None),
        Err(error) => return answer(&error),
    };
    let started_by_mpi = options::started_by_mpi();
    if started_by_mpi && options.ranks.is_some() {
        let why = "--ranks sets the threads of one process: under mpirun, use its -n instead";
        return refuse((!options::is_another_rank()).then_some(why));
    }
    match if started_by_mpi { on_processes(&options) } else { on_threads(&options) } {
        Ok(false) => ExitCode::SUCCESS,
        Ok(true) => ExitCode::from(INTERRUPTED),
        Err(message) => refuse(message.as_deref()),
    }
}

/// Adds the arguments that are not UTF-8 to clap's error, which does not name them.
fn name_invalid_words(error: clap::Error) -> clap::Error {
    if error.kind() != clap::error::ErrorKind::InvalidUtf8 {
        return error;
    }
    let words = std::env::args_os().skip(1).filter(|word| word.to_str().is_none());
    let message = format!("invalid UTF-8 in {:?}", words.collect::<Vec<_>>());
    Options::command().error(error.kind(), message)
}

fn answer(to: &clap::Error) -> ExitCode {
    match to.print().and_then(|()| io::stdout().flush()) {
        Ok(()) if to.use_stderr() => ExitCode::from(REFUSED),
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => refuse(Some(&format!("cannot write to standard output: {error}"))),
    }
}

/// Without a message, exits successfully, because rank 0 reports the failure. If this rank exited
/// with an error, the MPI launcher could kill rank 0 before it prints the report.
fn refuse(message: Option<&str>) -> ExitCode {
    let Some(message) = message else { return ExitCode::SUCCESS };
    say(format_args!("error: {message}"));
    ExitCode::from(REFUSED)
}

fn on_threads(options: &Options) -> Result<bool, Option<String>> {
    use flockwork_cluster::transport::threads::run;
    let session = Session::new(options).map_err(|error| Some(error.to_string()))?;
    let ranks = options.ranks.map_or(1, usize::from);
    session.few_cores(ranks).into_iter().for_each(say);
    let ended = run(ranks, |transport| common(session.run(transport)));
    let ended = ended.map_err(|lost| Some(lost.to_string()))?;
    let ended = ended.into_iter().collect::<Result<Vec<_>, _>>();
    let mut ended = ended.map_err(|failure| Some(failure.to_string()))?.into_iter().flatten();
    ended.next().map_or(Ok(false), |first| session.report(first).map_err(Some))
}

#[cfg(feature = "mpi")]
fn on_processes(options: &Options) -> Result<bool, Option<String>> {
    use flockwork::slab::agree;
    use flockwork_cluster::failure::Failure;
    use flockwork_cluster::transport::mpi::run;
    use flockwork_cluster::transport::{Exchange, Transport};
    let session = Session::new(options);
    let ended = run(|transport| {
        let session = match agree(session.as_ref(), transport)? {
            Ok(session) => session,
            Err(refused) => return Ok((transport.rank(), Err(refused.into()))),
        };
        let (here, few) = (transport.rank() as u64, session.few_cores(1));
        let first = transport.min(if few.is_some() { here } else { u64::MAX })?;
        few.filter(|_| first == here).into_iter().for_each(say);
        Ok::<_, Failure>((transport.rank(), common(session.run(transport))?))
    });
    let (rank, ended) = ended.map_err(|error| Some(error.to_string()))?;
    match (ended, &session) {
        (Err(failure), _) => Err((rank == 0).then(|| failure.to_string())),
        (Ok(Some(first)), Ok(session)) => session.report(first).map_err(Some),
        (Ok(_), _) => Ok(false),
    }
}

#[cfg(not(feature = "mpi"))]
fn on_processes(_: &Options) -> Result<bool, Option<String>> {
    let why = "this program was built without MPI: build it with `cargo build --release -p \
               flockwork-cluster --features mpi`";
    Err((!options::is_another_rank()).then(|| why.into()))
}
