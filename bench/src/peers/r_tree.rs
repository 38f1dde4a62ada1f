//! rstar: a bulk-loaded R*-tree.

use rstar::RTree;

use super::points::RADIUS;
use super::queries::Tree;

pub(crate) fn build(points: &[[f32; 2]]) -> RTree<[f32; 2]> {
    RTree::bulk_load(points.to_vec())
}

impl Tree for RTree<[f32; 2]> {
    fn count(&self, at: &[f32; 2]) -> usize {
        self.locate_within_distance(*at, RADIUS * RADIUS).count()
    }

    fn for_each(&self, at: &[f32; 2], mut visit: impl FnMut([f32; 2])) {
        self.locate_within_distance(*at, RADIUS * RADIUS).for_each(|other| visit(*other));
    }
}
