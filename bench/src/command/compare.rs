//! Compares a saved report with another, or with a new measurement of the same rows.

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use serde::Serialize;

use crate::command::options::Compare;
use crate::command::plan::Plan;
use crate::command::session::{self, unless_reader_left};
use crate::command::verdict::{
    CALLED_BY_CHANCE, CLOCK_NOISE, Compared, Verdict, compare, typical_variance,
};
use crate::failure::Failure;
use crate::numbers::digits;
use crate::output::print::print_head;
use crate::results::files;
use crate::results::report::Report;
use crate::results::row::Row;
use crate::results::statistics::median;

/// All verdicts, and the rows that are in only one report.
#[derive(Debug, Serialize)]
pub(crate) struct Comparison {
    baseline: String,
    new: String,
    same_binary: bool,
    same_machine: bool,
    /// By what share the clock ran faster than in the baseline, in a typical row.
    clock_change: Option<f64>,
    rows: Vec<Compared>,
    /// At most how many rows would be called slower or faster if nothing had changed.
    expected_by_chance: f64,
    only_in_baseline: Vec<String>,
    only_in_new: Vec<String>,
}

pub(crate) fn run(options: &Compare) -> Result<ExitCode, Failure> {
    let baseline = files::load(&options.baseline)?;
    let mut out = io::stdout();
    let new = match &options.new {
        Some(path) => files::load(path)?,
        None => {
            refuse_to_overwrite(&options.baseline, &options.out)?;
            let plan = Plan::again(&baseline.setup)?;
            let announce = |report: &Report| match options.json {
                true => Ok(()),
                false => unless_reader_left(print_head(report, &mut io::stdout())),
            };
            session::measure(&plan, &options.out, announce, |_| Ok(()))?
        }
    };
    let comparison = Comparison::of(&baseline, &new);
    unless_reader_left(if options.json {
        writeln!(out, "{}", serde_json::to_string(&comparison).expect("plain data"))
    } else {
        comparison.print(&mut out)
    })?;
    Ok(match comparison.count(Verdict::Slower) {
        _ if options.new.is_none() && new.interrupted => ExitCode::from(130),
        0 => ExitCode::SUCCESS,
        _ => ExitCode::from(1),
    })
}

/// Refuses to replace the baseline by the new report: it could not be compared with again.
fn refuse_to_overwrite(baseline: &Path, out: &Path) -> Result<(), Failure> {
    let of_baseline = files::file_of(baseline).canonicalize().ok();
    if of_baseline.is_some() && of_baseline == files::file_of(out).canonicalize().ok() {
        return Err(Failure::Output {
            path: out.display().to_string(),
            message: "the baseline is in this folder; choose another with --out".into(),
        });
    }
    Ok(())
}

impl Comparison {
    pub(crate) fn of(baseline: &Report, new: &Report) -> Self {
        let typical = [typical_variance(baseline), typical_variance(new)];
        let missing_in = |other: &Report, rows: &[Row]| -> Vec<String> {
            rows.iter().map(|row| &row.id).filter(|id| other.row(id).is_none()).cloned().collect()
        };
        let reached = |report: &Report, row: &Row| Some(report.reached.get(&row.id)?.percent);
        let compared = |row: &Row| {
            let compared = compare(row, new.row(&row.id)?, typical)?;
            let of_limit = reached(baseline, row).zip(reached(new, row));
            Some(Compared { of_limit: of_limit.map(|(a, b)| [a, b]), ..compared })
        };
        let (a, b) = (&baseline.machine, &new.machine);
        let rows: Vec<Compared> = baseline.rows.iter().filter_map(compared).collect();
        let clock_changes: Vec<f64> = rows.iter().map(|row| row.clock_change).collect();
        Self {
            clock_change: (!rows.is_empty()).then(|| median(&clock_changes)),
            baseline: a.commit.clone(),
            new: b.commit.clone(),
            same_binary: a.binary == b.binary,
            same_machine: (&a.cpu, a.cores) == (&b.cpu, b.cores),
            expected_by_chance: CALLED_BY_CHANCE * rows.len() as f64,
            rows,
            only_in_baseline: missing_in(new, &baseline.rows),
            only_in_new: missing_in(baseline, &new.rows),
        }
    }

    fn count(&self, verdict: Verdict) -> usize {
        self.rows.iter().filter(|row| row.verdict == verdict).count()
    }

    fn print(&self, out: &mut impl Write) -> io::Result<()> {
        let same = if self.same_binary { ", the same binary" } else { "" };
        writeln!(out, "baseline {}, new {}{same}", self.baseline, self.new)?;
        if !self.same_machine {
            writeln!(out, "warning: measured on different machines")?;
        }
        if let Some(change) = self.clock_change.filter(|change| change.abs() > CLOCK_NOISE) {
            let way = if change > 0.0 { "faster" } else { "slower" };
            writeln!(
                out,
                "warning: the clock ran {:.1} % {way} than in the baseline; rows whose verdict \
                 depends on it are unknown",
                100.0 * change.abs()
            )?;
        }
        let widest = self.rows.iter().map(|row| row.id.chars().count()).max().unwrap_or(0);
        let head = ["row", "baseline", "new", "change", "floor", "verdict"];
        let [row, before, after, change, floor, verdict] = head;
        writeln!(
            out,
            "{row:widest$}  {before:>9}  {after:>9}  {change:>8}  {floor:>8}  {verdict}"
        )?;
        for row in &self.rows {
            let why = row.why.as_ref().map_or(String::new(), |why| format!(": {why}"));
            let of_limit = row.of_limit.map_or(String::new(), |[before, now]| {
                format!("; {before:.0} % → {now:.0} % of the limit")
            });
            writeln!(
                out,
                "{:widest$}  {:>9}  {:>9}  {:>+6.1} %  {:>6.1} %  {}{why}{of_limit}",
                row.id,
                digits(row.baseline_ns),
                digits(row.new_ns),
                100.0 * row.change,
                100.0 * row.noise_floor,
                row.verdict.word(),
            )?;
        }
        for (what, ids) in [("baseline", &self.only_in_baseline), ("new", &self.only_in_new)] {
            if !ids.is_empty() {
                writeln!(out, "only in the {what} report: {}", ids.join(", "))?;
            }
        }
        let all = [Verdict::Slower, Verdict::Faster, Verdict::Same, Verdict::Unknown];
        let counts = all.map(|verdict| format!("{} {}", self.count(verdict), verdict.word()));
        writeln!(out, "{} of {} rows", counts.join(", "), self.rows.len())?;
        if self.count(Verdict::Slower) + self.count(Verdict::Faster) > 0 {
            writeln!(
                out,
                "if nothing had changed, up to {:.2} of them would be called slower or faster by \
                 chance",
                self.expected_by_chance
            )?;
        }
        Ok(())
    }
}
