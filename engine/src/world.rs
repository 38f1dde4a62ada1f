//! The plane the agents live on, and what "from here to there" means on it.

use serde::{Deserialize, Serialize};

use crate::error::{Error, within};
use crate::lanes::Lanes;
use crate::vec2::Vec2;

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

/// The size and topology of the plane, as a scene states them.
///
/// Either `width` and `height` are given, or `mean_neighbors`, which sizes a square so
/// that an agent of the first species sees that many others on average when all are
/// spread evenly: side = √(N·π·view² / `mean_neighbors`). The second form keeps the
/// density when the number of agents changes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct World {
    /// What happens at the edge.
    pub topology: Topology,
    /// Width in world units, from 1e-3 to 1e7.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub width: Option<f32>,
    /// Height in world units, from 1e-3 to 1e7.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub height: Option<f32>,
    /// Mean number of neighbors, from 1e-3 to 1e6; instead of width and height.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mean_neighbors: Option<f32>,
}

impl World {
    /// A torus of the given size in world units.
    #[must_use]
    pub fn torus(width: f32, height: f32) -> Self {
        Self { width: Some(width), height: Some(height), ..Self::default() }
    }

    /// A closed box of the given size in world units.
    #[must_use]
    pub fn bounded(width: f32, height: f32) -> Self {
        Self { topology: Topology::Bounded, ..Self::torus(width, height) }
    }

    /// An unbounded plane whose agents start in a rectangle of the given size.
    #[must_use]
    pub fn open(width: f32, height: f32) -> Self {
        Self { topology: Topology::Open, ..Self::torus(width, height) }
    }

    /// A square torus sized for a mean number of neighbors.
    #[must_use]
    pub fn with_mean_neighbors(mean_neighbors: f32) -> Self {
        Self { mean_neighbors: Some(mean_neighbors), ..Self::default() }
    }

    /// Settles the size for `agents` agents that see `view_distance` far.
    pub(crate) fn resolve(&self, agents: usize, view_distance: f32) -> Result<Space, Error> {
        let (width, height) = match (self.width, self.height, self.mean_neighbors) {
            (Some(width), Some(height), None) => (width, height),
            (None, None, Some(mean)) => {
                within("world.mean_neighbors", mean, 1.0e-3, 1.0e6, "")?;
                let view = f64::from(view_distance);
                let area =
                    agents.max(1) as f64 * std::f64::consts::PI * view * view / f64::from(mean);
                (area.sqrt() as f32, area.sqrt() as f32)
            }
            _ => {
                return Err(Error::OutOfRange {
                    at: Default::default(),
                    field: "world".into(),
                    value: format!(
                        "{{ width: {:?}, height: {:?}, mean_neighbors: {:?} }}",
                        self.width, self.height, self.mean_neighbors
                    ),
                    allowed: "either width and height, or mean_neighbors".into(),
                });
            }
        };
        check_size(width, height)?;
        Ok(Space::new(self.topology, width, height))
    }
}

pub(crate) fn check_size(width: f32, height: f32) -> Result<(), Error> {
    within("world.width", width, 1.0e-3, COORDINATE_LIMIT, "world units")?;
    within("world.height", height, 1.0e-3, COORDINATE_LIMIT, "world units")
}

/// A settled world: what the kernels compute displacements with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Space {
    pub(crate) topology: Topology,
    pub(crate) size: Vec2<f32>,
    pub(crate) inverse_size: Vec2<f32>,
}

impl Space {
    pub(crate) fn new(topology: Topology, width: f32, height: f32) -> Self {
        Self {
            topology,
            size: Vec2::new(width, height),
            inverse_size: Vec2::new(1.0 / width, 1.0 / height),
        }
    }

    pub(crate) fn smaller_side(&self) -> f32 {
        if self.size.x < self.size.y { self.size.x } else { self.size.y }
    }

    pub(crate) fn is_torus(&self) -> bool {
        self.topology == Topology::Torus
    }

    /// Whether an agent may be placed here (a torus takes its far edge as its near one).
    pub(crate) fn check_position(&self, field: &str, at: [f32; 2]) -> Result<(), Error> {
        let (low, high) = match self.topology {
            Topology::Open => (Vec2::new(-COORDINATE_LIMIT, -COORDINATE_LIMIT), -1.0),
            Topology::Torus | Topology::Bounded => (Vec2::ZERO, 1.0),
        };
        let high = if high < 0.0 { -low } else { self.size };
        within(&format!("{field}.x"), at[0], low.x, high.x, "world units")?;
        within(&format!("{field}.y"), at[1], low.y, high.y, "world units")
    }

    /// The way from `from` to `to`. On the torus the *origin* moves by a whole number of
    /// world sizes and the difference is taken after: the same two roundings, in the same
    /// places, as a sweep over cells beyond the seam makes.
    #[inline(always)]
    pub(crate) fn displacement<L: Lanes>(&self, from: Vec2<L>, to: Vec2<L>) -> Vec2<L> {
        if self.is_torus() { to - self.nearest_image(from, to) } else { to - from }
    }

    /// The image of `from` on the torus that is nearest to `to`.
    #[inline(always)]
    pub(crate) fn nearest_image<L: Lanes>(&self, from: Vec2<L>, to: Vec2<L>) -> Vec2<L> {
        let direct = to - from;
        let turns_x = (direct.x * L::splat(self.inverse_size.x)).round_ties_even();
        let turns_y = (direct.y * L::splat(self.inverse_size.y)).round_ties_even();
        Vec2::new(
            turns_x.mul_add(L::splat(self.size.x), from.x),
            turns_y.mul_add(L::splat(self.size.y), from.y),
        )
    }

    /// [`Self::displacement`] for one agent.
    #[inline(always)]
    pub(crate) fn scalar_displacement(&self, from: Vec2<f32>, to: Vec2<f32>) -> Vec2<f32> {
        if !self.is_torus() {
            return to - from;
        }
        let direct = to - from;
        let turns_x = (direct.x * self.inverse_size.x).round_ties_even();
        let turns_y = (direct.y * self.inverse_size.y).round_ties_even();
        to - Vec2::new(turns_x.mul_add(self.size.x, from.x), turns_y.mul_add(self.size.y, from.y))
    }
}
