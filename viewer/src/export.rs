//! Pictures and recordings as files, or as raw pixels for another program.

pub(crate) mod files;
mod gif;
pub(crate) mod recorder;
pub(crate) mod target;
