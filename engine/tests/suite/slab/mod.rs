//! Slabs: any number of them, with any borders, are one crowd, bit for bit.

mod parts;
mod scenes;
mod sequences;
pub(crate) mod slabs;
