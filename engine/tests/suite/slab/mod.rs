//! Any number of slabs, with any borders, equals an undivided crowd bit for bit.

mod ghosts;
mod parts;
mod scenes;
mod sequences;
pub(crate) mod slabs;
