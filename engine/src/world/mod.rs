//! The plane the agents live on, and displacements on it.

use serde::{Deserialize, Serialize};

use crate::error::{Error, within};

pub(crate) mod space;

/// The largest coordinate an agent may have, in world units: there the spacing of `f32` is one
/// unit, and farther out distances lose their meaning.
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

/// The size and topology of the plane, as a scene states them.
///
/// Either `width` and `height` are given, or `mean_neighbors`, which sizes a square so
/// that an agent of the first species sees that many others on average when they are
/// spread evenly: side = √(N·π·view² / `mean_neighbors`). The second form keeps the
/// density when the number of agents changes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[must_use]
pub struct World {
    /// What happens at the edge.
    pub topology: Topology,
    /// Width in world units, from 1e-3 to 1e7.
    pub width: Option<f32>,
    /// Height in world units, from 1e-3 to 1e7.
    pub height: Option<f32>,
    /// Mean number of neighbors, from 1e-3 to 1e6, instead of width and height.
    pub mean_neighbors: Option<f32>,
}

impl World {
    /// A torus of the given size in world units.
    pub fn torus(width: f32, height: f32) -> Self {
        Self { width: Some(width), height: Some(height), ..Self::default() }
    }

    /// A closed box of the given size in world units.
    pub fn bounded(width: f32, height: f32) -> Self {
        Self { topology: Topology::Bounded, ..Self::torus(width, height) }
    }

    /// An unbounded plane whose agents start in a rectangle of the given size.
    pub fn open(width: f32, height: f32) -> Self {
        Self { topology: Topology::Open, ..Self::torus(width, height) }
    }

    /// A square torus sized for a mean number of neighbors.
    pub fn with_mean_neighbors(mean_neighbors: f32) -> Self {
        Self { mean_neighbors: Some(mean_neighbors), ..Self::default() }
    }
}

/// Whether a point's coordinates are within ±[`COORDINATE_LIMIT`].
pub(crate) fn check_point(field: &str, point: [f32; 2]) -> Result<(), Error> {
    point.iter().enumerate().try_for_each(|(axis, &value)| {
        let field = format!("{field}[{axis}]");
        within(&field, value, -COORDINATE_LIMIT, COORDINATE_LIMIT, "world units")
    })
}
