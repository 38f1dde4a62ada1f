//! Ghosts: copies of other slabs' agents in the halo (the rows around a slab's own rows).
//!
//! A ghost's coordinates are never shifted, even across the seam of a torus, because shifted
//! coordinates would round differently than in the whole crowd. Ghosts arrive in slot order,
//! as contiguous slices of their owners' columns. Slabs send only those columns that agents
//! may read from each other.

use std::ops::Range;

use arrayvec::ArrayVec;

use crate::grid::Grid;
use crate::math::axes::AXES;
use crate::math::lanes::MAX_WIDTH;
use crate::math::lanes::dispatch::with_vectors;
use crate::parallel::Split;
use crate::simulation::Setting;
use crate::slab::borders::{Borders, GhostRows};
use crate::slab::messages::{
    Column, ColumnMut, GhostColumns, MAX_MESSAGE_COLUMNS, Outbox, Received,
};
use crate::slab::state::Slab;

impl Slab {
    pub(super) fn draw(&mut self, borders: Borders) {
        let Setting { scene, required, .. } = &self.local.setting;
        let wraps = self.sorted.grid.wraps();
        let reach = self.sorted.grid.reach(self.local.needed_distance());
        self.ghost_columns = GhostColumns::new(scene, required);
        self.scattered |= self.borders != borders;
        self.borders = borders;
        self.reach = reach;
        let of = |user| self.borders.ghosts(user, reach, wraps);
        self.ghosts = of(self.number).into_iter().map(|shared| (shared, 0..0)).collect();
        let ghosted_rows = self.others().flat_map(of);
        self.ghosted_rows = ghosted_rows.filter(|shared| shared.owner == self.number).collect();
        self.ghost_users = self.ghosted_rows.iter().map(|shared| shared.user).collect();
        self.ghost_users.dedup();
        self.ghost_owners = self.borders.near(self.number, reach, wraps);
        let moved = self.local.pushed_before(scene.non_penetration);
        let moved = self.sorted.grid.reach(moved);
        self.near = self.borders.near(self.number, moved, wraps);
        self.sorted.grid.store_rows(&self.borders.local_rows(self.number, reach, wraps));
    }

    /// Tells each neighboring slab how many ghosts it will receive from this slab.
    pub fn send_ghost_counts<'a>(&'a mut self, out: &mut Outbox<'a>) {
        for &user in &self.ghost_users {
            self.messages[user].clear();
        }
        for shared in &self.ghosted_rows {
            let slots = self.sorted.grid.slots_of(&shared.rows);
            self.messages[shared.user].extend((slots.len() as u32).to_ne_bytes());
        }
        for &user in &self.ghost_users {
            out.push(user, [&self.messages[user][..]]);
        }
    }

    /// The slabs that own this slab's ghosts, in ascending order.
    /// Each owner sends the ghosts once per step, and their positions before each pushing pass.
    #[must_use]
    pub fn ghost_owners(&self) -> &[usize] {
        &self.ghost_owners
    }

    /// Reserves slots for ghosts, given the counts from the slabs in [`Self::ghost_owners`],
    /// and moves this slab's own agents into cell order.
    ///
    /// # Panics
    /// If a message is malformed.
    pub fn reserve_ghosts<'m>(&mut self, received: impl IntoIterator<Item = Received<'m>>) {
        let Self { local, sorted, .. } = self;
        let own = sorted.sorter.sources().len();
        for Received { from, mut bytes } in received {
            for (_, slots) in self.ghosts.iter_mut().filter(|(shared, _)| shared.owner == from) {
                let count = bytes.split_off(..4).expect("a message holds what it says");
                let count = bytemuck::pod_read_unaligned::<u32>(count) as usize;
                // A slab without agents needs no ghosts.
                *slots = 0..if own == 0 { 0 } else { count };
            }
        }
        let own_rows = self.borders.rows_of(self.number);
        let below = self.ghosts.partition_point(|(shared, _)| shared.rows.start < own_rows.end);
        let (below, above) = self.ghosts.split_at_mut(below);
        let mut total = 0;
        let mut place = |count: usize| {
            total += count;
            total - count..total
        };
        below.iter_mut().for_each(|(_, slots)| *slots = place(slots.len()));
        let own_slots = place(own);
        above.iter_mut().for_each(|(_, slots)| *slots = place(slots.len()));
        let first = own_slots.start;

        sorted.motion.resize(total, &local.state.motion);
        sorted.attributes.resize(total, &local.state.attributes);
        let workers = local.execution.workers.for_crowd(own);
        let motion_out = part(sorted.motion.slices_mut(), &own_slots);
        let attributes_out = part(sorted.attributes.slices_mut(), &own_slots);
        with_vectors!(local.execution.instructions, L => sorted.sorter.gather::<L>(
            &workers,
            &sorted.grid,
            (&local.state.motion, &local.state.attributes, self.own.start),
            (motion_out, attributes_out),
        ));
        local.take_sorted(sorted);
        local.workspace.grown();
        sorted.motion.resize(total, &local.state.motion);
        self.own = own_slots;

        let cells = sorted.grid.cells_of_rows(&own_rows);
        let starts = &mut sorted.grid.starts;
        starts[cells.start..=cells.end].iter_mut().for_each(|start| *start += first as u32);
        // Ghost cells stay empty until the ghosts arrive.
        starts[..cells.start].fill(first as u32);
        starts[cells.end + 1..].fill((first + own) as u32);
        // A batch of inner rows may read past this slab's agents: pad with the last position.
        let beyond = self.own.end..total.min(self.own.end + MAX_WIDTH);
        if let Some(last) = self.own.clone().last() {
            let position = &mut local.state.motion.position;
            let at_last = position.at(last);
            beyond.for_each(|slot| position.set(slot, at_last));
        }
        sorted.tail.fill(&local.state.motion, &local.state.attributes);
    }

    pub(super) fn take_ghosts<'m>(&mut self, received: impl IntoIterator<Item = Received<'m>>) {
        if self.own.is_empty() {
            return;
        }
        let Self { local, sorted, .. } = self;
        let columns =
            self.ghost_columns.columns_mut(&mut local.state.motion, &mut local.state.attributes);
        fill(&self.ghosts, received, columns);
        for (shared, slots) in &self.ghosts {
            let positions = local.state.motion.position.rows(slots.clone());
            with_vectors!(local.execution.instructions, L => {
                sorted.grid.fill::<L>(&shared.rows, slots.start, positions, &mut self.rows);
            });
        }
        let own_rows = self.borders.rows_of(self.number);
        let last = self.ghosts.last().filter(|(shared, _)| shared.rows.start >= own_rows.end);
        if let Some((shared, slots)) = last {
            let end = sorted.grid.cells_of_rows(&shared.rows).end;
            sorted.grid.starts[end..].fill(slots.end as u32);
        }
        debug_assert!(
            self.reach >= sorted.grid.reach(local.needed_distance()),
            "ghosts are as far away as a search reaches"
        );
        debug_assert!(
            sorted.grid.starts.is_sorted()
                && sorted.grid.starts.last() == Some(&(local.len() as u32)),
            "ghosts and own agents fill all slots in ascending order of cells"
        );
        sorted.tail.fill(&local.state.motion, &local.state.attributes);
    }

    /// Sends the current positions of this slab's agents to the slabs that have them as ghosts,
    /// for [`Self::push_apart`].
    pub fn send_positions<'a>(&'a self, out: &mut Outbox<'a>) {
        let position = &self.local.state.motion.position;
        let columns: [_; AXES] = std::array::from_fn(|axis| Column::new(&position.0[axis]));
        slices(&self.sorted.grid, (&self.ghosted_rows, &self.ghost_users), &columns, out);
    }

    /// Number of pieces in each of the two messages from `owner`: a step's ghosts,
    /// and their positions for a pushing pass.
    #[must_use]
    pub fn pieces_from(&self, owner: usize) -> [usize; 2] {
        let columns = self
            .ghost_columns
            .columns(&self.local.state.motion, &self.local.state.attributes)
            .len();
        let shared = self.ghosts.iter().filter(|(shared, _)| shared.owner == owner).count();
        [shared * columns, shared * AXES]
    }

    /// Bytes sent per ghost per step, not counting the positions sent before each pushing pass.
    #[must_use]
    pub fn bytes_per_ghost(&self) -> usize {
        let columns =
            self.ghost_columns.columns(&self.local.state.motion, &self.local.state.attributes);
        columns.iter().map(|column| column.size).sum()
    }
}

pub(super) fn part<S: Split>(slices: S, slots: &Range<usize>) -> S {
    let (_, from_start) = slices.split_at(slots.start);
    from_start.split_at(slots.len()).0
}

pub(super) fn slices<'a>(
    grid: &Grid,
    (ghosted_rows, ghost_users): (&[GhostRows], &[usize]),
    columns: &[Column<'a>],
    out: &mut Outbox<'a>,
) {
    for &user in ghost_users {
        let rows = ghosted_rows.iter().filter(|shared| shared.user == user);
        let slots = rows.map(|shared| grid.slots_of(&shared.rows));
        out.push(
            user,
            slots.flat_map(|slots| columns.iter().map(move |column| column.rows(&slots))),
        );
    }
}

pub(super) fn fill<'a, 'm>(
    ghosts: &[(GhostRows, Range<usize>)],
    received: impl IntoIterator<Item = Received<'m>>,
    columns: impl IntoIterator<Item = ColumnMut<'a>>,
) {
    let mut columns: ArrayVec<ColumnMut<'a>, MAX_MESSAGE_COLUMNS> = columns.into_iter().collect();
    for Received { from, mut bytes } in received {
        for (_, slots) in ghosts.iter().filter(|(shared, _)| shared.owner == from) {
            for column in &mut columns {
                let rows = column.rows(slots);
                let values = bytes.split_off(..rows.len()).expect("ghosts are as many as counted");
                rows.copy_from_slice(values);
            }
        }
    }
}
