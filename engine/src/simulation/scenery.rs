//! The static world of a running crowd.

use std::sync::Arc;

use crate::error::Error;
use crate::scene::Scene;
use crate::scenery::definition::{Obstacle, StraightWall};
use crate::scenery::{Obstacles, Scenery, Walls};
use crate::simulation::Simulation;

impl Simulation {
    /// Replaces the obstacles and walls, scattered ones included, by those of another scene.
    ///
    /// # Errors
    /// A value out of range, or too little room to scatter; then nothing changes.
    pub fn set_scenery(&mut self, from: &Scene) -> Result<(), Error> {
        let mut scene = self.setting.scene.clone();
        scene.obstacles.clone_from(&from.obstacles);
        scene.walls.clone_from(&from.walls);
        scene.scatter.clone_from(&from.scatter);
        scene.scenery().check()?;
        scene.check_fit(&self.setting.space)?;
        self.setting.scenery = Arc::new(Scenery::new(&scene.scenery(), &self.setting.space)?);
        self.setting.scene = scene;
        self.derive();
        Ok(())
    }

    /// All obstacles, scattered ones included. On a torus their centers are inside the world.
    pub fn obstacles(&self) -> impl ExactSizeIterator<Item = Obstacle> + '_ {
        let Obstacles { x, y, radius } = &self.setting.scenery.obstacles;
        (0..x.len()).map(|k| Obstacle { center: [x[k], y[k]], radius: radius[k] })
    }

    /// All straight walls, scattered ones included.
    pub fn walls(&self) -> impl ExactSizeIterator<Item = StraightWall> + '_ {
        let Walls { from, to, behind, .. } = &self.setting.scenery.walls;
        (0..from.len()).map(|k| StraightWall {
            ends: [from[k], to[k]].map(|end| [end.x, end.y]),
            two_sided: behind[k] < 0.0,
        })
    }
}
