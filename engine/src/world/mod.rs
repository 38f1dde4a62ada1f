//! The plane the agents live on, and displacements on it.

use serde::{Deserialize, Serialize};

use crate::error::{Error, within};

pub(crate) mod space;
pub(crate) mod topology;

use space::Space;
use topology::Topology;

/// The size and topology of the plane, as a scene states them.
///
/// Either `width` and `height` are given, or `mean_neighbors`, which sizes a square so
/// that an agent of the first species sees that many others on average when they are
/// spread evenly: side = √(N·π·view² / `mean_neighbors`). The second form keeps the
/// density when the number of agents changes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
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

    /// Computes the size for `agents` agents with this view distance.
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
                let Self { width, height, mean_neighbors, .. } = self;
                let value = format!(
                    "{{ width: {width:?}, height: {height:?}, mean_neighbors: {mean_neighbors:?} }}"
                );
                let allowed = "either width and height, or mean_neighbors";
                return Err(Error::refused("world", value, allowed));
            }
        };
        Space::check_size(width, height)?;
        Ok(Space::new(self.topology, width, height))
    }
}
