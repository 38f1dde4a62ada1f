//! How crowded the world is, counted on a coarse grid.

use rayon::prelude::*;

use super::view::View;

/// Agents per cell, on average.
const MEAN: f32 = 4.0;
/// Cells along each axis at most: the counts stay in a core's cache.
const MOST_CELLS: f32 = 512.0;
/// A thread counts at least so many agents: fewer than there are cells are not worth counts of
/// their own.
const FEWEST: usize = 65_536;
/// Who is further away is as good as gone.
const FARTHEST: f32 = 1.0e9;

pub(crate) struct Density {
    counts: Vec<u32>,
    /// Where the first cell begins.
    low: [f32; 2],
    /// Whether the last cell is beside the first.
    repeats: bool,
    columns: usize,
    rows: usize,
    cells_per_unit: [f32; 2],
    mean: f32,
}

impl Density {
    pub(crate) fn of(view: &View) -> Self {
        let agents = view.x.len() as f32;
        let (low, [width, height]) = extent(view);
        let side = (width * height * MEAN / agents.max(1.0)).sqrt();
        let [columns, rows] =
            [width, height].map(|length| (length / side).round().clamp(1.0, MOST_CELLS));
        let mut density = Self {
            counts: Vec::new(),
            low,
            repeats: view.repeats,
            columns: columns as usize,
            rows: rows as usize,
            cells_per_unit: [columns / width, rows / height],
            mean: agents / (columns * rows),
        };
        density.counts = density.count(view);
        density
    }

    /// The agents in each cell: each thread counts some of them, and sums of integers do not
    /// depend on which.
    fn count(&self, view: &View) -> Vec<u32> {
        let none = || vec![0; self.columns * self.rows];
        let chunk = view.x.len().div_ceil(rayon::current_num_threads()).max(FEWEST);
        let chunks = view.x.par_chunks(chunk).zip(view.y.par_chunks(chunk));
        let counted = chunks.map(|(x, y)| {
            let mut counts: Vec<u32> = none();
            for (&x, &y) in x.iter().zip(y) {
                let [(column, _), (row, _)] = self.place(x, y, 0.0);
                counts[row * self.columns + column] += 1;
            }
            counts
        });
        let sum = |mut counts: Vec<u32>, more: Vec<u32>| {
            counts.iter_mut().zip(more).for_each(|(count, more)| *count += more);
            counts
        };
        counted.reduce_with(sum).unwrap_or_else(none)
    }

    /// How dense the crowd is around a point: 0 where nobody is, one half for the mean of the
    /// world, 1 where everybody is. Between the middles of cells it changes gradually.
    pub(crate) fn at(&self, x: f32, y: f32) -> f32 {
        let [(west, to_east), (south, to_north)] = self.place(x, y, 0.5);
        let next = |cell: usize, cells: usize| match cell + 1 {
            end if end < cells => end,
            _ if self.repeats => 0,
            _ => cell,
        };
        let (east, north) = (next(west, self.columns), next(south, self.rows));
        let row = |row: usize| {
            let count = |column: usize| self.counts[row * self.columns + column] as f32;
            count(west) + (count(east) - count(west)) * to_east
        };
        let here = row(south) + (row(north) - row(south)) * to_north;
        here / (here + self.mean)
    }

    /// The cell whose middle is `shift` cells after its corner and at or before a point, and
    /// how far the point is from there to the next. Beside the cells are those at the other side
    /// on a torus, else those at the edge.
    fn place(&self, x: f32, y: f32, shift: f32) -> [(usize, f32); 2] {
        let along = |k: usize, value: f32, cells: usize| {
            let cell = (value - self.low[k]) * self.cells_per_unit[k] - shift;
            // Before the middle of the first cell is nothing to change from.
            let cell = if self.repeats { cell } else { cell.max(0.0) };
            let whole = cell.floor();
            let turns = if self.repeats { (whole / cells as f32).floor() } else { 0.0 };
            // Casting saturates.
            let inside = ((whole - turns * cells as f32) as usize).min(cells - 1);
            (inside, cell - whole)
        };
        [along(0, x, self.columns), along(1, y, self.rows)]
    }
}

/// Where the crowd may be: the world, or where it is if the world is open. Its lower left corner
/// and its size.
fn extent(view: &View) -> ([f32; 2], [f32; 2]) {
    if view.framed || view.repeats {
        return ([0.0; 2], view.world);
    }
    let [x, y] = [(&view.x, view.world[0]), (&view.y, view.world[1])].map(|(places, world)| {
        let known = places.par_iter().copied().filter(|place| place.abs() < FARTHEST);
        let both = known.map(|place| (place, place));
        let (low, high) = both.reduce(|| (0.0_f32, world), |a, b| (a.0.min(b.0), a.1.max(b.1)));
        (low, high - low)
    });
    ([x.0, y.0], [x.1, y.1])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn crowd(points: &[[f32; 2]]) -> View {
        View {
            world: [100.0, 50.0],
            repeats: true,
            framed: true,
            x: points.iter().map(|point| point[0]).collect(),
            y: points.iter().map(|point| point[1]).collect(),
            ..View::default()
        }
    }

    #[test]
    fn an_even_crowd_is_one_half_everywhere() {
        let points: Vec<_> = (0..5_000).map(|k| [(k % 100) as f32, (k / 100) as f32]).collect();
        let density = Density::of(&crowd(&points));
        for [x, y] in points {
            assert!((density.at(x + 0.3, y + 0.7) - 0.5).abs() < 0.05);
        }
    }

    #[test]
    fn a_cluster_is_dense_and_reaches_across_the_seam() {
        let points: Vec<_> = (0..400)
            .map(|k| if k < 300 { [99.9, 25.0] } else { [k as f32 % 90.0, k as f32 % 47.0] })
            .collect();
        let density = Density::of(&crowd(&points));
        assert!(density.at(99.9, 25.0) > 0.8);
        assert!(density.at(0.1, 25.0) > 0.7);
        assert!(density.at(50.0, 25.0) < 0.7);
    }

    #[test]
    fn who_has_left_an_open_world_is_not_counted_in_it() {
        // A hundred far away, where the world would be again if it repeated; ten here.
        let place = |k: usize| if k < 100 { 410.0 } else { 10.0 };
        let points: Vec<_> = (0..110).map(|k| [place(k), 25.0]).collect();
        let open = View { repeats: false, framed: false, ..crowd(&points) };
        let density = Density::of(&open);
        assert!(density.at(410.0, 25.0) > density.at(10.0, 25.0) + 0.05);
        assert_eq!(density.at(210.0, 25.0), 0.0, "nobody is there");
    }

    #[test]
    fn counts_do_not_depend_on_threads() {
        let point = |k: usize| [(k * 31 % 9_973) as f32 / 50.0 - 50.0, (k * 17 % 5_003) as f32];
        let points: Vec<_> = (0..3 * FEWEST).map(point).collect();
        let open = View { repeats: false, framed: false, ..crowd(&points) };
        for view in [crowd(&points), open] {
            let [one, three] = [1, 3].map(|threads| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                pool.install(|| Density::of(&view))
            });
            assert!(one.counts == three.counts && one.low == three.low);
            assert_eq!(one.counts.iter().sum::<u32>() as usize, points.len());
        }
    }

    #[test]
    fn any_crowd_and_place_has_a_density() {
        let largest = f32::MAX;
        let hostile = [
            largest,
            -largest,
            f32::NAN,
            f32::INFINITY,
            f32::NEG_INFINITY,
            1.0e30,
            -1.0e-30,
            100.0,
        ];
        for points in [vec![], vec![[1.0, 1.0]], hostile.map(|value| [value, value]).to_vec()] {
            for repeats in [true, false] {
                let view = View { repeats, framed: repeats, ..crowd(&points) };
                let density = Density::of(&view);
                hostile.iter().for_each(|&x| {
                    density.at(x, -x);
                });
            }
        }
    }

    #[test]
    fn density_does_not_jump_in_the_outer_half_of_a_first_cell() {
        let points: Vec<_> = (0..5_000).map(|k| [(k % 100) as f32, (k / 100) as f32]).collect();
        let mut view = View { repeats: false, ..crowd(&points) };
        // All in the second column of cells: the first is empty to its middle and beyond.
        let width = 100.0 / Density::of(&view).columns as f32;
        view.x.fill(1.5 * width);
        let density = Density::of(&view);
        let [edge, middle] = [0.01, 0.5].map(|part| density.at(part * width, 25.0));
        assert!(edge == middle && density.at(1.5 * width, 25.0) > 0.5);
    }
}
