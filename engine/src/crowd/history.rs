//! The latest headings of every agent, for smoothed headings.
//!
//! Headings hardly matter enough to be carried along by every sort. So they stay in places, one
//! column for each of the latest steps, and only the number of its place goes along with an
//! agent. Every few steps all are put into the order of slots again, before agents that are next to
//! each other have theirs all over memory.
//!
//! Headings are whole numbers there, and so is their running sum: exact, it never drifts.

use std::hint::black_box;
use std::ops::{Deref, Range};
use std::sync::atomic::{AtomicI64, Ordering::Relaxed};

use crate::crowd::columns::Motion;
use crate::grid::Grid;
use crate::math::fixed;
use crate::parallel::Workers;

/// In steps that are multiples of this, headings are put into the order of slots.
const COMPACTED: u64 = 16;
/// Places that may be left over by agents that are gone, before newcomers tidy up.
const MOST_LEFT_OVER: usize = 1024;

/// Headings by place, as [`fixed::packed`].
///
/// Any thread writes to any place, but each to those of its own agents: the relaxed atomics are
/// plain loads and stores.
#[derive(Debug, Default)]
pub(crate) struct Column(Vec<AtomicI64>);

/// Agents that are smoothed together.
pub(crate) const BLOCK: usize = 16;

/// What smoothing reads and writes, by place.
pub(crate) struct Samples<'a> {
    /// The column that takes the present headings.
    pub(crate) newest: &'a [AtomicI64],
    /// One column for each heading of a mean.
    pub(crate) columns: &'a [Column],
    /// The sums of all columns.
    pub(crate) sums: &'a [AtomicI64],
}

/// Headings and their means.
#[derive(Clone, Debug, Default)]
pub(crate) struct History {
    /// One for each heading of a mean; the one of step t is in column t mod their number.
    columns: Vec<Column>,
    /// Of all columns.
    sums: Column,
    spare: Column,
    /// Where the headings of the agent in each slot are.
    places: Vec<u32>,
    places_next: Vec<u32>,
    /// The smoothed headings, by slot.
    pub(crate) x: Vec<f32>,
    pub(crate) y: Vec<f32>,
}

impl History {
    /// Starts anew: as if every agent had always had its present heading.
    pub(crate) fn reset(&mut self, samples: Option<u32>, motion: &Motion) {
        let samples = samples.map_or(0, |samples| samples as usize);
        *self = Self { columns: vec![Column::default(); samples], ..Self::default() };
        let headings = motion.hx.iter().zip(&motion.hy);
        headings.for_each(|(&hx, &hy)| self.push([hx, hy]));
    }

    /// The history of a kept state: as many headings for each slot, one after the other, as whole
    /// numbers.
    pub(crate) fn of(samples: usize, headings: &[[i32; 2]]) -> Self {
        let mut history = Self { columns: vec![Column::default(); samples], ..Self::default() };
        for headings in headings.chunks_exact(samples.max(1)) {
            history.add(|column| fixed::packed(headings[column]));
        }
        history
    }

    /// What [`Self::of`] takes.
    pub(crate) fn headings(&self) -> Vec<[i32; 2]> {
        let of_place = |&place: &u32| self.columns.iter().map(move |column| column.at(place));
        self.places.iter().flat_map(of_place).map(fixed::unpacked).collect()
    }

    pub(crate) fn samples(&self) -> usize {
        self.columns.len()
    }

    /// Adds an agent behind the others.
    pub(crate) fn push(&mut self, [x, y]: [f32; 2]) {
        if self.samples() == 0 {
            return;
        }
        if self.sums.0.len() > 2 * self.places.len() + MOST_LEFT_OVER {
            self.compact(&Workers::default());
        }
        let heading = fixed::from_heading([x, y]);
        self.add(|_| heading);
    }

    /// Adds an agent with a heading for each column.
    fn add(&mut self, heading: impl Fn(usize) -> i64) {
        let mut sum = 0;
        for (k, column) in self.columns.iter_mut().enumerate() {
            let heading = heading(k);
            sum += heading;
            column.0.push(AtomicI64::new(heading));
        }
        self.places.push(self.sums.0.len() as u32);
        self.sums.0.push(AtomicI64::new(sum));
        let [x, y] = fixed::mean(sum, self.samples());
        self.x.push(x);
        self.y.push(y);
    }

    /// Removes an agent; the last one takes its slot. Its place is left over.
    pub(crate) fn swap_remove(&mut self, slot: usize) {
        if self.samples() > 0 {
            self.places.swap_remove(slot);
            self.x.swap_remove(slot);
            self.y.swap_remove(slot);
        }
    }

    /// After step `tick`: every agent keeps the place that it had in the slot that `order` says, and
    /// its present heading replaces the oldest there. `order` is that of the latest sort, into the
    /// cells of `grid`. `smooth` stores the headings of up to [`BLOCK`] agents, given their places,
    /// and writes their means.
    pub(crate) fn advance(
        &mut self,
        workers: &Workers,
        (order, grid): (&[u32], &Grid),
        motion: &Motion,
        tick: u64,
        smooth: impl Fn(&[u32], [&[f32]; 2], &Samples<'_>, [&mut [f32]; 2]) + Sync,
    ) {
        let number = self.samples();
        if number == 0 {
            return;
        }
        let sums = &self.sums[..];
        let newest = &self.columns[(tick % number as u64) as usize][..sums.len()];
        let samples = Samples { newest, columns: &self.columns, sums };
        let places_before = &self.places;
        self.places_next.resize(order.len(), 0);
        let out = ((&mut self.places_next[..], &mut self.x[..]), &mut self.y[..]);
        workers.split(order.len(), out, &|range: Range<usize>, ((places, x), y)| {
            let soon = grid.a_row_after(&range, 0);
            prefetch(&newest[soon.clone()]);
            prefetch(&sums[soon]);
            let means = x.chunks_mut(BLOCK).zip(y.chunks_mut(BLOCK));
            let blocks = range.step_by(BLOCK).zip(places.chunks_mut(BLOCK).zip(means));
            for (first, (places, (x, y))) in blocks {
                let slots = first..first + places.len();
                for (place, &from) in places.iter_mut().zip(&order[slots.clone()]) {
                    *place = places_before[from as usize];
                }
                let headings = [&motion.hx[slots.clone()], &motion.hy[slots]];
                smooth(places, headings, &samples, [x, y]);
            }
        });
        std::mem::swap(&mut self.places, &mut self.places_next);
        if tick.is_multiple_of(COMPACTED) {
            self.compact(workers);
        }
    }

    /// Puts all headings into the order of slots.
    fn compact(&mut self, workers: &Workers) {
        let agents = self.places.len();
        for column in self.columns.iter_mut().chain([&mut self.sums]) {
            self.spare.0.resize_with(agents, AtomicI64::default);
            let (from, places) = (&*column, &self.places);
            workers.split(agents, &mut self.spare.0[..], &|range: Range<usize>, out| {
                for (to, &place) in out.iter_mut().zip(&places[range]) {
                    *to.get_mut() = from.at(place);
                }
            });
            std::mem::swap(column, &mut self.spare);
        }
        (0..).zip(&mut self.places).for_each(|(slot, place)| *place = slot);
    }

    /// Brings the headings into a new order of slots.
    pub(crate) fn permute(&mut self, order: &[u32]) {
        if self.samples() > 0 {
            let old = (self.places.clone(), self.x.clone(), self.y.clone());
            for (slot, &from) in order.iter().enumerate() {
                let from = from as usize;
                (self.places[slot], self.x[slot], self.y[slot]) =
                    (old.0[from], old.1[from], old.2[from]);
            }
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        let columns = self.columns.iter().chain([&self.sums, &self.spare]);
        let headings = columns.map(|column| column.0.capacity()).sum::<usize>();
        let places = self.places.capacity() + self.places_next.capacity();
        let means = self.x.capacity() + self.y.capacity();
        headings * size_of::<i64>() + (places + means) * size_of::<u32>()
    }
}

impl Column {
    fn at(&self, place: u32) -> i64 {
        self.0[place as usize].load(Relaxed)
    }
}

/// As [`prefetch`](crate::math::prefetch::prefetch).
fn prefetch(headings: &[AtomicI64]) {
    const TO_A_CACHE_LINE: usize = 8;
    let headings = headings.iter().step_by(TO_A_CACHE_LINE);
    black_box(headings.fold(0, |sum, heading| sum ^ heading.load(Relaxed)));
}

impl Deref for Column {
    type Target = [AtomicI64];

    fn deref(&self) -> &[AtomicI64] {
        &self.0
    }
}

impl Clone for Column {
    fn clone(&self) -> Self {
        Self(self.0.iter().map(|heading| AtomicI64::new(heading.load(Relaxed))).collect())
    }
}
