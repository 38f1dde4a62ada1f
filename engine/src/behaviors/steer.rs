use std::any::Any;
use std::fmt;
use std::panic::{RefUnwindSafe, UnwindSafe};

use crate::behaviors::fields::Field;

pub(super) use crate::batch::Batch;
pub(super) use crate::batch::neighbors::Candidate;
pub(super) use crate::batch::trace::Feature;
pub(super) use crate::behaviors::neighborhood::Neighborhood;
pub(super) use crate::crowd::columns::Memory;
pub(super) use crate::crowd::limits::Limit;
pub(super) use crate::crowd::target::{Pose, Target};
pub(super) use crate::math::force::Force;
pub(super) use crate::math::lanes::{Lanes, MAX_WIDTH, Mask};
pub(super) use crate::math::vec3::Vec3;

/// A steering behavior: parameters, required inputs, and force.
/// The [`behavior!`](crate::kernel::behavior) macro generates the parts that all behaviors share.
pub trait Steer: fmt::Debug + Any + Send + Sync + UnwindSafe + RefUnwindSafe {
    /// Name in scene files: a lower-case letter, then lower-case letters, digits and underscores.
    /// A name belongs to the first type that is registered or used in a scene under that name.
    /// The engine rejects the name for any other type.
    fn name(&self) -> &'static str;

    /// Summary, taken from the doc comment in [`behavior!`](crate::kernel::behavior).
    fn about(&self) -> &'static str {
        ""
    }

    /// The parameters, with their names, units, ranges and values.
    fn fields(&self) -> Vec<Field>;

    /// Takes the values of [`Self::fields`], in the same order.
    fn set_fields(&mut self, fields: Vec<Field>);

    /// Multiplier applied to the force; 0 disables the behavior.
    fn weight(&self) -> f32;

    /// The unweighted force on each agent of a batch, in mass · units/s².
    fn force<L: Lanes>(&self, batch: &mut Batch<'_, L>) -> Force<L>
    where
        Self: Sized;

    /// The parameter that selects the behavior's neighbors, if it has one.
    fn neighborhood(&self) -> Option<&Neighborhood> {
        None
    }

    /// Names of the columns that the behavior reads or writes. [`Batch::column`] takes an index
    /// into this list. Columns start at 0 unless the [species](crate::Species::columns) sets other
    /// values.
    fn columns(&self) -> Vec<&str> {
        Vec::new()
    }

    /// Maximum distance from an agent's center to the rim of a relevant obstacle, in world units.
    fn obstacle_range(&self) -> f32 {
        0.0
    }

    /// Names of the [columns](Self::columns) in a world with depth; by default, the same.
    fn columns_in_space(&self) -> Vec<&str> {
        self.columns()
    }

    /// True if scenes with depth must not use the behavior.
    fn needs_flat_world(&self) -> bool {
        false
    }

    /// Maximum distance from an agent's center to a relevant wall, in world units.
    fn wall_range(&self) -> f32 {
        0.0
    }

    /// True if the behavior reads bounding radii of neighbors.
    fn reads_radii(&self) -> bool {
        false
    }

    /// True if the behavior reads velocities of neighbors.
    fn reads_velocities(&self) -> bool {
        false
    }

    /// True if the behavior reads sums from [`Batch::neighbor_sums`] other than
    /// [`inverse_offset`](Batch::inverse_offset). The sweep is cheaper if no behavior with the same
    /// neighborhood reads the other sums. A behavior that returns false may still read them,
    /// at the cost of a second sweep. Ignored for the engine's own behaviors.
    fn reads_all_sums(&self) -> bool {
        true
    }

    /// True if the behavior reads the agent's number in its species' formation.
    #[doc(hidden)]
    fn forms(&self) -> bool {
        false
    }

    /// Per-agent state that the engine keeps between steps for this behavior.
    /// Behaviors from other crates use [columns](Self::columns) instead.
    #[doc(hidden)]
    fn remembers(&self) -> &'static [Memory] {
        &[]
    }
}

/// Declares a behavior: its force, and each parameter's meaning, default, range and unit.
/// Numbers have a range; targets, paths, flags and choices have none. A `Neighborhood` becomes
/// three parameters and selects the agents that the force counts as neighbors. Other
/// [`Steer`](crate::kernel::Steer) methods, such as `obstacle_range`, may follow the force.
///
/// ```
/// use flockwork::kernel::{Batch, Force, Lanes, behavior};
///
/// behavior! {
///     /// Brakes.
///     pub struct Brake: "brake" {
///         /// Multiplier applied to the force; 0 disables the behavior.
///         weight: f32 = 1.0, 0.0 to 1.0e6;
///         /// Time constant: the speed falls to 37% in this time.
///         time: f32 = 0.5, 1.0e-3 to 1.0e3 "s";
///     }
///
///     fn force<L: Lanes>(&self, batch: &mut Batch<'_, L>) -> Force<L> {
///         (batch.velocity() * batch.mass() * L::splat(-1.0 / self.time)).into()
///     }
/// }
/// ```
//
// The force is always inlined into a function compiled for one instruction set. Otherwise, each
// lane operation would be a function call.
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

            fn fields(&self) -> Vec<$crate::kernel::Field> {
                let mut fields = Vec::new();
                $($crate::kernel::Parameter::read(
                    &self.$field,
                    $crate::kernel::Field {
                        name: stringify!($field),
                        about: concat!($($doc, "\n"),*),
                        $(min: $min, max: $max, $(unit: $unit,)?)?
                        ..$crate::kernel::Field::NONE
                    },
                    &mut fields,
                );)*
                fields
            }

            fn set_fields(&mut self, fields: Vec<$crate::kernel::Field>) {
                let mut values = fields.into_iter().map(|field| field.value);
                $($crate::kernel::Parameter::write(&mut self.$field, &mut values);)*
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
