//! Behaviors of other crates, as another crate writes them.

pub(crate) mod behaviors;
mod columns;
mod external;
mod files;
mod forces;
mod refusals;
