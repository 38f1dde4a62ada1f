//! Structure-of-arrays storage: one contiguous column per field.
//!
//! A column that a scene does not need stays empty, and an empty column costs
//! nothing: it is neither permuted nor copied. `Motion` is what every step writes,
//! `Traits` is what only the sort moves.

use std::ops::Range;

use crate::crowd::limits::Limit;
use crate::crowd::shared::SharedTraits;
use crate::crowd::store::{Several, SlicesOf, Store};
use crate::math::lanes::{Lanes, MAX_WIDTH};
use crate::parallel::Split;

/// The largest number of columns that a scene may define.
pub(crate) const MAX_COLUMNS: usize = 16;

/// A number that the engine's behaviors can remember of an agent from step to step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// In the order of snapshots. The wander target, in the agent's own frame.
    WanderX,
    WanderY,
    /// Index of the next waypoint.
    Waypoint,
    /// Seconds for which it keeps hiding from a hunter that is out of sight.
    Alert,
    /// Where the nearest hunter was last seen.
    HunterX,
    HunterY,
}

impl Memory {
    pub(crate) const ALL: [Self; 6] =
        [Self::WanderX, Self::WanderY, Self::Waypoint, Self::Alert, Self::HunterX, Self::HunterY];
    pub(crate) const NAMES: [&str; 6] =
        ["wander_x", "wander_y", "waypoint", "alert", "hunter_x", "hunter_y"];

    /// Whether snapshots of scenes without it have an empty list in its place.
    pub(crate) fn is_always_listed(self) -> bool {
        !matches!(self, Self::HunterX | Self::HunterY)
    }
}

macro_rules! columns {
    ($(#[$doc:meta])* $name:ident, $slices:ident { $($(#[$field_doc:meta])* $field:ident: $ty:ty,)+ }) => {
        $(#[$doc])*
        #[derive(Debug, Default)]
        pub(crate) struct $name {
            $($(#[$field_doc])* pub(crate) $field: $ty,)+
        }

        /// Mutable slices of the same columns, for splitting work between threads.
        #[derive(Debug)]
        pub(crate) struct $slices<'a> {
            $(pub(crate) $field: <$ty as Store>::Slices<'a>,)+
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
                $(let $field = SlicesOf::split_at(self.$field, mid);)+
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
                $(self.$field.gather::<L>(&source.$field, first, order, soon.clone());)+
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
        /// One for each [`Memory`], empty if no behavior needs it.
        memory: Several<{ Memory::ALL.len() }>,
        /// Those that the scene defines.
        own: Several<MAX_COLUMNS>,
    }
);

columns!(
    /// What an agent is: moved by the sort, not by a step.
    Traits, TraitsSlices {
        /// Index of the agent's id.
        index: Vec<u32>,
        /// Index into the scene's species; only if there are several.
        species: Vec<u8>,
        /// The agent's own target, which [`Self::aim`] reads; only if some behavior steers by own
        /// targets.
        target: Vec<u32>,
        /// Its own target if that is a point, else zeros; only if some own target ever was.
        target_point: Vec<[f32; 2]>,
        /// One for each [`Limit`], empty if all agents have that of their species.
        limits: Several<{ Limit::ALL.len() }>,
        /// What the test of visibility computes with, from the field of view.
        view_cos: Vec<f32>,
        /// A bit for each [`Limit`] of the agent that was written; only if some was.
        written: Vec<u8>,
    }
);

/// A parameter: its per-agent column if there is one, else the species' value.
#[inline(always)]
pub(crate) fn value<L: Lanes>(per_agent: &[f32], row: usize, shared: f32) -> L {
    if per_agent.is_empty() { L::splat(shared) } else { L::load(&per_agent[row..]) }
}

impl Traits {
    /// The column of a limit; empty if all agents have that of their species.
    #[inline(always)]
    pub(crate) fn limit(&self, limit: Limit) -> &[f32] {
        self.limits.0.get(limit as usize).map_or(&[], Vec::as_slice)
    }

    /// A limit of the agents from `row` on, which are of one species.
    #[inline(always)]
    pub(crate) fn limit_of<L: Lanes>(&self, limit: Limit, row: usize, shared: &SharedTraits) -> L {
        value(self.limit(limit), row, shared.limits[limit as usize])
    }

    /// Whether a limit of the agent in `slot` is its own.
    pub(crate) fn is_written(&self, limit: Limit, slot: usize) -> bool {
        self.written.get(slot).is_some_and(|written| written & limit.bit() != 0)
    }

    /// The species of the agent in `slot`.
    pub(crate) fn species_of(&self, slot: usize) -> usize {
        self.species.get(slot).map_or(0, |&species| usize::from(species))
    }
}

/// The last rows of the columns, followed by copies of the last one: enough for a batch that would
/// read past the end of the crowd.
#[derive(Debug, Default)]
pub(crate) struct Tail {
    /// The slot of the first row.
    first: usize,
    motion: Motion,
    traits: Traits,
}

/// The columns that hold a batch's agents, from `row` on.
#[derive(Clone, Copy)]
pub(crate) struct Rows<'a> {
    pub(crate) motion: &'a Motion,
    pub(crate) traits: &'a Traits,
    pub(crate) row: usize,
}

impl Tail {
    /// Copies the end of these columns.
    pub(crate) fn fill(&mut self, motion: &Motion, traits: &Traits) {
        let agents = motion.x.len();
        debug_assert!(motion.has_rows(agents) && traits.has_rows(agents), "columns of one length");
        self.first = agents.saturating_sub(MAX_WIDTH);
        self.motion.pad(motion);
        self.traits.pad(traits);
    }

    /// The rows of a batch that begins less than [`MAX_WIDTH`] slots before the end of the crowd,
    /// or beyond it.
    pub(crate) fn rows(&self, slot: usize) -> Rows<'_> {
        debug_assert!(slot >= self.first, "slot {slot} is before the tail");
        Rows { motion: &self.motion, traits: &self.traits, row: (slot - self.first).min(MAX_WIDTH) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_batch_at_the_end_or_beyond_reads_its_agents_and_then_the_last_one() {
        for agents in [1_usize, 5, 15, 16, 17, 40, 300] {
            let x: Vec<f32> = (0..agents).map(|slot| slot as f32).collect();
            let species: Vec<u8> = (0..agents).map(|slot| (slot % 3) as u8).collect();
            let mut tail = Tail::default();
            tail.fill(&Motion { x, ..Motion::default() }, &Traits { species, ..Traits::default() });
            for first in (agents + 1).saturating_sub(MAX_WIDTH)..agents + 4 * MAX_WIDTH {
                let Rows { motion, traits, row } = tail.rows(first);
                for lane in 0..MAX_WIDTH {
                    let slot = (first + lane).min(agents - 1);
                    assert_eq!(motion.x[row + lane], slot as f32, "{agents} agents, {first}");
                    assert_eq!(traits.species[row + lane], (slot % 3) as u8);
                }
                assert!(motion.y.is_empty(), "an absent column stays absent");
            }
        }
    }
}
