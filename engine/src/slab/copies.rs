//! Copies of agents in the rows around a slab's own.
//!
//! Copies keep the coordinates of their owners, across the seam of a torus too: shifted ones would
//! round differently from what a whole crowd computes. They arrive in slot order, as contiguous
//! slices of their owners' columns, and only in those columns that some agent may read of another.

use std::ops::Range;

use arrayvec::ArrayVec;

use crate::behaviors::Behavior;
use crate::crowd::columns::{Motion, Traits};
use crate::math::lanes::MAX_WIDTH;
use crate::math::width::with_widest_lanes;
use crate::parallel::Split;
use crate::simulation::Simulation;
use crate::simulation::needs::Needs;
use crate::slab::borders::{Borders, Shared};
use crate::slab::messages::{Message, Received, messages};
use crate::slab::state::Slab;
use crate::species::MAX_COLUMNS;

/// The most columns that are copied: ten of the engine's, and those that a scene defines.
const MOST: usize = 10 + MAX_COLUMNS;

impl Slab {
    /// Draws the borders, and works out what follows from them.
    pub(super) fn draw(&mut self, borders: Borders) {
        let wraps = self.held.grid.wraps();
        let reach = self.held.grid.reach(self.held.needed_distance());
        self.scattered |= self.borders != borders;
        self.borders = borders;
        self.reach = reach;
        let of = |holder| self.borders.copies(holder, reach, wraps);
        self.copies = of(self.number).into_iter().map(|shared| (shared, 0..0)).collect();
        let lent = self.others().flat_map(of);
        self.lent = lent.filter(|shared| shared.owner == self.number).collect();
        self.held.grid.hold(&self.borders.held(self.number, reach, wraps));
    }

    /// For each slab that holds copies of this one's agents, how many these are.
    pub(super) fn count_lent(&mut self) -> Vec<Message<'_>> {
        let holders = holders(&self.lent);
        for &holder in &holders {
            self.messages[holder].clear();
        }
        for shared in &self.lent {
            let slots = self.held.grid.slots_of(&shared.rows);
            self.messages[shared.holder].extend((slots.len() as u32).to_ne_bytes());
        }
        messages(holders, &self.messages)
    }

    /// The slabs that this one holds copies of: each sends a message, before a step and in each
    /// pass that pushes agents apart.
    #[must_use]
    pub fn lenders(&self) -> Vec<usize> {
        let mut owners: Vec<usize> = self.copies.iter().map(|(shared, _)| shared.owner).collect();
        owners.sort_unstable();
        owners.dedup();
        owners
    }

    /// Makes room for copies, of which the slabs in [`Self::lenders`] have sent the numbers, and puts
    /// the agents that this slab owns in order.
    pub fn make_room(&mut self, received: &[Received<'_>]) {
        let held = &mut self.held;
        let own = held.sorter.sources().len();
        let mut counts: Vec<(usize, &[u8])> =
            received.iter().map(|message| (message.from, message.bytes)).collect();
        let mut total = 0;
        let own_rows = self.borders.of(self.number);
        let mut first = None;
        for (shared, slots) in &mut self.copies {
            let message = counts.iter_mut().find(|(from, _)| *from == shared.owner);
            let (_, bytes) = message.expect("every lender sends a message");
            let count = bytes.split_off(..4).expect("a message holds what it says");
            let count = bytemuck::pod_read_unaligned::<u32>(count) as usize;
            // A slab without agents needs no copies.
            let count = if own == 0 { 0 } else { count };
            if shared.rows.start >= own_rows.end && first.is_none() {
                first = Some(total);
                total += own;
            }
            *slots = total..total + count;
            total += count;
        }
        let first = first.unwrap_or_else(|| {
            total += own;
            total - own
        });

        held.motion_next.resize(total, &held.motion);
        held.traits_next.resize(total, &held.traits);
        let workers = held.workers.for_crowd(own);
        let Simulation { motion, motion_next, traits, traits_next, .. } = held;
        let (_, motion_out) = motion_next.slices_mut().split_at(first);
        let (motion_out, _) = motion_out.split_at(own);
        let (_, traits_out) = traits_next.slices_mut().split_at(first);
        let (traits_out, _) = traits_out.split_at(own);
        with_widest_lanes!(held.instructions, L => held.sorter.gather::<L>(
            &workers,
            &held.grid,
            (motion, traits, self.own.start),
            (motion_out, traits_out),
        ));
        held.take_sorted();
        held.motion_next.resize(total, &held.motion);
        self.own = first..first + own;

        let cells = held.grid.held_cells(&own_rows);
        let starts = &mut held.grid.starts;
        starts[cells.start..=cells.end].iter_mut().for_each(|start| *start += first as u32);
        // Until the copies are there, their cells are empty.
        starts[..cells.start].fill(first as u32);
        starts[cells.end + 1..].fill((first + own) as u32);
        // A batch at the end of the inner rows may read beyond the slab's own agents.
        let beyond = self.own.end..total.min(self.own.end + MAX_WIDTH);
        if let Some(last) = self.own.clone().last() {
            for column in [&mut held.motion.x, &mut held.motion.y] {
                let value = column[last];
                column[beyond.clone()].fill(value);
            }
        }
        held.tail.fill(&held.motion, &held.traits);
    }

    /// For each slab that holds copies of this one's agents, those columns that it reads.
    pub(super) fn lent_columns<'a>(held: &'a Simulation, lent: &[Shared]) -> Vec<Message<'a>> {
        let columns = Copied::of(held).columns(&held.motion, &held.traits);
        slices(held, lent, &columns)
    }

    /// Puts the copies that the slabs in [`Self::lenders`] have sent into their slots.
    pub(super) fn take_copies(&mut self, received: &[Received<'_>]) {
        if self.own.is_empty() {
            return;
        }
        let held = &mut self.held;
        let copied = Copied::of(held);
        let columns = copied.columns_mut(&mut held.motion, &mut held.traits);
        fill(&self.copies, received, columns);
        for (shared, slots) in &self.copies {
            let (x, y) = (&held.motion.x[slots.clone()], &held.motion.y[slots.clone()]);
            with_widest_lanes!(held.instructions, L => {
                held.grid.fill::<L>(&shared.rows, slots.start, (x, y), &mut self.rows);
            });
        }
        let own_rows = self.borders.of(self.number);
        let mut after = self.copies.iter().filter(|(shared, _)| shared.rows.start >= own_rows.end);
        if let Some((shared, slots)) = after.next_back() {
            let end = held.grid.held_cells(&shared.rows).end;
            held.grid.starts[end..].fill(slots.end as u32);
        }
        held.tail.fill(&held.motion, &held.traits);
    }

    /// For each slab that holds copies of this one's agents, where these are now: for
    /// [`Self::push_apart`].
    pub fn positions(&self) -> Vec<Message<'_>> {
        let motion = &self.held.motion;
        slices(&self.held, &self.lent, &[Column::of(&motion.x), Column::of(&motion.y)])
    }

    /// Takes the positions that the slabs in [`Self::lenders`] have sent.
    pub(super) fn take_positions(&mut self, received: &[Received<'_>]) {
        if !self.own.is_empty() {
            let Motion { x, y, .. } = &mut self.held.motion;
            let columns = [ColumnMut::of(x), ColumnMut::of(y)];
            fill(&self.copies, received, columns);
        }
    }

    /// How many pieces the message of a lender has that sends copies, and one that sends positions.
    #[must_use]
    pub fn pieces_from(&self, lender: usize) -> [usize; 2] {
        let columns = Copied::of(&self.held).columns(&self.held.motion, &self.held.traits).len();
        let shared = self.copies.iter().filter(|(shared, _)| shared.owner == lender).count();
        [shared * columns, shared * 2]
    }

    /// The bytes of each copy that a step sends, without those of pushing apart.
    #[must_use]
    pub fn bytes_per_copy(&self) -> usize {
        let columns = Copied::of(&self.held).columns(&self.held.motion, &self.held.traits);
        columns.iter().map(|column| column.size).sum()
    }
}

/// The slabs that hold copies, each once, ascending.
fn holders(lent: &[Shared]) -> Vec<usize> {
    let mut holders: Vec<usize> = lent.iter().map(|shared| shared.holder).collect();
    holders.dedup();
    holders
}

/// For each holder, the rows that it holds copies of: column by column.
fn slices<'a>(held: &Simulation, lent: &[Shared], columns: &[Column<'a>]) -> Vec<Message<'a>> {
    let of = |to: usize| {
        let rows = lent.iter().filter(move |shared| shared.holder == to);
        let slots = rows.map(|shared| held.grid.slots_of(&shared.rows));
        let pieces = slots.flat_map(|slots| columns.iter().map(move |column| column.rows(&slots)));
        Message { to, pieces: pieces.collect() }
    };
    holders(lent).into_iter().map(of).collect()
}

/// Fills the slots of copies with what their owners sent.
fn fill<'a>(
    copies: &[(Shared, Range<usize>)],
    received: &[Received<'_>],
    columns: impl IntoIterator<Item = ColumnMut<'a>>,
) {
    let mut columns: ArrayVec<ColumnMut<'a>, MOST> = columns.into_iter().collect();
    for &Received { from, mut bytes } in received {
        for (_, slots) in copies.iter().filter(|(shared, _)| shared.owner == from) {
            for column in &mut columns {
                let rows = column.rows(slots);
                let values = bytes.split_off(..rows.len()).expect("copies are as many as counted");
                rows.copy_from_slice(values);
            }
        }
    }
}

/// Which columns agents may read of others, besides positions and headings.
struct Copied {
    velocity: bool,
    radius: bool,
    max_speed: bool,
    species: bool,
    index: bool,
    own: bool,
}

impl Copied {
    fn of(held: &Simulation) -> Self {
        let needs = Needs::of(&held.scene);
        let behaviors = || held.scene.species.iter().flat_map(|species| &species.behaviors);
        // They may ask anything of a neighbor.
        let custom = behaviors().any(|behavior| matches!(behavior, Behavior::Custom(_)));
        let velocity = custom || behaviors().any(|one| one.parameters().reads_velocities());
        Self {
            velocity: needs.velocity && velocity,
            radius: needs.radius,
            max_speed: needs.max_speed && custom,
            species: needs.species && custom,
            index: held.scene.non_penetration > 0,
            own: custom,
        }
    }

    fn columns<'a>(&self, motion: &'a Motion, traits: &'a Traits) -> ArrayVec<Column<'a>, MOST> {
        let Motion { x, y, vx, vy, hx, hy, own, .. } = motion;
        let Traits { index, species, max_speed, radius, .. } = traits;
        let mut columns = ArrayVec::new();
        columns.extend([x, y, hx, hy].map(|column| Column::of(column)));
        for (copied, column) in [
            (self.velocity, vx),
            (self.velocity, vy),
            (self.radius, radius),
            (self.max_speed, max_speed),
        ] {
            columns.extend(copied.then(|| Column::of(column)));
        }
        columns.extend(self.species.then(|| Column::of(species)));
        columns.extend(self.index.then(|| Column::of(index)));
        columns.extend(own.0.iter().filter(|_| self.own).map(|column| Column::of(column)));
        columns
    }

    /// The same, to fill.
    fn columns_mut<'a>(
        &self,
        motion: &'a mut Motion,
        traits: &'a mut Traits,
    ) -> ArrayVec<ColumnMut<'a>, MOST> {
        let Motion { x, y, vx, vy, hx, hy, own, .. } = motion;
        let Traits { index, species, max_speed, radius, .. } = traits;
        let mut columns = ArrayVec::new();
        columns.extend([x, y, hx, hy].map(|column| ColumnMut::of(column)));
        for (copied, column) in [
            (self.velocity, vx),
            (self.velocity, vy),
            (self.radius, radius),
            (self.max_speed, max_speed),
        ] {
            columns.extend(copied.then(|| ColumnMut::of(column)));
        }
        columns.extend(self.species.then(|| ColumnMut::of(species)));
        columns.extend(self.index.then(|| ColumnMut::of(index)));
        columns.extend(own.0.iter_mut().filter(|_| self.own).map(|column| ColumnMut::of(column)));
        columns
    }
}

/// A column as bytes.
struct Column<'a> {
    bytes: &'a [u8],
    size: usize,
}

impl<'a> Column<'a> {
    fn of<T: bytemuck::NoUninit>(column: &'a [T]) -> Self {
        Self { bytes: bytemuck::cast_slice(column), size: size_of::<T>() }
    }

    fn rows(&self, rows: &Range<usize>) -> &'a [u8] {
        &self.bytes[rows.start * self.size..rows.end * self.size]
    }
}

/// A column as bytes, to fill.
struct ColumnMut<'a> {
    bytes: &'a mut [u8],
    size: usize,
}

impl<'a> ColumnMut<'a> {
    fn of<T: bytemuck::Pod>(column: &'a mut [T]) -> Self {
        Self { bytes: bytemuck::cast_slice_mut(column), size: size_of::<T>() }
    }

    fn rows(&mut self, rows: &Range<usize>) -> &mut [u8] {
        &mut self.bytes[rows.start * self.size..rows.end * self.size]
    }
}
