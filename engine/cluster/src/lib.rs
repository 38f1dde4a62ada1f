//! Distributed crowds: each rank steps a slab of the world.
//! Ranks are threads or MPI processes. Results are bit-identical to those of an undivided crowd.
//!
//! [`transport`] moves bytes between ranks and knows nothing about crowds.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod checkpoint;
pub mod failure;
pub mod rank;
pub mod transport;

#[cfg(doctest)]
#[doc = include_str!("../../../docs/cluster.md")]
struct Page;
