//! What happens at the edge of the world, and the range of coordinates.

use serde::{Deserialize, Serialize};

use crate::error::{Error, within};

/// The largest coordinate an agent may have, in world units: there the spacing of `f32` is one
/// unit, and further out distances stop meaning anything.
pub const COORDINATE_LIMIT: f32 = 1.0e7;

/// What happens at the edge of the world.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Topology {
    /// Left meets right and bottom meets top. Every displacement between two points is
    /// the minimum image: the shortest one, across the seam if necessary.
    #[default]
    Torus,
    /// A closed box: an agent that hits an edge stops there and loses the outward component of
    /// its velocity.
    Bounded,
    /// No edges. Width and height only set where agents start.
    Open,
}

/// Whether a point's coordinates are within ±[`COORDINATE_LIMIT`].
pub(crate) fn check_point(field: &str, point: [f32; 2]) -> Result<(), Error> {
    point.iter().enumerate().try_for_each(|(axis, &value)| {
        let field = format!("{field}[{axis}]");
        within(&field, value, -COORDINATE_LIMIT, COORDINATE_LIMIT, "world units")
    })
}
