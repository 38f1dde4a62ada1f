//! The scalar reference: one agent at a time.
//!
//! Each file is the twin of the kernel of the same name and performs the same operations
//! in the same order, so that both give the same bits; where a kernel adds a masked-out
//! zero, the twin simply skips. `oracle` is independent of both: `f64`, all pairs, written
//! straight from the formulas.

pub(crate) mod agent;
pub(crate) mod alignment;
pub(crate) mod arrive;
pub(crate) mod cohesion;
pub(crate) mod combine;
pub(crate) mod flee;
pub(crate) mod flock_rules;
pub(crate) mod locomotion;
pub(crate) mod neighborhood;
pub(crate) mod oracle;
pub(crate) mod seek;
pub(crate) mod separation;
pub(crate) mod wander;

pub(crate) use agent::Agent;
pub(crate) use oracle::Oracle;
