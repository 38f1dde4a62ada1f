//! The protocol between `compare` and the programs that it measures.
//!
//! A measured program first prints its [`Greeting`] on one line. It then reads row ids
//! from standard input, one per line, and answers each with a [`Served`] block on one line.
//! It exits when its input closes.

use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::experiments::group::Group;
use crate::failure::{Failure, cannot_use};
use crate::measure::crowd::{self, Warm};
use crate::measure::runner::Runner;
use crate::results::row::Block;
use crate::results::statistics::lower_quartile;
use crate::variant::Variant;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Greeting {
    pub(super) commit: String,
    pub(super) rows: Vec<String>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Served {
    pub(super) ns: f64,
    pub(super) hash: String,
}

pub(super) struct ServedProgram {
    path: PathBuf,
    program: Child,
    answers: BufReader<ChildStdout>,
    pub(super) greeting: Greeting,
}

impl ServedProgram {
    pub(super) fn start(path: &Path, measurement: &[String]) -> Result<Self, Failure> {
        let refuse = |message: &str| cannot_use(&path.display(), &message);
        let mut command = Command::new(path);
        command.arg("serve").args(measurement).stdin(Stdio::piped()).stdout(Stdio::piped());
        // In its own process group, the child doesn't receive Ctrl-C; `compare` ends it instead.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut program = command.spawn().map_err(|error| refuse(&error.to_string()))?;
        let mut answers = BufReader::new(program.stdout.take().expect("piped"));
        match line(&mut answers) {
            Some(greeting) => Ok(Self { path: path.to_owned(), program, answers, greeting }),
            None => {
                let _ = program.kill();
                let _ = program.wait();
                Err(refuse(
                    "it does not serve blocks to `compare`; see its message above, if any. \
                     Revisions older than a `compare` of two programs cannot",
                ))
            }
        }
    }

    pub(super) fn block(&mut self, id: &str) -> Result<Served, Failure> {
        let asked = self.program.stdin.as_mut().map(|input| writeln!(input, "{id}"));
        let answer = asked.and_then(Result::ok).and_then(|()| line(&mut self.answers));
        let ended =
            || cannot_use(&self.path.display(), &format!("it ended while it measured {id}"));
        answer.ok_or_else(ended)
    }
}

impl Drop for ServedProgram {
    fn drop(&mut self) {
        drop(self.program.stdin.take());
        let _ = self.program.wait();
    }
}

fn line<T: DeserializeOwned>(answers: &mut impl BufRead) -> Option<T> {
    let mut text = String::new();
    answers.read_line(&mut text).ok()?;
    serde_json::from_str(&text).ok()
}

/// A block lasts at least this many seconds and has at least `MIN_REPEATS` timed repeats.
const SECONDS: f64 = 0.01;
const MIN_REPEATS: usize = 3;

/// Measures rows on request, except rows whose expected step time exceeds `step_seconds`.
pub(crate) fn serve(groups: &[Group], step_seconds: f64) -> Result<(), Failure> {
    let rows =
        groups.iter().flat_map(|group| group.variants.iter().map(move |variant| (group, *variant)));
    let fits = |(group, variant): &(&Group, Variant)| {
        variant.usual_seconds(group.agents()) <= step_seconds
    };
    let rows: Vec<_> = rows.filter(fits).collect();
    let ids = rows.iter().map(|(group, variant)| group.id(*variant)).collect();
    answer(&Greeting { commit: env!("FLOCKWORK_COMMIT").into(), rows: ids })?;
    let mut current: Option<(String, Warm, Runner, u64)> = None;
    for line in io::stdin().lock().lines() {
        let id = line?;
        if current.as_ref().is_none_or(|(known, ..)| *known != id) {
            // Free the memory of one crowd before allocating the next.
            drop(current.take());
            let row = rows.iter().find(|(group, variant)| group.id(*variant) == id);
            let &(group, variant) = row.ok_or_else(|| cannot_use(&id, &"no such row"))?;
            let warm = crowd::warm(group, &|_| false)?.expect("nothing interrupts it");
            let mut runner = Runner::new(group, variant, &warm)?;
            runner.times_each_step = false;
            // The first turn is a warm-up; its times are discarded.
            runner.turn(&warm, group.steps)?;
            current = Some((id, warm, runner, group.steps));
        }
        let (_, warm, runner, steps) = current.as_mut().expect("set above");
        runner.block = Block::default();
        let mut spent = 0.0;
        for repeat in 0.. {
            if repeat >= MIN_REPEATS && spent > SECONDS {
                break;
            }
            spent += runner.turn(warm, *steps)?;
        }
        let ns = lower_quartile(&runner.block.ns);
        answer(&Served { ns, hash: runner.state_hash() })?;
    }
    Ok(())
}

fn answer(answer: &impl Serialize) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{}", serde_json::to_string(answer).expect("plain data"))?;
    out.flush()
}
