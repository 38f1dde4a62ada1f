//! What a behavior is, whether the engine's own or one of another crate.

use std::any::Any;
use std::fmt;
use std::panic::{RefUnwindSafe, UnwindSafe};

use crate::behaviors::fields::{Field, FieldValue, FieldValueMut};

// All that the files of behaviors need.
pub(super) use crate::batch::Batch;
pub(super) use crate::batch::neighbors::Candidate;
pub(super) use crate::batch::notes::Feature;
pub(super) use crate::behaviors::neighborhood::Neighborhood;
pub(super) use crate::crowd::columns::Memory;
pub(super) use crate::crowd::limits::Limit;
pub(super) use crate::crowd::target::{Pose, Target};
pub(super) use crate::math::force::Force;
pub(super) use crate::math::lanes::{Lanes, MAX_WIDTH, Mask};
pub(super) use crate::math::vec2::Vec2;

/// A steering behavior: its parameters, what it needs, and its force. The macro
/// [`behavior!`](crate::kernel::behavior) writes what is the same for all of them.
pub trait Steer: fmt::Debug + Any + Send + Sync + UnwindSafe + RefUnwindSafe {
    /// The name that scene files use: lower-case letters, digits and underscores. A name belongs to
    /// the first type that registers it or builds a scene with it; other types are refused it.
    fn name(&self) -> &'static str;

    /// What it does, as its documentation says.
    fn about(&self) -> &'static str {
        ""
    }

    /// The parameters as data, to read.
    fn fields(&self) -> Vec<Field<FieldValue<'_>>>;

    /// The parameters as data, to change.
    fn fields_mut(&mut self) -> Vec<Field<FieldValueMut<'_>>>;

    /// Scales the force.
    fn weight(&self) -> f32;

    /// The unweighted force on each agent of a batch, in mass · units/s².
    fn force<L: Lanes>(&self, batch: &mut Batch<'_, L>) -> Force<L>
    where
        Self: Sized;

    /// Which agents it counts as neighbors, if it has a parameter that says so.
    fn neighborhood(&self) -> Option<&Neighborhood> {
        None
    }

    /// The columns that it reads or writes, by name; [`Batch::column`] counts them in this order.
    /// They hold 0 at the start, unless a [species](crate::Species::columns) says otherwise.
    fn columns(&self) -> Vec<&str> {
        Vec::new()
    }

    /// The largest distance from an agent's center to the rim of an obstacle that can matter, in
    /// world units.
    fn obstacle_range(&self) -> f32 {
        0.0
    }

    /// The largest distance from an agent's center to a wall that can matter, in world units.
    fn wall_range(&self) -> f32 {
        0.0
    }

    /// Whether it reads the bounding radii of neighbors.
    fn reads_radii(&self) -> bool {
        false
    }

    /// Whether it reads the velocities of neighbors.
    fn reads_velocities(&self) -> bool {
        false
    }

    /// Whether it reads more of [`Batch::neighbor_sums`] than
    /// [`inverse_offset`](Batch::inverse_offset). If no behavior with the same neighborhood does,
    /// sweeps are shorter. Reading more all the same costs a second sweep, but gives the right sums.
    /// The engine asks behaviors of other crates only.
    fn reads_all_sums(&self) -> bool {
        true
    }

    /// Which of the engine's own memories each agent keeps for it; behaviors of other crates have
    /// [columns](Self::columns).
    #[doc(hidden)]
    fn remembers(&self) -> &'static [Memory] {
        &[]
    }
}

/// Declares a behavior: its parameters, each with its meaning, default, range and unit, and its
/// force. Numbers have a range; targets, paths, flags and choices have none. A `Neighborhood` is
/// three parameters, and decides which agents the force counts as neighbors. More functions of
/// [`Steer`](crate::kernel::Steer), such as `obstacle_range`, may follow the force.
///
/// ```
/// use flockwork::kernel::{Batch, Force, Lanes, behavior};
///
/// behavior! {
///     /// Brakes.
///     pub struct Brake: "brake" {
///         /// Scales the force.
///         weight: f32 = 1.0, 0.0 to 1.0e6;
///         /// The time in which the agent comes to rest.
///         time: f32 = 0.5, 1.0e-3 to 1.0e3 "s";
///     }
///
///     fn force<L: Lanes>(&self, batch: &mut Batch<'_, L>) -> Force<L> {
///         (batch.velocity() * batch.mass() * L::splat(-1.0 / self.time)).into()
///     }
/// }
/// ```
//
// The force is always inlined into the function that is compiled for a level of instructions:
// otherwise each of its operations would be a call.
#[macro_export]
#[doc(hidden)]
macro_rules! __behavior {
    (
        $(#[doc = $about:expr])*
        $visibility:vis struct $name:ident: $scene_name:literal {
            $(
                $(#[doc = $doc:expr])*
                $field:ident: $type:ty = $default:expr
                    $(, $min:literal to $max:literal $($unit:literal)?)?;
            )*
        }

        fn force<$lanes:ident: $bound:ident>(&$self:ident, $batch:ident: $batch_type:ty) -> $force:ty
        $body:block

        $($more:item)*
    ) => {
        $(#[doc = $about])*
        #[derive(Clone, Debug, PartialEq)]
        $visibility struct $name {
            $(
                $(#[doc = $doc])*
                #[doc = ""]
                $(#[doc = concat!(
                    "From ", stringify!($min), " to ", stringify!($max), $(" ", $unit,)? ".",
                )])?
                #[doc = concat!("Default ", stringify!($default), ".")]
                pub $field: $type,
            )*
        }

        impl Default for $name {
            fn default() -> Self {
                Self { $($field: $default,)* }
            }
        }

        impl $crate::kernel::Steer for $name {
            fn name(&self) -> &'static str {
                $scene_name
            }

            fn about(&self) -> &'static str {
                concat!($($about, "\n"),*)
            }

            fn fields(&self) -> Vec<$crate::kernel::Field<$crate::kernel::FieldValue<'_>>> {
                let mut fields = Vec::new();
                $($crate::kernel::Parameter::read(
                    &self.$field,
                    $crate::kernel::Field {
                        name: stringify!($field),
                        about: concat!($($doc, "\n"),*),
                        $(min: $min, max: $max, $(unit: $unit,)?)?
                        ..$crate::kernel::Field::new(())
                    },
                    &mut fields,
                );)*
                fields
            }

            fn fields_mut(
                &mut self,
            ) -> Vec<$crate::kernel::Field<$crate::kernel::FieldValueMut<'_>>> {
                let mut fields = Vec::new();
                $($crate::kernel::Parameter::write(
                    &mut self.$field,
                    $crate::kernel::Field {
                        name: stringify!($field),
                        about: concat!($($doc, "\n"),*),
                        $(min: $min, max: $max, $(unit: $unit,)?)?
                        ..$crate::kernel::Field::new(())
                    },
                    &mut fields,
                );)*
                fields
            }

            fn neighborhood(&self) -> Option<&$crate::kernel::Neighborhood> {
                None$(.or($crate::kernel::Parameter::neighborhood(&self.$field)))*
            }

            fn weight(&self) -> f32 {
                self.weight
            }

            #[inline(always)]
            fn force<$lanes: $bound>(&$self, $batch: $batch_type) -> $force
            $body

            $($more)*
        }
    };
}

pub use __behavior as behavior;
