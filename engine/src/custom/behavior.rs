//! What another crate implements for a behavior.

use std::fmt::Debug;
use std::panic::{RefUnwindSafe, UnwindSafe};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::batch::Batch;
use crate::behaviors::fields::{Field, FieldValue, FieldValueMut};
use crate::math::force::Force;
use crate::math::lanes::Lanes;

/// The parameters of a behavior of your own, and how its force is computed.
///
/// A scene file writes it as `name = { parameter = value }` among the behaviors of a species, once
/// it is [registered](super::register).
pub trait CustomBehavior:
    Clone
    + Debug
    + Default
    + PartialEq
    + Serialize
    + DeserializeOwned
    + Send
    + Sync
    + UnwindSafe
    + RefUnwindSafe
    + 'static
{
    /// The name that scene files use: lower-case letters, digits and underscores. The first type that
    /// a process uses under a name keeps it; scenes refuse any other of the same name.
    const NAME: &'static str;

    /// All parameters, in the struct's order. [`fields!`](crate::fields) writes this.
    fn fields(&self) -> Vec<Field<FieldValue<'_>>>;

    /// The same, to change. [`fields!`](crate::fields) writes this.
    fn fields_mut(&mut self) -> Vec<Field<FieldValueMut<'_>>>;

    /// Scales the force.
    fn weight(&self) -> f32;

    /// The unweighted force on each agent of a batch, in mass · units/s².
    ///
    /// Mark it `#[inline(always)]`: see [`Lanes`].
    fn force<L: Lanes>(&self, batch: &mut Batch<'_, L>) -> Force<L>;

    /// The columns that it reads or writes, by name; [`Batch::column`] counts them in this order.
    /// They hold 0 at the start, unless a [species](crate::Species::columns) says otherwise.
    fn columns(&self) -> Vec<&str> {
        Vec::new()
    }

    /// How far from an agent's center the rim of an obstacle can matter, in world units.
    fn obstacle_range(&self) -> f32 {
        0.0
    }

    /// How far from an agent's center a wall can matter, in world units.
    fn wall_range(&self) -> f32 {
        0.0
    }
}
