use std::fmt::Display;
use std::sync::Arc;

use crate::behaviors::outside;
use crate::crowd::columns::Memory;
use crate::crowd::limits::Limit;
use crate::error::{Error, position};
use crate::scene::Scene;
use crate::scene::species::Species;
use crate::scenery::definition::{FlowField, Obstacle, StraightWall};
use crate::simulation::first_values;
use crate::simulation::property::{ResolvedProperty, Vector};
use crate::simulation::required_columns::needs_velocity;
use crate::simulation::write::Row;
use crate::simulation::{Setting, Simulation, State};
use crate::world::point::Point;

impl Simulation {
    /// Changes the scene while the crowd runs, for existing and future agents.
    ///
    /// - If a range changes, each agent keeps its relative position in the range.
    /// - Species can be added at the end, without agents: [spawn](Self::spawn_many) them.
    /// - A new seed changes only what is drawn from now on. Agents added later still draw their
    ///   initial values from the original seed, kept as [`start_seed`](Scene::start_seed).
    /// - If steps become shorter or longer, the [time](Self::time) continues from its current value.
    /// - A new number of heading samples restarts smoothing from the current headings.
    /// - If solid scenery is moved onto agents, they are pushed out by the shortest free way. If no
    ///   way is free, or if scenery becomes solid, agents inside the scenery can leave, but cannot
    ///   move deeper.
    /// - State that a species' behaviors keep between steps (wander target, waypoint, alert) starts
    ///   anew if none of its behaviors kept it before.
    /// - Agents with constant-speed locomotion have a new speed at once.
    /// - Agents lose columns that no species or behavior defines any more, and their own targets if
    ///   no behavior reads them any more.
    /// - Once no species has a formation ([`abreast`](crate::behaviors::OffsetPursuit::abreast)),
    ///   the order in which agents joined their species is lost: a later formation starts by index.
    /// - Agents on a path that changes keep the index of their next waypoint. If the new path is
    ///   shorter, they take its last one when they next follow it.
    ///
    /// The world, the start seed, and each species' name and number of agents cannot change.
    /// Scenery takes time only if it changes.
    ///
    /// ```
    /// use flockwork::{Scene, Species};
    ///
    /// let mut crowd = Scene::named("flock")?.build()?;
    /// crowd.edit(|scene| {
    ///     scene.non_penetration = 2;
    ///     scene.species.push(Species::new("hawk", 0).max_speed(200.0));
    /// })?;
    /// crowd.spawn("hawk", [10.0, 20.0], [1.0, 0.0])?;
    /// # Ok::<(), flockwork::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the edited scene is invalid, if scattered scenery does not fit, or if `edit` changes
    /// something that cannot change, which the error names. On error, nothing changes.
    pub fn edit(&mut self, edit: impl FnOnce(&mut Scene)) -> Result<(), Error> {
        let Setting { scene: before, space, .. } = &self.setting;
        let mut scene = before.clone();
        edit(&mut scene);
        if scene.seed != before.seed {
            scene.start_seed.get_or_insert(before.seed_of_start());
        }
        check_kept(&scene, before)?;
        scene.check_parameters()?;
        if scene.steps_per_second != before.steps_per_second {
            self.check_step_rate(&scene)?;
        }
        scene.check_starts(space)?;
        let has_new_scenery = !scene.shares_scenery(before);
        let has_new_paths = !Arc::ptr_eq(&scene.paths, &before.paths);
        if has_new_scenery || has_new_paths || scene.solid != before.solid {
            scene.check_scenery(space)?;
        }
        scene.check_fit(space, &self.state.overrides)?;
        let has_new_flows = !scene.shares_flows(before);
        if has_new_flows {
            scene.scenery().check_new_flows(&self.setting.scenery)?;
        }
        let scenery = has_new_scenery.then(|| scene.new_scenery(space)).transpose()?;
        let routes = match &scenery {
            Some(scenery) => scenery.routes.clone(),
            None => self.setting.scenery.solved_routes(scene.route_tasks(space)?, space)?,
        };
        outside::claim(scene.outside())?;

        if !self.setting.required.velocity && needs_velocity(&scene) {
            // Headings and speeds give the velocities only until the speeds change.
            self.store_velocities();
        }
        let before = std::mem::replace(&mut self.setting.scene, scene);
        if let Some(scenery) = scenery {
            self.setting.scenery = Arc::new(scenery);
        }
        self.setting.set_routes(routes);
        let Setting { scene, space, scenery, .. } = &mut self.setting;
        if has_new_flows || has_new_paths {
            Arc::make_mut(scenery).redraw(&scene.scenery(), space);
        }
        let (samples, state) = (scene.heading_samples, &mut self.state);
        let shortened = f64::from(before.dt()) - f64::from(scene.dt());
        state.time_base += state.tick as f64 * shortened;
        if has_new_paths {
            let last = scene.longest_path().saturating_sub(1) as f32;
            let waypoints = &mut state.motion.memory[Memory::Waypoint as usize];
            // Keep the 0.5 that marks agents that have been before the waypoint's plane.
            waypoints.iter_mut().for_each(|waypoint| {
                if waypoint.floor() > last {
                    *waypoint = last;
                }
            });
        }
        if samples != before.heading_samples {
            state.history.reset(samples, &state.motion, space.axes());
        }
        self.update_params();
        first_values::start_to_remember(&before, &self.setting.scene, &mut self.state);
        self.update_constant_speeds(&before);
        if has_new_scenery {
            self.push_out_of_scenery();
        }
        Ok(())
    }

    fn store_velocities(&mut self) {
        let velocities: Vec<_> = (0..self.len()).map(|slot| self.velocity_at(slot)).collect();
        let axes = self.setting.space.axes();
        for (axis, column) in self.state.motion.velocity.0.iter_mut().take(axes).enumerate() {
            *column = velocities.iter().map(|velocity| velocity[axis]).collect();
        }
    }

    /// Stores the velocities of agents whose constant speed has changed.
    fn update_constant_speeds(&mut self, before: &Scene) {
        let Self {
            setting: Setting { scene, .. }, state: State { motion, attributes, .. }, ..
        } = self;
        let drive = |species: &Species| (species.locomotion, species.max_speed);
        let pairs = before.species.iter().zip(&scene.species);
        let changed: Vec<bool> = pairs.map(|(old, new)| drive(old) != drive(new)).collect();
        if motion.velocity.is_empty() || !changed.contains(&true) {
            return;
        }
        for slot in 0..motion.heading.len() {
            if changed.get(attributes.species_of(slot)) == Some(&true) {
                let heading = motion.heading.at(slot);
                Row { motion, attributes, species: &scene.species, slot }.turn(heading);
            }
        }
    }

    /// Pushes agents out of solid scenery that was moved onto them.
    fn push_out_of_scenery(&mut self) {
        let Setting { space, scenery, .. } = &self.setting;
        let Some(solids) = scenery.solids() else { return };
        let way_out = |slot: usize| {
            let (at, radius) =
                (self.state.motion.position.at(slot), self.limit_at(Limit::Radius, slot));
            let end = solids.way_out(at, radius, space)?;
            Some((slot, space.wrap_any(end)))
        };
        let (slots, ends): (Vec<usize>, Vec<_>) = (0..self.len()).filter_map(way_out).unzip();
        if !slots.is_empty() {
            self.write(ResolvedProperty::Vector(Vector::Position), &slots, &ends);
        }
    }

    /// Rejects a step rate at which an agent could cross the shorter side of a torus in one step.
    fn check_step_rate(&self, scene: &Scene) -> Result<(), Error> {
        let (side, fastest_species) =
            (self.setting.space.smaller_side(), scene.largest(Limit::MaxSpeed));
        let fastest = fastest_species.max(self.state.overrides.max_speed);
        if !self.setting.space.is_torus() || fastest <= side * scene.steps_per_second {
            return Ok(());
        }
        let mut least = (fastest / side * 1.0e3).ceil() / 1.0e3;
        while least * side < fastest {
            least = least.next_up();
        }
        let source = if fastest > fastest_species {
            format!("; the largest max_speed override is {fastest} units/s")
        } else {
            String::new()
        };
        let allowed =
            format!("at least {least} 1/s, so that no agent crosses the torus in a step{source}");
        Err(Error::refused("steps_per_second", scene.steps_per_second, allowed))
    }

    pub(crate) fn update_params(&mut self) {
        let columns_before = std::mem::take(&mut self.setting.required.columns);
        self.derive_params();
        let Setting { scene, required, .. } = &self.setting;
        first_values::fit_columns(scene, required, &columns_before, &mut self.state, 0, |_| 1.0);
    }

    /// Replaces the parameters and behaviors of the species that has the same name: see
    /// [`Self::edit`]. The number of agents does not change.
    ///
    /// # Errors
    /// If the name is unknown or a value is out of range. On error, nothing changes.
    pub fn set_species(&mut self, species: &Species) -> Result<(), Error> {
        let index = self.setting.scene.species_index(&species.name)?;
        self.edit(|scene| {
            let agents = scene.species[index].agents;
            scene.species[index] = Species { agents, ..species.clone() };
        })
    }

    /// Replaces the obstacles and walls, including scattered ones, the paths, the flow fields and
    /// the routes with those of another scene: see [`Self::edit`].
    ///
    /// # Errors
    /// If a value is out of range, scattered scenery does not fit, a behavior needs a path or flow
    /// field that is missing, or the other scene's world has another topology or size. The other
    /// scene may leave the world's size unset. On error, nothing changes.
    pub fn set_scenery(&mut self, from: &Scene) -> Result<(), Error> {
        let actual = self.world();
        self.edit(|scene| {
            if from.world.has_size() && from.world != actual {
                scene.world = from.world;
            }
            scene.obstacles.clone_from(&from.obstacles);
            scene.walls.clone_from(&from.walls);
            scene.paths.clone_from(&from.paths);
            scene.flow.clone_from(&from.flow);
            scene.flows.clone_from(&from.flows);
            scene.routes.clone_from(&from.routes);
            scene.scatter.clone_from(&from.scatter);
        })
    }

    /// Replaces the flow field with this name, or [`Scene::flow`] if `name` is `None`. The cost
    /// depends on the field's number of directions.
    ///
    /// # Errors
    /// An unknown name, or a direction out of range. On error, nothing changes.
    pub fn set_flow(&mut self, name: Option<&str>, flow: FlowField) -> Result<(), Error> {
        name.map_or(Ok(()), |name| self.setting.scene.check_flow(name))?;
        self.edit(|scene| match name {
            Some(name) => _ = scene.flows.insert(name.into(), Arc::new(flow)),
            None => scene.flow = Some(Arc::new(flow)),
        })
    }

    /// Distance from a point to the goal of a route, along the route, in world units. The distance
    /// is infinite where agents with the route's radius have no way to the goal. In an open world,
    /// a point beyond the scenery gets the distance of the nearest known point.
    ///
    /// # Errors
    /// An unknown route, or a coordinate that is not finite.
    pub fn route_distance(&self, route: &str, point: impl Into<Point>) -> Result<f32, Error> {
        let routes = &self.setting.scenery.routes;
        let names = routes.iter().map(|route| route.task.name.as_str());
        let solved = &routes[position("route", route, names)?];
        let at = self.vector("point", point.into())?;
        Ok(solved.field().distance(self.setting.space.wrap_any(at)))
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

fn check_kept(edited: &Scene, before: &Scene) -> Result<(), Error> {
    let world =
        |scene: &Scene| format!("{:?} {}", scene.world.topology, scene.world.written_size());
    kept("world", [edited, before].map(world))?;
    kept("start_seed", [edited, before].map(Scene::seed_of_start))?;
    let agents = |scene: &Scene| scene.agents.map_or("unset".into(), |agents| agents.to_string());
    kept("agents", [edited, before].map(agents))?;
    let [count, least] = [edited, before].map(|scene| scene.species.len());
    kept("number of species", [count, count.max(least)])?;
    for (k, species) in edited.species.iter().enumerate() {
        let (name, agents) =
            before.species.get(k).map_or((&species.name, 0), |kept| (&kept.name, kept.agents));
        kept(&format!("species[{k}].name"), [&species.name, name])?;
        kept(&format!("species[{k}].agents"), [species.agents, agents])?;
    }
    Ok(())
}

fn kept<T: PartialEq + Display>(field: &str, [edited, before]: [T; 2]) -> Result<(), Error> {
    if edited == before {
        return Ok(());
    }
    Err(Error::refused(field, edited, format!("{before}, because the crowd is running")))
}
