//! Errors that end the viewer with exit code 2.

use std::fmt::Display;
use std::path::Path;

#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error("{0}")]
    Engine(#[from] flockwork::Error),
    #[error(
        "there is no agent {number} to explain: the scene has {agents} agents, numbered from 0"
    )]
    NoAgent { number: u32, agents: usize },
    #[error("there is no agent {number} to explain: it was removed; {agents} agents are left")]
    Removed { number: u32, agents: usize },
    #[error(
        "all pairs of {agents} agents would take more than ten seconds per step: \
         the window allows up to {limit}"
    )]
    AllPairs { agents: usize, limit: usize },
    #[error("cannot write {path}: {message}")]
    Write { path: String, message: String },
    #[error(
        "cannot open a window: {0}\nTo run without a display, use for example\n  flockwork-viewer \
         --headless --scene stress --steps 600 --png stress.png"
    )]
    NoWindow(String),
    #[error("cannot draw in the window: {0}")]
    Drawing(String),
}

impl Error {
    pub(crate) fn write(path: &Path, error: &dyn Display) -> Self {
        Self::Write { path: path.display().to_string(), message: error.to_string() }
    }
}
