//! One measurement, from the empty folder to the last line printed.

use std::io::{self, ErrorKind, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use indicatif::ProgressBar;

use crate::command::options::Render;
use crate::command::plan::{Plan, ids};
use crate::failure::Failure;
use crate::measure::measurement::Measurement;
use crate::measure::progress::Progress;
use crate::output::behaviors;
use crate::output::save::save_all;
use crate::output::table;
use crate::results::files;
use crate::results::machine::{self, Machine};
use crate::results::report::Report;
use crate::roofline::Roofline;

/// Prints the ids of the rows that would be measured.
pub(crate) fn list(plan: &Plan) -> Result<ExitCode, Failure> {
    let mut out = io::stdout().lock();
    unless_reader_left(ids(&plan.groups).try_for_each(|id| writeln!(out, "{id}")))?;
    Ok(ExitCode::SUCCESS)
}

/// Makes every file and table of a saved report again.
pub(crate) fn render(options: &Render) -> Result<ExitCode, Failure> {
    let report = files::load(&options.report)?;
    let file = files::file_of(&options.report);
    let folder = options.out.as_deref().or(file.parent()).unwrap_or(Path::new(""));
    let _held = files::take_folder(folder)?;
    save_all(&report, folder)?;
    let mut out = io::stdout().lock();
    unless_reader_left(
        table::print(&report, &mut out)
            .and_then(|()| table::print_conclusion(&report, folder, &mut out)),
    )?;
    Ok(ExitCode::SUCCESS)
}

/// Measures, writes all files and prints the report.
pub(crate) fn run(plan: &Plan) -> Result<ExitCode, Failure> {
    let folder = plan.folder();
    if let Some(page) = &plan.page {
        files::check_writable(page)?;
    }
    let mut out = io::stdout().lock();
    let quiet = plan.common.json;
    let report = measure(plan, &folder, |report| {
        if quiet {
            return Ok(());
        }
        unless_reader_left(table::print_head(report, &mut out))
    })?;
    match &plan.page {
        Some(page) if report.interrupted => {
            note(&format!(
                "{} is left unchanged, since not every row was measured",
                page.display()
            ));
        }
        Some(page) => files::replace(page, &behaviors::page(&report)?)?,
        None => {}
    }
    unless_reader_left(if quiet {
        writeln!(out, "{}", files::one_line(&report))
    } else {
        table::print(&report, &mut out)
            .and_then(|()| table::print_conclusion(&report, &folder, &mut out))
    })?;
    Ok(if report.interrupted { ExitCode::from(130) } else { ExitCode::SUCCESS })
}

/// Measures a plan and writes all files. Calls `announce` once, before the first measurement.
pub(crate) fn measure(
    plan: &Plan,
    folder: &Path,
    announce: impl FnOnce(&Report) -> Result<(), Failure>,
) -> Result<Report, Failure> {
    let _held = files::take_folder(folder)?;
    let mut report = Report::new(Machine::look(), plan.setup.clone());
    if plan.common.resume {
        match resumed(plan, &report.machine, folder)? {
            Some(saved) => {
                note(&format!("resumed with {} rows already measured", saved.rows.len()));
                report = saved;
            }
            None => note(&format!("nothing to resume in {}", folder.display())),
        }
    }
    let progress = Progress::new(&plan.groups, plan.pace);
    let stop = stop_on_interrupt(progress.bar());
    announce(&report)?;
    if plan.roofline && report.roofline.is_none() {
        progress.show("limits of the machine");
        report.roofline = Some(Roofline::measure(&[1, plan.common.threads()])?);
    }
    let save = |report: &Report| files::save_json(report, folder);
    let mut measurement = Measurement { pace: plan.pace, stop: &stop, progress, save: &save };
    let measured = measurement.run(&plan.groups, &mut report);
    measurement.progress.clear();
    measured?;
    if report.interrupted && report.rows.is_empty() {
        return Err(Failure::Interrupted);
    }
    report.load_after = machine::load();
    report.conclude();
    // Files come first: a closed pipe must not cost minutes of measuring.
    save_all(&report, folder)?;
    Ok(report)
}

/// The first request to end (Ctrl-C, a termination, a terminal that closes) ends the run in order,
/// the second at once.
fn stop_on_interrupt(bar: ProgressBar) -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    let on_interrupt = Arc::clone(&stop);
    // Without a handler a request ends the run at once, which is no reason not to measure.
    let _ = ctrlc::set_handler(move || {
        if on_interrupt.swap(true, Relaxed) {
            std::process::exit(130);
        }
        bar.suspend(|| {
            note("stopping after the current repeat; press Ctrl-C again to stop at once");
        });
    });
    stop
}

/// The report in the folder to resume from; `None` if there is none. A report of another
/// measurement is refused, since starting over would overwrite it.
fn resumed(plan: &Plan, machine: &Machine, folder: &Path) -> Result<Option<Report>, Failure> {
    let path = folder.join("report.json");
    if !path.exists() {
        return Ok(None);
    }
    let saved = files::load(&path)?;
    let difference = match &saved.machine {
        other if other == machine => plan.difference(&saved.setup)?,
        other => Some(format!(
            "the report is from another machine or build: {}, commit {}",
            other.cpu, other.commit
        )),
    };
    match difference {
        None => Ok(Some(Report { interrupted: true, ..saved })),
        Some(difference) => Err(Failure::Input {
            path: path.display().to_string(),
            message: format!(
                "cannot resume: {difference}. The report is unchanged; without --resume it is \
                 replaced"
            ),
        }),
    }
}

/// Prints a message for the user; standard output is for the report.
fn note(text: &str) {
    // If standard error is closed, the message is not wanted.
    let _ = writeln!(io::stderr(), "{text}");
}

/// Ignores a closed pipe. A reader such as `head` may leave early, which must neither stop the
/// measurement nor cost its report.
pub(crate) fn unless_reader_left(printed: io::Result<()>) -> Result<(), Failure> {
    printed.or_else(|error| match error.kind() {
        ErrorKind::BrokenPipe => Ok(()),
        _ => Err(error.into()),
    })
}
