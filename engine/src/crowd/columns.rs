//! Structure-of-arrays storage: one contiguous column per attribute.
//!
//! Columns that the scene does not need stay empty, and the sort and the step skip them.
//! A step changes `Motion` but not `Attributes`, which the sort only reorders.

use std::ops::Range;

use crate::crowd::limits::Limit;
use crate::crowd::params::SpeciesParams;
use crate::crowd::store::{self, Gather, Store};
use crate::grid::groups::GroupColumns;
use crate::math::axes::Axes;
use crate::math::lanes::{Lanes, MAX_WIDTH};
use crate::parallel::Split;

pub(crate) const MAX_COLUMNS: usize = 16;

/// Per-agent state that a built-in behavior keeps between steps.
/// Snapshots store the values in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// Wander target, in the agent's local frame.
    WanderX,
    WanderY,
    /// Index of the next waypoint, plus 0.5 once the agent has been before the waypoint's plane.
    Waypoint,
    /// Seconds left to keep hiding after a hunter goes out of sight.
    Alert,
    /// Last seen position of the nearest hunter, in world units.
    HunterX,
    HunterY,
    /// The third components, in worlds with depth.
    WanderZ,
    HunterZ,
}

impl Memory {
    pub(crate) const ALL: [Self; 8] = [
        Self::WanderX,
        Self::WanderY,
        Self::Waypoint,
        Self::Alert,
        Self::HunterX,
        Self::HunterY,
        Self::WanderZ,
        Self::HunterZ,
    ];

    pub(crate) fn is_deep(self) -> bool {
        matches!(self, Self::WanderZ | Self::HunterZ)
    }
}

macro_rules! columns {
    ($(#[$doc:meta])* $name:ident, $slices:ident { $($(#[$field_doc:meta])* $field:ident: $ty:ty,)+ }) => {
        $(#[$doc])*
        #[derive(Debug, Default)]
        pub(crate) struct $name {
            $($(#[$field_doc])* pub(crate) $field: $ty,)+
        }

        #[derive(Debug)]
        pub(crate) struct $slices<'a> {
            $(pub(crate) $field: <$ty as Store>::Slices<'a>,)+
        }

        impl $name {
            pub(crate) fn slices_mut(&mut self) -> $slices<'_> {
                $slices { $($field: Store::slices_mut(&mut self.$field),)+ }
            }

            pub(crate) fn has_rows(&self, rows: usize) -> bool {
                $(self.$field.columns().iter().all(|column| {
                    column.len() == rows || column.is_empty()
                }))&&+
            }

            pub(crate) fn resize(&mut self, rows: usize, like: &Self) {
                $(for (column, like) in self.$field.paired(&like.$field) {
                    store::resize(column, rows, like);
                })+
            }

            /// Copies the last `MAX_WIDTH` rows of `source` (or all, if fewer),
            /// then repeats the last row to a total of `2 * MAX_WIDTH` rows.
            pub(crate) fn pad(&mut self, source: &Self) {
                $(for (column, source) in self.$field.paired(&source.$field) {
                    store::pad(column, source);
                })+
            }

            pub(crate) fn append(&mut self, source: &Self, rows: Range<usize>) {
                $(for (column, source) in self.$field.paired(&source.$field) {
                    column.extend_from_slice(source.get(rows.clone()).unwrap_or_default());
                })+
            }

            pub(crate) fn keep(&mut self, rows: Range<usize>) {
                $(for column in self.$field.columns_mut() {
                    store::keep(column, rows.clone());
                })+
            }

            pub(crate) fn write(&self, rows: &[u32], message: &mut Vec<u8>) {
                $(for column in self.$field.columns() {
                    store::write(column, rows, message);
                })+
            }

            pub(crate) fn read(&mut self, rows: usize, message: &mut &[u8]) {
                $(for column in self.$field.columns_mut() {
                    store::read(column, rows, message);
                })+
            }

            pub(crate) fn swap_remove(&mut self, slot: usize) {
                $(for column in self.$field.columns_mut().iter_mut().filter(|column| !column.is_empty()) {
                    column.swap_remove(slot);
                })+
            }

            pub(crate) fn bytes(&self) -> usize {
                0 $(+ self.$field.columns().iter().map(store::bytes).sum::<usize>())+
            }
        }

        impl $slices<'_> {
            pub(crate) fn gather<L: Lanes>(&mut self, source: &$name, gather: &Gather<'_>) {
                $(source.$field.gather::<L>(&mut self.$field, gather);)+
            }
        }

        impl Split for $slices<'_> {
            fn split_at(self, mid: usize) -> (Self, Self) {
                $(let $field = self.$field.split_at(mid);)+
                ($slices { $($field: $field.0,)+ }, $slices { $($field: $field.1,)+ })
            }
        }
    };
}

columns!(
    Motion, MotionSlices {
        position: Axes<Vec<f32>>,
        /// Empty if velocities are derived from headings: see [`velocity`](crate::crowd::velocity).
        velocity: Axes<Vec<f32>>,
        heading: Axes<Vec<f32>>,
        memory: [Vec<f32>; Memory::ALL.len()],
        /// Columns that the scene or its behaviors define, sorted by name. The rest are empty.
        custom: [Vec<f32>; MAX_COLUMNS],
    }
);

columns!(
    Attributes, AttributesSlices {
        index: Vec<u32>,
        species: Vec<u8>,
        /// Each agent's own target, decoded by [`Self::stored_target`]; empty if no behavior needs
        /// it.
        target: Vec<u32>,
        /// Own target if it is a point, otherwise zeros; empty until an agent is given a point.
        target_point: Axes<Vec<f32>>,
        /// Rank by time of joining the species, decoded by [`formation`](crate::crowd::formation);
        /// empty if no behavior needs it.
        joined: Vec<u64>,
        /// One column per [`Limit`]; a column is empty if all agents use their species' value.
        limits: [Vec<f32>; Limit::ALL.len()],
        /// cos·|cos| of half the field of view, as used by the visibility test.
        view_cos: Vec<f32>,
        /// Per-agent bit set of the overridden [`Limit`]s; empty if no agent overrides a limit.
        overridden: Vec<u8>,
    }
);

/// Number of [`Motion::columns`]: three vectors, and the memory of behaviors.
pub(crate) const MOTION_COLUMNS: usize = 3 * 3 + Memory::ALL.len();

/// Access to all columns of motion except custom ones, in snapshot order.
impl Motion {
    pub(crate) const NAMES: [&str; MOTION_COLUMNS] = [
        "x", "y", "vx", "vy", "hx", "hy", "wander_x", "wander_y", "waypoint", "alert", "hunter_x",
        "hunter_y", "z", "vz", "hz", "wander_z", "hunter_z",
    ];

    pub(crate) fn columns(&self) -> [&Vec<f32>; MOTION_COLUMNS] {
        let Self { position, velocity, heading, memory, custom: _ } = self;
        let (Axes([x, y, z]), Axes([vx, vy, vz]), Axes([hx, hy, hz])) =
            (position, velocity, heading);
        let [a, b, c, d, e, f, wander_z, hunter_z] = memory;
        [x, y, vx, vy, hx, hy, a, b, c, d, e, f, z, vz, hz, wander_z, hunter_z]
    }

    pub(crate) fn columns_mut(&mut self) -> [&mut Vec<f32>; MOTION_COLUMNS] {
        let Self { position, velocity, heading, memory, custom: _ } = self;
        let (Axes([x, y, z]), Axes([vx, vy, vz]), Axes([hx, hy, hz])) =
            (position, velocity, heading);
        let [a, b, c, d, e, f, wander_z, hunter_z] = memory;
        [x, y, vx, vy, hx, hy, a, b, c, d, e, f, z, vz, hz, wander_z, hunter_z]
    }
}

#[inline(always)]
pub(crate) fn value<L: Lanes>(per_agent: &[f32], row: usize, shared: f32) -> L {
    if per_agent.is_empty() { L::splat(shared) } else { L::load(&per_agent[row..row + L::WIDTH]) }
}

impl Attributes {
    #[inline(always)]
    pub(crate) fn limit(&self, limit: Limit) -> &[f32] {
        &self.limits[limit as usize]
    }

    #[inline(always)]
    pub(crate) fn limit_of<L: Lanes>(&self, limit: Limit, row: usize, shared: &SpeciesParams) -> L {
        value(self.limit(limit), row, shared.limits[limit as usize])
    }

    pub(crate) fn is_overridden(&self, limit: Limit, slot: usize) -> bool {
        self.overridden.get(slot).is_some_and(|overridden| overridden & limit.bit() != 0)
    }

    pub(crate) fn group_columns(&self) -> GroupColumns<'_> {
        GroupColumns {
            species: &self.species,
            radius: self.limit(Limit::Radius),
            max_speed: self.limit(Limit::MaxSpeed),
        }
    }

    #[inline(always)]
    pub(crate) fn species_of(&self, slot: usize) -> usize {
        self.species.get(slot).map_or(0, |&species| usize::from(species))
    }
}

/// Copy of the crowd's last rows, padded by repeating the last row. A batch that extends past the
/// end of the crowd reads this copy.
#[derive(Debug, Default)]
pub(crate) struct PaddedTail {
    first: usize,
    motion: Motion,
    attributes: Attributes,
}

#[derive(Clone, Copy)]
pub(crate) struct Rows<'a> {
    pub(crate) motion: &'a Motion,
    pub(crate) attributes: &'a Attributes,
    row: u32,
}

impl<'a> Rows<'a> {
    #[inline(always)]
    pub(crate) fn new(motion: &'a Motion, attributes: &'a Attributes, row: usize) -> Self {
        Self { motion, attributes, row: row as u32 }
    }

    /// First row of the batch. Stored as a `u32`, so that the compiler knows that `row + L::WIDTH`
    /// does not overflow, and a load needs only one bounds check.
    #[inline(always)]
    pub(crate) fn row(&self) -> usize {
        self.row as usize
    }

    #[inline(always)]
    pub(crate) fn load<L: Lanes>(&self, column: &[f32]) -> L {
        L::load(&column[self.row()..self.row() + L::WIDTH])
    }
}

impl PaddedTail {
    pub(crate) fn fill(&mut self, motion: &Motion, attributes: &Attributes) {
        let agents = motion.position.len();
        debug_assert!(
            motion.has_rows(agents) && attributes.has_rows(agents),
            "columns of one length"
        );
        self.first = agents.saturating_sub(MAX_WIDTH);
        self.motion.pad(motion);
        self.attributes.pad(attributes);
    }

    /// Rows of the batch that starts at `slot`, which must be one of the crowd's last
    /// [`MAX_WIDTH`] slots or beyond its end.
    #[inline(always)]
    pub(crate) fn rows(&self, slot: usize) -> Rows<'_> {
        debug_assert!(slot >= self.first, "slot {slot} is before the tail");
        Rows::new(&self.motion, &self.attributes, (slot - self.first).min(MAX_WIDTH))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_batch_at_the_end_or_beyond_reads_its_agents_and_then_the_last_one() {
        for agents in [1_usize, 5, 15, 16, 17, 40, 300] {
            let x = (0..agents).map(|slot| slot as f32).collect();
            let species: Vec<u8> = (0..agents).map(|slot| (slot % 3) as u8).collect();
            let mut tail = PaddedTail::default();
            tail.fill(
                &Motion { position: Axes([x, Vec::new(), Vec::new()]), ..Motion::default() },
                &Attributes { species, ..Attributes::default() },
            );
            for first in (agents + 1).saturating_sub(MAX_WIDTH)..agents + 4 * MAX_WIDTH {
                let rows = tail.rows(first);
                let Rows { motion, attributes, .. } = rows;
                for lane in 0..MAX_WIDTH {
                    let slot = (first + lane).min(agents - 1);
                    assert_eq!(
                        motion.position.0[0][rows.row() + lane],
                        slot as f32,
                        "{agents} agents, {first}"
                    );
                    assert_eq!(attributes.species[rows.row() + lane], (slot % 3) as u8);
                }
                assert!(motion.position.0[1].is_empty(), "an absent column stays absent");
            }
        }
    }
}
