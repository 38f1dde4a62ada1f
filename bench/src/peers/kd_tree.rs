//! kiddo: an immutable k-d tree, whose results are visited without collecting them.

use kiddo::{ImmutableKdTree, SquaredEuclidean};

use super::points::RADIUS;
use super::queries::Tree;

pub(crate) fn build(points: &[[f32; 2]]) -> ImmutableKdTree<f32, 2> {
    ImmutableKdTree::new_from_slice(points).expect("points are finite")
}

impl Tree for ImmutableKdTree<f32, 2> {
    fn count(&self, at: &[f32; 2]) -> usize {
        let mut seen = 0;
        let within = self.query(at).within::<SquaredEuclidean<f32>>(RADIUS * RADIUS);
        within.unsorted().visit(|_| seen += 1);
        seen
    }

    fn for_each(&self, at: &[f32; 2], mut visit: impl FnMut([f32; 2])) {
        let within = self.query(at).within::<SquaredEuclidean<f32>>(RADIUS * RADIUS);
        within.unsorted().with_points().visit(|other| visit(other.point));
    }
}
