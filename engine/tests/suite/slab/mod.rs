//! Slabs: any number of them, with any borders, are one crowd, bit for bit.

mod scenes;
mod sequences;
mod slabs;
