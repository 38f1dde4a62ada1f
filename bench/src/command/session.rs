//! One run of the command, from the empty folder to the last line printed.

use std::io::{self, ErrorKind, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use crate::Failure;
use crate::command::options::Render;
use crate::command::plan::Plan;
use crate::measure::Measurement;
use crate::measure::progress::Progress;
use crate::output::behaviors;
use crate::output::table;
use crate::results::files;
use crate::results::machine::Machine;
use crate::results::report::Report;
use crate::roofline::Roofline;

/// Prints the ids of the rows that would be measured.
pub(crate) fn list(plan: &Plan) -> Result<ExitCode, Failure> {
    let mut out = io::stdout().lock();
    let mut ids = plan.groups.iter().flat_map(|g| g.cases.iter().map(|case| g.id(case)));
    unless_reader_left(ids.try_for_each(|id| writeln!(out, "{id}")))?;
    Ok(ExitCode::SUCCESS)
}

/// Makes everything anew that follows from a saved report.
pub(crate) fn render(options: &Render) -> Result<ExitCode, Failure> {
    let mut report = files::load(&options.report)?;
    // A run that was killed saved its times, and nothing that follows from them.
    report.conclude();
    let own =
        if options.report.is_dir() { Some(&*options.report) } else { options.report.parent() };
    let folder = options.out.as_deref().or(own).unwrap_or(Path::new(""));
    files::prepare_folder(folder)?;
    files::save_all(&report, folder)?;
    let mut out = io::stdout().lock();
    unless_reader_left(
        table::print(&report, &mut out)
            .and_then(|()| table::print_conclusion(&report, folder, &mut out)),
    )?;
    Ok(ExitCode::SUCCESS)
}

/// Measures, writes and prints.
pub(crate) fn run(plan: &Plan) -> Result<ExitCode, Failure> {
    let folder = plan.folder();
    if let Some(page) = &plan.page {
        files::check_writable(page)?;
    }
    let mut out = io::stdout().lock();
    let quiet = plan.common.json;
    let report = measure(plan, &folder, |report, note| {
        if quiet {
            return Ok(());
        }
        unless_reader_left(table::print_head(report, note, &mut out))
    })?;
    if let Some(page) = &plan.page {
        let text = behaviors::page(&report)?;
        std::fs::write(page, text).map_err(|error| files::cannot_write(page, &error))?;
    }
    unless_reader_left(if quiet {
        writeln!(out, "{}", files::one_line(&report))
    } else {
        table::print(&report, &mut out)
            .and_then(|()| table::print_conclusion(&report, &folder, &mut out))
    })?;
    Ok(if report.interrupted { ExitCode::from(130) } else { ExitCode::SUCCESS })
}

/// Measures what the plan says and writes all files. `announce` is called once before.
pub(crate) fn measure(
    plan: &Plan,
    folder: &Path,
    announce: impl FnOnce(&Report, &str) -> Result<(), Failure>,
) -> Result<Report, Failure> {
    files::prepare_folder(folder)?;
    let stop = Arc::new(AtomicBool::new(false));
    let on_interrupt = Arc::clone(&stop);
    // Without a handler Ctrl-C ends the run the usual way; that is no reason not to measure.
    let _ = ctrlc::set_handler(move || on_interrupt.store(true, Relaxed));

    let fresh = Report::new(Machine::look(), plan.setup.clone());
    let (mut report, note) = match plan.common.resume.then(|| resumed(&fresh, folder)) {
        Some(Ok(report)) => {
            let note = format!("resumed: {} rows are there already", report.rows.len());
            (report, note)
        }
        Some(Err(why)) => (fresh, format!("nothing to resume: {why}")),
        None => (fresh, String::new()),
    };
    announce(&report, &note)?;
    if plan.roofline && report.roofline.is_none() {
        report.roofline = Some(Roofline::measure(&[1, plan.common.threads()])?);
    }
    let mut measurement = Measurement {
        pace: plan.pace,
        stop: &stop,
        progress: Progress::new(&plan.groups, plan.pace),
        save: &|report| files::save_json(report, folder),
    };
    let measured = measurement.run(&plan.groups, &mut report);
    measurement.progress.clear();
    measured?;
    report.load_after = crate::measure::watch::load();
    report.conclude();
    // Files first: minutes of measuring must not be lost to a closed pipe.
    files::save_all(&report, folder)?;
    Ok(report)
}

/// The interrupted report in the folder, if it can be gone on with.
fn resumed(fresh: &Report, folder: &Path) -> Result<Report, String> {
    let saved = files::load(folder).map_err(|failure| failure.to_string())?;
    if saved.machine != fresh.machine {
        return Err("it is from another machine or build".into());
    }
    if saved.setup != fresh.setup {
        return Err(format!("it was measured with `{}`", saved.setup.arguments.join(" ")));
    }
    Ok(Report { interrupted: true, ..saved })
}

/// Whoever reads along, `head` say, may leave early: that ends neither a measurement nor, in
/// a panic, its report.
pub(crate) fn unless_reader_left(printed: io::Result<()>) -> Result<(), Failure> {
    printed.or_else(|error| match error.kind() {
        ErrorKind::BrokenPipe => Ok(()),
        _ => Err(error.into()),
    })
}
