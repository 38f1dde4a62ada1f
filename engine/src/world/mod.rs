use serde::{Deserialize, Serialize};

pub(crate) mod point;
pub(crate) mod space;
pub(crate) mod wrap;

/// Maximum absolute value of an agent's coordinates, in world units. At this limit, adjacent `f32`
/// values are one unit apart. Farther out, distances would be too imprecise.
///
/// Each step rounds a move to a whole number of gaps between adjacent values, so a speed is wrong
/// by up to half a gap per step along each axis. At 60 steps/s, speeds of at least 2.93 units/s are
/// accurate to 1 % at coordinate 1e4, and speeds of at least 3,000 units/s at the limit;
/// `docs/guarantees.md` has a table.
pub const COORDINATE_LIMIT: f32 = 1.0e7;

/// How the world's edges behave: they wrap around, stop agents, or do not exist.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Topology {
    /// The left edge joins the right edge, and the bottom joins the top. Every displacement between
    /// two points is the minimum image: the shortest one, across the seam if necessary.
    #[default]
    Torus,
    /// A closed box: an agent that hits an edge stops there and loses the outward component of
    /// its velocity.
    Bounded,
    /// No edges. Width and height only define the area where agents start.
    Open,
}

/// Size and topology of a scene's world.
///
/// A world with a `depth` has three dimensions: its third axis, z, points up.
///
/// A scene gives either `width` and `height`, or `mean_neighbors`. The latter sizes a square so
/// that an agent of the first species sees that many other agents on average if all agents are
/// spread evenly: side = √(N·π·view² / `mean_neighbors`), or with `dimensions = 3` a cube:
/// side = ∛(N·⁴⁄₃·π·view³ / `mean_neighbors`). The density then stays the same when the number of
/// agents changes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[must_use]
pub struct World {
    /// Behavior at the world's edges. The default, a torus, wraps agents around.
    pub topology: Topology,
    /// Width in world units, from 1e-3 to 1e7.
    pub width: Option<f32>,
    /// Height in world units, from 1e-3 to 1e7.
    pub height: Option<f32>,
    /// Depth in world units, from 1e-3 to 1e7; a world without it is flat.
    pub depth: Option<f32>,
    /// Mean number of neighbors, from 1e-3 to 1e6; given instead of width and height.
    pub mean_neighbors: Option<f32>,
    /// Number of dimensions of a world that is sized by `mean_neighbors`: 2, the default, or 3.
    pub dimensions: Option<u32>,
}

impl World {
    /// A torus of the given size. Each side must be 1e-3 to 1e7 world units long.
    pub fn torus(width: f32, height: f32) -> Self {
        Self { width: Some(width), height: Some(height), ..Self::default() }
    }

    /// A closed box of the given size. Each side must be 1e-3 to 1e7 world units long.
    pub fn bounded(width: f32, height: f32) -> Self {
        Self { topology: Topology::Bounded, ..Self::torus(width, height) }
    }

    /// An unbounded plane, or unbounded space if given a depth. Agents start in an area of the
    /// given size. Each side must be 1e-3 to 1e7 world units long.
    pub fn open(width: f32, height: f32) -> Self {
        Self { topology: Topology::Open, ..Self::torus(width, height) }
    }

    pub(crate) fn axes(&self) -> usize {
        if self.is_deep() { 3 } else { 2 }
    }

    /// Gives the world a third dimension, from 1e-3 to 1e7 world units deep.
    pub fn depth(self, depth: f32) -> Self {
        Self { depth: Some(depth), ..self }
    }

    /// A square torus sized for a mean number of neighbors, from 1e-3 to 1e6.
    pub fn with_mean_neighbors(mean_neighbors: f32) -> Self {
        Self { mean_neighbors: Some(mean_neighbors), ..Self::default() }
    }

    /// Sets the number of dimensions of a world that is sized for a mean number of neighbors: 2 or
    /// 3.
    pub fn dimensions(self, dimensions: u32) -> Self {
        Self { dimensions: Some(dimensions), ..self }
    }
}
