//! Runs without a display.

mod report;
pub(crate) mod run;
