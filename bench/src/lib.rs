//! Measures how the time of a step grows with the number of agents, and what it goes into;
//! checks every result before it prints a time; says how sure it is.
//!
//! Imports run one way, from the bottom of this list to its top:
//!
//! - [`failure`] and `numbers`: errors, and numbers for people;
//! - [`crowds`] and [`combinations`], which scenes are built from; [`peers`] and [`rungs`], other
//!   ways to compute steps than the engine's; [`roofline`], what the machine can do at most;
//!   `method`, the engine's ways;
//! - `experiments`: which crowds are measured in which ways;
//! - `results`: rows of times, what follows from them, and reports as files;
//! - `measure`: runs experiments and fills a report;
//! - `output`: a report as text, figures and pages;
//! - [`command`]: options, plans, sessions and comparisons of reports.

pub mod combinations;
pub mod command;
pub mod crowds;
mod experiments;
pub mod failure;
mod measure;
mod method;
mod numbers;
mod output;
pub mod peers;
mod results;
pub mod roofline;
pub mod rungs;
