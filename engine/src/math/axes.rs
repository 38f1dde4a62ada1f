//! A vector of every agent, stored by axis.

use std::ops::{Deref, DerefMut, Range};

use crate::math::lanes::Lanes;
use crate::math::vec2::Vec2;
use crate::parallel::Split;

/// Number of axes of the world: x and y.
pub(crate) const AXES: usize = 2;

/// One column of numbers per axis, so that consecutive agents fill the lanes of a vector.
/// The column of an axis that the world lacks is empty.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Axes<C>(pub(crate) [C; 3]);

impl<C: Deref<Target = [f32]>> Axes<C> {
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.0[0].len()
    }

    #[inline(always)]
    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    #[inline(always)]
    pub(crate) fn at(&self, row: usize) -> Vec2<f32> {
        Vec2::new(self.0[0][row], self.0[1][row])
    }

    #[inline(always)]
    pub(crate) fn get(&self, row: usize) -> Option<Vec2<f32>> {
        Some(Vec2::new(*self.0[0].get(row)?, *self.0[1].get(row)?))
    }

    /// The same vector, of one agent, in every lane.
    #[inline(always)]
    pub(crate) fn splat<L: Lanes>(&self, row: usize) -> Vec2<L> {
        Vec2::splat(self.at(row))
    }

    /// Vectors of the `L::WIDTH` agents from `row` on.
    #[inline(always)]
    pub(crate) fn load<L: Lanes>(&self, row: usize) -> Vec2<L> {
        let rows = row..row + L::WIDTH;
        Vec2::new(L::load(&self.0[0][rows.clone()]), L::load(&self.0[1][rows]))
    }

    /// The first vectors, as many as there are up to `L::WIDTH`; the other lanes are 0.
    #[inline(always)]
    pub(crate) fn load_first<L: Lanes>(&self) -> Vec2<L> {
        Vec2::new(L::load_first(&self.0[0]), L::load_first(&self.0[1]))
    }

    /// Each lane gets the vector of the agent at `row(lane)`.
    #[inline(always)]
    pub(crate) fn gather_lanes<L: Lanes>(&self, row: impl Fn(usize) -> usize) -> Vec2<L> {
        let [x, y, _] = &self.0;
        Vec2::new(L::from_fn(|lane| x[row(lane)]), L::from_fn(|lane| y[row(lane)]))
    }

    pub(crate) fn all(&self) -> Axes<&[f32]> {
        self.rows(0..self.len())
    }

    #[inline(always)]
    pub(crate) fn rows(&self, rows: Range<usize>) -> Axes<&[f32]> {
        let [x, y, z] = &self.0;
        Axes([&x[rows.clone()], &y[rows.clone()], if AXES > 2 { &z[rows] } else { &[] }])
    }
}

impl<C: DerefMut<Target = [f32]>> Axes<C> {
    #[inline(always)]
    pub(crate) fn set(&mut self, row: usize, to: Vec2<f32>) {
        (self.0[0][row], self.0[1][row]) = (to.x, to.y);
    }

    #[inline(always)]
    pub(crate) fn rows_mut(&mut self, rows: Range<usize>) -> Axes<&mut [f32]> {
        let [x, y, z] = &mut self.0;
        Axes([
            &mut x[rows.clone()],
            &mut y[rows.clone()],
            if AXES > 2 { &mut z[rows] } else { &mut [] },
        ])
    }

    /// Writes the first vectors to as many rows as there are, at most `L::WIDTH`.
    #[inline(always)]
    pub(crate) fn store<L: Lanes>(&mut self, vectors: Vec2<L>) {
        vectors.x.store(&mut self.0[0]);
        vectors.y.store(&mut self.0[1]);
    }
}

impl Axes<Vec<f32>> {
    pub(crate) fn push(&mut self, vector: Vec2<f32>) {
        let Vec2 { x, y } = vector;
        self.0.iter_mut().zip([x, y]).for_each(|(column, value)| column.push(value));
    }
}

impl<'a> Axes<&'a [f32]> {
    #[inline(always)]
    pub(crate) fn iter(self) -> impl Iterator<Item = Vec2<f32>> + use<'a> {
        let [x, y, _] = self.0;
        x.iter().zip(y).map(|(&x, &y)| Vec2::new(x, y))
    }

    /// The vectors in groups of up to `count` consecutive rows.
    #[inline(always)]
    pub(crate) fn chunks(self, count: usize) -> impl Iterator<Item = Axes<&'a [f32]>> {
        let [x, y, _] = self.0;
        x.chunks(count).zip(y.chunks(count)).map(|(x, y)| Axes([x, y, &[]]))
    }
}

impl Split for Axes<&mut [f32]> {
    #[inline(always)]
    fn split_at(self, mid: usize) -> (Self, Self) {
        let (before, after) = self.0.split_at(mid);
        (Self(before), Self(after))
    }
}

impl FromIterator<Vec2<f32>> for Axes<Vec<f32>> {
    fn from_iter<I: IntoIterator<Item = Vec2<f32>>>(vectors: I) -> Self {
        let mut axes = Self::default();
        vectors.into_iter().for_each(|vector| axes.push(vector));
        axes
    }
}
