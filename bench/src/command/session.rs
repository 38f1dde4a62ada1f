//! One measurement, from the empty folder to the last line printed.

use std::io::{self, ErrorKind, Write};
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use crate::command::plan::{Plan, ids};
use crate::counters::Counters;
use crate::failure::Failure;
use crate::measure::measurement::Measurement;
use crate::measure::progress::{Progress, note};
use crate::options::Render;
use crate::output::save::save_all;
use crate::output::{behaviors, print};
use crate::results::files;
use crate::results::machine::{self, Machine};
use crate::results::report::Report;
use crate::roofline::Roofline;

/// Prints the ids of the rows that would be measured.
pub(crate) fn list(plan: &Plan) -> Result<ExitCode, Failure> {
    let mut out = io::stdout().lock();
    ids(&plan.groups).try_for_each(|id| writeln!(out, "{id}"))?;
    Ok(ExitCode::SUCCESS)
}

/// Makes every file and table of a saved report again.
pub(crate) fn render(options: &Render) -> Result<ExitCode, Failure> {
    let report = files::load(&options.report)?;
    let file = files::file_of(&options.report);
    let folder = options.out.as_deref().or(file.parent()).unwrap_or(Path::new(""));
    let _held = files::take_folder(folder)?;
    save_all(&report, folder)?;
    show(&print::text(&report, folder))?;
    Ok(ExitCode::SUCCESS)
}

/// Measures, writes all files and prints the report.
pub(crate) fn run(plan: &Plan) -> Result<ExitCode, Failure> {
    let folder = plan.folder();
    if let Some(page) = &plan.request.page {
        files::check_writable(page)?;
    }
    let report = measure(plan, &folder)?;
    match &plan.request.page {
        Some(page) if report.interrupted => {
            let page = page.display();
            note(&format!("{page} is left unchanged, since not every row was measured"));
        }
        Some(page) => files::replace(page, &behaviors::page(&report)?)?,
        None => {}
    }
    show(&match plan.request.json {
        true => files::one_line(&report) + "\n",
        false => print::text(&report, &folder),
    })?;
    Ok(if report.interrupted { ExitCode::from(130) } else { ExitCode::SUCCESS })
}

/// Measures a plan and writes all files.
fn measure(plan: &Plan, folder: &Path) -> Result<Report, Failure> {
    let begun = Instant::now();
    let _held = files::take_folder(folder)?;
    let mut report = Report::new(Machine::look(), plan.setup.clone());
    if plan.request.resume {
        match resumed(plan, &report.machine, folder)? {
            Some(saved) => {
                note(&format!("resumed with {} rows already measured", saved.rows.len()));
                report = saved;
                report.setup.time_seconds = plan.setup.time_seconds;
            }
            None => note(&format!("nothing to resume in {}", folder.display())),
        }
    }
    report.uncounted = Counters::open().err();
    let progress = Progress::new();
    let stop = progress.stop_on_interrupt();
    if !plan.request.json {
        show(&print::head(&report))?;
    }
    if plan.roofline && report.roofline.is_none() {
        progress.show("limits of the machine");
        let most = plan.request.threads().into_iter().max().unwrap_or(1);
        let bytes = plan.groups.iter().map(|group| group.scene.estimated_bytes());
        let largest = bytes.max().unwrap_or(0).try_into().unwrap_or(usize::MAX);
        report.roofline = Some(Roofline::measure(&[1, most], largest)?);
    }
    let save = |report: &Report| files::save_json(report, folder);
    let mut measurement =
        Measurement { pace: plan.pace, begun, stop: &stop, progress, save: &save };
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

/// Prints, and ignores a closed pipe. A reader such as `head` may leave early, which must neither
/// stop the measurement nor cost its report.
fn show(text: &str) -> Result<(), Failure> {
    io::stdout().write_all(text.as_bytes()).or_else(|error| match error.kind() {
        ErrorKind::BrokenPipe => Ok(()),
        _ => Err(error.into()),
    })
}
