//! Inputs from which a route is solved, apart from the scenery.

use crate::math::vec3::Vec3;

/// Largest cell, as a fraction of the smallest radius. An agent blends the directions of cells
/// whose centers are nearer than its radius, so no wall separates the agent from these centers.
pub(crate) const MAX_CELL: f32 = 0.7;

/// Shape and position of one goal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum GoalShape {
    /// A line. A point is a line of length 0.
    Line([Vec3<f32>; 2]),
    /// A rectangle, given by its lowest and highest corners.
    Box([Vec3<f32>; 2]),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Task {
    pub(crate) name: String,
    /// Path of the route in the scene, for errors.
    pub(crate) field: String,
    pub(crate) goals: Vec<GoalShape>,
    pub(crate) radius: f32,
    pub(crate) cell: f32,
    /// [`MAX_CELL`] of the smallest radius.
    pub(crate) max_cell: f32,
}

impl GoalShape {
    pub(crate) fn corners(&self) -> [Vec3<f32>; 2] {
        match *self {
            Self::Line(corners) | Self::Box(corners) => corners,
        }
    }

    /// Offset from a point to the nearest point of the goal.
    pub(super) fn offset_from(&self, at: Vec3<f64>) -> Vec3<f64> {
        let [a, b] = self.corners().map(Vec3::<f64>::from_f32);
        match self {
            Self::Line(_) => {
                let (along, to_start) = (b - a, a - at);
                let length_sq = along.dot(along);
                let t = if length_sq > 0.0 {
                    (-to_start.dot(along) / length_sq).clamp(0.0, 1.0)
                } else {
                    0.0
                };
                to_start + along * t
            }
            Self::Box(_) => at.zip(a, f64::max).zip(b, f64::min) - at,
        }
    }
}
