//! SIMD kernels: lanes are agents.
//!
//! A batch has as many agents as a vector has lanes, taken from consecutive slots, so that
//! they are in the same or adjacent cells. Each kernel computes one behavior for all of
//! them. Nothing crosses lanes, so an agent's result does not depend on its batch. Behaviors
//! read the crowd as it was when the step began.
//!
//! A *way* is the displacement from an agent to a point: on the torus the shortest, except
//! to paths and walls, which do not cross the seam.
//!
//! Each kernel has a scalar twin of the same name under `reference/` that performs the same
//! operations in the same order on one agent; the twin of a [`Batch`](crate::batch::Batch) is `reference/agent`.

pub(crate) mod alignment;
pub(crate) mod arrive;
pub(crate) mod behavior;
pub(crate) mod cohesion;
pub(crate) mod collision_avoidance;
pub(crate) mod combine;
pub(crate) mod containment;
pub(crate) mod evade;
pub(crate) mod flee;
pub(crate) mod flock_rules;
pub(crate) mod flow_following;
pub(crate) mod hide;
pub(crate) mod interpose;
pub(crate) mod leader_following;
pub(crate) mod locomotion;
pub(crate) mod look_ahead;
pub(crate) mod neighborhood;
pub(crate) mod non_penetration;
pub(crate) mod obstacle_avoidance;
pub(crate) mod offset_pursuit;
pub(crate) mod path_following;
pub(crate) mod pursuit;
pub(crate) mod seek;
pub(crate) mod separation;
pub(crate) mod smoothing;
pub(crate) mod stay_on_path;
pub(crate) mod velocity_matching;
pub(crate) mod walk;
pub(crate) mod wall_avoidance;
pub(crate) mod wander;
