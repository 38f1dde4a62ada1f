//! Behaviors of your own.
//!
//! A behavior is a struct of parameters and one function, written once for agents in lanes. The
//! engine compiles it for every lane width and instruction set, and for single agents, where the
//! scalar reference port and explanations run it. It then is a behavior like any other: it has a
//! weight and a place in the order, combines in all ways, and gives the same bits for any number
//! of threads, any lane width, with cells or all pairs.
//!
//! ```
//! use flockwork::custom::{Batch, CustomBehavior, Force, Lanes, Vec2, WEIGHT, fields, number};
//! use flockwork::{Scene, Species, World};
//! use serde::{Deserialize, Serialize};
//!
//! /// Steers away from neighbors within a distance.
//! #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
//! #[serde(deny_unknown_fields, default)]
//! struct KeepClear {
//!     weight: f32,
//!     distance: f32,
//! }
//!
//! impl Default for KeepClear {
//!     fn default() -> Self {
//!         Self { weight: 100.0, distance: 10.0 }
//!     }
//! }
//!
//! impl CustomBehavior for KeepClear {
//!     const NAME: &'static str = "keep_clear";
//!
//!     fields! {
//!         weight: WEIGHT,
//!         distance: number(0.0, 1.0e3, "world units"),
//!     }
//!
//!     fn weight(&self) -> f32 {
//!         self.weight
//!     }
//!
//!     #[inline(always)]
//!     fn force<L: Lanes>(&self, batch: &mut Batch<'_, L>) -> Force<L> {
//!         let limit = L::splat(self.distance * self.distance);
//!         let [x, y] = batch.sum_over_neighbors(
//!             #[inline(always)]
//!             |neighbor| {
//!                 let close = neighbor.distance_sq.lt(limit);
//!                 let push = -neighbor.way * (L::splat(1.0) / neighbor.distance_sq);
//!                 [close.keep(push.x), close.keep(push.y)]
//!             },
//!         );
//!         Vec2::new(x, y).into()
//!     }
//! }
//!
//! flockwork::custom::register::<KeepClear>()?; // for scene files and snapshots
//! let crowd = Species::new("crowd", 1_000).steer(KeepClear::default());
//! let mut crowd = Scene::new(World::torus(500.0, 500.0)).species(crowd).build()?;
//! crowd.run(10)?;
//! # Ok::<(), flockwork::Error>(())
//! ```
//!
//! # What a force may depend on
//! On what the batch says about an agent and its neighbors, on the parameters, and on nothing else:
//! neither on other lanes, nor on anything that changes. A comparison with
//! [`Method::Reference`](crate::Method::Reference) shows that it keeps to that: the state hashes
//! are equal.

mod behavior;
pub(crate) mod compiled;
mod definition;
mod external;

pub use crate::batch::Batch;
pub use crate::batch::neighbors::Neighbor;
pub use crate::batch::scenery::{NearObstacle, NearWall};
pub use crate::behaviors::custom::Custom;
pub use crate::behaviors::external::External;
pub use crate::behaviors::fields::{
    Allowed, CHOICE, FLAG, Field, FieldValue, FieldValueMut, WEIGHT, fields, number, whole,
};
pub use crate::crowd::pose::Pose;

pub use crate::math::force::Force;
pub use crate::math::lanes::{BitLanes, Lanes, Mask};
pub use crate::math::vec2::Vec2;
pub use behavior::CustomBehavior;
pub use definition::register;
