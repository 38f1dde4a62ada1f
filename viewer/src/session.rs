//! A session: a crowd and its user's actions. A session runs on its own thread
//! (`session/worker.rs`) and does not depend on the window, so tests need no window.

pub(crate) mod comparison;
pub(crate) mod controls;
pub(crate) mod frame;
pub(crate) mod interaction;
mod job;
mod jobs;
mod loading;
mod opening;
mod saving;
pub(crate) mod scaling;
pub(crate) mod stepping;
mod timing;
pub(crate) mod worker;

use std::fmt::Display;
use std::sync::Arc;

use flockwork::{AgentId, Partition, Scatter, Scene, Simulation, Snapshot, World};

use crate::error::Error;
use crate::options::Options;
use crate::picture::explanation::{self, Explained};
use crate::picture::view::View;
use controls::Controls;
use frame::{Frame, Readings};
use job::Job;

/// Larger crowds cannot use all pairs, because a step would take more than ten seconds.
const MAX_ALL_PAIRS_AGENTS: usize = 300_000;

pub(crate) struct Session {
    simulation: Simulation,
    controls: Controls,
    shown: Readings,
    /// All obstacles and walls, including those that are switched off.
    scenery: Scene,
    explained: Vec<AgentId>,
    dragged_point: Option<String>,
    /// Simulated time not yet covered by steps, in seconds.
    unstepped_time: f64,
    /// True while time is stopped, so that the crowd does not catch up on that time later.
    was_stopped: bool,
    /// Duration of each step since the last frame, in milliseconds.
    step_times: Vec<f32>,
    checkpoint: Option<Checkpoint>,
    job: Option<Job<Self>>,
    queued_steps: u32,
    setup: Setup,
    comparison_done: bool,
    /// The window's width divided by its height.
    aspect_ratio: f32,
}

struct Checkpoint {
    snapshot: Snapshot,
    controls: Controls,
    original: Arc<Scene>,
    scenery: Scene,
}

/// Measurements of one setup do not apply to another. A new crowd begins with the default, which
/// differs from every real setup because a real setup has at least one thread.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Setup {
    agents: usize,
    threads: usize,
    partition: Partition,
}

impl Session {
    pub(crate) fn new(options: &Options, aspect_ratio: f32) -> Result<Self, Error> {
        let scene = options.scene_to_build()?;
        let world = scene.as_ref().map(|scene| scene.world);
        let simulation =
            options.build(scene.map(|scene| opening::with_aspect_ratio(scene, aspect_ratio)))?;
        check_all_pairs(simulation.partition(), simulation.len())?;
        let mut explained = explanation::find(&simulation, &options.explain)?;
        if explained.is_empty() {
            explained.extend(explanation::shown_first(&simulation));
        }
        let mut session = Self::of(simulation, explained);
        session.controls.look = options.look();
        session.controls.grid = options.grid;
        session.aspect_ratio = aspect_ratio;
        if let Some(world) = world {
            session.set_world(world);
            session.form_flocks();
        }
        Ok(session)
    }

    pub(crate) fn of(simulation: Simulation, explained: Vec<AgentId>) -> Self {
        let scene = simulation.scene();
        Self {
            controls: Controls::of(&simulation),
            shown: Readings::of(scene.clone()),
            scenery: scene.clone(),
            explained,
            dragged_point: None,
            unstepped_time: 0.0,
            was_stopped: false,
            step_times: Vec::new(),
            checkpoint: None,
            job: None,
            queued_steps: 0,
            setup: Setup::default(),
            comparison_done: false,
            aspect_ratio: 1.0,
            simulation,
        }
    }

    /// Keeps the world as the scene's author wrote it, because its size may depend on the number
    /// of agents.
    fn set_world(&mut self, world: World) {
        Arc::make_mut(&mut self.shown.original).world = world;
    }

    #[cfg(test)]
    pub(crate) fn named(name: &str) -> Self {
        Self::of(Scene::named(name).unwrap().build().unwrap(), Vec::new())
    }

    pub(crate) fn new_frame(&mut self) -> Box<Frame> {
        let mut frame = Box::new(Frame {
            view: View::default(),
            controls: self.controls.clone(),
            readings: self.shown.clone(),
            step_times: Vec::new(),
            commands_applied: 0,
        });
        self.fill(&mut frame);
        frame
    }

    pub(crate) fn fill(&mut self, frame: &mut Frame) {
        self.renew_readings();
        self.explained.retain(|&id| self.simulation.agent(id).is_ok());
        let explained = Explained::all(&self.simulation, &self.explained);
        frame.view.explained = self.ok_or_notify(explained).unwrap_or_default();
        frame.view.update(&self.simulation, self.controls.look.color_by);
        frame.view.cells = self.controls.grid.then(|| self.simulation.cells());
        frame.controls.clone_from(&self.controls);
        frame.step_times.append(&mut self.step_times);
        self.shown.seed = self.simulation.scene().seed;
        self.shown.hash = self.is_stopped().then(|| self.simulation.state_hash());
        self.shown.work = self.job.as_ref().map(Job::words);
        frame.readings.clone_from(&self.shown);
        // Each message is shown once.
        self.shown.message.clear();
    }

    fn renew_readings(&mut self) {
        let setup = Setup {
            agents: self.simulation.len(),
            threads: self.simulation.threads(),
            partition: self.simulation.partition(),
        };
        if setup != self.setup {
            self.setup = setup;
            self.shown.setups += 1;
            self.step_times.clear();
            self.comparison_done = false;
            self.shown.comparison = None;
        }
    }

    /// Applies every control that has changed. A control that the engine refuses is reset.
    pub(crate) fn set(&mut self, wanted: Controls) {
        if wanted.epoch != self.controls.epoch {
            return;
        }
        self.shown.message.clear();
        if wanted.edits != self.controls.edits && !self.check_editable() {
            return;
        }
        let before = &mut std::mem::replace(&mut self.controls, wanted);
        self.apply(before, |all| &mut all.threads, Simulation::set_threads);
        self.apply(before, |all| &mut all.partition, set_partition);
        self.apply(before, |all| &mut all.edits.steps_per_second, Simulation::set_steps_per_second);
        self.apply(before, |all| &mut all.edits.non_penetration, Simulation::set_non_penetration);
        self.apply(before, |all| &mut all.edits.solid, Simulation::set_solid);
        self.apply(before, |all| &mut all.edits.heading_samples, Simulation::set_heading_samples);
        self.apply(before, |all| &mut all.edits.cell_size, Simulation::set_cell_size);
        let [stood, stand] =
            [&*before, &self.controls].map(|all| (all.edits.obstacles, all.edits.walls));
        if stand != stood {
            (self.controls.edits.obstacles, self.controls.edits.walls) = stood;
            self.set_scenery(stand.0, stand.1);
        }
        for (kind, before) in before.edits.species.drain(..).enumerate() {
            let edited = self.controls.edits.species[kind].effective();
            if self.controls.edits.species[kind] != before
                && !self.try_apply(|simulation| simulation.set_species(&edited))
            {
                self.controls.edits.species[kind] = before;
            }
        }
    }

    fn apply<T: Copy + PartialEq, E: Display>(
        &mut self,
        before: &mut Controls,
        control: fn(&mut Controls) -> &mut T,
        set: impl FnOnce(&mut Simulation, T) -> Result<(), E>,
    ) {
        let (before, wanted) = (*control(before), *control(&mut self.controls));
        if wanted != before && !self.try_apply(|simulation| set(simulation, wanted)) {
            *control(&mut self.controls) = before;
        }
    }

    fn limit_all_pairs(&mut self) {
        let fits = check_all_pairs(self.simulation.partition(), self.simulation.len());
        if let Err(why) = fits {
            self.controls.partition = Partition::Cells;
            self.simulation.set_partition(Partition::Cells);
            self.shown.message = format!("switched to cells: {why}");
        }
    }

    /// Passes the enabled obstacles and walls to the engine. Returns false if the engine
    /// refuses them.
    fn set_scenery(&mut self, obstacles: bool, walls: bool) -> bool {
        let mut standing = self.scenery.clone();
        let mut scatter = standing.scatter.take().unwrap_or_default();
        if !obstacles {
            standing.obstacles.clear();
            scatter.obstacles = None;
        }
        if !walls {
            standing.walls.clear();
            scatter.walls = None;
        }
        standing.scatter = (scatter != Scatter::default()).then_some(scatter);
        let done = self.try_apply(|simulation| simulation.set_scenery(&standing));
        if done {
            (self.controls.edits.obstacles, self.controls.edits.walls) = (obstacles, walls);
        }
        done
    }

    fn try_apply<E: Display>(
        &mut self,
        act: impl FnOnce(&mut Simulation) -> Result<(), E>,
    ) -> bool {
        let done = act(&mut self.simulation);
        self.ok_or_notify(done).is_some()
    }

    fn try_edit<E: Display>(&mut self, act: impl FnOnce(&mut Simulation) -> Result<(), E>) -> bool {
        self.check_editable() && self.try_apply(act)
    }

    fn ok_or_notify<T>(&mut self, result: Result<T, impl Display>) -> Option<T> {
        result.map_err(|why| self.shown.message = why.to_string()).ok()
    }
}

fn check_all_pairs(partition: Partition, agents: usize) -> Result<(), Error> {
    match partition {
        Partition::AllPairs if agents > MAX_ALL_PAIRS_AGENTS => {
            Err(Error::AllPairs { agents, limit: MAX_ALL_PAIRS_AGENTS })
        }
        _ => Ok(()),
    }
}

fn set_partition(simulation: &mut Simulation, partition: Partition) -> Result<(), Error> {
    check_all_pairs(partition, simulation.len())?;
    simulation.set_partition(partition);
    Ok(())
}

#[cfg(test)]
mod tests;
