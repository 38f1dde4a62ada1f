//! SIMD kernels: lanes are agents.
//!
//! A batch holds as many agents as the vector has lanes, taken from consecutive slots,
//! so that they stand in the same or adjacent cells. Each kernel computes one behavior
//! for all of them; nothing crosses lanes, so what an agent gets does not depend on
//! which batch it falls into. Behaviors see the snapshot of the step's beginning.
//!
//! Each file has a scalar twin of the same name under `reference/` that performs the
//! same operations in the same order on one agent.

pub(crate) mod alignment;
pub(crate) mod arrive;
pub(crate) mod batch;
pub(crate) mod cohesion;
pub(crate) mod combine;
pub(crate) mod flee;
pub(crate) mod flock_rules;
pub(crate) mod locomotion;
pub(crate) mod neighborhood;
pub(crate) mod seek;
pub(crate) mod separation;
pub(crate) mod wander;

pub(crate) use batch::Batch;
