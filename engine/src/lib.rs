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
//!
//! # Building
//!
//! Kernels are compiled for the instruction sets that the whole program is built for. Cargo's
//! default for x86-64 has neither AVX2 nor fused multiply-add; the results are the same, at a
//! fraction of the speed, and the build warns. So an application that depends on this crate sets,
//! in its `.cargo/config.toml`,
//!
//! ```toml
//! [build]
//! rustflags = ["-C", "target-cpu=native"]      # or x86-64-v3, for others' machines
//! ```
//!
//! and calls [`cpu::require_build_features`] first thing in `main`, which ends it with a message on
//! a CPU that lacks them. [`cpu::unused_features`] tells what a build leaves unused. There is no
//! choice at run time: the vectors are those of the `wide` crate, which are chosen at compile
//! time.

#![deny(missing_docs)]
#![forbid(unsafe_code)]

pub mod angle;
mod behavior;
mod cells;
mod columns;
pub mod cpu;
mod crowd;
mod error;
mod explain;
mod fields;
mod force;
mod forces;
mod grid;
mod hash;
mod history;
mod inspect;
mod kernels;
mod lanes;
mod method;
mod parallel;
mod params_ini;
mod random;
mod reference;
mod roster;
mod scatter;
mod scene;
mod scenery;
mod simulation;
mod snapshot;
mod sort;
mod spawn;
mod species;
mod start;
mod step;
mod tail;
mod target;
mod vec2;
mod velocity;
mod world;

pub use behavior::Behavior;
pub use cells::Cells;
pub use crowd::Partition;
pub use error::{Error, Place};
pub use explain::{Contribution, Explanation, Mark, Shape, What};
pub use fields::{Field, FieldValue};
pub use inspect::Census;
pub use kernels::alignment::Alignment;
pub use kernels::arrive::{Arrive, Deceleration};
pub use kernels::cohesion::Cohesion;
pub use kernels::collision_avoidance::CollisionAvoidance;
pub use kernels::containment::Containment;
pub use kernels::evade::Evade;
pub use kernels::flee::Flee;
pub use kernels::flock_rules::FlockRules;
pub use kernels::flow_following::FlowFollowing;
pub use kernels::hide::Hide;
pub use kernels::interpose::Interpose;
pub use kernels::leader_following::LeaderFollowing;
pub use kernels::look_ahead::LookAhead;
pub use kernels::obstacle_avoidance::ObstacleAvoidance;
pub use kernels::offset_pursuit::OffsetPursuit;
pub use kernels::path_following::PathFollowing;
pub use kernels::pursuit::Pursuit;
pub use kernels::seek::Seek;
pub use kernels::separation::Separation;
pub use kernels::stay_on_path::StayOnPath;
pub use kernels::velocity_matching::VelocityMatching;
pub use kernels::wall_avoidance::{Feelers, WallAvoidance};
pub use kernels::wander::Wander;
pub use method::{LaneWidth, Method};
pub use reference::oracle::OracleStep;
pub use roster::AgentId;
pub use scatter::{Scatter, Scattered};
pub use scene::Scene;
pub use scenery::{FlowField, Obstacle, Path, StraightWall, Wall};
pub use simulation::{AgentState, Agents, Simulation};
pub use snapshot::Snapshot;
pub use species::{Combine, Locomotion, Species, Value};
pub use start::{Start, StartPlace};
pub use step::StageTimes;
pub use target::{OwnTarget, Target};
pub use world::{COORDINATE_LIMIT, Topology, World};

/// The program on the README's first page has to work as it stands there.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
