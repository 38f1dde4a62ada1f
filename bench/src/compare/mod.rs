//! Two programs in turns: which is faster, row by row.
//!
//! Both are started anew in every pass, since where memory lies differs from process to process and
//! stays the same within one. In a pass, blocks of the two alternate, so that both see the same
//! minute. The ratio of a row is the trimmed mean over passes, and its interval says how well passes
//! agree. Passes go on until all intervals are narrow or the time is spent.

use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Instant;

use serde::Serialize;

use crate::failure::Failure;
use crate::measure::progress::Progress;
use crate::numbers::digits;

mod asked;
mod passes;
mod program;
mod serve;
mod verdict;

use asked::Asked;
use passes::Passes;
pub(crate) use serve::serve;
use verdict::{Judged, Verdict};

/// What is asked of a comparison.
pub(crate) struct Comparison {
    /// Paths of programs, or revisions.
    pub(crate) programs: [String; 2],
    /// The command line of the measurement whose rows are compared.
    pub(crate) measurement: Vec<String>,
    pub(crate) seconds: f64,
    pub(crate) json: bool,
}

/// What is found.
#[derive(Serialize)]
struct Found {
    a: String,
    b: String,
    commits: [String; 2],
    /// Passes of the row that has the most.
    passes: usize,
    interrupted: bool,
    rows: Vec<Judged>,
    only_in_a: Vec<String>,
    only_in_b: Vec<String>,
}

pub(crate) fn run(asked: &Comparison) -> Result<ExitCode, Failure> {
    let paths = [program::find(&asked.programs[0])?, program::find(&asked.programs[1])?];
    let stop = Arc::new(AtomicBool::new(false));
    let stopped = Arc::clone(&stop);
    // Without a handler Ctrl-C ends the program at once, which is no reason not to compare.
    let _ = ctrlc::set_handler(move || {
        if stopped.swap(true, Relaxed) {
            std::process::exit(130);
        }
    });
    let begun = Instant::now();
    let start = |k: usize| Asked::start(&paths[k], &asked.measurement);
    let rows = [start(0)?.greeting.clone(), start(1)?.greeting.clone()];
    let only_in = |a: usize, b: usize| -> Vec<String> {
        let missing = |id: &&String| !rows[b].rows.contains(*id);
        rows[a].rows.iter().filter(missing).cloned().collect()
    };
    let common = rows[0].rows.iter().filter(|id| rows[1].rows.contains(*id)).cloned();
    let mut passes = Passes::new(common.collect());
    if passes.is_empty() {
        let message = "the two programs have no row in common".to_owned();
        return Err(Failure::Input { path: "the measurement".into(), message });
    }
    let mut progress = Progress::new();
    while !passes.are_enough() && begun.elapsed().as_secs_f64() < asked.seconds {
        let now = begun.elapsed().as_secs_f64();
        progress.at(now, asked.seconds - now);
        passes.pass(&start, &|row, is_measured| {
            progress.tick(row, "in turns");
            let is_late = begun.elapsed().as_secs_f64() > asked.seconds;
            stop.load(Relaxed) || is_late && is_measured
        })?;
        if stop.load(Relaxed) {
            break;
        }
    }
    progress.clear();
    let found = Found {
        a: asked.programs[0].clone(),
        b: asked.programs[1].clone(),
        commits: rows.each_ref().map(|greeting| greeting.commit.clone()),
        passes: passes.most(),
        interrupted: stop.load(Relaxed),
        rows: passes.judge(),
        only_in_a: only_in(0, 1),
        only_in_b: only_in(1, 0),
    };
    let mut out = io::stdout().lock();
    if asked.json {
        writeln!(out, "{}", serde_json::to_string(&found).expect("plain data"))?;
    } else {
        found.print(&mut out)?;
    }
    Ok(match found.rows.iter().any(|row| row.verdict.is_bad()) {
        _ if found.interrupted => ExitCode::from(130),
        true => ExitCode::from(1),
        false => ExitCode::SUCCESS,
    })
}

impl Found {
    fn print(&self, out: &mut impl Write) -> io::Result<()> {
        for (name, program, commit) in
            [("A", &self.a, &self.commits[0]), ("B", &self.b, &self.commits[1])]
        {
            writeln!(out, "{name}: {program} (built from {commit})")?;
        }
        writeln!(out, "times in ns per agent-step, {} passes\n", self.passes)?;
        let widest = self.rows.iter().map(|row| row.id.chars().count()).max().unwrap_or(0);
        let [row, ratio, interval] = ["row", "time of B / A", "99 % interval"];
        writeln!(out, "{row:widest$}  {:>9}  {:>9}  {ratio:>14}  {interval:>18}", "A", "B")?;
        for row in &self.rows {
            let [a, b] = row.ns.map(digits);
            let interval = match row.verdict {
                Verdict::Unknown if row.high >= 10.0 => "too few passes".to_owned(),
                _ => format!("[{:.4}, {:.4}]", row.low, row.high),
            };
            writeln!(
                out,
                "{:widest$}  {a:>9}  {b:>9}  {:>14.4}  {interval:>18}  {}",
                row.id,
                row.ratio,
                row.verdict.words()
            )?;
        }
        for (name, ids) in [("A", &self.only_in_a), ("B", &self.only_in_b)] {
            if !ids.is_empty() {
                writeln!(out, "only in {name}: {}", ids.join(", "))?;
            }
        }
        let count = |verdict| self.rows.iter().filter(|row| row.verdict == verdict).count();
        let [slower, faster] = [Verdict::Slower, Verdict::Faster].map(count);
        writeln!(
            out,
            "\nB is slower in {slower} and faster in {faster} of {} rows",
            self.rows.len()
        )
    }
}
