//! How crowded the world is, counted on a coarse grid.

use rayon::prelude::*;

use super::view::View;

/// Agents per cell, on average.
const MEAN_PER_CELL: f32 = 4.0;
/// Maximum number of cells along each axis: the counts stay in a core's cache.
const MAX_CELLS: f32 = 512.0;
/// Minimum number of agents per thread: fewer agents than cells are not worth separate counts.
const MIN_AGENTS_PER_TASK: usize = 65_536;
/// Agents beyond this coordinate are ignored.
const MAX_DISTANCE: f32 = 1.0e9;

pub(crate) struct Density {
    counts: Vec<u32>,
    /// The grid's lower left corner.
    low: [f32; 2],
    /// Whether the grid wraps around.
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
        let side = (width * height * MEAN_PER_CELL / agents.max(1.0)).sqrt();
        let [columns, rows] =
            [width, height].map(|length| (length / side).round().clamp(1.0, MAX_CELLS));
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

    /// Counts the agents in each cell. Each thread counts a share of them; integer sums do not
    /// depend on which.
    fn count(&self, view: &View) -> Vec<u32> {
        let none = || vec![0; self.columns * self.rows];
        let chunk = view.x.len().div_ceil(rayon::current_num_threads()).max(MIN_AGENTS_PER_TASK);
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

    /// The density around a point: 0 for none, one half for the world's mean, toward 1 for all
    /// agents in one place. It is interpolated between cell centers.
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

    /// The last cell whose center, or corner if `shift` is 0, is at or before a point, and how far
    /// the point is toward the next. Beyond the grid come the cells of the opposite side on a
    /// torus, otherwise those at the edge.
    fn place(&self, x: f32, y: f32, shift: f32) -> [(usize, f32); 2] {
        let along = |k: usize, value: f32, cells: usize| {
            let cell = (value - self.low[k]) * self.cells_per_unit[k] - shift;
            // Before the center of the first cell there is nothing to interpolate from.
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

/// The area that the crowd may occupy: the world, or the crowd's bounding box if the world is open.
/// Lower left corner and size.
fn extent(view: &View) -> ([f32; 2], [f32; 2]) {
    if view.framed || view.repeats {
        return ([0.0; 2], view.world);
    }
    let [x, y] = [(&view.x, view.world[0]), (&view.y, view.world[1])].map(|(places, world)| {
        let known = places.par_iter().copied().filter(|place| place.abs() < MAX_DISTANCE);
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
    fn a_cluster_is_dense_across_the_seam() {
        let points: Vec<_> = (0..400)
            .map(|k| if k < 300 { [99.9, 25.0] } else { [k as f32 % 90.0, k as f32 % 47.0] })
            .collect();
        let density = Density::of(&crowd(&points));
        assert!(density.at(99.9, 25.0) > 0.8);
        assert!(density.at(0.1, 25.0) > 0.7);
        assert!(density.at(50.0, 25.0) < 0.7);
    }

    #[test]
    fn agents_that_left_an_open_world_are_not_wrapped_into_it() {
        // A hundred far away, where a repeating world would begin again; ten here.
        let place = |k: usize| if k < 100 { 410.0 } else { 10.0 };
        let points: Vec<_> = (0..110).map(|k| [place(k), 25.0]).collect();
        let open = View { repeats: false, framed: false, ..crowd(&points) };
        let density = Density::of(&open);
        assert!(density.at(410.0, 25.0) > density.at(10.0, 25.0) + 0.05);
        assert_eq!(density.at(210.0, 25.0), 0.0, "no agent is there");
    }

    #[test]
    fn counts_do_not_depend_on_threads() {
        let point = |k: usize| [(k * 31 % 9_973) as f32 / 50.0 - 50.0, (k * 17 % 5_003) as f32];
        let points: Vec<_> = (0..3 * MIN_AGENTS_PER_TASK).map(point).collect();
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
    fn any_crowd_and_position_has_a_density() {
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
    fn density_is_continuous_in_the_outer_half_of_the_first_cell() {
        let points: Vec<_> = (0..5_000).map(|k| [(k % 100) as f32, (k / 100) as f32]).collect();
        let mut view = View { repeats: false, ..crowd(&points) };
        // All in the second column of cells: the first is empty up to its center and beyond.
        let width = 100.0 / Density::of(&view).columns as f32;
        view.x.fill(1.5 * width);
        let density = Density::of(&view);
        let [edge, middle] = [0.01, 0.5].map(|part| density.at(part * width, 25.0));
        assert!(edge == middle && density.at(1.5 * width, 25.0) > 0.5);
    }
}
