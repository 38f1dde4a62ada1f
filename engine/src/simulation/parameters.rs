use std::sync::Arc;

use crate::behaviors::outside;
use crate::crowd::columns::Memory;
use crate::error::{Error, ErrorKind};
use crate::scene::Scene;
use crate::scene::species::Species;
use crate::scenery::Scenery;
use crate::scenery::definition::{Obstacle, StraightWall};
use crate::simulation::{Setting, Simulation, spawn};
use crate::world::World;

impl Simulation {
    /// Replaces the parameters and behaviors of the species that has the same name, for existing
    /// and future agents. If a per-agent range changes, each agent keeps its relative position in
    /// the range. The size of the world and the number of agents do not change.
    ///
    /// # Errors
    /// If the name is unknown or a value is out of range. On error, nothing changes.
    pub fn set_species(&mut self, species: &Species) -> Result<(), Error> {
        let number = self.setting.scene.species_index(&species.name)?;
        let agents = self.setting.scene.species[number].agents;
        let species = Species { agents, ..species.clone() };
        species.start.check_inside(&format!("species[{number}].start"), &self.setting.space)?;
        self.change(|scene| scene.species[number] = species)
    }

    pub(crate) fn changed(&self, change: impl FnOnce(&mut Scene)) -> Result<Scene, Error> {
        let mut scene = self.setting.scene.clone();
        change(&mut scene);
        scene.check_parameters()?;
        scene.check_fit(&self.setting.space, &self.state.overrides)?;
        Ok(scene)
    }

    fn change(&mut self, change: impl FnOnce(&mut Scene)) -> Result<(), Error> {
        let scene = self.changed(change)?;
        outside::claim(scene.outside())?;
        self.setting.scene = scene;
        self.rederive();
        Ok(())
    }

    pub(crate) fn rederive(&mut self) {
        let known = std::mem::take(&mut self.setting.required.columns);
        self.derive();
        let Setting { scene, required, .. } = &self.setting;
        spawn::fit_columns(scene, required, &known, &mut self.state, 0, |_| 1.0);
    }

    /// Sets the number of steps per simulated second.
    /// Agents do not change, and the [time](Self::time) continues from its current value.
    ///
    /// # Errors
    /// If the number is outside 1 to 1e5, or so small that an agent could cross the shorter
    /// side of the torus in one step. On error, nothing changes.
    pub fn set_steps_per_second(&mut self, steps_per_second: f32) -> Result<(), Error> {
        let before = self.setting.scene.dt();
        let changed = self.change(|scene| scene.steps_per_second = steps_per_second);
        if changed.is_ok() {
            let shortened = f64::from(before) - f64::from(self.setting.scene.dt());
            self.state.time_base += self.state.tick as f64 * shortened;
        }
        changed.map_err(|error| match error.kind() {
            ErrorKind::OutOfRange { field, .. } if field != "steps_per_second" => {
                let (fastest, side) = (self.largest_speed(), self.setting.space.smaller_side());
                let mut least = (fastest / side * 1.0e3).ceil() / 1.0e3;
                while least * side < fastest {
                    least = least.next_up();
                }
                let source = if fastest > self.setting.scene.largest_speed() {
                    format!("; the largest max_speed override is {fastest} units/s")
                } else {
                    String::new()
                };
                let allowed = format!(
                    "at least {least} 1/s, so that no agent crosses the torus in a step{source}"
                );
                Error::refused("steps_per_second", steps_per_second, allowed)
            }
            _ => error,
        })
    }

    /// Sets the number of passes per step that push overlapping agents apart; 0 disables pushing.
    ///
    /// # Errors
    /// If `iterations` is above 64.
    pub fn set_non_penetration(&mut self, iterations: u32) -> Result<(), Error> {
        self.change(|scene| scene.non_penetration = iterations)
    }

    /// Makes walls and obstacles solid or passable.
    /// An agent that already overlaps walls or obstacles, however many, can leave them, but cannot
    /// move deeper into any of them.
    ///
    /// # Errors
    /// If a straight wall spans at least half the width or height of a torus.
    /// On error, nothing changes.
    pub fn set_solid(&mut self, solid: bool) -> Result<(), Error> {
        self.change(|scene| scene.solid = solid)
    }

    /// Sets how many of an agent's latest headings are averaged; `None` disables smoothing.
    /// Smoothing restarts from the current headings.
    ///
    /// # Errors
    /// If `samples` is outside 1 to 100.
    pub fn set_heading_samples(&mut self, samples: Option<u32>) -> Result<(), Error> {
        self.change(|scene| scene.heading_samples = samples)?;
        self.state.history.reset(samples, &self.state.motion);
        Ok(())
    }

    /// Sets the height of grid cells, in view distances. `None` restores the default.
    /// The height determines the order in which neighbors are summed, and thus the last bits of
    /// the result: see [`Scene::cell_size`](crate::Scene::cell_size).
    ///
    /// # Errors
    /// If `cell_size` is outside 0.25 to 16.
    pub fn set_cell_size(&mut self, cell_size: Option<f32>) -> Result<(), Error> {
        self.change(|scene| scene.cell_size = cell_size)
    }

    /// Replaces the obstacles and walls, including scattered ones, the paths and the flow field with
    /// those of another scene. Agents on a path keep the number of their next waypoint, or take the
    /// last one if the new path is shorter.
    ///
    /// # Errors
    /// If a value is out of range, scattered scenery does not fit, a behavior needs a path or flow
    /// field that is missing, or the other scene's world has another topology or size. The other
    /// scene may leave the world's size unset. On error, nothing changes.
    pub fn set_scenery(&mut self, from: &Scene) -> Result<(), Error> {
        self.check_same_world(&from.world)?;
        let scene = self.changed(|scene| {
            scene.obstacles.clone_from(&from.obstacles);
            scene.walls.clone_from(&from.walls);
            scene.paths.clone_from(&from.paths);
            scene.flow.clone_from(&from.flow);
            scene.scatter.clone_from(&from.scatter);
        })?;
        self.setting.scenery = Arc::new(Scenery::new(&scene.scenery(), &self.setting.space)?);
        let last = scene.paths.iter().map(|path| path.points.len() - 1).max().unwrap_or(0) as f32;
        let waypoints = &mut self.state.motion.memory[Memory::Waypoint as usize];
        waypoints.iter_mut().for_each(|waypoint| *waypoint = waypoint.min(last));
        self.setting.scene = scene;
        self.rederive();
        Ok(())
    }

    fn check_same_world(&self, world: &World) -> Result<(), Error> {
        let own = &self.setting.scene.world;
        if !world.has_size() || world == own {
            return Ok(());
        }
        let text = |world: &World| format!("{:?} {}", world.topology, world.written_size());
        Err(Error::refused("world", text(world), format!("{}, as in the crowd", text(own))))
    }

    /// All obstacles, including scattered ones. On a torus, their centers are inside the world.
    pub fn obstacles(&self) -> impl ExactSizeIterator<Item = Obstacle> + '_ {
        self.setting.scenery.obstacles.iter().copied()
    }

    /// All straight walls, including scattered ones.
    pub fn walls(&self) -> impl ExactSizeIterator<Item = StraightWall> + '_ {
        self.setting.scenery.walls.iter().map(|wall| StraightWall {
            ends: [wall.from.into(), wall.to.into()],
            two_sided: wall.behind < 0.0,
        })
    }
}
