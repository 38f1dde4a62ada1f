//! # flockwork
//!
//! Steering behaviors for massive crowds: a data-oriented SIMD engine after Reynolds (1999)
//! and Buckland (2004), with bit-identical results.
//!
//! Agents live in columns (structure of arrays) that a counting sort puts into the cells of
//! a uniform grid each step. Behaviors are SIMD kernels with one agent per lane; forces are
//! combined by a prioritized running sum. The state after any number of steps is the same,
//! bit for bit, for any number of threads, any lane width, with cells or all pairs, in debug
//! and release builds, and computed by the kernels or by the scalar reference port.
//!
//! Start with [`Scene`]; [`Scene::named`] has scenes to try.
//!
//! ```
//! let mut crowd = flockwork::Scene::named("stress")?.agents(10_000)?.build()?;
//! crowd.run(10)?;
//! let agents = crowd.agents();
//! assert_eq!(agents.x.len(), 10_000);
//! # Ok::<(), flockwork::Error>(())
//! ```

#![deny(missing_docs)]
#![forbid(unsafe_code)]

mod angle;
mod behavior;
mod columns;
pub mod cpu;
mod crowd;
mod error;
mod grid;
mod hash;
mod inspect;
mod kernels;
mod lanes;
mod method;
mod parallel;
mod random;
mod reference;
mod roster;
mod scene;
mod simulation;
mod snapshot;
mod sort;
mod spawn;
mod species;
mod step;
mod vec2;
mod world;

pub use behavior::Behavior;
pub use crowd::Partition;
pub use error::{Error, Place};
pub use inspect::Census;
pub use kernels::alignment::Alignment;
pub use kernels::arrive::{Arrive, Deceleration};
pub use kernels::cohesion::Cohesion;
pub use kernels::flee::Flee;
pub use kernels::flock_rules::FlockRules;
pub use kernels::seek::Seek;
pub use kernels::separation::Separation;
pub use kernels::wander::Wander;
pub use method::{LaneWidth, Method};
pub use reference::oracle::OracleStep;
pub use roster::AgentId;
pub use scene::Scene;
pub use simulation::{AgentState, Agents, Simulation};
pub use snapshot::Snapshot;
pub use species::{Combine, Locomotion, Species, Value};
pub use step::StageTimes;
pub use world::{COORDINATE_LIMIT, Topology, World};

/// The program on the README's first page has to work as it stands there.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
