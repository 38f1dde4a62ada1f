//! The steering behaviors, and the types of their parameters. A behavior is a struct with defaults
//! (`Seek { target, ..Seek::default() }`). [`Species::behavior`](crate::Species::behavior) adds it
//! to a species, which evaluates its behaviors in the order in which they were added.
//!
//! On a torus, the offset to a point is the shortest one, across the seam if necessary.
//! Paths and walls are exceptions: behaviors never look for them across the seam.
//
// Each file describes one behavior: its idea, parameters and kernel. Kernels are SIMD code with one
// agent per lane. A batch is one vector of agents from consecutive slots, mostly in the same cell
// or in adjacent cells. No data crosses lanes, so an agent's result does not depend on its batch.
// Behaviors read the crowd as it was at the start of the step. Single-lane kernels skip work that
// cannot change the result.

use std::any::Any;
use std::fmt;

use serde::de::{EnumAccess, Error as _, VariantAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::error::Error;

pub(crate) mod external;
pub(crate) mod fields;
pub(crate) mod outside;
pub(crate) mod parameter_types;
pub(crate) mod steer;

pub use external::External;
pub use fields::{Field, FieldValue};
pub use parameter_types::{Deceleration, Feelers, Neighborhood};

use fields::{Stated, Table};
use outside::Outside;
use steer::Steer;

/// Invokes a macro with the list of behaviors. Each entry is the behavior's type,
/// its name in scene and source files, and its module in the scalar reference.
macro_rules! all_behaviors {
    ($callback:ident) => {
        $callback! {
            Separation: separation in neighbors,
            Alignment: alignment in neighbors,
            Cohesion: cohesion in neighbors,
            VelocityMatching: velocity_matching in neighbors,
            FlockRules: flock_rules in neighbors,
            Seek: seek in targets,
            Flee: flee in targets,
            Arrive: arrive in targets,
            Pursuit: pursuit in targets,
            Evade: evade in targets,
            Wander: wander in paths,
            Interpose: interpose in targets,
            Hide: hide in targets,
            HideInFlock: hide_in_flock in targets,
            OffsetPursuit: offset_pursuit in targets,
            LeaderFollowing: leader_following in targets,
            PathFollowing: path_following in paths,
            StayOnPath: stay_on_path in paths,
            FlowFollowing: flow_following in paths,
            Cruise: cruise in paths,
            ObstacleAvoidance: obstacle_avoidance in obstacles,
            LookAhead: look_ahead in obstacles,
            WallAvoidance: wall_avoidance in obstacles,
            Containment: containment in obstacles,
            CollisionAvoidance: collision_avoidance in neighbors,
        }
    };
}

pub(crate) use all_behaviors;

macro_rules! define {
    ($($name:ident: $module:ident in $page:ident,)+) => {
        $(pub(crate) mod $module;)+

        $(pub use $module::$name;)+

        /// Any steering behavior with its parameters. [`Steer`](crate::kernel::Steer) is the trait
        /// that all behaviors implement.
        //
        // `repr(u8)` stores the enum tag in its own byte. Decoding a tag packed into unused bits
        // of a field would take four more instructions per behavior and batch.
        #[derive(Clone, Debug, PartialEq)]
        #[repr(u8)]
        #[must_use]
        #[non_exhaustive]
        pub enum Behavior {
            $(
                #[doc = concat!("See [`", stringify!($name), "`](", stringify!($name), ").")]
                $name($module::$name),
            )+
            /// A behavior from another crate: see [`kernel`](crate::kernel).
            Outside(Outside),
        }

        impl<T: Steer + Clone + Default> From<T> for Behavior {
            fn from(behavior: T) -> Self {
                let mut behavior = Some(behavior);
                let any: &mut dyn Any = &mut behavior;
                $(if let Some(inner) = any.downcast_mut().and_then(Option::take) {
                    return Self::$name(inner);
                })+
                Self::Outside(Outside(Box::new(behavior.expect("it was not taken"))))
            }
        }

        impl Behavior {
            /// Scene-file names of the engine's own behaviors.
            pub const NAMES: &'static [&'static str] = &[$(stringify!($module),)+];

            /// The engine's own behaviors, each with default parameters.
            #[must_use]
            pub fn all() -> Vec<Self> {
                vec![$(Self::$name(Default::default()),)+]
            }

            fn default_fields(&self) -> Vec<Field> {
                match self {
                    $(Self::$name(_) => $module::$name::default().fields(),)+
                    Self::Outside(outside) => outside.0.default_fields(),
                }
            }

            pub(crate) fn as_steer(&self) -> &dyn Steer {
                match self {
                    $(Self::$name(behavior) => behavior,)+
                    Self::Outside(outside) => &*outside.0,
                }
            }

            fn as_steer_mut(&mut self) -> &mut dyn Steer {
                match self {
                    $(Self::$name(behavior) => behavior,)+
                    Self::Outside(outside) => &mut *outside.0,
                }
            }
        }
    };
}

all_behaviors!(define);

impl Behavior {
    fn named(name: &str) -> Option<Self> {
        let built_in = Self::all().into_iter().find(|behavior| behavior.name() == name);
        built_in.or_else(|| outside::registered(name).map(Self::Outside))
    }

    pub(crate) fn outside(&self) -> Option<&Outside> {
        match self {
            Self::Outside(outside) => Some(outside),
            _ => None,
        }
    }

    /// Name in scene files.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.as_steer().name()
    }

    /// Summary and source, taken from the doc comment of the behavior's type.
    #[must_use]
    pub fn about(&self) -> &'static str {
        self.as_steer().about()
    }

    /// Multiplier applied to the force; 0 disables the behavior.
    #[must_use]
    pub fn weight(&self) -> f32 {
        self.as_steer().weight()
    }

    pub(crate) fn reads_all_sums(&self) -> bool {
        match self {
            Self::Alignment(_) | Self::Cohesion(_) | Self::FlockRules(_) => true,
            Self::Outside(outside) => outside.0.reads_all_sums(),
            _ => false,
        }
    }

    pub(crate) fn reads_neighbors(&self) -> bool {
        self.outside().is_some() || self.as_steer().neighborhood().is_some()
    }

    /// True if the force may depend on the agent's species other than through parameters.
    pub(crate) fn reads_species(&self) -> bool {
        matches!(self, Self::HideInFlock(_) | Self::Outside(_))
    }

    /// The parameters, with their names, units, ranges and values.
    #[must_use]
    pub fn fields(&self) -> Vec<Field> {
        self.as_steer().fields()
    }

    /// Takes the values of [`Self::fields`], in the same order. The values are checked when the
    /// species is set. A value whose type differs from the parameter's is ignored.
    pub fn set_fields(&mut self, fields: Vec<Field>) {
        self.as_steer_mut().set_fields(fields);
    }

    pub(crate) fn check(&self, path: &str) -> Result<(), Error> {
        self.outside().map_or(Ok(()), check_name)?;
        self.fields().iter().try_for_each(|field| field.check(path))?;
        if let Self::StayOnPath(stay) = self { stay.check(path) } else { Ok(()) }
    }
}

fn check_name(behavior: &Outside) -> Result<(), Error> {
    let name = behavior.0.name();
    let is_part = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    let is_name = name.starts_with(|c: char| c.is_ascii_lowercase()) && name.chars().all(is_part);
    if !is_name || Behavior::NAMES.contains(&name) {
        let allowed =
            "lower-case letters, digits and underscores, and not the name of another behavior";
        return Err(outside::refused_name(name, allowed));
    }
    let mut fields: Vec<&str> = behavior.0.fields().iter().map(|field| field.name).collect();
    fields.sort_unstable();
    if let Some(twice) = fields.windows(2).find(|pair| pair[0] == pair[1]) {
        let field = format!("a parameter of behavior `{name}`");
        return Err(Error::refused(field, twice[0], "unique among the parameters of the behavior"));
    }
    outside::check_names([behavior].into_iter())
}

/// Registers a behavior, so that scene files and snapshots can name it. Scenes built in code need
/// no registration. [`External`] is always registered.
///
/// # Errors
/// If the name is invalid or belongs to another behavior, or if two parameters share a name.
pub fn register<T: Steer + Clone + Default>() -> Result<(), Error> {
    let behavior = Outside(Box::new(T::default()));
    check_name(&behavior)?;
    outside::claim([&behavior].into_iter())?;
    outside::register(behavior);
    Ok(())
}

impl Serialize for Behavior {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let stated = Stated { fields: self.fields(), defaults: self.default_fields() };
        serializer.serialize_newtype_variant("Behavior", 0, self.name(), &stated)
    }
}

impl<'de> Deserialize<'de> for Behavior {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_enum("Behavior", Self::NAMES, Named)
    }
}

struct Named;

impl<'de> Visitor<'de> for Named {
    type Value = Behavior;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a behavior, with a table of its parameters")
    }

    fn visit_enum<A: EnumAccess<'de>>(self, behavior: A) -> Result<Behavior, A::Error> {
        let (name, parameters): (String, _) = behavior.variant()?;
        let Some(mut behavior) = Behavior::named(&name) else {
            let known = Behavior::NAMES.iter().copied().chain(outside::registered_names());
            return Err(A::Error::custom(fields::unknown("variant", &name, known)));
        };
        let fields = parameters.newtype_variant_seed(Table(behavior.fields()))?;
        behavior.set_fields(fields);
        Ok(behavior)
    }
}
