//! zelll: cell lists over a sparse hash map of cells, which visit each pair once.

use zelll::CellGrid;

use super::points::{Points, RADIUS, distance_sq, push};
use super::search::Search;

pub(crate) struct CellLists<'a> {
    points: &'a [[f32; 2]],
    grid: CellGrid<(usize, [f32; 2]), 2, f32>,
    sums: Vec<[f32; 2]>,
}

impl<'a> CellLists<'a> {
    pub(crate) fn new(points: &'a Points) -> Self {
        let points = &points.at[..];
        Self {
            points,
            grid: CellGrid::new(points.iter().copied().enumerate(), RADIUS),
            sums: vec![[0.0; 2]; points.len()],
        }
    }

    fn for_each_pair(&mut self, mut visit: impl FnMut(usize, usize)) {
        self.grid.rebuild_mut(self.points.iter().copied().enumerate(), Some(RADIUS));
        for (&(i, a), &(j, b)) in self.grid.particle_pairs() {
            if distance_sq(a, b) < RADIUS * RADIUS {
                visit(i, j);
            }
        }
    }
}

impl Search for CellLists<'_> {
    fn count(&mut self) -> u64 {
        let mut pairs = 0;
        self.for_each_pair(|_, _| pairs += 1);
        2 * pairs
    }

    fn sum(&mut self) {
        let points = self.points;
        let mut sums = std::mem::take(&mut self.sums);
        sums.fill([0.0; 2]);
        self.for_each_pair(|i, j| {
            let [x, y] = push(points[i], points[j]);
            sums[i] = [sums[i][0] + x, sums[i][1] + y];
            sums[j] = [sums[j][0] - x, sums[j][1] - y];
        });
        self.sums = sums;
    }

    fn sum_at(&mut self, point: usize) -> [f32; 2] {
        self.sums[point]
    }
}
