//! Measures how step time grows with the number of agents, and where that time goes.
//! Every result is checked before a time is printed, and every time comes with its uncertainty.
//!
//! A module imports only from modules above it in this list:
//!
//! - `numbers`: number formatting
//! - [`failure`]: the error type
//! - [`crowds`]: scenes that isolate one behavior or one rule for combining forces
//! - `peers`: neighbor searches by other crates, and a flock built on one of them
//! - [`uneven`]: crowds with a few unusual agents
//! - `variant`: the variants of a step
//! - `experiment`: the speed-ups to report
//! - `options`: the command line
//! - `experiments`: the crowds of each measurement
//! - `results`: rows of times and their statistics
//! - `measure`: measures crowds and fills a report
//! - `output`: the report as files and text
//! - `compare`: measures two programs alternately and compares them
//! - [`command`]: the commands
//! - [`program`]: startup and exit codes of all programs in this crate
//!
//! How an option such as `--n` becomes a printed row:
//!
//! 1. `experiments::groups` lists the crowds to measure; `Group::plain` makes their scenes.
//! 2. `crowd::warm` builds each crowd, and `Runner::turn` times its steps.
//! 3. `Run::measure_block` adds these times to a row of the report.
//! 4. `Row::summarize` estimates the row's time from its calmest blocks, found by `Calm::of`.
//! 5. `details::times` formats the row, and `output::print` prints it.

pub mod command;
mod compare;
pub mod crowds;
mod experiment;
mod experiments;
pub mod failure;
mod measure;
mod numbers;
mod options;
mod output;
mod peers;
pub mod program;
mod results;
pub mod uneven;
mod variant;

#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
