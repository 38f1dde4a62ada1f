//! The latest headings of every agent, for smoothed headings.
//!
//! Headings hardly matter enough to be carried along by every sort. So they stay in places, one
//! column for each of the latest steps, and only the number of its place goes along with an
//! agent. Every few steps all are put into the order of slots again, before agents that are next to
//! each other have theirs all over memory.
//!
//! Headings are whole numbers there, and so is their running sum: exact, it never drifts.

use std::hint::black_box;
use std::ops::Range;
use std::sync::atomic::{AtomicI64, Ordering::Relaxed};

use crate::columns::Motion;
use crate::grid::Grid;
use crate::kernels::smoothing::{self, BLOCK};
use crate::method::Method;
use crate::parallel::Workers;
use crate::reference;

/// In steps that are multiples of this, headings are put into the order of slots.
const TIDIED: u64 = 16;
/// Places that may be left over by agents that are gone, before newcomers tidy up.
const MOST_LEFT_OVER: usize = 1024;

/// Headings by place, as [`smoothing::packed`].
///
/// Any thread writes to any place, but each to those of its own agents: the relaxed atomics are
/// plain loads and stores.
#[derive(Debug, Default)]
struct Column(Vec<AtomicI64>);

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
            history.add(|column| smoothing::packed(headings[column]));
        }
        history
    }

    /// What [`Self::of`] takes.
    pub(crate) fn headings(&self) -> Vec<[i32; 2]> {
        let of_place = |&place: &u32| self.columns.iter().map(move |column| column.at(place));
        self.places.iter().flat_map(of_place).map(smoothing::unpacked).collect()
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
            self.tidy(&Workers::default());
        }
        let heading = reference::smoothing::whole([x, y]);
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
        let [x, y] = reference::smoothing::mean(sum, self.samples());
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

    /// After step `tick`: every agent has the place it had in the slot `order` says, where its
    /// present heading takes that of the oldest. `order` is that of the latest sort, into the
    /// cells of `grid`.
    pub(crate) fn advance(
        &mut self,
        workers: &Workers,
        (order, grid): (&[u32], &Grid),
        motion: &Motion,
        tick: u64,
        method: Method,
    ) {
        if self.samples() == 0 {
            return;
        }
        let samples = self.samples();
        let sums = &self.sums.0[..];
        let column = &self.columns[(tick % samples as u64) as usize].0[..sums.len()];
        let sorted = Sorted { order, places: &self.places, motion };
        self.places_next.resize(order.len(), 0);
        let out = ((&mut self.places_next[..], &mut self.x[..]), &mut self.y[..]);
        workers.split(order.len(), out, &|range: Range<usize>, out| {
            let soon = grid.a_row_after(&range, 0);
            read_ahead(&column[soon.clone()]);
            read_ahead(&sums[soon]);
            match method {
                Method::Kernels(_) => sorted.renew(range, out, |places, headings, means| {
                    smoothing::advance(places, headings, (column, sums), samples, means);
                }),
                Method::Reference => sorted.renew(range, out, |places, headings, means| {
                    let columns = self.columns.iter().map(|column| &column.0[..]);
                    let there = (column, columns, sums);
                    reference::smoothing::advance(places, headings, there, means);
                }),
            }
        });
        std::mem::swap(&mut self.places, &mut self.places_next);
        if tick.is_multiple_of(TIDIED) {
            self.tidy(workers);
        }
    }

    /// Puts all headings into the order of slots.
    fn tidy(&mut self, workers: &Workers) {
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

/// What brings headings along.
struct Sorted<'a> {
    order: &'a [u32],
    places: &'a [u32],
    motion: &'a Motion,
}

impl Sorted<'_> {
    /// Finds the places of the agents in `range`, and has `advance` take in their headings and
    /// tell their means, a few agents at a time.
    #[inline(always)]
    fn renew(
        &self,
        range: Range<usize>,
        ((places, x), y): ((&mut [u32], &mut [f32]), &mut [f32]),
        advance: impl Fn(&[u32], (&[f32], &[f32]), (&mut [f32], &mut [f32])),
    ) {
        let blocks = places.chunks_mut(BLOCK).zip(x.chunks_mut(BLOCK).zip(y.chunks_mut(BLOCK)));
        for (first, (places, means)) in range.step_by(BLOCK).zip(blocks) {
            let slots = first..first + places.len();
            for (place, &from) in places.iter_mut().zip(&self.order[slots.clone()]) {
                *place = self.places[from as usize];
            }
            advance(places, (&self.motion.hx[slots.clone()], &self.motion.hy[slots]), means);
        }
    }
}

impl Column {
    fn at(&self, place: u32) -> i64 {
        self.0[place as usize].load(Relaxed)
    }
}

/// As [`warm`](crate::columns::warm).
fn read_ahead(headings: &[AtomicI64]) {
    const TO_A_CACHE_LINE: usize = 8;
    let headings = headings.iter().step_by(TO_A_CACHE_LINE);
    black_box(headings.fold(0, |sum, heading| sum ^ heading.load(Relaxed)));
}

impl Clone for Column {
    fn clone(&self) -> Self {
        Self(self.0.iter().map(|heading| AtomicI64::new(heading.load(Relaxed))).collect())
    }
}
