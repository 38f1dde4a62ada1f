//! A crowd and what its audience does to it. It runs on a thread of its own (`runner.rs`), and
//! nothing here knows of windows, so all of it can be tested without one.

mod checkpoint;
mod checks;
mod comparison;
pub(crate) mod controls;
mod file_watcher;
pub(crate) mod frame;
mod interaction;
mod loading;
mod pending_check;
mod saving;
pub(crate) mod statistics;
mod stepping;
pub(crate) mod worker;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use flockwork::{AgentId, Partition, Scatter, Scene, Simulation, StageTimes};

use crate::error::Error;
use crate::options::{Options, Overrides};
use crate::picture::explanation::Explained;
use crate::picture::trails::Trails;
use crate::picture::view::View;
use checkpoint::Kept;
use comparison::Comparison;
use controls::Controls;
use file_watcher::Watched;
use frame::{Frame, Readings};
use pending_check::Chore;
use statistics::Survey;

/// Crowds above this are too large for all pairs: a step would take more than ten seconds.
const MOST_FOR_ALL_PAIRS: usize = 300_000;

pub(crate) struct Session {
    simulation: Simulation,
    controls: Controls,
    /// The scene as it was loaded, for defaults.
    original: Arc<Scene>,
    /// How many other scenes were opened.
    scenes: u32,
    /// All obstacles and walls, whether they stand or not.
    scenery: Scene,
    /// The agents whose reasons are shown.
    explained: Vec<AgentId>,
    trails: Trails,
    /// The named point that is moved by hand.
    in_hand: Option<String>,
    /// The species that is steered by hand.
    driven: Option<usize>,
    /// What fraction of the time scale is reached.
    reached: f32,
    /// Single steps asked for while paused.
    pending_steps: u32,
    /// Simulated seconds that are due.
    due: f64,
    /// Whether time stood still until now.
    stood_still: bool,
    /// How long the stages of the steps took that are not shown yet.
    taken: Vec<StageTimes>,
    saved: Option<Kept>,
    chore: Option<Chore>,
    survey: Survey,
    comparison: Option<Comparison>,
    /// The scene's file, to follow its changes.
    file: Option<Watched>,
    /// What the command line wants otherwise than the file.
    overrides: Overrides,
    /// Why the simulation cannot go on.
    trouble: Option<String>,
    /// What happened last, for the audience.
    message: String,
}

impl Session {
    pub(crate) fn new(options: &Options) -> Result<Self, Error> {
        let simulation = options.build()?;
        if is_too_much(simulation.partition(), simulation.len()) {
            return Err(Error::AllPairs { agents: simulation.len(), most: MOST_FOR_ALL_PAIRS });
        }
        let explained = crate::picture::explanation::find(&simulation, &options.explain)?;
        let mut session = Self::of(simulation, explained);
        session.controls.color_by = options.color;
        session.controls.trails = options.trails;
        session.trails = Trails::new(options.trails);
        if options.resume.is_none() {
            session.file = Watched::if_scene(Path::new(&options.scene));
            session.overrides = options.overrides();
        }
        Ok(session)
    }

    fn of(simulation: Simulation, explained: Vec<AgentId>) -> Self {
        let scene = simulation.scene();
        Self {
            controls: Controls::of(&simulation),
            original: Arc::new(scene.clone()),
            scenes: 0,
            scenery: scene.clone(),
            explained,
            trails: Trails::default(),
            in_hand: None,
            driven: None,
            reached: 1.0,
            pending_steps: 0,
            due: 0.0,
            stood_still: false,
            taken: Vec::new(),
            saved: None,
            chore: None,
            survey: Survey::default(),
            comparison: None,
            file: None,
            overrides: Overrides::default(),
            trouble: None,
            message: String::new(),
            simulation,
        }
    }

    #[cfg(test)]
    pub(crate) fn named(name: &str) -> Self {
        Self::of(Scene::named(name).unwrap().build().unwrap(), Vec::new())
    }

    /// A new frame.
    pub(crate) fn frame(&mut self) -> Box<Frame> {
        let mut frame = Box::new(Frame {
            view: View::default(),
            controls: self.controls.clone(),
            readings: self.readings(),
            taken: Vec::new(),
            look: Duration::ZERO,
            heard: 0,
        });
        self.show(&mut frame);
        frame
    }

    /// Fills a frame with what there is to see.
    pub(crate) fn show(&mut self, frame: &mut Frame) {
        self.explained.retain(|&id| self.simulation.agent(id).is_ok());
        match Explained::all(&mut self.simulation, &self.explained) {
            Ok(explained) => frame.view.explained = explained,
            Err(error) => self.message = error.to_string(),
        }
        frame.view.look(&mut self.simulation, self.controls.color_by);
        self.trails.collect(&mut frame.view.trails);
        frame.controls.clone_from(&self.controls);
        frame.taken.append(&mut self.taken);
        frame.readings = self.readings();
        // It is told once.
        self.message.clear();
        self.has_been_shown();
    }

    fn readings(&self) -> Readings {
        let scene = self.simulation.scene();
        let at_rest = self.controls.paused || self.trouble.is_some();
        Readings {
            original: Arc::clone(&self.original),
            scenes: self.scenes,
            seed: scene.seed,
            agents: self.simulation.len(),
            tick: self.simulation.tick(),
            points: scene.points.clone(),
            hash: at_rest.then(|| self.simulation.state_hash()),
            reached: self.reached,
            survey: self.survey.clone(),
            comparison: self.comparison.clone(),
            trouble: self.trouble.clone(),
            message: self.message.clone(),
        }
    }

    /// Applies what differs from what is set. What the engine refuses stays as it is.
    pub(crate) fn set(&mut self, wanted: Controls) {
        if wanted.opening != self.controls.opening {
            return;
        }
        self.message.clear();
        let present = self.controls.clone();
        self.controls.paused = wanted.paused;
        self.controls.time_scale = wanted.time_scale;
        self.controls.color_by = wanted.color_by;
        if wanted.trails != present.trails {
            self.controls.trails = wanted.trails;
            self.trails.reach_back(wanted.trails);
        }
        if wanted.threads != present.threads && self.does(|s| s.set_threads(wanted.threads)) {
            self.controls.threads = wanted.threads;
        }
        if wanted.partition != present.partition {
            self.partition(wanted.partition);
        }
        if wanted.steps_per_second != present.steps_per_second
            && self.does(|s| s.set_steps_per_second(wanted.steps_per_second))
        {
            self.controls.steps_per_second = wanted.steps_per_second;
        }
        if wanted.non_penetration != present.non_penetration
            && self.does(|s| s.set_non_penetration(wanted.non_penetration))
        {
            self.controls.non_penetration = wanted.non_penetration;
        }
        if wanted.heading_samples != present.heading_samples
            && self.does(|s| s.set_heading_samples(wanted.heading_samples))
        {
            self.controls.heading_samples = wanted.heading_samples;
        }
        if (wanted.obstacles, wanted.walls) != (present.obstacles, present.walls) {
            self.furnish(wanted.obstacles, wanted.walls);
        }
        for (kind, edited) in wanted.species.into_iter().enumerate() {
            if edited != present.species[kind] && self.does(|s| s.set_species(&edited.effective()))
            {
                self.controls.species[kind] = edited;
            }
        }
    }

    fn partition(&mut self, partition: Partition) {
        if is_too_much(partition, self.simulation.len()) {
            self.message = self.too_much();
            return;
        }
        self.controls.partition = partition;
        self.simulation.set_partition(partition);
        self.compare_partitions();
    }

    /// Takes cells, and says so, if the crowd has become too large for all pairs.
    fn limit_all_pairs(&mut self) {
        if is_too_much(self.simulation.partition(), self.simulation.len()) {
            self.controls.partition = Partition::Cells;
            self.simulation.set_partition(Partition::Cells);
            self.message = format!("cells from here on: {}", self.too_much());
        }
    }

    fn too_much(&self) -> String {
        let agents = self.simulation.len();
        Error::AllPairs { agents, most: MOST_FOR_ALL_PAIRS }.to_string()
    }

    /// Lets stand what is switched on of the obstacles and walls; returns whether the engine
    /// takes it.
    fn furnish(&mut self, obstacles: bool, walls: bool) -> bool {
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
        let done = self.does(|simulation| simulation.set_scenery(&standing));
        if done {
            (self.controls.obstacles, self.controls.walls) = (obstacles, walls);
        }
        done
    }

    /// Does something that the engine may refuse; returns whether it did not.
    fn does(&mut self, act: impl FnOnce(&mut Simulation) -> Result<(), flockwork::Error>) -> bool {
        let done = act(&mut self.simulation);
        if let Err(error) = &done {
            self.message = error.to_string();
        }
        done.is_ok()
    }
}

fn is_too_much(partition: Partition, agents: usize) -> bool {
    partition == Partition::AllPairs && agents > MOST_FOR_ALL_PAIRS
}

#[cfg(test)]
mod tests;
