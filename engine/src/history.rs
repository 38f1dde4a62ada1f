//! The latest headings of every agent, for smoothed headings.

use std::ops::Range;

use crate::columns::{Motion, warm};
use crate::grid::Grid;
use crate::kernels::smoothing::{self, stride};
use crate::method::Method;
use crate::parallel::{Split, Workers};
use crate::reference;

/// Rings of headings, one per slot, and their means.
#[derive(Clone, Debug, Default)]
pub(crate) struct History {
    /// Headings per mean; 0 if there is no smoothing.
    samples: usize,
    /// Per slot, [`stride`] floats.
    pub(crate) rings: Vec<f32>,
    rings_next: Vec<f32>,
    /// The smoothed headings, by slot.
    pub(crate) x: Vec<f32>,
    pub(crate) y: Vec<f32>,
}

impl History {
    /// Starts anew: as if every agent had always had its present heading.
    pub(crate) fn reset(&mut self, samples: Option<u32>, motion: &Motion) {
        *self = Self { samples: samples.map_or(0, |samples| samples as usize), ..Self::default() };
        if self.samples > 0 {
            let headings = motion.hx.iter().zip(&motion.hy);
            headings.for_each(|(&hx, &hy)| self.push([hx, hy]));
        }
    }

    /// The history of a kept state.
    pub(crate) fn of(samples: usize, rings: Vec<f32>, [x, y]: [Vec<f32>; 2]) -> Self {
        Self { samples, rings, rings_next: Vec::new(), x, y }
    }

    /// Adds an agent behind the others.
    pub(crate) fn push(&mut self, heading: [f32; 2]) {
        if self.samples > 0 {
            let start = self.rings.len();
            self.rings.extend(heading.iter().cycle().take(self.samples * 2));
            self.rings.resize(start + stride(self.samples), 0.0);
            self.x.push(heading[0]);
            self.y.push(heading[1]);
        }
    }

    /// Removes an agent; the last one takes its slot.
    pub(crate) fn swap_remove(&mut self, slot: usize) {
        if self.samples > 0 {
            let stride = stride(self.samples);
            let last = self.rings.len() - stride;
            self.rings.copy_within(last.., slot * stride);
            self.rings.truncate(last);
            self.x.swap_remove(slot);
            self.y.swap_remove(slot);
        }
    }

    /// After a step: every ring comes along from the slot `order` says and takes in the
    /// present heading. `order` is that of the latest sort, into the cells of `grid`.
    pub(crate) fn advance(
        &mut self,
        workers: &Workers,
        (order, grid): (&[u32], &Grid),
        motion: &Motion,
        tick: u64,
        method: Method,
    ) {
        if self.samples == 0 {
            return;
        }
        let oldest = (tick % self.samples as u64) as usize;
        let sorted = (order, grid);
        match method {
            Method::Kernels(_) => self.renew(workers, sorted, motion, |from, to, heading| {
                smoothing::advance(from, to, oldest, heading)
            }),
            Method::Reference => self.renew(workers, sorted, motion, |from, to, heading| {
                reference::smoothing::advance(from, to, oldest, heading)
            }),
        }
    }

    /// The same; `advance` copies a ring, renews an entry, and returns the sum of all.
    fn renew(
        &mut self,
        workers: &Workers,
        (order, grid): (&[u32], &Grid),
        motion: &Motion,
        advance: impl Fn(&[f32], &mut [f32], [f32; 2]) -> [f32; 2] + Sync,
    ) {
        let (stride, rings) = (stride(self.samples), &self.rings);
        let share = 1.0 / self.samples as f32;
        self.rings_next.resize(rings.len(), 0.0);
        let part = Part { stride, rings: &mut self.rings_next, x: &mut self.x, y: &mut self.y };
        workers.split(order.len(), part, &|range: Range<usize>, part: Part<'_>| {
            let soon = grid.a_row_after(&range, 0);
            warm(&rings[soon.start * stride..soon.end * stride]);
            let slots = range.zip(part.rings.chunks_exact_mut(stride));
            for ((slot, ring), (x, y)) in slots.zip(part.x.iter_mut().zip(part.y)) {
                let from = &rings[order[slot] as usize * stride..][..stride];
                let heading = [motion.hx[slot], motion.hy[slot]];
                [*x, *y] = advance(from, ring, heading).map(|sum| sum * share);
            }
        });
        std::mem::swap(&mut self.rings, &mut self.rings_next);
    }

    /// Brings the rings into a new order of slots.
    pub(crate) fn permute(&mut self, order: &[u32]) {
        let stride = stride(self.samples);
        let old = self.clone();
        for (slot, &from) in order.iter().enumerate().take(self.x.len()) {
            let from = from as usize;
            let ring = &old.rings[from * stride..][..stride];
            self.rings[slot * stride..][..stride].copy_from_slice(ring);
            (self.x[slot], self.y[slot]) = (old.x[from], old.y[from]);
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        let columns = [&self.rings, &self.rings_next, &self.x, &self.y];
        columns.map(Vec::capacity).iter().sum::<usize>() * size_of::<f32>()
    }
}

/// Some slots' share of what a step writes.
struct Part<'a> {
    stride: usize,
    rings: &'a mut [f32],
    x: &'a mut [f32],
    y: &'a mut [f32],
}

impl Split for Part<'_> {
    fn split_at(self, mid: usize) -> (Self, Self) {
        let stride = self.stride;
        let (rings, rings_after) = self.rings.split_at_mut(mid * stride);
        let (x, x_after) = self.x.split_at_mut(mid);
        let (y, y_after) = self.y.split_at_mut(mid);
        (Part { stride, rings, x, y }, Part { stride, rings: rings_after, x: x_after, y: y_after })
    }
}
