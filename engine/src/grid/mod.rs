//! Uniform grid: finds the slots that can contain neighbors of a batch.
//!
//! Cells are as tall as the reach of a search, usually the view distance, or taller in sparse
//! crowds. Their width is a fraction of their height. Cells are numbered row by row. Agents are
//! sorted by cell, so a stretch of a row is one contiguous run of slots. A batch needs three runs
//! (its own row, the row above and the row below), each trimmed to the view distance left and right
//! of the batch. Narrow columns trim more tightly, at no cost to the sort. A scene may set another
//! cell height; shorter cells need more runs.
//!
//! Rows are serpentine, so a batch that continues from one row into the next is no wider than other
//! batches. Large crowds have few such batches and need prefetching, so all their rows run left to
//! right.
//!
//! Runs are visited in ascending slot order. This is the canonical order in which every agent adds
//! its neighbors, regardless of batch, lane width or partition.
//!
//! Across the seam of a torus, all slots of a run share one shift. Once per run, the sweep adds the
//! shift to the batch's positions. The shift picks the same image as the minimum-image rule if no
//! neighbor can be more than a third of the world away and the batch's runs are disjoint.
//! In a small world, a batch in one row may see all the way around the world. Rows are then cut
//! into stretches so short that only one periodic image of an agent can see into a stretch: the
//! image nearest to its middle, found once per run. In the remaining cases (tiny worlds, batches
//! that span row ends in large crowds), the sweep computes the minimum image for every pair.

use std::ops::Range;
use std::sync::Arc;

use arrayvec::ArrayVec;

use crate::math::axes::Axes;
use crate::math::component::Depth;
use crate::math::lanes::{BitLanes, Lanes};
use crate::math::vec3::Vec3;
use crate::world::space::{Space, cube_root};
use crate::world::{COORDINATE_LIMIT, Topology};

mod blocks;
mod candidates;
pub(crate) mod cells;
pub(crate) mod groups;
mod stored_rows;
pub(crate) mod strays;

use groups::{Columns, GroupColumns, MAX_GROUPS, Plan, Search};

/// Inputs that determine the cells. The cells fix the order of summation and thus the result,
/// so no input may depend on the number of threads, the lane width or the stored rows.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Layout {
    pub(crate) space: Space,
    pub(crate) agents: usize,
    pub(crate) plan: Arc<Plan>,
    /// Cell height as a multiple of the plan's view distance, if set by the scene.
    pub(crate) cell_size: Option<f32>,
}

impl Layout {
    /// Desired cell height, in world units: as set by the scene, or the larger of the view distance
    /// and the mean spacing of the agents.
    pub(crate) fn cell_height(&self) -> f64 {
        let view = f64::from(self.plan.view) * 1.001;
        match self.cell_size {
            Some(cell_size) if view > 0.0 => view * f64::from(cell_size),
            _ => view.max(self.space.spacing(self.agents.max(1) as f64)),
        }
    }

    /// Minimum cell size along an axis of the world with length `size`: the distance that
    /// determines the height of rows, plus all rounding errors. In worlds larger than 800 view
    /// distances, this minimum exceeds the usual cell height. Cells are then slightly taller, so
    /// that a search still reads only one row above and one row below.
    fn min_cell_size(&self, size: f64) -> f64 {
        match self.cell_size {
            None => f64::from(self.plan.view) * 1.0002 + size * 1.0e-6,
            Some(_) => 0.0,
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Grid {
    layout: Layout,
    groups: ArrayVec<Columns, MAX_GROUPS>,
    searches: Vec<Search>,
    /// Number of rows in the table: in worlds with depth, the rows of all layers, layer by layer.
    pub(crate) rows: u32,
    /// Number of rows in a layer; all rows in flat worlds.
    pub(crate) layer_rows: u32,
    /// Number of layers; 1 in flat worlds.
    pub(crate) layers: u32,
    is_flat: bool,
    /// Number of cells in a row: the columns of all groups.
    pub(crate) row_cells: u32,
    pub(crate) serpentine: bool,
    /// For each group and row, the first row from there on in which the group has agents. Empty if
    /// there is only one group.
    occupied: Vec<i32>,
    /// For each row, the index of its first cell in `starts`.
    first_cells: Vec<u32>,
    /// Cell c contains slots `starts[c]..starts[c + 1]`; the last entry is the number of slots.
    pub(crate) starts: Vec<u32>,
}

const MAX_COLUMNS_PER_VIEW: u32 = 16;

/// Minimum number of columns of a group in a finite world. With fewer, a search across the seam of
/// a torus would often read a cell from both sides.
const MIN_COLUMNS: f64 = 8.0;

/// Logarithm of the number of columns in a strip of the open plane: see [`Grid::folded_cell`].
const STRIP_BITS: u32 = 8;

/// Largest crowd with serpentine rows. Serpentine rows save 5% of a step in a crowd of this size,
/// and much more in small crowds. In crowds larger than the caches, they would cost about 5%,
/// because no prefetcher follows runs in descending order.
const MAX_SERPENTINE_AGENTS: usize = 1 << 17;

impl Grid {
    pub(crate) fn new(space: &Space) -> Self {
        let plan = Arc::new(Plan::default());
        Self {
            layout: Layout { space: *space, agents: 0, plan, cell_size: None },
            groups: ArrayVec::new(),
            searches: Vec::new(),
            rows: 1,
            layer_rows: 1,
            layers: 1,
            is_flat: space.is_flat(),
            row_cells: 1,
            serpentine: false,
            occupied: Vec::new(),
            first_cells: Vec::new(),
            starts: Vec::new(),
        }
    }

    pub(crate) fn lay_out(&mut self, layout: Layout) {
        if self.divide_world(layout) {
            self.store_all_rows();
        }
    }

    pub(crate) fn divide_world(&mut self, layout: Layout) -> bool {
        let is_same = self.layout == layout && !self.starts.is_empty();
        // Also kept if it is the same, because the plan is then known by its address from now on.
        self.layout = layout;
        if is_same {
            return false;
        }
        match self.layout.space.topology {
            Topology::Torus | Topology::Bounded => self.divide(),
            Topology::Open => self.fold(),
        }
        self.rows = self.layer_rows * self.layers;
        self.is_flat = self.layout.space.is_flat();
        self.serpentine = self.layout.agents <= MAX_SERPENTINE_AGENTS;
        debug_assert!(self.row_cells > 0 && self.rows > 0);
        let searches = self.layout.plan.searches.iter();
        self.searches =
            searches.map(|&(own_group, reach)| self.prepared(own_group, reach)).collect();
        true
    }

    /// Divides a finite world into whole rows at least as tall as desired, and into columns, with
    /// at most a few cells per agent.
    fn divide(&mut self) {
        let Vec3 { x: width, y: height, z: depth } = Vec3::<f64>::from_f32(self.layout.space.size);
        let agents = self.layout.agents.max(1) as f64;
        // A scene sets a cell size only to measure its cost, so the limit on cells is higher
        // than for the default size.
        let most = agents * if self.layout.cell_size.is_some() { 4.0 } else { 2.0 } + 64.0;
        let mut cell = self.layout.cell_height();
        let along = |size: f64, cell: f64| {
            (size / cell.max(self.layout.min_cell_size(size))).floor().max(1.0)
        };
        let (squares, rows, layers) = loop {
            let (squares, rows) = (along(width, cell), along(height, cell));
            let layers = if depth > 0.0 { along(depth, cell) } else { 1.0 };
            // Each group has columns of its own in every row.
            let per_row =
                squares.max(self.layout.plan.agents.len() as f64 * squares.min(MIN_COLUMNS));
            if per_row * rows * layers <= most {
                break (squares, rows, layers);
            }
            cell *= 1.5;
        };
        (self.layer_rows, self.layers) = (rows as u32, layers as u32);
        let plan = Arc::clone(&self.layout.plan);
        self.set_groups(plan.agents.len(), |group| {
            let per_square = agents * plan.fraction(group) / (squares * rows * layers);
            let count = if per_square < 1.0 && plan.agents.len() > 1 {
                (squares * per_square).ceil().max(squares.min(MIN_COLUMNS))
            } else {
                let per_view = (per_square.max(1.0) as u32).min(MAX_COLUMNS_PER_VIEW);
                squares * f64::from(1 << per_view.ilog2())
            };
            let (x, y) = ((count / width) as f32, (rows / height) as f32);
            let z = if depth > 0.0 { (layers / depth) as f32 } else { 0.0 };
            let inverse_cell = Vec3 { x, y, z };
            let count = count as u32;
            Columns { first: 0, count, inverse_cell, home: Vec3::ZERO, strip_bits: STRIP_BITS }
        });
    }

    /// Folds the open plane into a table of about one cell per agent, so that no agent can leave
    /// the grid. Agents in cells that share an index are too far apart to be neighbors, so folding
    /// adds candidates but never changes a result: see [`Self::folded_cell`].
    fn fold(&mut self) {
        const COLUMNS_PER_VIEW: u32 = 4;
        let agents = self.layout.agents as f64;
        let is_flat = self.layout.space.is_flat();
        let side = if is_flat {
            let side = (agents / f64::from(COLUMNS_PER_VIEW)).sqrt().ceil();
            (side as u32).max(8).next_power_of_two()
        } else {
            // Rounded down: the next power of two could give eight times as many cells.
            1 << (cube_root(agents / 2.0) as u32).max(4).ilog2()
        };
        // Indices of rows, columns and strips must fit in an `i32`: larger indices would wrap in
        // the sort but saturate in searches, and would differ from group to group.
        let most = 2.1e9 / COORDINATE_LIMIT;
        let per_row = ((1.0 / self.layout.cell_height()) as f32).min(most);
        // A sparse crowd starts in more squares than the table has. Square cells then cover four
        // times the area, because distant agents that share cells cost more than wide cells do.
        let Vec3 { x, y, z } = self.layout.space.size * per_row;
        let (squares, table) = (x * y, (side * side) as f32);
        let is_sparse = if is_flat { squares > table } else { squares * z > table * side as f32 };
        let (rows, per_square) = if is_sparse { (2 * side, 1) } else { (side, COLUMNS_PER_VIEW) };
        (self.layer_rows, self.layers) = (rows, if is_flat { 1 } else { rows });
        let columns = rows * per_square;
        let per_column = (per_row * per_square as f32).min(most);
        let plan = Arc::clone(&self.layout.plan);
        self.set_groups(plan.agents.len(), |group| {
            // Groups of few agents have wider columns. The number of columns stays a power of two.
            let coarse = (1.0 / plan.fraction(group)).log2() as u32;
            // In worlds with depth, the table may have few columns; at least two must remain.
            let coarse = coarse.min(columns.ilog2() - 1);
            let wider = (1 << coarse) as f32;
            Columns {
                first: 0,
                count: columns >> coarse,
                inverse_cell: Vec3 {
                    x: per_column / wider,
                    y: per_row,
                    z: if is_flat { 0.0 } else { per_row },
                },
                home: Vec3 {
                    x: (2 * per_square) as f32 / wider,
                    y: 1.0,
                    z: if is_flat { 0.0 } else { 1.0 },
                },
                strip_bits: STRIP_BITS - coarse,
            }
        });
    }

    fn set_groups(&mut self, count: usize, columns: impl Fn(usize) -> Columns) {
        self.row_cells = 0;
        self.groups.clear();
        for group in 0..count {
            let columns = Columns { first: self.row_cells, ..columns(group) };
            debug_assert!(columns.inverse_cell.x > 0.0 && columns.inverse_cell.y > 0.0);
            self.row_cells += columns.count;
            self.groups.push(columns);
        }
    }

    /// Row and column in the table, given layer, row and column in the open world.
    ///
    /// If the table simply repeated in rows and columns, clusters of agents at multiples of its
    /// size would all share the same cells. Therefore, each vertical strip of the plane is one row
    /// higher in the table than the strip to its left, and each repetition of the table has its own
    /// first column, as in a low-discrepancy sequence (R2). Rows that adjoin in the plane remain at
    /// most two apart in the table, as slabs require.
    #[inline(always)]
    fn folded_cell<B: BitLanes>(&self, [layer, row, column]: [B; 3], columns: &Columns) -> [B; 2] {
        let row = row.wrapping_add(column.shr(columns.strip_bits));
        let width = columns.count.ilog2();
        let [across, up] = [column.shr(width), row.shr(self.layer_rows.ilog2())];
        let mut mixed = across
            .wrapping_mul(B::splat(0xC13F_A9A9))
            .wrapping_add(up.wrapping_mul(B::splat(0x91E1_0DA5)));
        let mut row = row & B::splat(self.layer_rows - 1);
        if self.layers > 1 {
            let far = layer.shr(self.layers.ilog2());
            mixed = mixed.wrapping_add(far.wrapping_mul(B::splat(0xA511_E9B3)));
            let layer = layer & B::splat(self.layers - 1);
            row = row.wrapping_add(layer.wrapping_mul(B::splat(self.layer_rows)));
        }
        let column = column.wrapping_add(mixed.shr(u32::BITS - width));
        [row, column & B::splat(columns.count - 1)]
    }

    pub(crate) fn space(&self) -> &Space {
        &self.layout.space
    }

    pub(crate) fn plan(&self) -> &Plan {
        &self.layout.plan
    }

    pub(crate) fn cells(&self) -> usize {
        self.row_cells as usize * self.rows as usize
    }

    /// Writes the cell index of each position. Before folding and mirroring, columns must not
    /// decrease as x grows, nor rows as y grows, or [`Self::candidates`] would miss neighbors.
    #[inline(always)]
    pub(crate) fn assign_cells<L: Lanes>(
        &self,
        positions: Axes<&[f32]>,
        groups: GroupColumns<'_>,
        cells: &mut [u32],
    ) {
        debug_assert!(positions.len() == cells.len());
        let whole = cells.len() / L::WIDTH * L::WIDTH;
        let (vectors, rest) = cells.split_at_mut(whole);
        let [group] = &self.groups[..] else {
            let plan = &self.layout.plan;
            return match plan.outliers {
                None => self.assign_grouped::<L>(positions, (vectors, rest), {
                    #[inline(always)]
                    |slot| usize::from(plan.group_of[usize::from(groups.species[slot])])
                }),
                Some(_) => self.assign_grouped::<L>(positions, (vectors, rest), {
                    #[inline(always)]
                    |slot| plan.group_at(&groups, slot)
                }),
            };
        };
        if self.layers == 1 {
            let Axes([x, y, _]) = positions;
            let vectors = vectors.chunks_exact_mut(L::WIDTH);
            let positions = x.chunks_exact(L::WIDTH).zip(y.chunks_exact(L::WIDTH));
            for (cells, (x, y)) in vectors.zip(positions) {
                L::store_bits(self.cells_at(Vec3::flat(L::load(x), L::load(y)), group), cells);
            }
        } else {
            let vectors = vectors.chunks_exact_mut(L::WIDTH);
            for (first, cells) in (0..).step_by(L::WIDTH).zip(vectors) {
                L::store_bits(self.cells_at::<L>(self.loaded(positions, first), group), cells);
            }
        }
        for (slot, cell) in (whole..).zip(rest) {
            *cell = self.cells_at(positions.at(slot), group);
        }
    }

    #[inline(always)]
    fn assign_grouped<L: Lanes>(
        &self,
        positions: Axes<&[f32]>,
        (vectors, rest): (&mut [u32], &mut [u32]),
        group_at: impl Fn(usize) -> usize,
    ) {
        let assign = |cell: &mut u32, slot: usize| {
            *cell = self.cells_at(positions.at(slot), &self.groups[group_at(slot)]);
        };
        let whole = vectors.len();
        for (first, cells) in (0..).step_by(L::WIDTH).zip(vectors.chunks_exact_mut(L::WIDTH)) {
            let group = group_at(first);
            if (first..first + L::WIDTH).fold(0, |others, slot| others | group ^ group_at(slot))
                == 0
            {
                let at = self.loaded::<L>(positions, first);
                L::store_bits(self.cells_at(at, &self.groups[group]), cells);
            } else {
                cells.iter_mut().zip(first..).for_each(|(cell, slot)| assign(cell, slot));
            }
        }
        rest.iter_mut().zip(whole..).for_each(|(cell, slot)| assign(cell, slot));
    }

    /// Positions in the slots from `first` on; z only if there are several layers.
    #[inline(always)]
    fn loaded<L: Lanes>(&self, Axes([x, y, z]): Axes<&[f32]>, first: usize) -> Vec3<L> {
        let (x, y) = (L::load(&x[first..]), L::load(&y[first..]));
        let z = L::Z::from_fn(
            #[inline(always)]
            || if self.layers > 1 { L::load(&z[first..]) } else { L::zero() },
        );
        Vec3 { x, y, z }
    }

    #[inline(always)]
    fn cells_at<L: Lanes>(&self, at: Vec3<L>, group: &Columns) -> L::Bits {
        let row_cells = L::Bits::splat(self.row_cells);
        let [row, column] = self.row_and_column(at, group);
        let column = column.wrapping_add(L::Bits::splat(group.first));
        // `mirrored` has all bits set in mirrored rows, where cell `c` becomes `row_cells - 1 - c`.
        let odd = row & L::Bits::splat(self.serpentine.into());
        let mirrored = L::Bits::splat(0).wrapping_sub(odd);
        let column = (column ^ mirrored).wrapping_add(row_cells & mirrored);
        row.wrapping_mul(row_cells).wrapping_add(column)
    }

    /// Row, counted through all layers, and column within the group.
    #[inline(always)]
    fn row_and_column<L: Lanes>(&self, at: Vec3<L>, group: &Columns) -> [L::Bits; 2] {
        let Columns { count, inverse_cell, home, .. } = *group;
        let (row, column) = (at.y * L::splat(inverse_cell.y), at.x * L::splat(inverse_cell.x));
        let layer = at.with_z(
            L::zero(),
            #[inline(always)]
            |_, z| z * L::splat(inverse_cell.z),
        );
        match self.layout.space.topology {
            Topology::Torus | Topology::Bounded => {
                let mut row = clamped(row, self.layer_rows);
                if self.layers > 1 {
                    let layer = clamped(layer, self.layers);
                    row = row.wrapping_add(layer.wrapping_mul(L::Bits::splat(self.layer_rows)));
                }
                [row, clamped(column, count)]
            }
            Topology::Open => {
                let [row, column] = [row + L::splat(home.y), column + L::splat(home.x)];
                let layer = layer + L::splat(home.z);
                let (row, column) = (row.floor().trunc_int(), column.floor().trunc_int());
                self.folded_cell([layer.floor().trunc_int(), row, column], group)
            }
        }
    }

    /// Fills `occupied`. Call this whenever `starts` is complete.
    pub(crate) fn note_occupied_rows(&mut self) {
        self.occupied.clear();
        if self.groups.len() == 1 {
            return;
        }
        let rows = self.rows as usize;
        self.occupied.resize(self.groups.len() * (rows + 1), i32::MAX);
        for (group, columns) in self.groups.iter().enumerate() {
            let cells = columns.all_cells();
            let mut next = i32::MAX;
            for row in (0..rows).rev() {
                let [start, end] = self.slots_in(row as i32, cells);
                next = if start < end { row as i32 } else { next };
                self.occupied[group * (rows + 1) + row] = next;
            }
        }
    }

    /// First slot in a range of a row's cells, and the slot after the last.
    #[inline(always)]
    fn slots_in(&self, row: i32, cells: (i32, i32)) -> [u32; 2] {
        let (first, last) = self.mirrored(row, cells);
        let base = self.first_cells[row as usize] as usize;
        [self.starts[base + first as usize], self.starts[base + last as usize + 1]]
    }

    #[inline(always)]
    fn mirrored(&self, row: i32, (first, last): (i32, i32)) -> (i32, i32) {
        let end = self.row_cells as i32 - 1;
        if self.is_mirrored(row) { (end - last, end - first) } else { (first, last) }
    }

    #[inline(always)]
    fn is_mirrored(&self, row: i32) -> bool {
        self.serpentine && row & 1 == 1
    }

    /// Slots to prefetch: `slots` shifted by one row of cells plus `lead`, clamped to `all`.
    /// Without prefetching, every new row would be read from memory in short runs,
    /// which no hardware prefetcher predicts.
    pub(crate) fn next_row_slots(
        &self,
        slots: &Range<usize>,
        lead: usize,
        all: usize,
    ) -> Range<usize> {
        let ahead = self.layout.agents / self.rows as usize + lead;
        let [start, end] = [slots.start, slots.end].map(|at| (at + ahead).min(all));
        start..end
    }

    /// Slots in all groups' cells at a position; none if the position's row is not stored.
    pub(crate) fn slots_at(&self, position: Vec3<f32>) -> impl Iterator<Item = usize> {
        self.groups.iter().flat_map(move |group| {
            let cell = self.cells_at(position, group);
            let (row, column) = (cell / self.row_cells, cell % self.row_cells);
            let cell = (self.first_cells[row as usize] + column) as usize;
            self.starts[cell] as usize..self.starts[cell + 1] as usize
        })
    }
}

/// Integer part of a cell coordinate, clamped to the range from 0 to `count` − 1.
//
// A function, because not every level inlines a closure that is called twice.
#[inline(always)]
fn clamped<L: Lanes>(cell: L, count: u32) -> L::Bits {
    cell.trunc_int().signed_max(L::Bits::splat(0)).signed_min(L::Bits::splat(count - 1))
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Run {
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) shift: Vec3<f32>,
    /// Middle of the run's columns, in world units; set only with [`Images::X`].
    pub(crate) middle: f32,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Images {
    /// Add the run's shift, which is 0 except across a seam, to the searching agents' positions.
    #[default]
    None,
    /// In x, use the agent's periodic image nearest to the run's middle; in y, add the run's shift.
    X,
    /// Use each agent's periodic image nearest to the candidate.
    Both,
}

/// Slots of a batch's candidates, as disjoint runs in ascending order.
#[derive(Debug)]
pub(crate) struct Runs {
    pub(crate) list: Vec<Run>,
    pub(crate) images: Images,
}

impl Default for Runs {
    /// Reserves room for all but rare searches, so that steps seldom allocate.
    fn default() -> Self {
        Self { list: Vec::with_capacity(64), images: Images::None }
    }
}

impl Runs {
    fn begin(&mut self) {
        self.list.clear();
        self.images = Images::None;
    }

    pub(crate) fn set_all(&mut self, agents: usize, space: &Space) {
        self.list.clear();
        self.list.push(Run { end: agents as u32, ..Run::default() });
        self.images = if space.is_torus() { Images::Both } else { Images::None };
    }

    /// Puts the runs into ascending order and joins those that overlap or adjoin.
    #[inline(never)]
    fn merge(&mut self) {
        self.list.sort_unstable_by_key(|run| run.start);
        let mut merged = 0;
        for next in 0..self.list.len() {
            let Run { start, end, .. } = self.list[next];
            match self.list[..merged].last_mut() {
                Some(before) if start <= before.end => before.end = before.end.max(end),
                _ => {
                    self.list[merged] = Run { start, end, ..Run::default() };
                    merged += 1;
                }
            }
        }
        self.list.truncate(merged);
    }

    pub(crate) fn ascend(&self) -> bool {
        self.list.iter().all(|run| run.start < run.end)
            && self.list.windows(2).all(|pair| pair[0].end <= pair[1].start)
    }

    pub(crate) fn candidates(&self) -> usize {
        self.list.iter().map(|run| (run.end - run.start) as usize).sum()
    }
}

#[cfg(test)]
mod tests;
