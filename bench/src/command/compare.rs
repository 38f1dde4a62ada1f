//! Whether a build is slower or faster than a saved baseline, row by row, and when that
//! cannot be told.
//!
//! Each row has a noise floor: how far two runs of the same binary may be apart. It comes from
//! how far the blocks of a row, which are spread over its run, are from each other, in both
//! runs. A row that happened to agree with itself is given the noise of a typical row of its
//! run. Only what is beyond the floor is called faster or slower, and if the floor is so high
//! that a change of a tenth could hide below it, the row is unknown rather than the same.

use std::io::{self, Write};
use std::process::ExitCode;

use serde::Serialize;

use crate::Failure;
use crate::command::options::Compare;
use crate::command::plan::Plan;
use crate::command::session::{self, unless_reader_left};
use crate::output::numbers::digits;
use crate::output::table;
use crate::results::files;
use crate::results::report::Report;
use crate::results::row::Row;
use crate::results::statistics::{Confidence, mean_and_variance, median, student_t};

/// What two runs of the same binary differ by although each agrees with itself: where its
/// memory came to lie, and how fast the processor was meanwhile.
const LOWEST_FLOOR: f64 = 0.05;
/// With a higher floor, "the same" would say too little.
const HIGHEST_FLOOR: f64 = 0.10;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Verdict {
    Slower,
    Faster,
    Same,
    Unknown,
}

impl Verdict {
    fn word(self) -> &'static str {
        match self {
            Self::Slower => "slower",
            Self::Faster => "faster",
            Self::Same => "same",
            Self::Unknown => "unknown",
        }
    }
}

/// A row of both reports.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Compared {
    id: String,
    baseline_ns: f64,
    new_ns: f64,
    /// 0.1: a tenth slower.
    change: f64,
    noise_floor: f64,
    verdict: Verdict,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
    /// Percent of what the machine allows, before and now, where both runs measured that.
    #[serde(skip_serializing_if = "Option::is_none")]
    of_limit: Option<[f64; 2]>,
}

/// All verdicts, and what could not be compared.
#[derive(Debug, Serialize)]
pub(crate) struct Comparison {
    baseline: String,
    new: String,
    same_binary: bool,
    same_machine: bool,
    rows: Vec<Compared>,
    only_in_baseline: Vec<String>,
    only_in_new: Vec<String>,
}

pub(crate) fn run(options: &Compare) -> Result<ExitCode, Failure> {
    let baseline = files::load(&options.baseline)?;
    let mut out = io::stdout().lock();
    let new = match &options.new {
        Some(path) => files::load(path)?,
        None => {
            let plan = Plan::again(&baseline.setup)?;
            session::measure(&plan, &options.out, |report, note| {
                if options.json {
                    return Ok(());
                }
                unless_reader_left(table::print_head(report, note, &mut out))
            })?
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

impl Comparison {
    pub(crate) fn of(baseline: &Report, new: &Report) -> Self {
        let noise = [typical_variance(baseline), typical_variance(new)];
        let missing_in = |other: &Report, rows: &[Row]| -> Vec<String> {
            rows.iter().map(|row| &row.id).filter(|id| other.row(id).is_none()).cloned().collect()
        };
        let reached = |report: &Report, row: &Row| Some(report.reached.get(&row.id)?.percent);
        let compared = |row: &Row| {
            let compared = compare(row, new.row(&row.id)?, noise);
            let of_limit = reached(baseline, row).zip(reached(new, row));
            Some(Compared { of_limit: of_limit.map(|(a, b)| [a, b]), ..compared })
        };
        let (a, b) = (&baseline.machine, &new.machine);
        Self {
            baseline: a.commit.clone(),
            new: b.commit.clone(),
            same_binary: a.binary == b.binary,
            same_machine: (&a.cpu, a.cores) == (&b.cpu, b.cores),
            rows: baseline.rows.iter().filter_map(compared).collect(),
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
        writeln!(out, "{} of {} rows", counts.join(", "), self.rows.len())
    }
}

/// Logarithms of the block medians: differences of these are ratios of times.
fn logs(row: &Row) -> Vec<f64> {
    row.block_medians().into_iter().map(f64::ln).collect()
}

/// How far the blocks of a typical row are apart.
fn typical_variance(report: &Report) -> f64 {
    let of_row = |row: &Row| (row.blocks.len() > 1).then(|| mean_and_variance(&logs(row)).1);
    let variances: Vec<f64> = report.rows.iter().filter_map(of_row).collect();
    if variances.is_empty() { 0.0 } else { median(&variances) }
}

fn compare(baseline: &Row, new: &Row, typical: [f64; 2]) -> Compared {
    let ends = [(baseline, typical[0]), (new, typical[1])].map(|(row, typical)| {
        let logs = logs(row);
        let (mean, variance) = mean_and_variance(&logs);
        (mean, variance.max(typical) / logs.len() as f64, logs.len())
    });
    let [(before, error_before, blocks_before), (after, error_after, blocks_after)] = ends;
    let degrees = (blocks_before + blocks_after).saturating_sub(2);
    let half = student_t(degrees, Confidence::P99) * (error_before + error_after).sqrt();
    let noise_floor = (half.exp() - 1.0).max(LOWEST_FLOOR);
    let change = (after - before).exp() - 1.0;
    let (verdict, why) = if baseline.state_hash != new.state_hash {
        (Verdict::Unknown, Some("other work: the state hashes differ".to_owned()))
    } else if blocks_before < 2 || blocks_after < 2 {
        (Verdict::Unknown, Some("an interrupted run: too few blocks".to_owned()))
    } else if change > noise_floor {
        (Verdict::Slower, None)
    } else if 1.0 / (1.0 + change) - 1.0 > noise_floor {
        (Verdict::Faster, None)
    } else if noise_floor > HIGHEST_FLOOR {
        (Verdict::Unknown, Some("too noisy to tell".to_owned()))
    } else {
        (Verdict::Same, None)
    };
    Compared {
        id: baseline.id.clone(),
        baseline_ns: baseline.median_ns,
        new_ns: new.median_ns,
        change,
        noise_floor,
        verdict,
        why,
        of_limit: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::row::tests::row_of;

    /// Five blocks around `ns`, which differ by up to `spread`.
    fn row(ns: f64, spread: f64) -> Row {
        let block = |k: f64| vec![ns * (1.0 + spread * k); 4];
        row_of("a", 100, [-0.5, 0.5, 0.0, -0.25, 0.25].map(block).to_vec())
    }

    fn verdict(baseline: &Row, new: &Row) -> Verdict {
        compare(baseline, new, [0.0; 2]).verdict
    }

    #[test]
    fn verdicts_follow_the_change_and_the_noise() {
        let quiet = row(100.0, 0.01);
        assert_eq!(verdict(&quiet, &row(100.5, 0.01)), Verdict::Same);
        assert_eq!(verdict(&quiet, &row(110.0, 0.01)), Verdict::Slower);
        assert_eq!(verdict(&quiet, &row(91.0, 0.01)), Verdict::Faster);
        // A tenth hides in noise as large as this.
        assert_eq!(verdict(&row(100.0, 0.4), &row(105.0, 0.4)), Verdict::Unknown);
        assert_eq!(verdict(&row(100.0, 0.4), &row(200.0, 0.4)), Verdict::Slower);
    }

    #[test]
    fn a_change_below_the_lowest_floor_is_none_however_quiet_the_rows() {
        assert_eq!(verdict(&row(100.0, 0.0), &row(104.5, 0.0)), Verdict::Same);
        assert_eq!(verdict(&row(100.0, 0.0), &row(105.5, 0.0)), Verdict::Slower);
    }

    #[test]
    fn a_row_that_agrees_with_itself_by_chance_has_the_noise_of_its_run() {
        let compared = compare(&row(100.0, 0.0), &row(105.0, 0.0), [0.03_f64.powi(2); 2]);
        assert!(compared.noise_floor > 0.05, "{compared:?}");
        assert_eq!(compared.verdict, Verdict::Same);
    }

    #[test]
    fn other_states_and_single_blocks_are_not_compared() {
        let mut other = row(150.0, 0.01);
        other.state_hash = "f".into();
        assert_eq!(verdict(&row(100.0, 0.01), &other), Verdict::Unknown);
        let short = row_of("a", 100, vec![vec![150.0; 9]]);
        assert_eq!(verdict(&row(100.0, 0.01), &short), Verdict::Unknown);
    }

    #[test]
    fn runs_of_the_same_noise_are_the_same_in_19_of_20_rows() {
        // Blocks that differ at random by about 2 %, one-sided as real disturbances are.
        let mut state = 1_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 40) as f64 / (1_u64 << 24) as f64
        };
        let mut noisy = |ns: f64| {
            let block = |k: f64| vec![ns * (1.0 + 0.06 * k * k); 4];
            row_of("a", 100, (0..5).map(|_| block(random())).collect())
        };
        let rows: Vec<_> = (0..400).map(|_| (noisy(100.0), noisy(100.0))).collect();
        let same = rows.iter().filter(|(a, b)| verdict(a, b) == Verdict::Same).count();
        assert!(same >= 380, "{same} of 400");
        let slower: Vec<_> = (0..400).map(|_| (noisy(100.0), noisy(112.0))).collect();
        let found = slower.iter().filter(|(a, b)| verdict(a, b) == Verdict::Slower).count();
        assert!(found >= 380, "{found} of 400");
    }
}
