//! Runs without a display: pictures and timings.

pub(crate) mod benchmark;
mod log;
mod report;
pub(crate) mod run;
