//! Finds the candidates of a batch: the runs of slots that can contain its neighbors.
//!
//! Usually, all agents of a batch are in one row, and the nearby rows contain only agents of the
//! same group. The first and last agents' columns then bound the batch, and the search extends the
//! bounds on each side by its reach, in whole cells. Otherwise, the search uses the AABB of the
//! batch, and reads a block of cells for each group. If the AABB is much wider than the reach, the
//! search merges the runs around compact parts of the batch.

use std::ops::Range;

use arrayvec::ArrayVec;
use wide::{f32x4, i32x4};

use crate::grid::blocks::{Block, span};
use crate::grid::groups::{Columns, MAX_GROUPS, Reach, Search};
use crate::grid::{Grid, Images, Runs};
use crate::math::aabb::Aabb;
use crate::math::axes::Axes;
use crate::math::lanes::{Lanes, MAX_WIDTH, compiled};
use crate::math::vec3::Vec3;
use crate::world::Topology;

/// Bound on the summed rounding errors of two positions, their cells and the sweep's own test,
/// as a fraction of the world's size. Each error is at most 2⁻²⁴, except for one of up to 2⁻²³.
const ROUNDING_MARGIN: f32 = 3.0e-7;

/// Maximum height, in rows, of a batch that continues from one row into the next. Allows for agents
/// that have moved a little since the grid was filled.
const TWO_ROWS: f32 = 2.2;

impl Grid {
    pub(crate) fn search(&self, index: usize) -> &Search {
        &self.searches[index]
    }

    /// Fills `runs` with every slot that may contain a neighbor within the search's reach. The
    /// batch has at most [`MAX_WIDTH`] agents in ascending order of slots; `group` is their group,
    /// or `None` if they belong to several. The grid must have been filled from these positions.
    pub(crate) fn candidates<L: Lanes>(
        &self,
        positions: Axes<&[f32]>,
        group: Option<usize>,
        search: &Search,
        runs: &mut Runs,
    ) {
        debug_assert!(!positions.is_empty());
        // For one agent, the AABB search is as fast as the row search and finds fewer candidates.
        let own_group = group.filter(|_| group == search.whole && positions.len() > 1);
        let in_one_row = own_group.is_some_and(
            |own_group| compiled!(L: self.row_of_candidates(positions, own_group, search, runs)),
        );
        if !in_one_row {
            self.candidates_anywhere::<L>(positions, group, search, runs);
        }
        debug_assert!(runs.ascend(), "{runs:?}");
    }

    /// Usual case: all agents are in one row, so the first and last agents' columns bound the
    /// batch. Returns false if the general search is needed.
    #[inline(always)]
    fn row_of_candidates(
        &self,
        positions: Axes<&[f32]>,
        own_group: usize,
        search: &Search,
        runs: &mut Runs,
    ) -> bool {
        let [up, aside] = search.cells;
        let columns = &self.groups[own_group];
        let count = columns.count as i32;
        let (Axes([x, y, _]), last) = (positions, positions.len() - 1);
        // This computation must give exactly the same cells as `assign_cells`.
        let rows = self.rows as i32;
        let counts = [rows, rows, count, count];
        let ends = f32x4::from([y[0], y[last], x[0], x[last]]);
        // Agents are inside the world and a search spans few cells, so no conversion overflows.
        let cells = (ends * columns.inverse_cells()).fast_trunc_int();
        let cells = cells.max(i32x4::splat(0)).min(i32x4::from(counts) - i32x4::splat(1));
        let [row, last_row, first, last] = cells.to_array();
        if row != last_row {
            return false;
        }
        let rows = self.clip((row - up - 1, row + up + 1), self.rows);
        let columns =
            self.clip((first.min(last) - aside - 1, first.max(last) + aside + 1), count as u32);
        let block = Block { group: own_group, layers: (0, 0), rows, columns };
        let around_the_world = span(columns) > i64::from(count);
        if span(rows) > i64::from(self.rows) || around_the_world && !self.has_stretches(search) {
            return false;
        }
        runs.begin();
        if around_the_world {
            runs.images = Images::X;
            self.push_around(&[block], search, runs);
        } else {
            self.push_block(&block, runs);
        }
        true
    }

    /// Like [`Self::candidates`] for the agents in `slots`, which have moved to these positions
    /// since the grid was filled.
    #[inline(never)]
    pub(crate) fn candidates_after_move<L: Lanes>(
        &self,
        positions: Axes<&[f32]>,
        (slots, group): (Range<usize>, Option<usize>),
        search: &Search,
        runs: &mut Runs,
    ) {
        let adjoin = group.is_some() && self.were_in_one_row(&slots, positions.at(0).y);
        compiled!(L: self.candidates_in_box::<L>(positions, group, adjoin, search, runs));
        debug_assert!(runs.ascend(), "{runs:?}");
    }

    /// True if all `slots` are in one row of a finite flat world. Tests the row at height `y`, the
    /// first agent's present height, and the adjacent rows.
    #[inline(always)]
    fn were_in_one_row(&self, slots: &Range<usize>, y: f32) -> bool {
        if !self.is_flat || self.layout.space.topology == Topology::Open {
            return false;
        }
        let row = self.row_inside(y) as u32;
        let has_all = |row: u32| {
            let of_row = self.slots_of(self.cells_of_rows(&(row..row + 1)));
            of_row.start <= slots.start && slots.end <= of_row.end
        };
        has_all(row) || row > 0 && has_all(row - 1) || row + 1 < self.rows && has_all(row + 1)
    }

    #[inline(never)]
    pub(crate) fn candidates_anywhere<L: Lanes>(
        &self,
        positions: Axes<&[f32]>,
        group: Option<usize>,
        search: &Search,
        runs: &mut Runs,
    ) {
        compiled!(L: {
            if let Some(own_group) =
                group.filter(|_| group == search.whole_alone && positions.len() > 1)
                && !self.others_may_be_near(self.row_inside(positions.at(0).y), own_group, search)
                && self.row_of_candidates(positions, own_group, search, runs)
            {
                return;
            }
            self.candidates_in_box::<L>(positions, group, false, search, runs);
        });
        debug_assert!(runs.ascend(), "{runs:?}");
    }

    /// If `adjoin` is true, the agents were sorted into one row, and one search serves all of them,
    /// however far apart they are.
    #[inline(always)]
    fn candidates_in_box<L: Lanes>(
        &self,
        positions: Axes<&[f32]>,
        group: Option<usize>,
        adjoin: bool,
        search: &Search,
        runs: &mut Runs,
    ) {
        runs.begin();
        let around = Aabb::around(positions);
        let batch = (positions, group, around, adjoin);
        if let [columns] = &self.groups[..] {
            let block = self.block(0, columns, around, search.reach[0]);
            self.search_blocks::<L>(batch, &[block], search, runs);
        } else {
            let blocks = self.blocks(around, &search.reach, |block| self.may_have_agents(block));
            self.search_blocks::<L>(batch, &blocks, search, runs);
        }
    }

    #[inline(always)]
    fn search_blocks<L: Lanes>(
        &self,
        (positions, group, around, adjoin): (Axes<&[f32]>, Option<usize>, Aabb, bool),
        blocks: &[Block],
        search: &Search,
        runs: &mut Runs,
    ) {
        if blocks.is_empty() {
            return;
        }
        // In a sparse crowd, a batch that spans several rows can be much wider than its view.
        let compact = adjoin || self.is_compact(around, group, search);
        let shifts_suffice = compact && self.shifts_suffice(search);
        let (mut x_suffices, mut y_suffices) = (shifts_suffice, shifts_suffice);
        for &Block { group, rows, columns, layers } in blocks {
            x_suffices &= span(columns) <= i64::from(self.groups[group].count);
            y_suffices &=
                span(rows) <= i64::from(self.layer_rows) && span(layers) <= i64::from(self.layers);
        }
        runs.images = match (x_suffices, y_suffices) {
            _ if !self.layout.space.is_torus() => Images::None,
            (true, true) => Images::None,
            (false, true) if self.has_stretches(search) => Images::X,
            _ => Images::Both,
        };
        if compact && runs.images == Images::X {
            self.push_around(blocks, search, runs);
        } else if !compact {
            self.push_each_part::<L>(positions, group, search, runs);
            runs.merge();
        } else if !self.push_blocks(blocks, runs) {
            runs.merge();
        }
    }

    #[cold]
    fn push_each_part<L: Lanes>(
        &self,
        positions: Axes<&[f32]>,
        group: Option<usize>,
        search: &Search,
        runs: &mut Runs,
    ) {
        compiled!(L: {
            let mut left: ArrayVec<Aabb, MAX_WIDTH> = positions.iter().map(Aabb::at).collect();
            while let Some(mut around) = left.pop() {
                left.retain(|&mut other| {
                    let both = around.join(&other);
                    let fits = self.is_compact(both, group, search);
                    if fits {
                        around = both;
                    }
                    !fits
                });
                let blocks = self.blocks(around, &search.reach, |block| self.may_have_agents(block));
                self.push_blocks(&blocks, runs);
            }
        });
    }

    /// True if one search around the box serves all its agents. In an open world, agents in one row
    /// of the table may be arbitrarily far apart.
    #[inline(always)]
    fn is_compact(&self, around: Aabb, group: Option<usize>, search: &Search) -> bool {
        let (size, most) = (around.size(), 4.0 * search.farthest);
        let Aabb { low, high } = around;
        let one_row = || group.is_some() && self.row_at(low.y) == self.row_at(high.y);
        match self.layout.space.topology {
            _ if !self.is_flat => {
                let in_one_layer = || self.layer_at(low.z) == self.layer_at(high.z);
                size.all_le(Vec3::diagonal(most)) || one_row() && in_one_layer()
            }
            Topology::Torus | Topology::Bounded => size.x <= most || one_row(),
            Topology::Open => {
                let Vec3 { x, y, .. } = size * self.groups[0].inverse_cell.y;
                size.all_le(Vec3::diagonal(most))
                    || group.is_some() && x <= MAX_WIDTH as f32 && y <= TWO_ROWS
            }
        }
    }

    /// A block for each group that the search looks for and that passes the test.
    //
    // A loop, because iterators are not always inlined, and `floor` would then be a function call.
    #[inline(always)]
    pub(super) fn blocks(
        &self,
        around: Aabb,
        reach: &Reach,
        test: impl Fn(&Block) -> bool,
    ) -> ArrayVec<Block, MAX_GROUPS> {
        let mut blocks = ArrayVec::new();
        for (group, (columns, &reach)) in self.groups.iter().zip(reach).enumerate() {
            if reach > 0.0 {
                let block = self.block(group, columns, around, reach);
                if test(&block) {
                    blocks.push(block);
                }
            }
        }
        blocks
    }

    /// Rows and columns that the box overlaps, before folding into the table. The box is
    /// first expanded by `reach` and a margin for rounding errors, including the sweep's own.
    #[inline(always)]
    fn block(&self, group: usize, columns: &Columns, around: Aabb, reach: f32) -> Block {
        let Aabb { low, high } = around;
        let largest = match self.layout.space.topology {
            Topology::Torus | Topology::Bounded => self.layout.space.size,
            Topology::Open => {
                let larger = |a: f32, b: f32| if a.abs() > b.abs() { a.abs() } else { b.abs() };
                low.zip(high, larger)
            }
        };
        let margin = Vec3::diagonal(reach) * 1.0001 + largest * 1.0e-6;
        let Aabb { low, high } = around.expanded(margin);
        let edges = f32x4::from([low.y, high.y, low.x, high.x]);
        let Vec3 { x, y, .. } = columns.home;
        let cells = edges * columns.inverse_cells() + f32x4::from([y, y, x, x]);
        let [bottom, top, left, right] = cells.floor().trunc_int().to_array();
        let mut layers = (0, 0);
        if !self.is_flat {
            let edges =
                f32x4::from([low.z, high.z, 0.0, 0.0]) * f32x4::splat(columns.inverse_cell.z);
            let [back, front, ..] =
                (edges + f32x4::splat(columns.home.z)).floor().trunc_int().to_array();
            layers = self.clip((back, front), self.layers);
        }
        let columns = self.clip((left, right), columns.count);
        Block { group, layers, rows: self.clip((bottom, top), self.layer_rows), columns }
    }

    /// Prepares a search by agents of group `own_group`. Decides whether the search may round its
    /// reach up to whole cells of this grid.
    pub(super) fn prepared(&self, own_group: usize, reach: Reach) -> Search {
        let mut search = Search::new(reach);
        if self.groups.is_empty() || reach[own_group] == 0.0 {
            return search;
        }
        search.has_others =
            (0..self.groups.len()).any(|group| group != own_group && reach[group] > 0.0);
        // Rows that are added to these counts must not overflow.
        search.rows =
            reach.map(|reach| self.in_cells(own_group, reach).to_array()[0].min(1.0e9) as i32);
        let [up, _, aside, _] = self.in_cells(own_group, reach[own_group]).to_array();
        // Rounding up to whole cells must add at most 10%. In sparse crowds, cells are larger than
        // the reach, but hold few agents.
        let least = if reach[own_group] < self.layout.plan.view { 0.0 } else { 0.91 };
        let nearly_whole = |cells: f32| cells < 1.0e6 && cells.ceil() <= cells.max(least) * 1.1;
        let is_whole = self.layout.space.topology != Topology::Open
            && self.is_flat
            && self.shifts_suffice(&search)
            && nearly_whole(up)
            && nearly_whole(aside);
        let cells = [up as i32, aside as i32];
        let whole = is_whole.then_some(own_group);
        match search.has_others {
            false => Search { whole, cells, ..search },
            true => Search { whole_alone: whole, cells, ..search },
        }
    }

    /// True if a run's shift always brings its agents to their minimum images.
    #[inline(always)]
    fn shifts_suffice(&self, search: &Search) -> bool {
        let space = &self.layout.space;
        !space.is_torus() || search.farthest * 3.03 <= space.smaller_side()
    }

    /// View distance in cell heights (lanes 0 and 1) and cell widths (lanes 2 and 3),
    /// plus a margin for all rounding errors.
    fn in_cells(&self, group: usize, view: f32) -> f32x4 {
        let size = self.layout.space.size;
        let margin = f32x4::from([size.y, size.y, size.x, size.x]) * f32x4::splat(ROUNDING_MARGIN);
        (margin + f32x4::splat(view * 1.0001)) * self.groups[group].inverse_cells()
    }

    /// The row into which agents at height `y` are sorted in a finite world.
    #[inline(always)]
    fn row_inside(&self, y: f32) -> i32 {
        self.row_at(y).clamp(0, self.rows as i32 - 1)
    }

    #[inline(always)]
    fn layer_at(&self, z: f32) -> i32 {
        (z * self.groups[0].inverse_cell.z).floor() as i32
    }

    #[inline(always)]
    fn row_at(&self, y: f32) -> i32 {
        (y * self.groups[0].inverse_cell.y).floor() as i32
    }

    #[inline(always)]
    pub(super) fn clip(&self, (from, to): (i32, i32), count: u32) -> (i32, i32) {
        let last = count as i32 - 1;
        if self.layout.space.topology == Topology::Bounded {
            (from.clamp(0, last), to.clamp(0, last))
        } else {
            (from, to)
        }
    }
}
