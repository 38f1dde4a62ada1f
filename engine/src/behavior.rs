//! The registry: one line per behavior.
//!
//! A behavior is a parameter struct with a SIMD kernel in `kernels/<module>.rs`, its
//! scalar `f32` twin in `reference/<module>.rs`, and the line here that binds them.

use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::kernels::{self, Batch};
use crate::lanes::Lanes;
use crate::reference::{self, Agent, Oracle};
use crate::vec2::Vec2;

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

            pub(crate) fn check(&self, path: &str) -> Result<(), Error> {
                match self { $(Self::$name(parameters) => parameters.check(path),)+ }
            }

            /// The unweighted force on every agent of a batch.
            #[inline(always)]
            pub(crate) fn force<L: Lanes>(&self, batch: &mut Batch<'_, L>) -> Vec2<L> {
                match self {
                    $(Self::$name(parameters) => kernels::$module::force(parameters, batch),)+
                }
            }

            /// The same for one agent: the scalar twin.
            pub(crate) fn scalar_force(&self, agent: &mut Agent<'_>) -> Vec2<f32> {
                match self {
                    $(Self::$name(parameters) => reference::$module::force(parameters, agent),)+
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
    /// Steer towards a point at full speed.
    Seek: seek,
    /// Steer away from a point.
    Flee: flee,
    /// Steer towards a point and stop there.
    Arrive: arrive,
    /// Steer at random, smoothly.
    Wander: wander,
    /// The three flocking rules as unit vectors.
    FlockRules: flock_rules,
}
