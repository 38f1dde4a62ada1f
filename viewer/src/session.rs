//! A crowd and what its audience does to it: which scene, running or paused, saved, changed.
//!
//! Nothing here knows of windows, so all of it can be tested without one.

use std::time::{Duration, Instant};

use flockwork::{
    AgentId, Behavior, Error, Partition, Scene, Simulation, Snapshot, Species, StageTimes,
};

use crate::Failure;
use crate::options::Options;

/// Steps that a determinism check takes twice.
const CHECKED_STEPS: u64 = 60;
/// The longest that steps may hold up a frame.
const PATIENCE: Duration = Duration::from_millis(40);

pub(crate) struct Session {
    pub(crate) simulation: Simulation,
    /// The species as the audience has set them, switched-off behaviors included.
    pub(crate) species: Vec<Edited>,
    /// The scene as it was loaded, for defaults.
    pub(crate) original: Scene,
    /// The agents whose reasons are shown.
    pub(crate) explained: Vec<AgentId>,
    pub(crate) paused: bool,
    /// Simulated seconds per second.
    pub(crate) time_scale: f32,
    /// What fraction of the time scale is reached.
    pub(crate) reached: f32,
    /// Single steps asked for while paused.
    pending_steps: u32,
    /// Simulated seconds that are due.
    due: f64,
    saved: Option<Snapshot>,
    /// Obstacles and walls while they are switched off.
    put_away: Option<Scene>,
    /// Why the simulation cannot go on.
    pub(crate) trouble: Option<String>,
    /// What happened last, for the audience.
    pub(crate) message: String,
}

/// A species with switches for its behaviors.
pub(crate) struct Edited {
    pub(crate) species: Species,
    pub(crate) enabled: Vec<bool>,
}

impl Edited {
    fn of(species: &Species) -> Self {
        Self { species: species.clone(), enabled: vec![true; species.behaviors.len()] }
    }

    /// The species with what is switched on.
    fn effective(&self) -> Species {
        let switched = self.species.behaviors.iter().zip(&self.enabled);
        let behaviors = switched.filter(|(_, on)| **on).map(|(behavior, _)| behavior.clone());
        Species { behaviors: behaviors.collect(), ..self.species.clone() }
    }
}

impl Session {
    pub(crate) fn new(options: &Options) -> Result<Self, Failure> {
        let simulation = crate::build(options)?;
        let explained = crate::explained::find(&simulation, &options.explain)?;
        Ok(Self::of(simulation, explained))
    }

    fn of(simulation: Simulation, explained: Vec<AgentId>) -> Self {
        let original = simulation.scene().clone();
        Self {
            species: original.species.iter().map(Edited::of).collect(),
            original,
            simulation,
            explained,
            paused: false,
            time_scale: 1.0,
            reached: 1.0,
            pending_steps: 0,
            due: 0.0,
            saved: None,
            put_away: None,
            trouble: None,
            message: String::new(),
        }
    }

    /// Takes the steps that are due after `elapsed` real time: as many as keep time, as long
    /// as they do not hold up the picture. Returns the stages' times of all of them.
    pub(crate) fn advance(&mut self, elapsed: Duration) -> Vec<StageTimes> {
        let mut taken = Vec::new();
        if self.trouble.is_some() {
            return taken;
        }
        if self.paused {
            for _ in 0..std::mem::take(&mut self.pending_steps) {
                self.step(&mut taken);
            }
            return taken;
        }
        let dt = 1.0 / f64::from(self.simulation.scene().steps_per_second);
        let wanted = elapsed.as_secs_f64().min(0.25) * f64::from(self.time_scale);
        self.due += wanted;
        let start = Instant::now();
        while self.due >= dt && self.trouble.is_none() && start.elapsed() < PATIENCE {
            self.due -= dt;
            self.step(&mut taken);
        }
        // What cannot be caught up is lost, and said so.
        let lost = (self.due - dt).max(0.0);
        self.due -= lost;
        if wanted > 0.0 {
            let share = (1.0 - lost / wanted).clamp(0.0, 1.0) as f32;
            self.reached += (share - self.reached) * 0.1;
        }
        taken
    }

    fn step(&mut self, taken: &mut Vec<StageTimes>) {
        match self.simulation.step() {
            Ok(()) => taken.push(self.simulation.stage_times()),
            Err(error) => {
                eprintln!("error: {error}");
                self.trouble = Some(error.to_string());
            }
        }
    }

    /// Pauses, and takes one step.
    pub(crate) fn step_once(&mut self) {
        self.paused = true;
        self.pending_steps += 1;
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
        self.replace(Scene::named(name).and_then(|scene| scene.build()), true);
    }

    /// Starts over, with another seed if given; what the audience has set stays.
    pub(crate) fn restart(&mut self, seed: Option<u64>) {
        let mut scene = self.simulation.scene().clone();
        scene.seed = seed.unwrap_or(scene.seed);
        self.replace(scene.build(), false);
    }

    /// Starts over with another number of agents.
    pub(crate) fn set_agents(&mut self, agents: usize) {
        let scene = self.simulation.scene().clone().agents(agents);
        self.replace(scene.and_then(|scene| scene.build()), false);
    }

    fn replace(&mut self, fresh: Result<Simulation, Error>, other_scene: bool) {
        let fresh = fresh.and_then(|mut fresh| {
            fresh.set_threads(self.simulation.threads())?;
            fresh.set_partition(self.simulation.partition());
            Ok(fresh)
        });
        match fresh {
            Ok(fresh) if other_scene => {
                let explained = vec![fresh.id_at(0)];
                let explained = if self.explained.is_empty() { Vec::new() } else { explained };
                *self = Self {
                    paused: self.paused,
                    time_scale: self.time_scale,
                    ..Self::of(fresh, explained)
                };
            }
            Ok(fresh) => {
                self.explained.retain(|&id| fresh.agent(id).is_ok());
                self.simulation = fresh;
                self.trouble = None;
            }
            Err(error) => self.message = error.to_string(),
        }
    }

    /// Makes the engine use what the audience has set for a species.
    pub(crate) fn apply(&mut self, kind: usize) {
        match self.simulation.set_species(&self.species[kind].effective()) {
            Ok(()) => self.message.clear(),
            Err(error) => self.message = error.to_string(),
        }
    }

    /// Changes the first species that has it: what the book's keys do.
    pub(crate) fn adjust(&mut self, mut change: impl FnMut(&mut Species) -> bool) {
        if let Some(kind) = (0..self.species.len()).find(|&k| change(&mut self.species[k].species))
        {
            self.apply(kind);
        }
    }

    /// Multiplies the weight of a behavior.
    pub(crate) fn adjust_weight(&mut self, behavior: &str, factor: f32) {
        self.adjust(|species| {
            let found = species.behaviors.iter_mut().find(|known| known.name() == behavior);
            found.map(|known| scale_weight(known, factor)).is_some()
        });
    }

    pub(crate) fn toggle_partition(&mut self) {
        self.simulation.set_partition(match self.simulation.partition() {
            Partition::Cells => Partition::AllPairs,
            Partition::AllPairs => Partition::Cells,
        });
    }

    /// Switches smoothed headings on and off.
    pub(crate) fn toggle_smoothing(&mut self) {
        let samples = match self.simulation.scene().heading_samples {
            Some(_) => None,
            None => Some(self.original.heading_samples.unwrap_or(10)),
        };
        self.report(|simulation| simulation.set_heading_samples(samples));
    }

    /// Takes obstacles and walls away, or puts them back.
    pub(crate) fn toggle_scenery(&mut self) {
        let scenery = match self.put_away.take() {
            Some(kept) => kept,
            None => {
                self.put_away = Some(self.simulation.scene().clone());
                Scene::default()
            }
        };
        self.report(|simulation| simulation.set_scenery(&scenery));
    }

    /// Does something that the engine may refuse.
    pub(crate) fn report(&mut self, act: impl FnOnce(&mut Simulation) -> Result<(), Error>) {
        if let Err(error) = act(&mut self.simulation) {
            self.message = error.to_string();
        }
    }

    /// Keeps the present state.
    pub(crate) fn save(&mut self) {
        self.saved = Some(self.simulation.snapshot());
        self.message = format!("saved step {}", self.simulation.tick());
    }

    /// Returns to the kept state.
    pub(crate) fn go_back(&mut self) {
        let Some(saved) = &self.saved else {
            self.message = "nothing is saved yet (F5)".into();
            return;
        };
        self.simulation.restore(saved);
        self.trouble = None;
        self.explained.retain(|&id| self.simulation.agent(id).is_ok());
        self.message = format!(
            "back at step {}, state {:016x}",
            self.simulation.tick(),
            self.simulation.state_hash()
        );
    }

    /// Runs on, comes back, runs on again in another way, and compares.
    pub(crate) fn check_determinism(&mut self) {
        let before = self.simulation.snapshot();
        let threads = self.simulation.threads();
        let run = |session: &mut Self, threads: usize| -> Result<u64, Error> {
            session.simulation.restore(&before);
            session.simulation.set_threads(threads)?;
            session.simulation.run(CHECKED_STEPS)?;
            Ok(session.simulation.state_hash())
        };
        let hashes = run(self, threads).and_then(|a| Ok((a, run(self, threads % 2 + 1)?)));
        self.simulation.restore(&before);
        self.report(|simulation| simulation.set_threads(threads));
        self.message = match hashes {
            Ok((a, b)) if a == b => format!("{CHECKED_STEPS} steps twice: the same {a:016x}"),
            Ok((a, b)) => format!("{CHECKED_STEPS} steps twice: {a:016x} and {b:016x} DIFFER"),
            Err(error) => error.to_string(),
        };
    }

    /// Shows the reasons of the agent nearest to a place, if one is within reach of it.
    pub(crate) fn pick(&mut self, at: [f32; 2], reach: f32) {
        let agents = self.simulation.agents();
        let distance_sq = |slot: &usize| {
            let (dx, dy) = (agents.x[*slot] - at[0], agents.y[*slot] - at[1]);
            dx * dx + dy * dy
        };
        let nearest = (0..agents.x.len()).min_by(|a, b| distance_sq(a).total_cmp(&distance_sq(b)));
        self.explained = match nearest {
            Some(slot) if distance_sq(&slot) <= reach * reach => vec![self.simulation.id_at(slot)],
            _ => Vec::new(),
        };
    }

    /// Moves the scene's first named point: the cursor, or where the dog is sent.
    pub(crate) fn lead(&mut self, to: [f32; 2]) {
        let Some(name) = self.simulation.scene().points.keys().next().cloned() else { return };
        self.report(|simulation| simulation.set_point(&name, to));
    }
}

/// Multiplies a behavior's weight within its range.
fn scale_weight(behavior: &mut Behavior, factor: f32) {
    for field in behavior.fields() {
        if let (true, flockwork::FieldValue::Number(weight)) = (field.name == "weight", field.value)
        {
            *weight = (*weight * factor).clamp(field.min, field.max);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn session(name: &str) -> Session {
        let simulation = Scene::named(name).unwrap().build().unwrap();
        Session::of(simulation, Vec::new())
    }

    #[test]
    fn time_passes_as_fast_as_the_scale_says() {
        let mut session = session("flock");
        for _ in 0..30 {
            session.advance(Duration::from_millis(20));
        }
        let steps = session.simulation.tick();
        assert!((34..=36).contains(&steps), "{steps} steps in 0.6 s");
        session.paused = true;
        session.advance(Duration::from_secs(1));
        assert_eq!(session.simulation.tick(), steps);
        session.step_once();
        session.advance(Duration::ZERO);
        assert_eq!(session.simulation.tick(), steps + 1);
    }

    #[test]
    fn every_scene_can_be_switched_to() {
        let mut session = session("stress");
        session.paused = true;
        for _ in 0..Scene::names().len() {
            session.switch_scene(1);
            assert!(session.message.is_empty() && session.trouble.is_none());
        }
        assert_eq!(session.original.name, "stress");
        session.switch_scene(-1);
        assert_eq!(Some(session.original.name.as_str()), Scene::names().last());
    }

    #[test]
    fn a_saved_state_comes_back_and_the_check_finds_both_runs_alike() {
        let mut session = session("big-shoal");
        session.advance(Duration::from_millis(200));
        let hash = session.simulation.state_hash();
        session.save();
        session.advance(Duration::from_millis(200));
        assert_ne!(session.simulation.state_hash(), hash);
        session.go_back();
        assert_eq!(session.simulation.state_hash(), hash);
        session.check_determinism();
        assert!(session.message.contains("the same"), "{}", session.message);
        assert_eq!(session.simulation.state_hash(), hash);
    }

    #[test]
    fn behaviors_can_be_switched_off_and_weights_changed() {
        let mut session = session("flock");
        session.adjust_weight("cohesion", 2.0);
        assert_eq!(session.simulation.scene().species[0].behaviors[2].weight(), 80.0);
        session.species[0].enabled[0] = false;
        session.apply(0);
        assert_eq!(session.simulation.scene().species[0].behaviors.len(), 3);
        session.species[0].enabled[0] = true;
        session.apply(0);
        assert_eq!(session.simulation.scene().species[0].behaviors.len(), 4);
    }

    #[test]
    fn what_the_engine_refuses_is_said_and_changes_nothing() {
        let mut session = session("flock");
        session.species[0].species.view_distance = f32::NAN;
        session.apply(0);
        assert!(session.message.contains("view_distance"), "{}", session.message);
        assert!(session.simulation.scene().species[0].view_distance.is_finite());
        session.advance(Duration::from_millis(100));
        assert!(session.trouble.is_none());
    }

    #[test]
    fn scenery_and_smoothing_can_be_switched() {
        let mut session = session("wall-avoidance");
        let walls = session.simulation.walls().len();
        session.toggle_scenery();
        assert_eq!(session.simulation.walls().len(), 0);
        session.toggle_scenery();
        assert_eq!(session.simulation.walls().len(), walls);
        session.toggle_smoothing();
        assert!(!session.simulation.agents().smooth_x.is_empty());
        session.toggle_smoothing();
        assert!(session.simulation.agents().smooth_x.is_empty());
    }

    #[test]
    fn the_nearest_agent_is_picked_and_points_can_be_moved() {
        let mut session = session("seek");
        let agents = session.simulation.agents();
        let at = [agents.x[7] + 0.1, agents.y[7]];
        let id = session.simulation.id_at(7);
        session.pick(at, 5.0);
        assert_eq!(session.explained, [id]);
        session.pick([1.0e6, 0.0], 5.0);
        assert!(session.explained.is_empty());
        session.lead([12.0, 34.0]);
        assert_eq!(session.simulation.scene().points["cursor"], [12.0, 34.0]);
    }
}
