use crate::behaviors::steer::{Batch, Force, Lanes, Vec3, behavior};

behavior! {
    /// Accelerates each agent by its columns `acceleration_x`, `acceleration_y` and, in worlds with
    /// depth, `acceleration_z`, in units/s².
    ///
    /// The columns start at 0. Set them with [`Simulation::set`](crate::Simulation::set) for one
    /// agent or [`Simulation::set_all`](crate::Simulation::set_all) for all; values persist from
    /// step to step. The priority order applies to this behavior as to any other.
    ///
    /// ```
    /// use flockwork::behaviors::{External, Separation};
    /// use flockwork::{Number, Scene, Species, World};
    ///
    /// let drones = Species::new("drone", 100).behavior(Separation::default()).behavior(External::default());
    /// let mut crowd = Scene::new(World::torus(500.0, 500.0)).species(drones).build()?;
    /// let first = crowd.agents().id(0);
    /// crowd.set(Number::Column(External::X), first, 20.0)?;
    /// crowd.step()?;
    /// # Ok::<(), flockwork::Error>(())
    /// ```
    pub struct External: "external" {
        /// Multiplier applied to the force; 0 disables the behavior.
        weight: f32 = 1.0, 0.0 to 1.0e6;
    }

    fn force<L: Lanes>(&self, batch: &mut Batch<'_, L>) -> Force<L> {
        let acceleration = Vec3::by_axis(
            #[inline(always)]
            |axis| batch.column(axis),
        );
        (acceleration * batch.mass()).into()
    }

    fn columns(&self) -> Vec<&str> {
        vec![Self::X, Self::Y]
    }

    fn columns_in_space(&self) -> Vec<&str> {
        vec![Self::X, Self::Y, Self::Z]
    }
}

impl External {
    /// Name of the column that holds the rightward acceleration, in units/s².
    pub const X: &'static str = "acceleration_x";
    /// Name of the column that holds the acceleration along y, in units/s².
    pub const Y: &'static str = "acceleration_y";
    /// Name of the column that holds the acceleration along z, in units/s².
    pub const Z: &'static str = "acceleration_z";
}
