//! Custom behaviors, written as in another crate.

pub(crate) mod behaviors;
mod columns;
mod external;
mod files;
mod forces;
mod refusals;
