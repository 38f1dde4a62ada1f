//! A crowd and what its user does to it. It runs on its own thread (`session/worker.rs`) and does
//! not depend on the window, so all of it can be tested without one.

mod checks;
pub(crate) mod controls;
mod file_watcher;
pub(crate) mod frame;
pub(crate) mod interaction;
mod job;
mod loading;
pub(crate) mod measures;
mod panes;
mod saving;
pub(crate) mod scaling;
mod stepping;
pub(crate) mod worker;
mod working;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use flockwork::{AgentId, Partition, Scatter, Scene, Simulation, Snapshot, StageTimes};

use crate::error::Error;
use crate::options::{Options, Overrides};
use crate::picture::color_by::ColorBy;
use crate::picture::explanation::{self, Explained};
use crate::picture::view::View;
use controls::Controls;
use file_watcher::FileWatcher;
use frame::{Frame, Readings};
use job::Job;
use measures::{Row, Statistics};
use scaling::Scaling;

/// Larger crowds are refused all pairs: a step would take more than ten seconds.
const MAX_ALL_PAIRS_AGENTS: usize = 300_000;

pub(crate) struct Session {
    simulation: Simulation,
    controls: Controls,
    /// The scene as it was loaded, for defaults.
    original: Arc<Scene>,
    /// How many other scenes were opened.
    scenes_opened: u32,
    /// All obstacles and walls, switched on or not.
    scenery: Scene,
    /// The agents that are explained.
    explained: Vec<AgentId>,
    /// The named point that the user drags.
    dragged_point: Option<String>,
    /// The fraction of the time scale that is achieved.
    achieved: f32,
    /// Single steps requested while paused.
    pending_steps: u32,
    /// Simulated seconds that are due.
    due: f64,
    /// Whether time was stopped until now.
    was_stopped: bool,
    /// Stage times of the steps since the last frame.
    step_times: Vec<StageTimes>,
    checkpoint: Option<Checkpoint>,
    /// What takes long; the crowd waits for it.
    job: Option<Job<Self>>,
    /// The steps from the first to the last that are taken at full speed.
    forward: Option<[u64; 2]>,
    statistics: Statistics,
    /// Measures since the last frame.
    rows: Vec<Row>,
    /// What the readings are of.
    setup: Setup,
    /// How many setups there were before.
    setups: u32,
    /// How many times the crowd was started anew.
    starts: u32,
    twin: Option<Twin>,
    check: Option<String>,
    scaling: Option<Scaling>,
    /// The scene's file, to follow its changes.
    file: Option<FileWatcher>,
    /// What the command line changes in the file's scene.
    overrides: Overrides,
    /// Why the simulation cannot go on.
    failure: Option<String>,
    /// Whether there are edits since the scene was opened or saved.
    unsaved: bool,
    /// What happened last, for the user.
    message: String,
}

/// A state to return to, with what belongs to it.
struct Checkpoint {
    snapshot: Snapshot,
    controls: Controls,
    original: Arc<Scene>,
    scenery: Scene,
}

/// The second run.
struct Twin {
    simulation: Simulation,
    /// The latest step's time by cells and by all pairs.
    times: [Duration; 2],
}

/// Readings of one setup say nothing about another.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Setup {
    epoch: u32,
    starts: u32,
    agents: usize,
    threads: usize,
    partition: Partition,
    panes: bool,
}

impl Session {
    pub(crate) fn new(options: &Options) -> Result<Self, Error> {
        let simulation = options.build()?;
        if exceeds_all_pairs_limit(simulation.partition(), simulation.len()) {
            return Err(Error::AllPairs { agents: simulation.len(), limit: MAX_ALL_PAIRS_AGENTS });
        }
        let explained = explanation::find(&simulation, &options.explain)?;
        let color_by = ColorBy::find(&options.color, &simulation)?;
        let mut session = Self::of(simulation, explained);
        session.controls.color_by = color_by;
        session.controls.trails = options.trails;
        session.controls.flow_view = options.flow;
        session.controls.grid = options.grid;
        if options.resume.is_none() {
            session.file = FileWatcher::for_scene(Path::new(options.scene()));
            session.overrides = options.overrides();
        }
        session.forward(options.warm);
        Ok(session)
    }

    fn of(simulation: Simulation, explained: Vec<AgentId>) -> Self {
        let scene = simulation.scene();
        Self {
            controls: Controls::of(&simulation),
            original: Arc::new(scene.clone()),
            scenes_opened: 0,
            scenery: scene.clone(),
            explained,
            dragged_point: None,
            achieved: 1.0,
            pending_steps: 0,
            due: 0.0,
            was_stopped: false,
            step_times: Vec::new(),
            checkpoint: None,
            job: None,
            forward: None,
            statistics: Statistics::default(),
            rows: Vec::new(),
            setup: Setup::default(),
            setups: 0,
            starts: 0,
            twin: None,
            check: None,
            scaling: None,
            file: None,
            overrides: Overrides::default(),
            failure: None,
            unsaved: false,
            message: String::new(),
            simulation,
        }
    }

    #[cfg(test)]
    pub(crate) fn named(name: &str) -> Self {
        Self::of(Scene::named(name).unwrap().build().unwrap(), Vec::new())
    }

    /// A new frame.
    pub(crate) fn new_frame(&mut self) -> Box<Frame> {
        let mut frame = Box::new(Frame {
            view: View::default(),
            controls: self.controls.clone(),
            readings: self.readings(),
            step_times: Vec::new(),
            rows: Vec::new(),
            panes: None,
            capture_time: Duration::ZERO,
            commands_applied: 0,
        });
        self.fill(&mut frame);
        frame
    }

    /// Fills a frame with the present state.
    pub(crate) fn fill(&mut self, frame: &mut Frame) {
        self.renew_readings();
        self.explained.retain(|&id| self.simulation.agent(id).is_ok());
        match Explained::all(&mut self.simulation, &self.explained) {
            Ok(explained) => frame.view.explained = explained,
            Err(error) => self.message = error.to_string(),
        }
        self.controls.color_by = self.controls.color_by.within(self.simulation.columns().len());
        frame.view.update(&mut self.simulation, self.controls.color_by);
        frame.view.cells = self.controls.grid.then(|| self.simulation.cells());
        frame.controls.clone_from(&self.controls);
        frame.step_times.append(&mut self.step_times);
        frame.rows.append(&mut self.rows);
        frame.panes = self.panes();
        frame.readings = self.readings();
        // Each message is shown once.
        self.message.clear();
    }

    /// Forgets the readings of a setup that is no more.
    fn renew_readings(&mut self) {
        let setup = Setup {
            epoch: self.controls.epoch,
            starts: self.starts,
            agents: self.simulation.len(),
            threads: self.simulation.threads(),
            partition: self.simulation.partition(),
            panes: self.controls.panes,
        };
        if setup != self.setup {
            self.setup = setup;
            self.setups += 1;
            self.step_times.clear();
            self.rows.clear();
            self.statistics = Statistics::default();
            self.achieved = 1.0;
        }
    }

    fn readings(&self) -> Readings {
        let scene = self.simulation.scene();
        Readings {
            original: Arc::clone(&self.original),
            scenes_opened: self.scenes_opened,
            setups: self.setups,
            seed: scene.seed,
            agents: self.simulation.len(),
            tick: self.simulation.tick(),
            points: scene.points.clone(),
            hash: self.is_stopped().then(|| self.simulation.state_hash()),
            achieved: self.achieved,
            statistics: self.statistics.clone(),
            work: self.work(),
            check: self.check.clone(),
            scaling: self.scaling.clone(),
            unsaved: self.unsaved,
            failure: self.failure.clone(),
            message: self.message.clone(),
        }
    }

    /// Applies every control that has changed. What the engine refuses stays as it is.
    pub(crate) fn set(&mut self, wanted: Controls) {
        if wanted.epoch != self.controls.epoch {
            return;
        }
        self.message.clear();
        if self.controls.edits(&wanted) && !self.begin_edit() {
            return;
        }
        let present = self.controls.clone();
        self.controls.paused = wanted.paused;
        self.controls.time_scale = wanted.time_scale;
        self.controls.color_by = wanted.color_by;
        self.controls.flow_view = wanted.flow_view;
        self.controls.grid = wanted.grid;
        self.controls.glows = wanted.glows;
        self.controls.aims = wanted.aims;
        if wanted.panes != present.panes {
            self.set_panes(wanted.panes);
        }
        if wanted.trails != present.trails {
            self.controls.trails = wanted.trails;
        }
        if wanted.threads != present.threads && self.try_apply(|s| s.set_threads(wanted.threads)) {
            self.controls.threads = wanted.threads;
        }
        if wanted.partition != present.partition {
            self.set_partition(wanted.partition);
        }
        if wanted.steps_per_second != present.steps_per_second
            && self.try_apply(|s| s.set_steps_per_second(wanted.steps_per_second))
        {
            self.controls.steps_per_second = wanted.steps_per_second;
        }
        if wanted.non_penetration != present.non_penetration
            && self.try_apply(|s| s.set_non_penetration(wanted.non_penetration))
        {
            self.controls.non_penetration = wanted.non_penetration;
        }
        if wanted.heading_samples != present.heading_samples
            && self.try_apply(|s| s.set_heading_samples(wanted.heading_samples))
        {
            self.controls.heading_samples = wanted.heading_samples;
        }
        if wanted.cell_size != present.cell_size
            && self.try_apply(|s| s.set_cell_size(wanted.cell_size))
        {
            self.controls.cell_size = wanted.cell_size;
        }
        if (wanted.obstacles, wanted.walls) != (present.obstacles, present.walls) {
            self.set_scenery(wanted.obstacles, wanted.walls);
        }
        for (kind, edited) in wanted.species.into_iter().enumerate() {
            if edited != present.species[kind]
                && self.try_apply(|s| s.set_species(&edited.effective()))
            {
                self.controls.species[kind] = edited;
            }
        }
    }

    fn set_partition(&mut self, partition: Partition) {
        if exceeds_all_pairs_limit(partition, self.simulation.len()) {
            self.message = self.all_pairs_refusal();
            return;
        }
        self.controls.partition = partition;
        self.simulation.set_partition(partition);
    }

    /// Switches to cells, with a message, if the crowd has become too large for all pairs.
    fn limit_all_pairs(&mut self) {
        self.renew_twin();
        if exceeds_all_pairs_limit(self.simulation.partition(), self.simulation.len()) {
            self.controls.partition = Partition::Cells;
            self.simulation.set_partition(Partition::Cells);
            self.message = format!("switched to cells: {}", self.all_pairs_refusal());
        }
    }

    fn all_pairs_refusal(&self) -> String {
        let agents = self.simulation.len();
        Error::AllPairs { agents, limit: MAX_ALL_PAIRS_AGENTS }.to_string()
    }

    /// Gives the engine the obstacles and walls that are switched on; returns whether it accepts
    /// them.
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
            (self.controls.obstacles, self.controls.walls) = (obstacles, walls);
        }
        done
    }

    /// Applies a change that the engine may refuse; returns whether it succeeded.
    fn try_apply(
        &mut self,
        act: impl FnOnce(&mut Simulation) -> Result<(), flockwork::Error>,
    ) -> bool {
        let done = act(&mut self.simulation);
        if let Err(error) = &done {
            self.message = error.to_string();
        }
        done.is_ok()
    }
}

fn exceeds_all_pairs_limit(partition: Partition, agents: usize) -> bool {
    partition == Partition::AllPairs && agents > MAX_ALL_PAIRS_AGENTS
}

#[cfg(test)]
mod tests;
