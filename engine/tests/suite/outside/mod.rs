//! Custom behaviors, written as another crate would write them.

pub(crate) mod behaviors;
mod columns;
mod external;
mod files;
mod forces;
mod refusals;
