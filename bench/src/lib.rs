//! Measures how the time of a step grows with the number of agents, and where it goes. Checks
//! every result before it prints a time, and reports how certain each time is.
//!
//! A module imports only from modules above it in this list:
//!
//! - `numbers`: numbers as text. `counters` and `stopwatch`: how times are taken. [`roofline`]: the
//!   limits of the machine. [`failure`]: the error;
//! - [`crowds`]: scenes with one behavior, or with one way to combine forces;
//!   [`repulsion`]: a behavior as another crate writes it;
//! - `method`: the engine's ways to compute a step. [`rungs`] and [`peers`]: ways without the engine.
//!   `options`: the command line;
//! - `experiments`: which crowds are measured, and in which ways. `results`: rows of times, their
//!   statistics, and reports as files. Neither of these two imports the other;
//! - `measure`: runs experiments and fills a report;
//! - `output`: a report as text, figures and pages;
//! - `compare`: two programs in turns;
//! - [`command`]: plans and sessions. [`program`]: how every program here begins and ends.
//!
//! To follow an option such as `--n` to a printed row, read `options`, `command/plan`,
//! `experiments/plain`, `experiments/group`, `command/session`, `measure/measurement`,
//! `measure/runner`, `results/row`, `output/sections/rows`, `output/table` and `output/print`.

pub mod command;
mod compare;
mod counters;
pub mod crowds;
mod experiments;
pub mod failure;
mod measure;
mod method;
mod numbers;
mod options;
mod output;
pub mod peers;
pub mod program;
pub mod repulsion;
mod results;
pub mod roofline;
pub mod rungs;
mod stopwatch;

/// Runs the programs of the repository's README as they are.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
