//! What happens at the edge of the world, and how far coordinates go.

use serde::{Deserialize, Serialize};

use crate::error::{Error, within};

/// The largest coordinate an agent may have, in world units: beyond it the spacing
/// of `f32` exceeds one unit and distances stop meaning anything.
pub const COORDINATE_LIMIT: f32 = 1.0e7;

/// What happens at the edge of the world.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Topology {
    /// Left meets right and bottom meets top. Every displacement between two points is
    /// the minimum image: the shortest way, across the seam if need be.
    #[default]
    Torus,
    /// A closed box: an agent that reaches an edge stops there and loses the part of
    /// its velocity that points outward.
    Bounded,
    /// No edges. Width and height say only where agents start.
    Open,
}

/// Whether a point has coordinates that mean something.
pub(crate) fn check_point(field: &str, point: [f32; 2]) -> Result<(), Error> {
    point.iter().enumerate().try_for_each(|(axis, &value)| {
        let field = format!("{field}[{axis}]");
        within(&field, value, -COORDINATE_LIMIT, COORDINATE_LIMIT, "world units")
    })
}
