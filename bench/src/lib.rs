//! Measures how step time grows with the number of agents, and where that time goes.
//! Every result is checked before a time is printed, and every time comes with its uncertainty.
//!
//! A module imports only from modules above it in this list:
//!
//! - `numbers`: number formatting. `stopwatch`: all timing.
//!   [`roofline`]: the limits of the machine. [`failure`]: the error type;
//! - [`crowds`]: scenes that isolate one behavior or one rule for combining forces.
//!   [`rungs`] and [`peers`]: steps without the engine;
//! - `variant`: the variants of a step. `experiment`: the speed-ups to report.
//!   `options`: the command line;
//! - `experiments`: the crowds of each measurement. `results`: rows of times and their statistics;
//! - `measure`: measures crowds and fills a report. `output`: the report as files and text;
//! - `compare`: measures two programs alternately and compares them;
//! - [`command`]: the commands. [`program`]: startup and exit codes of all programs in this crate.
//!
//! How an option becomes a printed row, in ten functions from the innermost call out:
//! `Group::plain` (1) turns `--n` or the sizes of `--quick` into a scene, and
//! `experiments::groups` (2) lists all groups. `crowd::warm` (3) builds the crowds of a group, and
//! `Runner::turn` (4) times their steps. `Calm::of` (5) estimates a time, which
//! `Row::summarize` (6) stores in the row that `Run::measure_block` (7) adds to the report for
//! `Run::measure` (8). `details::times` (9) formats the row for `details::sections` (10), and
//! `output::print` prints it. `cell-size` takes the same path: `Group::plain` sets the cell height.

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
pub mod peers;
pub mod program;
mod results;
pub mod roofline;
pub mod rungs;
mod variant;

#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
