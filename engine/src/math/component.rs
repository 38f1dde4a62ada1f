//! Components of vectors: numbers or lanes. Only vectors in worlds with depth have a third
//! component.

/// A type of vector components: numbers or lanes.
pub trait Component: Copy {
    #[doc(hidden)]
    type Z: Depth<Self>;
    /// Number of components of a vector: 2 or 3.
    const AXES: usize = <Self::Z as Depth<Self>>::AXES;
    /// +0 in every lane: a valid start for sums with
    /// [`Lanes::add_where`](crate::kernel::Lanes::add_where).
    fn zero() -> Self;
}

/// The third component of vectors of `T`: a `T`, or nothing.
#[doc(hidden)]
pub trait Depth<T>: Copy {
    const AXES: usize;
    fn from_fn(z: impl FnOnce() -> T) -> Self;
    fn map(self, f: impl FnOnce(T) -> T) -> Self;
    fn zip(self, other: Self, f: impl FnOnce(T, T) -> T) -> Self;
    fn zip3(self, b: Self, c: Self, f: impl FnOnce(T, T, T) -> T) -> Self;
    /// Returns `f(start, z)`, or `start` if there is no z.
    fn fold<R>(self, start: R, f: impl FnOnce(R, T) -> R) -> R;
}

/// Takes the place of the third component in vectors that have only two.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NoZ;

impl<T: Component> Depth<T> for NoZ {
    const AXES: usize = 2;
    inlined! {
        fn from_fn(_: impl FnOnce() -> T) -> Self { Self }
        fn map(self, _: impl FnOnce(T) -> T) -> Self { Self }
        fn zip(self, _: Self, _: impl FnOnce(T, T) -> T) -> Self { Self }
        fn zip3(self, _: Self, _: Self, _: impl FnOnce(T, T, T) -> T) -> Self { Self }
    }
    #[inline(always)]
    fn fold<R>(self, start: R, _: impl FnOnce(R, T) -> R) -> R {
        start
    }
}

impl<T: Component> Depth<T> for T {
    const AXES: usize = 3;
    inlined! {
        fn from_fn(z: impl FnOnce() -> T) -> Self { z() }
        fn map(self, f: impl FnOnce(T) -> T) -> Self { f(self) }
        fn zip(self, other: Self, f: impl FnOnce(T, T) -> T) -> Self { f(self, other) }
        fn zip3(self, b: Self, c: Self, f: impl FnOnce(T, T, T) -> T) -> Self { f(self, b, c) }
    }
    #[inline(always)]
    fn fold<R>(self, start: R, f: impl FnOnce(R, T) -> R) -> R {
        f(start, self)
    }
}

impl Component for f64 {
    type Z = f64;
    fn zero() -> f64 {
        0.0
    }
}
