//! Structure-of-arrays storage: one contiguous column per field.
//!
//! A column that a scene does not need stays empty, and an empty column costs
//! nothing: it is neither permuted nor copied. `Motion` is what every step writes,
//! `Traits` is what only the sort moves.

use std::ops::Range;

use crate::crowd::shared::Value;
use crate::crowd::store::{Own, Rows, Store};
use crate::math::lanes::Lanes;
use crate::math::vec2::Vec2;
use crate::parallel::Split;

/// The largest number of columns that a scene may define.
pub(crate) const MAX_COLUMNS: usize = 16;

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

macro_rules! columns {
    ($(#[$doc:meta])* $name:ident, $slices:ident { $($(#[$field_doc:meta])* $field:ident: $ty:ty,)+ }) => {
        $(#[$doc])*
        #[derive(Debug, Default)]
        pub(crate) struct $name {
            $($(#[$field_doc])* pub(crate) $field: $ty,)+
        }

        /// Mutable slices of the same columns, for splitting work between threads.
        pub(crate) struct $slices<'a> {
            $(pub(crate) $field: <$ty as Store>::Slices<'a>,)+
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
                $slices { $($field: Store::slices_mut(&mut self.$field),)+ }
            }

            /// Whether every column has `rows` rows, or none because the scene does not need it.
            pub(crate) fn has_rows(&self, rows: usize) -> bool {
                $(self.$field.has_rows(rows))&&+
            }

            /// Gives every column that `like` has this many rows.
            pub(crate) fn resize(&mut self, rows: usize, like: &Self) {
                $(Store::resize(&mut self.$field, rows, &like.$field);)+
            }

            /// Copies the last `MAX_WIDTH` rows of `source`, or all if there are fewer, and then
            /// repeats the last one up to twice as many.
            pub(crate) fn pad(&mut self, source: &Self) {
                $(self.$field.pad(&source.$field);)+
            }

            /// Adds these rows of another crowd's columns after the others.
            pub(crate) fn append(&mut self, source: &Self, rows: Range<usize>) {
                $(Store::append(&mut self.$field, &source.$field, rows.clone());)+
            }

            /// Removes all rows but these.
            pub(crate) fn keep(&mut self, rows: Range<usize>) {
                $(Store::keep(&mut self.$field, rows.clone());)+
            }

            /// Appends these rows to a message, for [`Self::read`].
            pub(crate) fn write(&self, rows: &[u32], message: &mut Vec<u8>) {
                $(Store::write(&self.$field, rows, message);)+
            }

            /// Appends the next rows of a message to those that are there.
            pub(crate) fn read(&mut self, rows: usize, message: &mut &[u8]) {
                $(Store::read(&mut self.$field, rows, message);)+
            }

            /// Removes one row; the last row takes its slot.
            pub(crate) fn swap_remove(&mut self, slot: usize) {
                $(Store::swap_remove(&mut self.$field, slot);)+
            }

            /// Bytes allocated by the columns.
            pub(crate) fn bytes(&self) -> usize {
                0 $(+ self.$field.bytes())+
            }
        }

        impl Split for $slices<'_> {
            fn split_at(self, mid: usize) -> (Self, Self) {
                $(let $field = Rows::split_at(self.$field, mid);)+
                ($slices { $($field: $field.0,)+ }, $slices { $($field: $field.1,)+ })
            }
        }

        impl<'a> $slices<'a> {
            /// Row k becomes row `order[k]` of `source`, whose rows count from `first`. Rows in
            /// `soon` are prefetched.
            pub(crate) fn gather<L: Lanes>(
                &mut self,
                source: &$name,
                first: usize,
                order: &[u32],
                soon: Range<usize>,
            ) {
                $(Rows::gather::<L>(
                    &mut self.$field,
                    (&source.$field, first),
                    order,
                    soon.clone(),
                );)+
            }
        }
    };
}

columns!(
    /// The state that a step reads from one copy and writes to another.
    Motion, MotionSlices {
        x: Vec<f32>,
        y: Vec<f32>,
        /// Velocities, unless they follow from headings: see [`velocity`](crate::crowd::velocity).
        vx: Vec<f32>,
        vy: Vec<f32>,
        hx: Vec<f32>,
        hy: Vec<f32>,
        /// What behaviors remember, see [`Memory`]; each only if some behavior needs it.
        wander_x: Vec<f32>,
        wander_y: Vec<f32>,
        waypoint: Vec<f32>,
        alert: Vec<f32>,
        /// Those that the scene defines.
        own: Own,
    }
);

columns!(
    /// What an agent is: moved by the sort, not by a step.
    Traits, TraitsSlices {
        /// Index of the agent's id.
        index: Vec<u32>,
        /// Index into the scene's species; only if there are several.
        species: Vec<u8>,
        /// Id index of the agent's own target, or [`NO_TARGET`]; only if some behavior steers by
        /// own targets.
        target: Vec<u32>,
        /// Per-agent overrides of species parameters; only if some species asks for a range.
        max_speed: Vec<f32>,
        max_force: Vec<f32>,
        mass: Vec<f32>,
        radius: Vec<f32>,
    }
);

/// A parameter: its per-agent column if there is one, else the species' value.
#[inline(always)]
pub(crate) fn value<L: Lanes>(per_agent: &[f32], row: usize, shared: Value) -> L {
    if per_agent.is_empty() { L::splat(shared.max()) } else { L::load(&per_agent[row..]) }
}

impl Motion {
    /// Whether any behavior remembers something from step to step.
    pub(crate) fn remembers(&self) -> bool {
        let Self { wander_x, waypoint, alert, .. } = self;
        !(wander_x.is_empty() && waypoint.is_empty() && alert.is_empty())
    }
}

impl Traits {
    /// The species of the agent in `slot`.
    pub(crate) fn species_of(&self, slot: usize) -> usize {
        self.species.get(slot).map_or(0, |&species| usize::from(species))
    }
}
