//! What the measurement asks of a flock by another crate.

/// A flock of another crate.
pub trait OtherFlock {
    fn step(&mut self);
    /// The number of its agents, and a hash of where they are and head to.
    fn state(&self) -> (usize, u64);
}
