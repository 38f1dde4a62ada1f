//! rstar: an R*-tree, loaded in bulk, one query for each point.

use rstar::RTree;

use super::Peer;
use super::points::{Points, RADIUS, push};

pub(crate) struct Tree<'a> {
    points: &'a [[f32; 2]],
    sums: Vec<[f32; 2]>,
}

impl<'a> Tree<'a> {
    pub(crate) fn new(points: &'a Points) -> Self {
        Self { points: &points.at, sums: vec![[0.0; 2]; points.at.len()] }
    }

    fn build(&self) -> RTree<[f32; 2]> {
        RTree::bulk_load(self.points.to_vec())
    }
}

impl Peer for Tree<'_> {
    fn count(&mut self) -> u64 {
        let tree = self.build();
        let seen = |point: &[f32; 2]| tree.locate_within_distance(*point, RADIUS * RADIUS).count();
        // Every point sees itself.
        (self.points.iter().map(seen).sum::<usize>() - self.points.len()) as u64
    }

    fn sum(&mut self) {
        let tree = self.build();
        let sum_at = |point: &[f32; 2]| {
            let within = tree.locate_within_distance(*point, RADIUS * RADIUS);
            within
                .map(|other| push(*point, *other))
                .fold([0.0; 2], |sum, [x, y]| [sum[0] + x, sum[1] + y])
        };
        for (sum, point) in self.sums.iter_mut().zip(self.points) {
            *sum = sum_at(point);
        }
    }

    fn sum_at(&mut self, point: usize) -> [f32; 2] {
        self.sums[point]
    }
}
