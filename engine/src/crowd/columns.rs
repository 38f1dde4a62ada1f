//! Structure-of-arrays storage: one contiguous column per field.
//!
//! A column that a scene does not need stays empty, and an empty column costs
//! nothing: it is neither permuted nor copied. `Motion` is what every step writes,
//! `Traits` is what only the sort moves.

use std::hint::black_box;
use std::ops::Range;

use crate::math::lanes::Lanes;
use crate::math::vec2::Vec2;
use crate::parallel::Split;
use crate::species::value::Value;

/// The entry of an agent without its own target.
pub(crate) const NO_TARGET: u32 = u32::MAX;

/// What an agent's behaviors remember from step to step.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Memory<T> {
    /// The wander target, in the agent's own frame.
    pub(crate) wander: Vec2<T>,
    /// Index of the next waypoint.
    pub(crate) waypoint: T,
    /// Seconds for which it keeps hiding from a hunter that is out of sight.
    pub(crate) alert: T,
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

macro_rules! columns {
    ($(#[$doc:meta])* $name:ident, $slices:ident { $($(#[$field_doc:meta])* $field:ident: $ty:ty,)+ }) => {
        $(#[$doc])*
        #[derive(Debug, Default)]
        pub(crate) struct $name {
            $($(#[$field_doc])* pub(crate) $field: Vec<$ty>,)+
        }

        /// Mutable slices of the same columns, for splitting work between threads.
        pub(crate) struct $slices<'a> {
            $(pub(crate) $field: &'a mut [$ty],)+
        }

        impl Clone for $name {
            fn clone(&self) -> Self {
                Self { $($field: self.$field.clone(),)+ }
            }

            /// Keeps the existing memory, unlike the derived form.
            fn clone_from(&mut self, other: &Self) {
                $(self.$field.clone_from(&other.$field);)+
            }
        }

        impl $name {
            pub(crate) fn slices_mut(&mut self) -> $slices<'_> {
                $slices { $($field: &mut self.$field,)+ }
            }

            /// Whether every column has `rows` rows, or none because the scene does not need it.
            pub(crate) fn has_rows(&self, rows: usize) -> bool {
                [$(self.$field.len(),)+].iter().all(|&length| length == rows || length == 0)
            }

            /// Gives every column the length it has in `other`.
            pub(crate) fn resize_like(&mut self, other: &Self) {
                $(self.$field.resize(other.$field.len(), Default::default());)+
            }

            /// Copies the rows of `source` from `first` on, and the last one again up to `rows`.
            pub(crate) fn pad(&mut self, source: &Self, first: usize, rows: usize) {
                $(self.$field.clear();
                if let Some(&last) = source.$field.last() {
                    self.$field.extend_from_slice(&source.$field[first..]);
                    self.$field.resize(rows, last);
                })+
            }

            /// Removes one row; the last row takes its slot.
            pub(crate) fn swap_remove(&mut self, slot: usize) {
                $(if !self.$field.is_empty() { self.$field.swap_remove(slot); })+
            }

            /// Bytes allocated by the columns.
            pub(crate) fn bytes(&self) -> usize {
                0 $(+ self.$field.capacity() * size_of::<$ty>())+
            }
        }

        impl Split for $slices<'_> {
            fn split_at(self, mid: usize) -> (Self, Self) {
                $(let $field = self.$field.split_at_mut(mid.min(self.$field.len()));)+
                ($slices { $($field: $field.0,)+ }, $slices { $($field: $field.1,)+ })
            }
        }

        impl<'a> $slices<'a> {
            /// Row k becomes row `order[k]` of `source`. Rows in `soon` are prefetched.
            pub(crate) fn gather<L: Lanes>(
                &mut self,
                source: &$name,
                order: &[u32],
                soon: Range<usize>,
            ) {
                $(if !self.$field.is_empty() {
                    let (source, soon) = (&source.$field, soon.clone());
                    gather_column::<L, _>(self.$field, source, order, &source[soon]);
                })+
            }
        }
    };
}

columns!(
    /// The state that a step reads from one copy and writes to another.
    Motion, MotionSlices {
        x: f32,
        y: f32,
        /// Velocities, unless they follow from headings: see [`velocity`](crate::crowd::velocity).
        vx: f32,
        vy: f32,
        hx: f32,
        hy: f32,
        /// What behaviors remember, see [`Memory`]; each only if some behavior needs it.
        wander_x: f32,
        wander_y: f32,
        waypoint: f32,
        alert: f32,
    }
);

columns!(
    /// What an agent is: moved by the sort, not by a step.
    Traits, TraitsSlices {
        /// Index of the agent's id.
        index: u32,
        /// Index into the scene's species; only if there are several.
        species: u8,
        /// Id index of the agent's own target, or [`NO_TARGET`]; only if some behavior steers by
        /// own targets.
        target: u32,
        /// Per-agent overrides of species parameters; only if some species asks for a range.
        max_speed: f32,
        max_force: f32,
        mass: f32,
        radius: f32,
    }
);

/// A parameter: its per-agent column if there is one, else the species' value.
#[inline(always)]
pub(crate) fn value<L: Lanes>(per_agent: &[f32], row: usize, shared: Value) -> L {
    if per_agent.is_empty() { L::splat(shared.max()) } else { L::load(&per_agent[row..]) }
}

impl Traits {
    /// The species of the agent in `slot`.
    pub(crate) fn kind(&self, slot: usize) -> usize {
        self.species.get(slot).map_or(0, |&kind| usize::from(kind))
    }
}
