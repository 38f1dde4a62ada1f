//! Pictures and recordings as files, or as raw pixels for another program.

mod claim;
pub(crate) mod files;
mod gif;
pub(crate) mod png;
mod quantizer;
mod raw;
pub(crate) mod recorder;
pub(crate) mod series;
pub(crate) mod target;
