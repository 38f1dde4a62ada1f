//! API for behaviors of your own, in any crate.
//!
//! A behavior is a struct of parameters and a force function, written once for a *batch*: a few
//! agents, each in one *lane* of a SIMD vector. The engine compiles the function for every
//! instruction set, and for single agents (used by the scalar method and by explanations). A
//! behavior has a weight and a priority, and works with every rule for combining forces. Its
//! results are bit-identical for any number of threads and any instruction set, with cells or all
//! pairs.
//!
//! ```
//! use flockwork::kernel::{Batch, Force, Lanes, behavior};
//! use flockwork::{Scene, Species, World};
//!
//! behavior! {
//!     /// Steers away from neighbors within a distance.
//!     pub struct KeepClear: "keep_clear" {
//!         /// Multiplier applied to the force; 0 disables the behavior.
//!         weight: f32 = 100.0, 0.0 to 1.0e6;
//!         /// Neighbors closer than this push the agent away.
//!         distance: f32 = 10.0, 0.0 to 1.0e3 "world units";
//!     }
//!
//!     fn force<L: Lanes>(&self, batch: &mut Batch<'_, L>) -> Force<L> {
//!         let limit = L::splat(self.distance * self.distance);
//!         let sum = batch.sum_over_neighbors(
//!             #[inline(always)]
//!             |neighbor| {
//!                 let close = neighbor.distance_sq.lt(limit);
//!                 let push = -neighbor.offset * (L::splat(1.0) / neighbor.distance_sq);
//!                 push.keep(close)
//!             },
//!         );
//!         sum.into()
//!     }
//! }
//!
//! flockwork::kernel::register::<KeepClear>()?; // before loading scene files or snapshots
//! let crowd = Species::new("crowd", 1_000).behavior(KeepClear::default());
//! let mut crowd = Scene::new(World::torus(500.0, 500.0)).species(crowd).build()?;
//! crowd.run(10)?;
//! # Ok::<(), flockwork::Error>(())
//! ```
//!
//! # Inlining
//! Mark closures, and the functions over lanes that a force calls, as `#[inline(always)]`.
//! Otherwise, every vector operation is a function call; the result is the same.
//!
//! # Allowed inputs to a force
//! An agent's force may depend only on the parameters and on what the batch provides for that
//! agent, not on other lanes or on external mutable state.
//! To check, run again with [`Method::Scalar`](crate::Method::Scalar) and compare state hashes.

pub use crate::batch::Batch;
pub use crate::batch::neighbors::{Neighbor, Summand};
pub use crate::batch::scenery::{NearObstacle, NearWall};
pub use crate::batch::sums::NeighborSums;
pub use crate::batch::trace::Feature;
pub use crate::behaviors::fields::{Field, FieldValue, Parameter};
pub use crate::behaviors::outside::Outside;
pub use crate::behaviors::parameter_types::Neighborhood;
pub use crate::behaviors::register;
pub use crate::behaviors::steer::{Steer, behavior};
pub use crate::crowd::target::Pose;
pub use crate::math::force::Force;
pub use crate::math::lanes::{BitLanes, Lanes, Mask};
pub use crate::math::vec3::Vec3;
