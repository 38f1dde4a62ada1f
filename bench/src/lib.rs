//! Measures how the time of a step grows with the number of agents, and where it goes. Checks
//! every result before it prints a time, and reports how certain each time is.
//!
//! A module imports only from modules above it in this list:
//!
//! - `numbers`: numbers as text. `stopwatch`: how times are taken. [`roofline`]: the limits of the
//!   machine. [`failure`]: the error;
//! - [`crowds`]: scenes with one behavior, or with one way to combine forces. [`rungs`] and [`peers`]:
//!   steps without the engine;
//! - `method`: the ways to compute a step. `experiment`: what is asked of them. `options`: the command
//!   line;
//! - `experiments`: the crowds of each measurement. `results`: rows of times, and their statistics;
//! - `measure`: measures crowds and fills a report. `output`: the report as files and text;
//! - `compare`: two programs in turns;
//! - [`command`]: what the program does. [`program`]: how every program here begins and ends.
//!
//! To follow an option such as `--n` to a printed row, read `options`, `command`, `experiments/plain`,
//! `experiments/group`, `measure/mod`, `measure/runner`, `results/row`, `output/details` and
//! `output/table`.

pub mod command;
mod compare;
pub mod crowds;
mod experiment;
mod experiments;
pub mod failure;
mod measure;
mod method;
mod numbers;
mod options;
mod output;
pub mod peers;
pub mod program;
mod results;
pub mod roofline;
pub mod rungs;
mod stopwatch;

/// Runs the programs of the repository's README as they are.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
