//! The oracle: the specification (`docs/model.md`) in `f64`, for one agent, which it tests
//! against every other, with no cleverness.
//!
//! It shares random numbers and prepared scenery with the kernels and their twins, but no
//! steering arithmetic: no sweep, no grid, no fused operations, displacements by the textbook
//! minimum image. Bit equality between kernel and twin shows that they agree; agreement with the
//! oracle shows that they are right.

pub(crate) mod agent;
mod alignment;
mod arrive;
mod behavior;
mod cohesion;
mod collision_avoidance;
mod combine;
mod containment;
mod evade;
mod flee;
mod flock_rules;
mod flow_following;
mod hide;
mod interpose;
mod leader_following;
mod look_ahead;
mod obstacle_avoidance;
mod offset_pursuit;
mod path_following;
mod pursuit;
mod seek;
mod separation;
mod stay_on_path;
pub(crate) mod step;
mod vector;
mod velocity_matching;
mod wall_avoidance;
mod wander;
