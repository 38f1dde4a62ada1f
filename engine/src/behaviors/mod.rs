//! Definitions of the behaviors: names, parameters, ranges and defaults.
//!
//! A behavior has its definition here, its kernel in `kernels/`, its scalar twin in `reference/`
//! and its oracle in `oracle/`, each in a file of its name. One line in [`registry!`] binds them.
//! Definitions import parameters, targets and mathematics, but nothing about crowds.

use crate::error::Error;

pub(crate) mod custom;
pub(crate) mod deceleration;
pub(crate) mod external;
pub(crate) mod feelers;
pub(crate) mod fields;
pub(crate) mod parameters;
pub(crate) mod target;
mod written;

pub(crate) mod alignment;
pub(crate) mod arrive;
pub(crate) mod cohesion;
pub(crate) mod collision_avoidance;
pub(crate) mod containment;
pub(crate) mod evade;
pub(crate) mod flee;
pub(crate) mod flock_rules;
pub(crate) mod flow_following;
pub(crate) mod hide;
pub(crate) mod interpose;
pub(crate) mod leader_following;
pub(crate) mod look_ahead;
pub(crate) mod obstacle_avoidance;
pub(crate) mod offset_pursuit;
pub(crate) mod path_following;
pub(crate) mod pursuit;
pub(crate) mod seek;
pub(crate) mod separation;
pub(crate) mod stay_on_path;
pub(crate) mod velocity_matching;
pub(crate) mod wall_avoidance;
pub(crate) mod wander;

use custom::Custom;
use fields::{Field, FieldValue, FieldValueMut};
use parameters::Parameters;

/// Calls a macro with all behaviors: for each, the type of its parameters and the name that scene
/// files and source files use.
macro_rules! registry {
    ($callback:ident) => {
        $callback! {
            /// Steer away from neighbors, more strongly from nearer ones.
            Separation: separation,
            /// Turn towards the mean heading of the neighbors.
            Alignment: alignment,
            /// Steer towards the center of the neighbors.
            Cohesion: cohesion,
            /// Match the mean velocity of the neighbors.
            VelocityMatching: velocity_matching,
            /// The three flocking rules as unit vectors.
            FlockRules: flock_rules,
            /// Steer towards a target at full speed.
            Seek: seek,
            /// Steer away from a target.
            Flee: flee,
            /// Steer towards a target and stop there.
            Arrive: arrive,
            /// Steer to where a moving target will be.
            Pursuit: pursuit,
            /// Steer away from where a pursuer will be.
            Evade: evade,
            /// Steer randomly but smoothly.
            Wander: wander,
            /// Steer to the midpoint of two targets.
            Interpose: interpose,
            /// Hide from a hunter behind an obstacle.
            Hide: hide,
            /// Keep a position in a formation.
            OffsetPursuit: offset_pursuit,
            /// Follow a leader without getting in its way.
            LeaderFollowing: leader_following,
            /// Visit waypoints in order.
            PathFollowing: path_following,
            /// Stay within a tube around a path.
            StayOnPath: stay_on_path,
            /// Move in the direction of the flow field.
            FlowFollowing: flow_following,
            /// Steer around obstacles in a box ahead.
            ObstacleAvoidance: obstacle_avoidance,
            /// Steer around the most threatening obstacle on a line ahead.
            LookAhead: look_ahead,
            /// Steer away from walls that feelers touch.
            WallAvoidance: wall_avoidance,
            /// Steer back into the world.
            Containment: containment,
            /// Steer out of the way of neighbors on a collision course.
            CollisionAvoidance: collision_avoidance,
        }
    };
}

pub(crate) use registry;

macro_rules! define {
    ($($(#[$doc:meta])* $name:ident: $module:ident,)+) => {
        /// The parameters of every behavior.
        pub(crate) mod definitions {
            $(pub use super::$module::$name;)+
        }

        /// One steering behavior with its parameters.
        #[derive(Clone, Debug, PartialEq)]
        #[non_exhaustive]
        pub enum Behavior {
            $($(#[$doc])* $name($module::$name),)+
            /// A behavior of another crate: see [`custom`](crate::custom).
            Custom(Custom),
        }

        $(impl From<$module::$name> for Behavior {
            fn from(parameters: $module::$name) -> Self {
                Self::$name(parameters)
            }
        })+

        impl Behavior {
            /// The names that scene files use for the engine's own behaviors.
            pub const NAMES: &'static [&'static str] = &[$(stringify!($module),)+];

            /// One of each of the engine's own, with default parameters.
            #[must_use]
            pub fn all() -> Vec<Self> {
                vec![$(Self::$name(Default::default()),)+]
            }

            /// The same behavior with default parameters, which name neither a target nor a path.
            #[must_use]
            pub fn with_defaults(&self) -> Self {
                match self {
                    $(Self::$name(_) => Self::$name(Default::default()),)+
                    Self::Custom(custom) => Self::Custom(Custom(custom.0.with_defaults())),
                }
            }

            /// The name that scene files use.
            #[must_use]
            pub fn name(&self) -> &'static str {
                match self {
                    $(Self::$name(_) => stringify!($module),)+
                    Self::Custom(custom) => custom.0.name(),
                }
            }

            /// The weight of the force.
            #[must_use]
            pub fn weight(&self) -> f32 {
                match self {
                    $(Self::$name(parameters) => parameters.weight,)+
                    Self::Custom(custom) => custom.0.weight(),
                }
            }

            pub(crate) fn parameters(&self) -> &dyn Parameters {
                match self {
                    $(Self::$name(parameters) => parameters,)+
                    Self::Custom(custom) => &*custom.0,
                }
            }

            fn parameters_mut(&mut self) -> &mut dyn Parameters {
                match self {
                    $(Self::$name(parameters) => parameters,)+
                    Self::Custom(custom) => &mut *custom.0,
                }
            }
        }
    };
}

registry!(define);

impl Behavior {
    /// The parameters as data, to read.
    #[must_use]
    pub fn fields(&self) -> Vec<Field<FieldValue<'_>>> {
        self.parameters().fields()
    }

    /// The parameters as data, to change.
    pub fn fields_mut(&mut self) -> Vec<Field<FieldValueMut<'_>>> {
        self.parameters_mut().fields_mut()
    }

    /// Checks every parameter; `path` names the behavior in errors.
    pub(crate) fn check(&self, path: &str) -> Result<(), Error> {
        if let Self::Custom(custom) = self {
            custom::check_name(custom.0.name(), Self::NAMES)?;
            custom::check_type(custom)?;
        }
        self.fields().iter().try_for_each(|field| field.check(path))
    }
}
