//! kiddo: an immutable k-d tree, one query for each point, visited without a list of results.

use kiddo::{ImmutableKdTree, SquaredEuclidean};

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

    fn build(&self) -> ImmutableKdTree<f32, 2> {
        ImmutableKdTree::new_from_slice(self.points).expect("points are finite")
    }
}

impl Peer for Tree<'_> {
    fn count(&mut self) -> u64 {
        let tree = self.build();
        let mut seen = 0;
        for point in self.points {
            let within = tree.query(point).within::<SquaredEuclidean<f32>>(RADIUS * RADIUS);
            within.unsorted().visit(|_| seen += 1);
        }
        // Every point sees itself.
        seen - self.points.len() as u64
    }

    fn sum(&mut self) {
        let tree = self.build();
        let sum_at = |point: &[f32; 2]| {
            let mut sum = [0.0; 2];
            let within = tree.query(point).within::<SquaredEuclidean<f32>>(RADIUS * RADIUS);
            within.unsorted().with_points().visit(|other| {
                let [x, y] = push(*point, other.point);
                sum = [sum[0] + x, sum[1] + y];
            });
            sum
        };
        for (sum, point) in self.sums.iter_mut().zip(self.points) {
            *sum = sum_at(point);
        }
    }

    fn sum_at(&mut self, point: usize) -> [f32; 2] {
        self.sums[point]
    }
}
