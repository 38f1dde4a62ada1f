//! The other side of a comparison: a program that measures a block of a row whenever it is asked.
//!
//! It first prints one line, its [`Greeting`]. For each line of standard input, the id of a row, it
//! prints a line with a [`Served`] block. It ends with its input.

use std::io::{self, BufRead, Write};

use serde::{Deserialize, Serialize};

use crate::experiments::group::{Case, Group};
use crate::failure::Failure;
use crate::measure::crowd;
use crate::measure::runner::Runner;
use crate::results::statistics::lower_quartile;

/// What a program says first.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Greeting {
    pub(super) commit: String,
    /// The ids of the rows that may be asked for.
    pub(super) rows: Vec<String>,
}

/// A block of a row.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Served {
    /// Nanoseconds per agent-step, as in a report.
    pub(super) ns: f64,
    /// The state after it.
    pub(super) hash: String,
}

/// Seconds of a block's timed repeats, at least, and how many these are at least.
const SECONDS: f64 = 0.01;
const FEWEST_REPEATS: usize = 3;

/// Serves the rows of these groups, of which those are left out whose step usually takes longer
/// than `step_seconds`.
pub(crate) fn serve(groups: &[Group], step_seconds: f64) -> Result<(), Failure> {
    let rows = groups.iter().flat_map(|group| group.cases.iter().map(move |case| (group, case)));
    let usual = |group: &Group, case: &Case| case.way.usual_seconds(group.agents());
    let rows: Vec<_> = rows.filter(|(group, case)| usual(group, case) <= step_seconds).collect();
    let ids = rows.iter().map(|(group, case)| group.id(case)).collect();
    answer(&Greeting { commit: env!("FLOCKWORK_COMMIT").into(), rows: ids })?;
    let mut current: Option<(String, Vec<_>, Runner<'_>, u64)> = None;
    for line in io::stdin().lock().lines() {
        let id = line?;
        if current.as_ref().is_none_or(|(known, ..)| *known != id) {
            // Memory is given back before the next crowd takes its own.
            drop(current.take());
            let row = rows.iter().find(|(group, case)| group.id(case) == id);
            let unknown = || Failure::Input { path: id.clone(), message: "no such row".into() };
            let (group, case) = row.ok_or_else(unknown)?;
            let warm = crowd::warm(group, &|_| false)?.expect("nothing interrupts it");
            let mut runner = Runner::new(group, case, &warm[warm.len() - 1])?;
            runner.repeat(&warm, group.steps)?;
            current = Some((id, warm, runner, group.steps));
        }
        let (_, warm, runner, steps) = current.as_mut().expect("set above");
        runner.forget();
        let mut spent = 0.0;
        for repeat in 0.. {
            if repeat >= FEWEST_REPEATS && spent > SECONDS {
                break;
            }
            spent += runner.turn(warm, *steps)?;
        }
        runner.verify();
        let ns = lower_quartile(&runner.block().ns);
        answer(&Served { ns, hash: runner.state_hash() })?;
    }
    Ok(())
}

fn answer(answer: &impl Serialize) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{}", serde_json::to_string(answer).expect("plain data"))?;
    out.flush()
}
