//! # flockwork
//!
//! Steering behaviors for massive crowds: a data-oriented SIMD engine with bit-identical results.
//! The behaviors are from Craig Reynolds, "Steering Behaviors For Autonomous Characters" (1999),
//! and Mat Buckland, *Programming Game AI by Example* (2004).
//!
//! Agents live in columns (structure of arrays). Each step, a counting sort puts the agents into the
//! cells of a grid. Behaviors are SIMD kernels with one agent per lane; by default, forces
//! combine by prioritized sum. On x86-64, the state after any number of steps is bit-identical for
//! any number of threads and any instruction set, with SIMD or scalar code, with cells or all
//! pairs, in debug and release builds.
//!
//! Start with [`Scene`] and [`Species`]; [`Scene::build`] returns a [`Simulation`]. [`behaviors`]
//! contains the steering behaviors, and [`inspect`] the queries about a crowd, such as
//! [`Simulation::explain`]. [`Scene::named`] returns built-in scenes to try. To write your own
//! behaviors, see [`kernel`].
//!
//! ```
//! let mut crowd = flockwork::Scene::named("stress")?.agents(10_000).build()?;
//! crowd.run(10)?;
//! let agents = crowd.agents();
//! assert_eq!(agents.x.len(), 10_000);
//! # Ok::<(), flockwork::Error>(())
//! ```
//!
//! # Instruction sets
//!
//! Kernels are compiled for SSE2, AVX2 and AVX-512 (on ARM64, for NEON; untested), and every
//! simulation uses the best instruction set that the processor supports. This needs no compiler
//! flags, and binaries run on any processor of their architecture. The [`cpu`] module reports the detected level and can
//! select a lower one.

#![deny(missing_docs, missing_debug_implementations)]
#![deny(clippy::missing_errors_doc, clippy::missing_panics_doc, clippy::must_use_candidate)]
#![deny(unsafe_code)]

macro_rules! setters {
    ($($(#[$doc:meta])+ $field:ident($($parameter:ident: $type:ty)?) = $value:expr;)+) => {
        $($(#[$doc])+
        pub fn $field(self $(, $parameter: $type)?) -> Self {
            Self { $field: $value, ..self }
        })+
    };
}

/// Marks each function `#[inline(always)]`:
/// a lane operation that is not inlined costs as much as ten that are.
macro_rules! inlined {
    ($(
        $(#[$doc:meta])*
        $visibility:vis fn $name:ident $arguments:tt $(-> $result:ty)? $body:block
    )+) => {
        $($(#[$doc])*
        #[inline(always)]
        $visibility fn $name $arguments $(-> $result)? $body)+
    };
}

mod batch;
pub mod behaviors;
pub mod cpu;
mod crowd;
mod error;
mod file;
mod grid;
mod id;
pub mod inspect;
pub mod kernel;
mod math;
mod memory;
mod on_demand;
mod parallel;
mod reference;
mod scene;
mod scenery;
mod simulation;
pub mod slab;
mod snapshot;
mod step;
mod world;

pub use behaviors::Behavior;
pub use crowd::Partition;
pub use crowd::target::Target;
pub use error::{Error, ErrorKind, ErrorLocation};
pub use id::AgentId;
pub use math::angle;
pub use math::lanes::dispatch::Method;
pub use scene::Scene;
pub use scene::species::{Combine, Locomotion, Species};
pub use scene::start::{OwnTarget, Start, StartPlace};
pub use scene::value::SpeciesValue;
pub use scenery::definition::{FlowField, Obstacle, StraightWall, Wall, WaypointPath};
pub use scenery::route::{Area, Goal, Line, Route};
pub use scenery::scatter::{Scatter, Scattered};
pub use simulation::Simulation;
pub use simulation::agents::{AgentState, Agents};
pub use simulation::execution::Execution;
pub use simulation::population::Spawn;
pub use simulation::property::{AgentOrder, InSpace, Number, Property, Vector};
pub use snapshot::Snapshot;
pub use snapshot::part::SnapshotPart;
pub use world::point::Point;
pub use world::{COORDINATE_LIMIT, Topology, World};

/// Items shared with the other crates of the workspace. Not part of the public API.
#[doc(hidden)]
#[allow(missing_docs)]
pub mod internal {
    pub use crate::behaviors::outside::panic_message;
    pub use crate::error::{escaped, position};
    pub use crate::math::lanes::dispatch::accelerated;
    pub use crate::math::lanes::fused::mul_add;
    pub use crate::parallel::default_threads;
    pub use crate::scene::check::{check_behavior, check_species};
    pub use crate::scene::text::parse_count;
    pub mod file {
        pub use crate::file::*;
    }
    pub mod detach {
        pub use crate::simulation::detach::*;
    }
    pub mod memory {
        pub use crate::memory::*;
    }
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
