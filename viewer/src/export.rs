//! Pictures and animations as files, or as raw pixels for another program.

pub(crate) mod files;
mod gif;
pub(crate) mod target;
