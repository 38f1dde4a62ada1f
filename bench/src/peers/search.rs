//! What every crate is asked for.

/// A crate at its work.
pub trait Search {
    /// Pairs of distinct points closer than the radius, both ways.
    fn count(&mut self) -> u64;
    /// For each point, adds up (p − pj) / |p − pj|² over the others within the radius.
    fn sum(&mut self);
    /// What that was at a point.
    fn sum_at(&mut self, point: usize) -> [f32; 2];
}
