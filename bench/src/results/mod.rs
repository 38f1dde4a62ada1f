//! Measured rows, their statistics, the machine they were measured on, and reports as files.

pub(crate) mod block;
pub(crate) mod calm;
mod check;
pub(crate) mod files;
pub(crate) mod fit;
pub(crate) mod machine;
pub(crate) mod ratio;
pub(crate) mod report;
pub(crate) mod row;
pub(crate) mod statistics;
#[cfg(test)]
mod tests;
