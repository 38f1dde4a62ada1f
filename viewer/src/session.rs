//! A crowd and what its audience does to it. It runs on a thread of its own (`runner.rs`), and
//! nothing here knows of windows, so all of it can be tested without one.

mod hands;
mod keeping;
mod survey;
mod watched;

pub(crate) use survey::{Comparison, Survey};

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use flockwork::{AgentId, Error, Partition, Scatter, Scene, Simulation, Snapshot, StageTimes};

use crate::Failure;
use crate::controls::Controls;
use crate::explained::Explained;
use crate::frame::{Frame, Readings};
use crate::options::Options;
use crate::trails::Trails;
use crate::view::View;
use watched::Watched;

/// The longest that steps may hold up the picture and what the audience wants.
const PATIENCE: Duration = Duration::from_millis(15);
/// Real time that is made up for at most.
const LONGEST_GAP: f64 = 0.25;
/// Crowds above this are too large for all pairs: a step would take more than ten seconds.
const MOST_FOR_ALL_PAIRS: usize = 300_000;

pub(crate) struct Session {
    simulation: Simulation,
    controls: Controls,
    /// The scene as it was loaded, for defaults.
    original: Arc<Scene>,
    /// All obstacles and walls, whether they stand or not.
    scenery: Scene,
    /// The agents whose reasons are shown.
    explained: Vec<AgentId>,
    trails: Trails,
    /// The species that is steered by hand.
    driven: Option<usize>,
    /// What fraction of the time scale is reached.
    reached: f32,
    /// Single steps asked for while paused.
    pending_steps: u32,
    /// Simulated seconds that are due.
    due: f64,
    /// How long the stages of the steps took that are not shown yet.
    taken: Vec<StageTimes>,
    saved: Option<Snapshot>,
    survey: Survey,
    comparison: Option<Comparison>,
    /// The scene's file, to follow its changes.
    file: Option<Watched>,
    /// Why the simulation cannot go on.
    trouble: Option<String>,
    /// What happened last, for the audience.
    message: String,
}

impl Session {
    pub(crate) fn new(options: &Options) -> Result<Self, Failure> {
        let simulation = crate::build(options)?;
        let explained = crate::explained::find(&simulation, &options.explain)?;
        let mut session = Self::of(simulation, explained);
        session.controls.color_by = options.color;
        session.controls.trails = options.trails;
        session.trails = Trails::new(options.trails);
        session.file = Watched::if_scene(Path::new(&options.scene));
        Ok(session)
    }

    fn of(simulation: Simulation, explained: Vec<AgentId>) -> Self {
        let scene = simulation.scene();
        Self {
            controls: Controls::of(&simulation),
            original: Arc::new(scene.clone()),
            scenery: scene.clone(),
            explained,
            trails: Trails::default(),
            driven: None,
            reached: 1.0,
            pending_steps: 0,
            due: 0.0,
            taken: Vec::new(),
            saved: None,
            survey: Survey::default(),
            comparison: None,
            file: None,
            trouble: None,
            message: String::new(),
            simulation,
        }
    }

    #[cfg(test)]
    pub(crate) fn named(name: &str) -> Self {
        Self::of(Scene::named(name).unwrap().build().unwrap(), Vec::new())
    }

    /// How long nothing happens by itself; `None` if it never does.
    pub(crate) fn rest(&self) -> Option<Duration> {
        let look_at_file = self.file.as_ref().map(|_| Watched::EVERY);
        if self.pending_steps > 0 {
            return Some(Duration::ZERO);
        }
        if self.controls.paused || self.trouble.is_some() {
            return look_at_file;
        }
        let missing = (self.dt() - self.due).max(0.0) / f64::from(self.controls.time_scale);
        Some(Duration::from_secs_f64(missing.min(LONGEST_GAP)))
    }

    fn dt(&self) -> f64 {
        1.0 / f64::from(self.simulation.scene().steps_per_second)
    }

    /// Takes the steps that are due after `elapsed` real time: as many as keep time, as long
    /// as that does not take too long. Returns whether there is something new to see.
    pub(crate) fn advance(&mut self, elapsed: Duration) -> bool {
        let reloaded = self.follow_file();
        let before = self.taken.len();
        for _ in 0..std::mem::take(&mut self.pending_steps) {
            self.step();
        }
        if !self.controls.paused && self.trouble.is_none() {
            self.keep_time(elapsed);
        }
        let stepped = self.taken.len() > before;
        if stepped {
            self.survey.look_again(&mut self.simulation);
        }
        stepped || reloaded
    }

    fn keep_time(&mut self, elapsed: Duration) {
        let dt = self.dt();
        let wanted = elapsed.as_secs_f64().min(LONGEST_GAP) * f64::from(self.controls.time_scale);
        self.due += wanted;
        let start = Instant::now();
        while self.due >= dt && self.trouble.is_none() && start.elapsed() < PATIENCE {
            self.due -= dt;
            self.step();
        }
        // What cannot be caught up is lost, and said so.
        let lost = (self.due - dt).max(0.0);
        self.due -= lost;
        if wanted > 0.0 {
            let share = (1.0 - lost / wanted).clamp(0.0, 1.0) as f32;
            // A mean over about a second, however often this is.
            let weight = (elapsed.as_secs_f32() * 2.0).min(1.0);
            self.reached += (share - self.reached) * weight;
        }
    }

    fn step(&mut self) {
        match self.simulation.step() {
            Ok(()) => {
                self.taken.push(self.simulation.stage_times());
                self.trails.note(&self.simulation);
            }
            Err(error) => self.trouble = Some(error.to_string()),
        }
    }

    /// Pauses, and takes one step.
    pub(crate) fn step_once(&mut self) {
        self.controls.paused = true;
        self.pending_steps += 1;
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
        self.trails.show(&mut frame.view);
        frame.controls.clone_from(&self.controls);
        frame.taken.append(&mut self.taken);
        frame.readings = self.readings();
        // It is told once.
        self.message.clear();
    }

    fn readings(&self) -> Readings {
        let scene = self.simulation.scene();
        let at_rest = self.controls.paused || self.trouble.is_some();
        Readings {
            original: Arc::clone(&self.original),
            seed: scene.seed,
            agents: self.simulation.len(),
            tick: self.simulation.tick(),
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
            (self.controls.obstacles, self.controls.walls) = (wanted.obstacles, wanted.walls);
            self.furnish();
        }
        for (kind, edited) in wanted.species.into_iter().enumerate() {
            if edited != present.species[kind] && self.does(|s| s.set_species(&edited.effective()))
            {
                self.controls.species[kind] = edited;
            }
        }
    }

    fn partition(&mut self, partition: Partition) {
        let agents = self.simulation.len();
        if partition == Partition::AllPairs && agents > MOST_FOR_ALL_PAIRS {
            self.message = format!(
                "all pairs of {agents} agents would take more than ten seconds a step: \
                 allowed up to {MOST_FOR_ALL_PAIRS}"
            );
            return;
        }
        self.controls.partition = partition;
        self.simulation.set_partition(partition);
        self.compare_partitions();
    }

    /// Lets stand what is switched on of the obstacles and walls.
    fn furnish(&mut self) -> bool {
        let mut standing = self.scenery.clone();
        let mut scatter = standing.scatter.take().unwrap_or_default();
        if !self.controls.obstacles {
            standing.obstacles.clear();
            scatter.obstacles = None;
        }
        if !self.controls.walls {
            standing.walls.clear();
            scatter.walls = None;
        }
        standing.scatter = (scatter != Scatter::default()).then_some(scatter);
        self.does(|simulation| simulation.set_scenery(&standing))
    }

    /// Does something that the engine may refuse; returns whether it did not.
    fn does(&mut self, act: impl FnOnce(&mut Simulation) -> Result<(), Error>) -> bool {
        let done = act(&mut self.simulation);
        if let Err(error) = &done {
            self.message = error.to_string();
        }
        done.is_ok()
    }

    /// Goes `by` scenes on in the list.
    pub(crate) fn switch_scene(&mut self, by: isize) {
        let names: Vec<&str> = Scene::names().collect();
        let present = names.iter().position(|name| *name == self.original.name);
        let next = present.map_or(0, |k| (k as isize + by).rem_euclid(names.len() as isize));
        self.open(names[next as usize]);
    }

    /// Opens an embedded scene.
    pub(crate) fn open(&mut self, name: &str) {
        self.replace(Scene::named(name).and_then(|scene| scene.build()), None);
    }

    /// Opens a scene file, or a snapshot.
    pub(crate) fn open_file(&mut self, path: &Path) {
        let built = match watched::is_scene(path) {
            true => Scene::load(path).and_then(|scene| scene.build()),
            false => Snapshot::load(path).and_then(|snapshot| snapshot.build()),
        };
        self.replace(built, Watched::if_scene(path));
    }

    /// Starts another scene; threads, partition and the pace stay.
    fn replace(&mut self, fresh: Result<Simulation, Error>, file: Option<Watched>) {
        match fresh.and_then(|fresh| self.prepared(fresh)) {
            Ok(fresh) => {
                let watching = !self.explained.is_empty() && !fresh.is_empty();
                let explained = if watching { vec![fresh.id_at(0)] } else { Vec::new() };
                let Controls { opening, paused, time_scale, color_by, trails, .. } = self.controls;
                *self = Self { file, saved: self.saved.take(), ..Self::of(fresh, explained) };
                self.trails = Trails::new(trails);
                self.controls = Controls {
                    opening: opening + 1,
                    paused,
                    time_scale,
                    color_by,
                    trails,
                    ..self.controls.clone()
                };
            }
            Err(error) => self.message = error.to_string(),
        }
    }

    /// A new simulation with what does not belong to its scene.
    fn prepared(&self, mut fresh: Simulation) -> Result<Simulation, Error> {
        fresh.set_threads(self.controls.threads)?;
        if fresh.len() <= MOST_FOR_ALL_PAIRS {
            fresh.set_partition(self.controls.partition);
        }
        Ok(fresh)
    }

    /// Starts over, with another seed if given; what the audience has set stays.
    pub(crate) fn restart(&mut self, seed: Option<u64>) {
        let mut scene = self.simulation.scene().clone();
        scene.seed = seed.unwrap_or(scene.seed);
        self.start_over(&scene);
    }

    /// Starts over with the next seed.
    pub(crate) fn reseed(&mut self) {
        self.restart(Some(self.simulation.scene().seed.wrapping_add(1)));
    }

    /// Starts over with another number of agents.
    pub(crate) fn set_agents(&mut self, agents: usize) {
        match self.simulation.scene().clone().agents(agents) {
            Ok(scene) => self.start_over(&scene),
            Err(error) => self.message = error.to_string(),
        }
    }

    fn start_over(&mut self, scene: &Scene) {
        match scene.build().and_then(|fresh| self.prepared(fresh)) {
            Ok(fresh) => {
                self.controls.partition = fresh.partition();
                self.simulation = fresh;
                self.comparison = None;
                self.trouble = None;
                self.message.clear();
            }
            Err(error) => self.message = error.to_string(),
        }
    }

    /// Reads the scene's file again if it has changed; returns whether it has. What is wrong
    /// with it is said, and the scene goes on as it was.
    fn follow_file(&mut self) -> bool {
        let Some(file) = &mut self.file else { return false };
        if !file.has_changed() {
            return false;
        }
        let path = file.path.clone();
        self.open_file(&path);
        if self.message.is_empty() {
            self.message = format!("read {} again", path.display());
        }
        true
    }
}

#[cfg(test)]
mod tests;
