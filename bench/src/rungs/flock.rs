//! The interface of a rung.

/// A flock whose steps a rung computes.
pub trait Flock {
    fn step(&mut self);
    /// The [`flockwork::Simulation::state_hash`] of this state.
    fn state_hash(&self) -> u64;
}
