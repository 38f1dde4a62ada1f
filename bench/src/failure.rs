//! Why a command fails, and its exit code.

use std::io;
use std::path::Path;

use crate::roofline::Unmeasured;

/// Why a command fails.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// Methods that must agree bit for bit do not.
    #[error("{0}")]
    WrongResult(String),
    #[error("{0}")]
    Limit(#[from] Unmeasured),
    #[error("{0}")]
    Engine(#[from] flockwork::Error),
    #[error("cannot write {path}: {message}")]
    Output { path: String, message: String },
    #[error("cannot use {path}: {message}")]
    Input { path: String, message: String },
    #[error("interrupted before anything was measured; nothing is written")]
    Interrupted,
    /// A mistake in the command line, or what it asks about it.
    #[error("{0}")]
    CommandLine(#[from] clap::Error),
    /// Instructions that cannot be counted.
    #[error("{0}")]
    Uncounted(String),
    #[error("cannot print: {0}")]
    Print(#[from] io::Error),
}

impl Failure {
    /// The exit code of the program; its help lists them.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::WrongResult(_) | Self::Limit(Unmeasured::WrongResult { .. }) => 1,
            Self::Interrupted => 130,
            _ => 2,
        }
    }
}

pub(crate) fn cannot_write(path: &Path, message: &impl ToString) -> Failure {
    Failure::Output { path: path.display().to_string(), message: message.to_string() }
}
