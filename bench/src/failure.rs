use std::io;
use std::path::Path;

#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// Variants that must produce identical results disagree.
    #[error("{0}")]
    WrongResult(String),
    #[error("{0}")]
    Engine(#[from] flockwork::Error),
    #[error("cannot write {path}: {message}")]
    Output { path: String, message: String },
    #[error("cannot use {path}: {message}")]
    Input { path: String, message: String },
    #[error("interrupted before anything was measured; nothing is written")]
    Interrupted,
    #[error("{0}")]
    CommandLine(#[from] clap::Error),
    #[error("{0}")]
    Uncounted(String),
    #[error("cannot print: {0}")]
    Print(#[from] io::Error),
}

impl Failure {
    /// Exit code of the program; must match the list in `--help`.
    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Self::WrongResult(_) => 1,
            Self::Interrupted => 130,
            _ => 2,
        }
    }
}

pub(crate) fn cannot_write(path: &Path, message: &impl ToString) -> Failure {
    Failure::Output { path: path.display().to_string(), message: message.to_string() }
}

pub(crate) fn cannot_use(what: &impl ToString, message: &impl ToString) -> Failure {
    Failure::Input { path: what.to_string(), message: message.to_string() }
}
