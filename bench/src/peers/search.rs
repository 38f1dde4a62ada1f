//! The interface of a crate.

/// A search for the neighbors of all points.
pub trait Search {
    /// Number of ordered pairs of distinct points closer than the radius.
    fn count(&mut self) -> u64;
    /// For each point, adds up (p − pj) / |p − pj|² over the others within the radius.
    fn sum(&mut self);
    /// The latest sum at a point.
    fn sum_at(&mut self, point: usize) -> [f32; 2];
}
