//! What every rung does.

/// A flock on a rung.
pub trait Flock {
    fn step(&mut self);
    /// What [`flockwork::Simulation::state_hash`] is in this state.
    fn state_hash(&self) -> u64;
}
