//! Measures two programs alternately and decides for each row which program is faster.
//!
//! Each pass restarts both programs, because memory layout varies between processes
//! but not within one. Within a pass, the two programs alternate block by block, so both see
//! the same background load. A row's ratio is the trimmed mean over all passes, and its interval
//! shows how well they agree. Passes repeat until all intervals are narrow or time runs out.

use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

use serde::Serialize;

use crate::failure::{Failure, cannot_use};
use crate::measure::progress::Progress;
use crate::numbers::{count, digits};
use crate::options::Compare;
use crate::output::table::Table;

mod program;
mod protocol;
mod verdict;

use protocol::ServedProgram;
pub(crate) use protocol::serve;
use verdict::{RowPasses, RowVerdict, Verdict};

#[derive(Serialize)]
struct Comparison {
    a: String,
    b: String,
    commits: [String; 2],
    passes: usize,
    interrupted: bool,
    rows: Vec<RowVerdict>,
    /// Number of rows that only program A can measure, then the number that only B can measure.
    only_in: [usize; 2],
}

pub(crate) fn run(asked: &Compare) -> Result<ExitCode, Failure> {
    let paths = [program::find(&asked.a)?, program::find(&asked.b)?];
    let mut progress = Progress::new();
    let stop = progress.stop_on_interrupt();
    let begun = Instant::now();
    let start = |k: usize| ServedProgram::start(&paths[k], &asked.measurement);
    let rows = [start(0)?.greeting.clone(), start(1)?.greeting.clone()];
    let common = rows[0].rows.iter().filter(|id| rows[1].rows.contains(*id)).cloned();
    let mut measured: Vec<RowPasses> = common.map(RowPasses::new).collect();
    if measured.is_empty() {
        return Err(cannot_use(&"the measurement", &"the two programs have no row in common"));
    }
    let all = measured.len();
    let now = || begun.elapsed().as_secs_f64();
    while measured.iter().any(|row| !row.needs_no_more(all)) {
        if now() >= asked.time || stop.load(Relaxed) {
            break;
        }
        progress.at(now(), asked.time - now());
        let mut programs = [start(0)?, start(1)?];
        for row in measured.iter_mut().filter(|row| !row.needs_no_more(all)) {
            progress.tick(&row.id, "alternating");
            // Every row gets at least one pass, however long the pass takes.
            if stop.load(Relaxed) || now() > asked.time && !row.passes.is_empty() {
                break;
            }
            row.pass(&mut programs)?;
        }
    }
    progress.clear();
    measured.retain(|row| !row.passes.is_empty());
    let found = Comparison {
        a: asked.a.clone(),
        b: asked.b.clone(),
        commits: rows.each_ref().map(|greeting| greeting.commit.clone()),
        passes: measured.iter().map(|row| row.passes.len()).max().unwrap_or(0),
        interrupted: stop.load(Relaxed),
        rows: measured.iter().map(|row| row.judge(all)).collect(),
        only_in: rows.each_ref().map(|greeting| greeting.rows.len() - all),
    };
    let mut out = io::stdout().lock();
    if asked.json {
        writeln!(out, "{}", serde_json::to_string(&found).expect("plain data"))?;
    } else {
        found.print(&mut out)?;
    }
    let is_bad = |row: &RowVerdict| matches!(row.verdict, Verdict::Different | Verdict::Slower);
    Ok(match found.rows.iter().any(is_bad) {
        _ if found.interrupted => ExitCode::from(130),
        true => ExitCode::from(1),
        false => ExitCode::SUCCESS,
    })
}

impl Comparison {
    fn print(&self, out: &mut impl Write) -> io::Result<()> {
        for (name, program, commit) in
            [("A", &self.a, &self.commits[0]), ("B", &self.b, &self.commits[1])]
        {
            writeln!(out, "{name}: {program} (built from {commit})")?;
        }
        writeln!(out, "times in ns per agent-step, {} passes\n", self.passes)?;
        let line = |row: &RowVerdict| {
            let [a, b] = row.ns.map(digits);
            let interval = match row.verdict {
                Verdict::Unknown if row.high >= 10.0 => "too few passes".to_owned(),
                _ => format!("[{:.4}, {:.4}]", row.low, row.high),
            };
            let ratio = format!("{:.4}", row.ratio);
            let verdict = match row.verdict {
                Verdict::Different => "different states",
                Verdict::Slower => "slower",
                Verdict::Faster => "faster",
                Verdict::Same => "same",
                Verdict::Unknown => "unknown",
            };
            vec![row.id.clone(), a, b, ratio, interval, verdict.to_owned()]
        };
        let head = "row | A: | B: | B / A: | 99 % interval: | B is";
        let table = Table::new(head, self.rows.iter().map(line).collect());
        write!(out, "{table}")?;
        writeln!(out, "same: within 1 %; unknown: a longer --time gives more passes")?;
        let [a, b] = self.only_in.map(|rows| count(rows, "row"));
        writeln!(out, "not compared: {a} only in A, {b} only in B")?;
        let [slower, faster] = [Verdict::Slower, Verdict::Faster]
            .map(|verdict| self.rows.iter().filter(|row| row.verdict == verdict).count());
        let all = self.rows.len();
        writeln!(out, "\nB is slower in {slower} and faster in {faster} of {all} rows")
    }
}
