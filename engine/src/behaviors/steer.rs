use std::any::Any;
use std::fmt;
use std::panic::{RefUnwindSafe, UnwindSafe};

use crate::behaviors::fields::Field;

pub(super) use crate::batch::Batch;
pub(super) use crate::batch::neighbors::Candidate;
pub(super) use crate::batch::trace::Feature;
pub(super) use crate::behaviors::parameter_types::{Deceleration, Neighborhood};
pub(super) use crate::crowd::columns::Memory;
pub(super) use crate::crowd::limits::Limit;
pub(super) use crate::crowd::target::{Pose, Target};
pub(super) use crate::math::force::Force;
pub(super) use crate::math::lanes::{Lanes, Mask};
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

    /// Names of the [columns](Self::columns) in worlds with depth; by default, as in flat worlds.
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

    /// True if the behavior reads the agent's place in its species' formation.
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

/// Declares a behavior: its parameters, each with meaning, default, range and unit, and its force.
///
/// A parameter is a doc comment, a name, a type, a default value and, for numbers, a range and an
/// optional unit. Every behavior has a `weight`. The declaration provides a struct with `Default`,
/// the name in scene files, checks, sliders and documentation.
///
/// | type | holds | range |
/// | --- | --- | --- |
/// | `f32`, `u32` | a number | required |
/// | `Option<f32>` | a number or none | required |
/// | `[f32; 2]` | a point or an offset | required, for each coordinate |
/// | `bool` | a flag | |
/// | [`Target`](crate::Target) | a point or an agent: see [`Batch::target`](crate::kernel::Batch::target) | |
/// | [`Neighborhood`](crate::behaviors::Neighborhood) | the agents that count as neighbors; at most one | |
/// | `String` | the name of one of the scene's paths | |
///
/// Scene files omit a parameter that is none, or a list of species that is empty, if that is the
/// default. Otherwise, they name it in a list: `{ social_force = { none = ["distance"] } }`.
///
/// Other methods of [`Steer`](crate::kernel::Steer), such as `columns` or `obstacle_range`, may
/// follow the force. `self` has the parameters; [`Batch`](crate::kernel::Batch) has the agents.
///
/// # A neighborhood and a flag
/// A parameter of type `Neighborhood` becomes three in scene files: `distance`, `field_of_view` and
/// `species`. It selects the neighbors of this behavior, for sums and for loops. A flag is the same
/// for all agents of a batch, so the force may branch on it.
///
/// ```
/// use flockwork::kernel::{Batch, Force, Lanes, behavior, register};
/// use flockwork::behaviors::Neighborhood;
/// use flockwork::{Scene, Species, World};
///
/// behavior! {
///     /// Pushes agents apart, less with distance (Helbing and Molnár 1995).
///     pub struct SocialForce: "social_force" {
///         /// Multiplier applied to the force; 0 disables the behavior.
///         weight: f32 = 200.0, 0.0 to 1.0e6;
///         /// The force falls to 37% in this distance.
///         decay: f32 = 5.0, 0.1 to 100.0 "world units";
///         /// True if distances count from body to body, not from center to center.
///         between_bodies: bool = true;
///         /// Neighbors that push.
///         neighborhood: Neighborhood = Neighborhood::default();
///     }
///
///     fn force<L: Lanes>(&self, batch: &mut Batch<'_, L>) -> Force<L> {
///         let (radius, rate) = (batch.radius(), L::splat(-1.0 / self.decay));
///         let push = batch.sum_over_neighbors(
///             #[inline(always)]
///             |neighbor| {
///                 let distance = neighbor.distance_sq.sqrt();
///                 let bodies = radius + neighbor.radius();
///                 let gap = if self.between_bodies { distance - bodies } else { distance };
///                 neighbor.offset * (-(gap * rate).exp() / distance)
///             },
///         );
///         push.into()
///     }
///
///     fn reads_radii(&self) -> bool {
///         self.between_bodies
///     }
/// }
///
/// let near = Neighborhood::within(20.0).field_of_view(200.0);
/// let walkers = Species::new("walker", 100)
///     .behavior(SocialForce { between_bodies: false, neighborhood: near, ..SocialForce::default() });
/// let scene = Scene::new(World::torus(200.0, 200.0)).species(walkers);
///
/// // The same in a scene file:
/// register::<SocialForce>()?;
/// let text = "
///     world = { width = 200, height = 200 }
///     [[species]]
///     name = 'walker'
///     agents = 100
///     behaviors = [
///         { social_force = { between_bodies = false, distance = 20, field_of_view = 200 } },
///     ]
/// ";
/// assert_eq!(Scene::parse(text, "walkers.toml")?.species, scene.species);
/// scene.build()?.run(10)?;
/// # Ok::<(), flockwork::Error>(())
/// ```
///
/// # A target
/// `Batch::target` returns where each agent's target is, and which agents have one. An agent has
/// none if its target was removed or is out of view.
///
/// ```
/// use flockwork::kernel::{Batch, Force, Lanes, behavior};
/// use flockwork::behaviors::Wander;
/// use flockwork::{Scene, Species, Target, World};
///
/// behavior! {
///     /// Circles around a target.
///     pub struct Orbit: "orbit" {
///         /// Multiplier applied to the force; 0 disables the behavior.
///         weight: f32 = 3.0, 0.0 to 1.0e6;
///         /// The center of the circles.
///         center: Target = Target::Unset;
///         /// True for clockwise circles.
///         clockwise: bool = false;
///     }
///
///     fn force<L: Lanes>(&self, batch: &mut Batch<'_, L>) -> Force<L> {
///         let (center, has_center) = batch.target(&self.center);
///         let inward = batch.offset_to(center.position).normalized();
///         let speed = if self.clockwise { batch.max_speed() } else { -batch.max_speed() };
///         let desired = inward.left() * speed;
///         (desired - batch.velocity()).keep(has_center).into()
///     }
/// }
///
/// let moths = Species::new("moth", 50)
///     .behavior(Orbit { center: Target::nearest("lamp").distance(300.0), ..Orbit::default() })
///     .behavior(Wander::default());
/// let lamps = Species::new("lamp", 3).max_speed(10.0).behavior(Wander::default());
/// let scene = Scene::new(World::torus(400.0, 400.0)).species(moths).species(lamps);
/// scene.build()?.run(10)?;
/// # Ok::<(), flockwork::Error>(())
/// ```
//
// The force is always inlined into a function compiled for one instruction set. Otherwise, each
// lane operation would be a function call.
#[macro_export]
macro_rules! behavior {
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

pub use behavior;
