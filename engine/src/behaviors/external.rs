use crate::behaviors::steer::{Batch, Force, Lanes, Vec2, behavior};

behavior! {
    /// Accelerates each agent by its columns `acceleration_x` and `acceleration_y`, in units/s².
    ///
    /// Both columns start at 0. Set them with [`Simulation::set`](crate::Simulation::set) for one
    /// agent or [`Simulation::set_all`](crate::Simulation::set_all) for all; values persist from
    /// step to step. The priority order applies to this behavior as to any other.
    ///
    /// ```
    /// use flockwork::kernel::External;
    /// use flockwork::{Number, Scene, Separation, Species, World};
    ///
    /// let drones = Species::new("drone", 100).steer(Separation::default()).steer(External::default());
    /// let mut crowd = Scene::new(World::torus(500.0, 500.0)).species(drones).build()?;
    /// let first = crowd.id_at(0);
    /// crowd.set(Number::Column(External::X), first, 20.0)?;
    /// crowd.step()?;
    /// # Ok::<(), flockwork::Error>(())
    /// ```
    pub struct External: "external" {
        /// Multiplier applied to the force; 0 disables the behavior.
        weight: f32 = 1.0, 0.0 to 1.0e6;
    }

    fn force<L: Lanes>(&self, batch: &mut Batch<'_, L>) -> Force<L> {
        (Vec2::new(batch.column(0), batch.column(1)) * batch.mass()).into()
    }

    fn columns(&self) -> Vec<&str> {
        vec![Self::X, Self::Y]
    }
}

impl External {
    /// Name of the column that holds the rightward acceleration, in units/s².
    pub const X: &'static str = "acceleration_x";
    /// Name of the column that holds the upward acceleration, in units/s².
    pub const Y: &'static str = "acceleration_y";
}
