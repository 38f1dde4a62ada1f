//! One vector per agent, stored by axis.

use std::ops::{Deref, DerefMut, Range};

use crate::math::lanes::Lanes;
use crate::math::vec3::Vec3;
use crate::parallel::Split;

/// One column of numbers per axis, so that consecutive agents fill the lanes of a vector.
/// In flat worlds, the third column is empty.
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
    pub(crate) fn at(&self, row: usize) -> Vec3<f32> {
        let [x, y, z] = &self.0;
        Vec3 { x: x[row], y: y[row], z: z.get(row).copied().unwrap_or_default() }
    }

    #[inline(always)]
    pub(crate) fn get(&self, row: usize) -> Option<Vec3<f32>> {
        (row < self.len()).then(|| self.at(row))
    }

    /// The vector of the agent at `row`, in every lane.
    #[inline(always)]
    pub(crate) fn splat<L: Lanes>(&self, row: usize) -> Vec3<L> {
        Vec3::splat(self.at(row))
    }

    /// Vectors of the `L::WIDTH` agents that start at `row`.
    #[inline(always)]
    pub(crate) fn load<L: Lanes>(&self, row: usize) -> Vec3<L> {
        let rows = row..row + L::WIDTH;
        Vec3::by_axis(
            #[inline(always)]
            |axis| L::load(&self.0[axis][rows.clone()]),
        )
    }

    /// Loads the first `L::WIDTH` vectors, or all if there are fewer. The remaining lanes are 0.
    #[inline(always)]
    pub(crate) fn load_first<L: Lanes>(&self) -> Vec3<L> {
        Vec3::by_axis(
            #[inline(always)]
            |axis| L::load_first(&self.0[axis]),
        )
    }

    /// Sets each lane to the vector of the agent at `row(lane)`.
    #[inline(always)]
    pub(crate) fn gather_lanes<L: Lanes>(&self, row: impl Fn(usize) -> usize) -> Vec3<L> {
        Vec3::by_axis(
            #[inline(always)]
            |axis| {
                let column = &self.0[axis];
                L::from_fn(|lane| column[row(lane)])
            },
        )
    }

    pub(crate) fn all(&self) -> Axes<&[f32]> {
        self.rows(0..self.len())
    }

    /// Like [`Self::rows`], for kernels, whose lane type determines whether there is a third
    /// column.
    #[inline(always)]
    pub(crate) fn rows_for<L: Lanes>(&self, rows: Range<usize>) -> Axes<&[f32]> {
        let [x, y, z] = &self.0;
        let z = if L::AXES > 2 { &z[rows.clone()] } else { &[][..] };
        Axes([&x[rows.clone()], &y[rows], z])
    }

    #[inline(always)]
    pub(crate) fn rows(&self, rows: Range<usize>) -> Axes<&[f32]> {
        let [x, y, z] = &self.0;
        let z = if z.is_empty() { &[][..] } else { &z[rows.clone()] };
        Axes([&x[rows.clone()], &y[rows], z])
    }
}

impl<C: DerefMut<Target = [f32]>> Axes<C> {
    #[inline(always)]
    pub(crate) fn set(&mut self, row: usize, to: Vec3<f32>) {
        let [x, y, z] = &mut self.0;
        (x[row], y[row]) = (to.x, to.y);
        if let Some(z) = z.get_mut(row) {
            *z = to.z;
        }
    }

    #[inline(always)]
    pub(crate) fn rows_mut(&mut self, rows: Range<usize>) -> Axes<&mut [f32]> {
        let [x, y, z] = &mut self.0;
        Axes([&mut x[rows.clone()], &mut y[rows.clone()], z.get_mut(rows).unwrap_or_default()])
    }

    /// Writes one vector to each row, in order. There must be at most `L::WIDTH` rows.
    #[inline(always)]
    pub(crate) fn store<L: Lanes>(&mut self, vectors: Vec3<L>) {
        let [xs, ys, zs] = &mut self.0;
        vectors.x.store(xs);
        vectors.y.store(ys);
        vectors.with_z(
            (),
            #[inline(always)]
            |(), z| z.store(zs),
        );
    }
}

impl Axes<Vec<f32>> {
    /// Appends the first `axes` components.
    pub(crate) fn push(&mut self, vector: Vec3<f32>, axes: usize) {
        let columns = self.0.iter_mut().zip(<[f32; 3]>::from(vector)).take(axes);
        columns.for_each(|(column, value)| column.push(value));
    }
}

impl<'a> Axes<&'a [f32]> {
    #[inline(always)]
    pub(crate) fn iter(self) -> impl Iterator<Item = Vec3<f32>> + use<'a> {
        let [x, y, z] = self.0;
        let mut z = z.iter();
        x.iter().zip(y).map(
            #[inline(always)]
            move |(&x, &y)| Vec3 { x, y, z: z.next().copied().unwrap_or_default() },
        )
    }
}

impl Split for Axes<&mut [f32]> {
    #[inline(always)]
    fn split_at(self, mid: usize) -> (Self, Self) {
        let (before, after) = self.0.split_at(mid);
        (Self(before), Self(after))
    }
}

impl FromIterator<Vec3<f32>> for Axes<Vec<f32>> {
    fn from_iter<I: IntoIterator<Item = Vec3<f32>>>(vectors: I) -> Self {
        let mut axes = Self::default();
        vectors.into_iter().for_each(|vector| axes.push(vector, 3));
        axes
    }
}
