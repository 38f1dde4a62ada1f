use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;

use crate::compare;
use crate::experiments::{self, group};
use crate::failure::{Failure, cannot_use, cannot_write};
use crate::measure::Run;
use crate::measure::progress::Progress;
use crate::measure::schedule::Pace;
pub use crate::options::Options;
use crate::options::{Command, Measurement, Request};
use crate::output;
use crate::results::machine::Machine;
use crate::results::report::{Report, Setup};

/// Runs a command. The report records `arguments`, the command line without the program name.
pub fn run(options: Options, arguments: &[String]) -> Result<ExitCode, Failure> {
    let Options { command, measurement, request } = options;
    match command {
        Some(Command::Compare(asked)) => compare::run(&asked),
        Some(Command::Serve { measurement }) => serve(&measurement),
        None if request.list => {
            let mut out = io::stdout().lock();
            let groups = experiments::groups(measurement, &request)?;
            group::ids(&groups).try_for_each(|id| writeln!(out, "{id}"))?;
            Ok(ExitCode::SUCCESS)
        }
        None => measure(measurement, &request, arguments),
    }
}

fn serve(words: &[String]) -> Result<ExitCode, Failure> {
    let refuse = |message: &str| cannot_use(&words.join(" "), &message);
    let line = [&["flockwork-bench".to_owned()], words].concat();
    let options = Options::try_parse_from(line).map_err(|error| refuse(&error.to_string()))?;
    let Options { command: None, measurement, request } = options else {
        return Err(refuse("it does not measure anything"));
    };
    let Request { time, out, json, .. } = &request;
    let ignored = [("--time", time.is_some()), ("--out", out.is_some()), ("--json", *json)];
    if let Some((option, _)) = ignored.iter().find(|(_, given)| *given) {
        return Err(refuse(&format!("compared rows do not depend on {option}")));
    }
    compare::serve(&experiments::groups(measurement, &request)?, request.step_seconds())?;
    Ok(ExitCode::SUCCESS)
}

fn measure(
    measurement: Measurement,
    request: &Request,
    arguments: &[String],
) -> Result<ExitCode, Failure> {
    let begun = Instant::now();
    let groups = experiments::groups(measurement, request)?;
    let name = measurement.name();
    let space = if request.in_space() { "-3d" } else { "" };
    let default = || PathBuf::from("target/flockwork").join(format!("{name}{space}"));
    let folder = request.out.clone().unwrap_or_else(default);
    let _held = take_folder(&folder)?;
    let (step_seconds, seconds) = (request.step_seconds(), request.seconds(measurement));
    let setup = Setup {
        command: name.clone(),
        arguments: arguments.to_vec(),
        seed: request.seed,
        mean_neighbors: request.mean_neighbors(),
        dimensions: request.dimensions,
        step_seconds,
        time_seconds: seconds,
    };
    let mut report = Report::new(Machine::detect(), setup);
    let mut progress = Progress::new();
    let stop = progress.stop_on_interrupt();
    if !request.json {
        show(|out| output::print_head(&report, out))?;
    }
    let pace = Pace { step_seconds, seconds, strict: request.is_strict() };
    // Ignore errors, e.g. on a full disk: the final `output::save` reports them after the answers.
    let save = |report: &Report| _ = output::save_json(report, &folder);
    let mut run = Run { pace, begun, stop: &stop, progress: &mut progress, save: &save };
    let measured = run.measure(&groups, &mut report);
    progress.clear();
    measured?;
    if report.interrupted && report.rows.is_empty() {
        return Err(Failure::Interrupted);
    }
    // Write the files before printing, so that a closed pipe cannot lose minutes of measurements.
    let keeps_earlier = report.rows.is_empty() && folder.join("report.json").exists();
    let saved = if keeps_earlier { Ok(()) } else { output::save(&report, &folder) };
    show(|out| {
        if request.json {
            return writeln!(out, "{}", output::one_line(&report));
        }
        if request.verbose || report.rows.is_empty() {
            output::print_details(&report, out)?;
        }
        if saved.is_ok() {
            let name = if keeps_earlier { "Earlier report, kept" } else { "Report" };
            writeln!(out, "\n{name}: {}", folder.join("report.html").display())?;
        }
        output::print_answers(&report, out)
    })?;
    saved?;
    Ok(if report.interrupted { ExitCode::from(130) } else { ExitCode::SUCCESS })
}

/// Creates the report's folder and checks that it is writable before anything is measured.
/// Returns a lock, released on drop, that keeps two runs from writing to the same folder.
fn take_folder(folder: &Path) -> Result<File, Failure> {
    let refuse = |error: io::Error| cannot_write(folder, &error);
    if folder.exists() && !folder.is_dir() {
        return Err(cannot_write(folder, &"it is not a folder"));
    }
    fs::create_dir_all(folder).map_err(refuse)?;
    let held = File::open(folder).map_err(refuse)?;
    // Some file systems do not support locks; measure anyway.
    if let Err(TryLockError::WouldBlock) = held.try_lock() {
        let why = "another run is writing there; choose another with --out";
        return Err(cannot_write(folder, &why));
    }
    let path = folder.join("report.json");
    let writable = flockwork::internal::file::check_replaceable(&path);
    writable.map_err(|error| cannot_write(&path, &error))?;
    Ok(held)
}

/// Prints, ignoring a closed pipe: a reader such as `head` may quit early,
/// which must neither stop the measurement nor lose the report.
fn show(print: impl FnOnce(&mut io::StdoutLock<'_>) -> io::Result<()>) -> Result<(), Failure> {
    print(&mut io::stdout().lock()).or_else(|error| match error.kind() {
        ErrorKind::BrokenPipe => Ok(()),
        _ => Err(error.into()),
    })
}
