//! Forces from outside: parameters and defaults.

use serde::{Deserialize, Serialize};

/// Accelerates each agent as its columns `acceleration_x` and `acceleration_y` say, in units/s².
///
/// They hold 0 until they are set, with
/// [`Simulation::set_column`](crate::Simulation::set_column) for one agent or
/// [`Simulation::column_mut`](crate::Simulation::column_mut) for all, and keep what they hold from
/// step to step. The force takes part in its place of the order, like that of any behavior.
///
/// ```
/// use flockwork::custom::External;
/// use flockwork::{Scene, Separation, Species, World};
///
/// let drones = Species::new("drone", 100).steer(Separation::default()).steer(External::default());
/// let mut crowd = Scene::new(World::torus(500.0, 500.0)).species(drones).build()?;
/// let first = crowd.id_at(0);
/// crowd.set_column(External::X, first, 20.0)?;
/// crowd.step()?;
/// # Ok::<(), flockwork::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct External {
    /// Scales the force, from 0 to 1e6. Default 1.
    pub weight: f32,
}

impl External {
    /// The name of the column of accelerations to the right, in units/s².
    pub const X: &'static str = "acceleration_x";
    /// The name of the column of accelerations up, in units/s².
    pub const Y: &'static str = "acceleration_y";
}

impl Default for External {
    fn default() -> Self {
        Self { weight: 1.0 }
    }
}
