//! Trees, built at once, then queried once per point: the immutable k-d tree of kiddo, whose results
//! are visited without collecting them, and the bulk-loaded R*-tree of rstar.

use kiddo::{ImmutableKdTree, SquaredEuclidean};
use rstar::RTree;

use super::points::{Points, RADIUS, push};
use super::search::Search;

pub(crate) trait Tree {
    /// Number of points within the radius of a point, including itself.
    fn count(&self, at: &[f32; 2]) -> usize;
    /// Visits these points.
    fn for_each(&self, at: &[f32; 2], visit: impl FnMut([f32; 2]));
}

pub(crate) struct Queries<'a, T> {
    points: &'a [[f32; 2]],
    build: fn(&[[f32; 2]]) -> T,
    sums: Vec<[f32; 2]>,
}

impl<'a, T: Tree> Queries<'a, T> {
    pub(crate) fn new(points: &'a Points, build: fn(&[[f32; 2]]) -> T) -> Self {
        Self { points: &points.at, build, sums: vec![[0.0; 2]; points.at.len()] }
    }
}

impl<T: Tree> Search for Queries<'_, T> {
    fn count(&mut self) -> u64 {
        let tree = (self.build)(self.points);
        let seen: usize = self.points.iter().map(|point| tree.count(point)).sum();
        (seen - self.points.len()) as u64
    }

    fn sum(&mut self) {
        let tree = (self.build)(self.points);
        for (sum, point) in self.sums.iter_mut().zip(self.points) {
            let mut pushes = [0.0; 2];
            tree.for_each(point, |other| {
                let [x, y] = push(*point, other);
                pushes = [pushes[0] + x, pushes[1] + y];
            });
            *sum = pushes;
        }
    }

    fn sum_at(&mut self, point: usize) -> [f32; 2] {
        self.sums[point]
    }
}

pub(crate) fn kd_tree(points: &[[f32; 2]]) -> ImmutableKdTree<f32, 2> {
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

pub(crate) fn r_tree(points: &[[f32; 2]]) -> RTree<[f32; 2]> {
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
