//! Crowds beyond one machine: ranks that each hold a slab of the world, over threads or MPI, with
//! the same results, bit for bit, as on one host.
//!
//! [`transport`] moves bytes between ranks and knows nothing of crowds.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod agree;
pub mod checkpoint;
pub mod failure;
pub mod member;
mod post;
pub mod transport;

/// Runs the program of the page as it is.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/cluster.md")]
struct Page;
