//! From the command line to the last line printed.

pub(crate) mod compare;
pub(crate) mod options;
pub(crate) mod plan;
pub(crate) mod session;
mod verdict;
