//! The scalar reference: one agent at a time.
//!
//! Each twin has the name of its kernel and performs the same operations in the same order, so
//! that both give the same bits; where a kernel adds a masked-out zero, the twin skips the
//! candidate. The twin of a batch is an [`agent`]. The [oracle](crate::oracle) is independent of
//! both.

pub(crate) mod agent;
pub(crate) mod alignment;
pub(crate) mod arrive;
pub(crate) mod behavior;
pub(crate) mod cohesion;
pub(crate) mod collision_avoidance;
pub(crate) mod combine;
pub(crate) mod containment;
pub(crate) mod custom;
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
pub(crate) mod wall_avoidance;
pub(crate) mod wander;
