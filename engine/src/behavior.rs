//! The registry: one line per behavior.
//!
//! A behavior is a parameter struct with a SIMD kernel in `kernels/<module>.rs`, its
//! scalar `f32` twin in `reference/<module>.rs`, and the line here that binds them.

use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::fields::{Field, Parameters};
use crate::force::Force;
use crate::kernels::{self, Batch};
use crate::lanes::Lanes;
use crate::reference::{self, Agent, Oracle};

macro_rules! behaviors {
    ($($(#[$doc:meta])* $name:ident: $module:ident,)+) => {
        /// One steering behavior with its parameters.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        #[non_exhaustive]
        pub enum Behavior {
            $($(#[$doc])* $name(kernels::$module::$name),)+
        }

        $(impl From<kernels::$module::$name> for Behavior {
            fn from(parameters: kernels::$module::$name) -> Self {
                Self::$name(parameters)
            }
        })+

        impl Behavior {
            /// The names that scene files use.
            pub const NAMES: &'static [&'static str] = &[$(stringify!($module),)+];

            /// One of each, with default parameters.
            #[must_use]
            pub fn all() -> Vec<Self> {
                vec![$(Self::$name(Default::default()),)+]
            }

            /// The same kind of behavior with default parameters; by default there is neither
            /// target nor path.
            #[must_use]
            pub fn with_defaults(&self) -> Self {
                match self { $(Self::$name(_) => Self::$name(Default::default()),)+ }
            }

            /// The name that scene files use.
            #[must_use]
            pub fn name(&self) -> &'static str {
                match self { $(Self::$name(_) => stringify!($module),)+ }
            }

            /// The factor by which the force counts.
            #[must_use]
            pub fn weight(&self) -> f32 {
                match self { $(Self::$name(parameters) => parameters.weight,)+ }
            }

            /// The parameters as data, to look at or to change.
            pub fn fields(&mut self) -> Vec<Field<'_>> {
                match self { $(Self::$name(parameters) => parameters.fields(),)+ }
            }

            pub(crate) fn parameters(&self) -> &dyn Parameters {
                match self { $(Self::$name(parameters) => parameters,)+ }
            }

            /// The unweighted force on every agent of a batch.
            #[inline(always)]
            pub(crate) fn force<L: Lanes>(&self, batch: &mut Batch<'_, L>) -> Force<L> {
                match self {
                    $(Self::$name(parameters) => {
                        kernels::$module::force(parameters, batch).into()
                    })+
                }
            }

            /// The same for one agent: the scalar twin.
            pub(crate) fn scalar_force(&self, agent: &mut Agent<'_>) -> Force<f32> {
                match self {
                    $(Self::$name(parameters) => {
                        reference::$module::force(parameters, agent).into()
                    })+
                }
            }

            /// The same in f64, written straight from the specification.
            pub(crate) fn oracle_force(&self, oracle: &mut Oracle<'_>) -> [f64; 2] {
                match self { $(Self::$name(parameters) => oracle.$module(parameters),)+ }
            }
        }
    };
}

behaviors! {
    /// Steer away from neighbors, the nearer the stronger.
    Separation: separation,
    /// Turn the way the neighbors head.
    Alignment: alignment,
    /// Steer towards the center of the neighbors.
    Cohesion: cohesion,
    /// Move as the neighbors do.
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
    /// Steer at random, smoothly.
    Wander: wander,
    /// Steer to the middle between two targets.
    Interpose: interpose,
    /// Put an obstacle between itself and a hunter.
    Hide: hide,
    /// Keep a place in a formation.
    OffsetPursuit: offset_pursuit,
    /// Follow a leader without getting in its way.
    LeaderFollowing: leader_following,
    /// Visit waypoints in order.
    PathFollowing: path_following,
    /// Stay within a tube around a path.
    StayOnPath: stay_on_path,
    /// Go where the flow field points.
    FlowFollowing: flow_following,
    /// Steer around obstacles in a box ahead.
    ObstacleAvoidance: obstacle_avoidance,
    /// Steer around the most threatening obstacle on a line ahead.
    LookAhead: look_ahead,
    /// Steer away from walls that feelers touch.
    WallAvoidance: wall_avoidance,
    /// Steer back into the world.
    Containment: containment,
    /// Steer out of the way of others whose ways cross.
    CollisionAvoidance: collision_avoidance,
}

impl Behavior {
    /// Checks every parameter; `path` names the behavior in errors.
    pub(crate) fn check(&self, path: &str) -> Result<(), Error> {
        self.clone().fields().iter().try_for_each(|field| field.check(path))
    }
}
