//! Each agent's recent headings, for smoothing.
//!
//! Each agent has a row of headings, with one column per recent step. Moving the headings in every
//! sort would be too slow, so a sort moves only the agents' row indices. Every few steps, the rows
//! are put back into slot order, so that adjacent agents' rows stay close in memory.
//!
//! Headings and their running sums are in fixed point, so the sums are exact and never drift.
//! Mean headings are computed on demand, because the step does not use them.

use std::hint::black_box;
use std::ops::Range;
use std::sync::atomic::{AtomicI64, Ordering::Relaxed};

use crate::crowd::columns::Motion;
use crate::crowd::store::prefetch;
use crate::grid::Grid;
use crate::math::axes::Axes;
use crate::math::fixed::{self, ONE, packed};
use crate::math::lanes::{Lanes, compiled};
use crate::math::vec3::Vec3;
use crate::parallel::Workers;

const COMPACTION_PERIOD: u64 = 16;
/// Removed agents leave unused rows. Adding an agent compacts the rows once the unused rows
/// outnumber the agents by more than this number.
const MAX_UNUSED_ROWS: usize = 1024;

/// Headings packed by [`fixed::packed`], indexed by history row.
///
/// Threads write to scattered rows, but every row has a single writer,
/// so relaxed atomics suffice and compile to plain loads and stores.
type Column = Vec<AtomicI64>;

const BLOCK: usize = 16;

/// Past headings along one or two axes.
#[derive(Debug, Default)]
struct Ring {
    /// One column per averaged step; step t writes column t modulo the number of columns.
    columns: Vec<Column>,
    /// Each row's headings, summed over all columns.
    sums: Column,
}

#[derive(Debug, Default)]
pub(crate) struct History {
    /// One ring for x and y and, in worlds with depth, one for z. Empty if headings are not
    /// smoothed.
    rings: Vec<Ring>,
    spare: Column,
    rows: Vec<u32>,
    rows_next: Vec<u32>,
}

impl History {
    fn of_samples(samples: usize, axes: usize) -> Self {
        let ring =
            |_| Ring { columns: (0..samples).map(|_| Column::new()).collect(), ..Ring::default() };
        let rings = if samples > 0 { axes - 1 } else { 0 };
        Self { rings: (0..rings).map(ring).collect(), ..Self::default() }
    }

    pub(crate) fn reset(&mut self, samples: Option<u32>, motion: &Motion, axes: usize) {
        let samples = samples.map_or(0, |samples| samples as usize);
        *self = Self::of_samples(samples, axes);
        motion.heading.all().iter().for_each(|heading| self.push(heading));
    }

    /// `headings` lists the agents' headings in slot order, with `axes` values per sample.
    pub(crate) fn from_headings(samples: usize, axes: usize, headings: &[i32]) -> Self {
        let mut history = Self::of_samples(samples, axes);
        for of_agent in headings.chunks_exact((samples * axes).max(1)) {
            history.add(|ring, column| {
                let of_sample = &of_agent[column * axes..][..axes];
                let rest = &of_sample[2 * ring..];
                fixed::packed([rest[0], rest.get(1).copied().unwrap_or_default()])
            });
        }
        history
    }

    /// Headings in the format of [`Self::from_headings`].
    pub(crate) fn headings(&self) -> Vec<i32> {
        let mut headings = Vec::new();
        for &row in &self.rows {
            for column in 0..self.samples() {
                for (ring, axes) in self.rings.iter().zip([2, 1]) {
                    let pair = fixed::unpacked(at(&ring.columns[column], row));
                    headings.extend(pair.into_iter().take(axes));
                }
            }
        }
        headings
    }

    pub(crate) fn append(&mut self, source: &Self, slots: Range<usize>) {
        let rows = source.rows.get(slots).unwrap_or_default();
        self.rings.resize_with(source.rings.len(), Ring::default);
        for ring in &mut self.rings {
            ring.columns.resize_with(source.samples(), Column::new);
            for column in ring.columns.iter_mut().chain([&mut ring.sums]) {
                column.reserve(rows.len());
            }
        }
        self.rows.reserve(rows.len());
        for &row in rows {
            self.add(|ring, column| at(&source.rings[ring].columns[column], row));
        }
    }

    pub(crate) fn mean_at(&self, slot: usize) -> Option<[f32; 3]> {
        let row = *self.rows.get(slot)?;
        let mut means =
            self.rings.iter().map(|ring| fixed::mean(at(&ring.sums, row), self.samples()));
        let [x, y] = means.next()?;
        Some([x, y, means.next().map_or(0.0, |[z, _]| z)])
    }

    pub(crate) fn samples(&self) -> usize {
        self.rings.first().map_or(0, |ring| ring.columns.len())
    }

    /// Number of rows, including unused rows.
    fn all_rows(&self) -> usize {
        self.rings.first().map_or(0, |ring| ring.sums.len())
    }

    pub(crate) fn push(&mut self, heading: Vec3<f32>) {
        if self.samples() == 0 {
            return;
        }
        if self.all_rows() > 2 * self.rows.len() + MAX_UNUSED_ROWS {
            self.compact(&Workers::default());
        }
        let Vec3 { x, y, z } = heading;
        let pairs = [[x, y], [z, 0.0]].map(fixed::from_heading);
        self.add(|ring, _| pairs[ring]);
    }

    /// Adds an agent, whose packed headings are returned by `heading(ring index, column index)`.
    fn add(&mut self, heading: impl Fn(usize, usize) -> i64) {
        self.rows.push(self.all_rows() as u32);
        for (index, ring) in self.rings.iter_mut().enumerate() {
            let mut sum = 0;
            for (k, column) in ring.columns.iter_mut().enumerate() {
                let heading = heading(index, k);
                sum += heading;
                column.push(AtomicI64::new(heading));
            }
            ring.sums.push(AtomicI64::new(sum));
            debug_assert!(ring.columns.iter().all(|column| column.len() == ring.sums.len()));
        }
    }

    pub(crate) fn write(&self, slots: impl Iterator<Item = usize>, message: &mut Vec<u8>) {
        for slot in slots.filter(|_| self.samples() > 0) {
            let columns = self.rings.iter().flat_map(|ring| &ring.columns);
            let headings = columns.map(|column| at(column, self.rows[slot]));
            headings.for_each(|heading| message.extend(heading.to_ne_bytes()));
        }
    }

    pub(crate) fn read(&mut self, agents: usize, message: &mut &[u8]) {
        for _ in 0..agents * usize::from(self.samples() > 0) {
            let samples = self.samples();
            let length = self.rings.len() * samples * size_of::<i64>();
            let headings = message.split_off(..length).expect("a message holds what it says");
            let (headings, _) = headings.as_chunks();
            self.add(|ring, column| i64::from_ne_bytes(headings[ring * samples + column]));
        }
    }

    /// Leaves the agent's row unused until the next compaction.
    pub(crate) fn swap_remove(&mut self, slot: usize) {
        if self.samples() > 0 {
            self.rows.swap_remove(slot);
        }
    }

    /// Replaces each agent's oldest heading with its current one after step `tick`.
    /// Applies `order`, the permutation from the latest sort into `grid`, to agents' row indices.
    ///
    /// Updating a running sum takes one subtraction and one addition, no matter how many headings
    /// are averaged. It reads and writes an 8-byte heading and an 8-byte sum per agent. Conversion
    /// to fixed point is vectorized over agents. Sums are updated in scalar code, because their
    /// rows are scattered in memory.
    pub(crate) fn smooth<L: Lanes>(
        &mut self,
        workers: &Workers,
        (order, grid): (&[u32], &Grid),
        headings: Axes<&[f32]>,
        tick: u64,
    ) {
        let samples = self.samples();
        if samples == 0 {
            return;
        }
        let newest = (tick % samples as u64) as usize;
        let (rings, rows_before) = (&self.rings, &self.rows);
        self.rows_next.resize(order.len(), 0);
        let out = &mut self.rows_next[..];
        workers.split(order.len(), out, &|range: Range<usize>, rows: &mut [u32]| {
            let soon = grid.next_row_slots(&range, 0, rows_before.len());
            prefetch(&rows_before[soon.clone()]);
            for ring in rings {
                prefetch_atomic(&ring.columns[newest][soon.clone()]);
                prefetch_atomic(&ring.sums[soon.clone()]);
            }
            for (row, &from) in rows.iter_mut().zip(&order[range.clone()]) {
                *row = rows_before[from as usize];
            }
            let Axes([x, y, z]) = headings.rows(range);
            for (ring, axes) in rings.iter().zip([[x, y], [z, &[]]]) {
                let (newest, sums) = (&ring.columns[newest][..], &ring.sums[..]);
                compiled!(L: replace_oldest::<L>(rows, axes, newest, sums));
            }
        });
        std::mem::swap(&mut self.rows, &mut self.rows_next);
        if tick.is_multiple_of(COMPACTION_PERIOD) {
            self.compact(workers);
        }
    }

    fn compact(&mut self, workers: &Workers) {
        let agents = self.rows.len();
        let columns =
            self.rings.iter_mut().flat_map(|ring| ring.columns.iter_mut().chain([&mut ring.sums]));
        for column in columns {
            self.spare.resize_with(agents, AtomicI64::default);
            let (from, rows) = (&*column, &self.rows);
            workers.split(agents, &mut self.spare[..], &|range: Range<usize>, out| {
                for (to, &row) in out.iter_mut().zip(&rows[range]) {
                    *to.get_mut() = at(from, row);
                }
            });
            std::mem::swap(column, &mut self.spare);
        }
        (0..).zip(&mut self.rows).for_each(|(slot, row)| *row = slot);
    }

    pub(crate) fn permute(&mut self, order: &[u32]) {
        if self.samples() > 0 {
            self.rows = order.iter().map(|&from| self.rows[from as usize]).collect();
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        let columns = self.rings.iter().flat_map(|ring| ring.columns.iter().chain([&ring.sums]));
        let columns = columns.chain([&self.spare]);
        let headings = columns.map(|column| column.capacity()).sum::<usize>();
        let rows = self.rows.capacity() + self.rows_next.capacity();
        headings * size_of::<i64>() + rows * size_of::<u32>()
    }
}

fn at(column: &[AtomicI64], row: u32) -> i64 {
    column[row as usize].load(Relaxed)
}

fn prefetch_atomic(headings: &[AtomicI64]) {
    const PER_CACHE_LINE: usize = 8;
    let headings = headings.iter().step_by(PER_CACHE_LINE);
    black_box(headings.fold(0, |sum, heading| sum ^ heading.load(Relaxed)));
}

#[inline(always)]
fn replace_oldest<L: Lanes>(
    rows: &[u32],
    [x, y]: [&[f32]; 2],
    newest: &[AtomicI64],
    sums: &[AtomicI64],
) {
    let mut ys = y.chunks(BLOCK);
    for (rows, x) in rows.chunks(BLOCK).zip(x.chunks(BLOCK)) {
        let (xs, ys) = (whole::<L>(x), whole::<L>(ys.next().unwrap_or_default()));
        for (k, &row) in rows.iter().take(BLOCK).enumerate() {
            let (oldest, sum) = (&newest[row as usize], &sums[row as usize]);
            let heading = packed([xs[k] as i32, ys[k] as i32]);
            sum.store(sum.load(Relaxed) + (heading - oldest.load(Relaxed)), Relaxed);
            oldest.store(heading, Relaxed);
        }
    }
}

#[inline(always)]
fn whole<L: Lanes>(parts: &[f32]) -> [u32; BLOCK] {
    let mut padded = [0.0; BLOCK];
    padded[..parts.len()].copy_from_slice(parts);
    let mut whole = [0; BLOCK];
    for (whole, parts) in whole.chunks_exact_mut(L::WIDTH).zip(padded.chunks_exact(L::WIDTH)) {
        L::store_bits((L::load(parts) * L::splat(ONE)).round_int(), whole);
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Regression: a copied history, e.g. in a snapshot, took up to twice the memory it needed.
    #[test]
    fn a_copied_history_takes_no_more_memory_than_it_holds() {
        let history = History::from_headings(3, 2, &[1; 2 * 3 * 1000]);
        let mut copy = History::default();
        copy.append(&history, 0..1000);
        assert_eq!(copy.bytes(), 1000 * (4 * size_of::<i64>() + size_of::<u32>()));
    }
}
