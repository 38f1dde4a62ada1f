//! Measures how step time grows with the number of agents, and where that time goes.
//! Every result is checked before a time is printed, and every time comes with its uncertainty.
//!
//! A module imports only from modules above it in this list:
//!
//! - `numbers`: number formatting. `stopwatch`: all timing.
//!   [`roofline`]: the limits of the machine. [`failure`]: the error type;
//! - [`crowds`]: scenes that isolate one behavior or one rule for combining forces.
//!   [`rungs`] and [`peers`]: steps without the engine;
//! - `method`: the ways to compute a step. `experiment`: the speed-ups to report.
//!   `options`: the command line;
//! - `experiments`: the crowds of each measurement. `results`: rows of times and their statistics;
//! - `measure`: measures crowds and fills a report. `output`: the report as files and text;
//! - `compare`: measures two programs alternately and compares them;
//! - [`command`]: the commands. [`program`]: startup and exit codes of all programs in this crate.
//!
//! To follow an option such as `--n` to a printed row, read `options`, `command`,
//! `experiments/plain`, `experiments/group`, `measure/mod`, `measure/runner`, `results/row`,
//! `output/details` and `output/table`.

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

#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
