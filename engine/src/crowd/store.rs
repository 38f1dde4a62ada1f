//! What holds the numbers of all agents: one column, or the columns that a scene defines.

use std::hint::black_box;
use std::ops::Range;

use arrayvec::ArrayVec;

use crate::math::lanes::Lanes;
use crate::species::MAX_COLUMNS;

/// What holds one number per agent, or several.
pub(crate) trait Store: Clone + Default {
    type Slices<'a>: Rows<Self>
    where
        Self: 'a;

    fn slices_mut(&mut self) -> Self::Slices<'_>;
    fn has_rows(&self, rows: usize) -> bool;
    fn resize_like(&mut self, other: &Self);
    fn pad(&mut self, source: &Self, first: usize, rows: usize);
    fn swap_remove(&mut self, slot: usize);
    fn bytes(&self) -> usize;
}

/// Rows of a store, to write.
pub(crate) trait Rows<S>: Sized {
    fn split_at(self, mid: usize) -> (Self, Self);
    fn gather<L: Lanes>(&mut self, source: &S, order: &[u32], soon: Range<usize>);
}

impl<T: bytemuck::NoUninit + Default> Store for Vec<T> {
    type Slices<'a>
        = &'a mut [T]
    where
        T: 'a;

    fn slices_mut(&mut self) -> &mut [T] {
        self
    }
    fn has_rows(&self, rows: usize) -> bool {
        self.len() == rows || self.is_empty()
    }
    fn resize_like(&mut self, other: &Self) {
        self.resize(other.len(), T::default());
    }
    fn pad(&mut self, source: &Self, first: usize, rows: usize) {
        self.clear();
        if let Some(&last) = source.last() {
            self.extend_from_slice(&source[first..]);
            self.resize(rows, last);
        }
    }
    fn swap_remove(&mut self, slot: usize) {
        if !self.is_empty() {
            self.swap_remove(slot);
        }
    }
    fn bytes(&self) -> usize {
        self.capacity() * size_of::<T>()
    }
}

impl<T: bytemuck::NoUninit> Rows<Vec<T>> for &mut [T] {
    fn split_at(self, mid: usize) -> (Self, Self) {
        let mid = mid.min(self.len());
        self.split_at_mut(mid)
    }
    fn gather<L: Lanes>(&mut self, source: &Vec<T>, order: &[u32], soon: Range<usize>) {
        if !self.is_empty() {
            gather_column::<L, _>(self, source, order, &source[soon]);
        }
    }
}

/// The columns that a scene defines, in the order of their names.
#[derive(Clone, Debug, Default)]
pub(crate) struct Own(pub(crate) Vec<Vec<f32>>);

impl Store for Own {
    type Slices<'a> = ArrayVec<&'a mut [f32], MAX_COLUMNS>;

    fn slices_mut(&mut self) -> Self::Slices<'_> {
        self.0.iter_mut().map(Vec::as_mut_slice).collect()
    }
    fn has_rows(&self, rows: usize) -> bool {
        self.0.iter().all(|column| column.len() == rows)
    }
    fn resize_like(&mut self, other: &Self) {
        self.0.resize_with(other.0.len(), Vec::new);
        self.0.iter_mut().zip(&other.0).for_each(|(column, other)| column.resize_like(other));
    }
    fn pad(&mut self, source: &Self, first: usize, rows: usize) {
        self.0.resize_with(source.0.len(), Vec::new);
        let columns = self.0.iter_mut().zip(&source.0);
        columns.for_each(|(column, source)| column.pad(source, first, rows));
    }
    fn swap_remove(&mut self, slot: usize) {
        self.0.iter_mut().for_each(|column| Store::swap_remove(column, slot));
    }
    fn bytes(&self) -> usize {
        self.0.iter().map(Store::bytes).sum()
    }
}

impl Rows<Own> for ArrayVec<&mut [f32], MAX_COLUMNS> {
    fn split_at(self, mid: usize) -> (Self, Self) {
        self.into_iter().map(|column| Rows::split_at(column, mid)).unzip()
    }
    fn gather<L: Lanes>(&mut self, source: &Own, order: &[u32], soon: Range<usize>) {
        for (column, source) in self.iter_mut().zip(&source.0) {
            Rows::gather::<L>(column, source, order, soon.clone());
        }
    }
}

/// Rows gathered without a loop: those of a cache line.
const UNROLLED: usize = 16;

/// Row k becomes row `order[k]` of `source`. Meanwhile `soon`, which is gathered later, is read
/// front to back, as by [`prefetch`](crate::math::prefetch::prefetch) (measured: 4 ns per agent at
/// 1M, 10 without). Unrolled by hand, since the compiler does not.
#[inline(never)]
fn gather_column<L: Lanes, T: bytemuck::NoUninit>(
    rows: &mut [T],
    source: &[T],
    order: &[u32],
    soon: &[T],
) {
    L::compiled(
        #[inline(always)]
        || {
            let (chunks, rest) = rows.as_chunks_mut::<UNROLLED>();
            let (order_of_chunks, order_of_rest) = order.as_chunks::<UNROLLED>();
            let mut soon = soon.iter().step_by(UNROLLED);
            let mut read = 0;
            for (rows, order) in chunks.iter_mut().zip(order_of_chunks) {
                read ^= soon.next().map_or(0, |value| bytemuck::bytes_of(value)[0]);
                for (to, &from) in rows.iter_mut().zip(order) {
                    *to = source[from as usize];
                }
            }
            black_box(read);
            for (to, &from) in rest.iter_mut().zip(order_of_rest) {
                *to = source[from as usize];
            }
        },
    );
}
