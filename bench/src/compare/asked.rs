//! A running program that is asked for blocks.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};

use serde::de::DeserializeOwned;

use crate::compare::serve::{Greeting, Served};
use crate::failure::Failure;

pub(super) struct Asked {
    path: PathBuf,
    program: Child,
    answers: BufReader<ChildStdout>,
    pub(super) greeting: Greeting,
}

impl Asked {
    /// Starts a program that serves the rows of a measurement.
    pub(super) fn start(path: &Path, measurement: &[String]) -> Result<Self, Failure> {
        let refuse = |message: String| Failure::Input { path: path.display().to_string(), message };
        let mut command = Command::new(path);
        command.arg("serve").args(measurement).stdin(Stdio::piped()).stdout(Stdio::piped());
        // Ctrl-C is for the comparison, which then ends its programs.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut program = command.spawn().map_err(|error| refuse(error.to_string()))?;
        let mut answers = BufReader::new(program.stdout.take().expect("piped"));
        match line(&mut answers) {
            Some(greeting) => Ok(Self { path: path.to_owned(), program, answers, greeting }),
            None => {
                let _ = program.kill();
                let _ = program.wait();
                Err(refuse(
                    "it does not serve blocks to `compare`; see its message above, if any. \
                     Revisions from before `compare` took two programs cannot"
                        .into(),
                ))
            }
        }
    }

    /// Measures a block of a row.
    pub(super) fn block(&mut self, id: &str) -> Result<Served, Failure> {
        let asked = self.program.stdin.as_mut().map(|input| writeln!(input, "{id}"));
        let answer = asked.and_then(Result::ok).and_then(|()| line(&mut self.answers));
        answer.ok_or_else(|| Failure::Input {
            path: self.path.display().to_string(),
            message: format!("it ended while it measured {id}"),
        })
    }
}

impl Drop for Asked {
    fn drop(&mut self) {
        // It ends with its input.
        drop(self.program.stdin.take());
        let _ = self.program.wait();
    }
}

/// The next line, if it is one of the right kind.
fn line<T: DeserializeOwned>(answers: &mut impl BufRead) -> Option<T> {
    let mut text = String::new();
    answers.read_line(&mut text).ok()?;
    serde_json::from_str(&text).ok()
}
