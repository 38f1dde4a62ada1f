//! Opens, rebuilds, checkpoints and saves crowds. A world without a fixed size gets the window's
//! aspect ratio. A flocking crowd has already formed flocks when the viewer first shows it.

use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use flockwork::internal::{file, memory};
use flockwork::{Scene, Simulation, Species, StartPlace, World};
use indicatif::HumanCount;

use super::controls::{Controls, Edits};
use super::jobs::{Reporter, WRITING};
use super::{Checkpoint, Session};
use crate::Error;
use crate::export::unused_name;
use crate::picture::explanation;
use crate::picture::view::check_memory;

/// Simulated seconds for a flocking crowd to form flocks before the first frame.
const FLOCKING_SECONDS: f32 = 5.0;
/// Maximum real time for the steps before the first frame. Large crowds take fewer steps.
const MAX_FLOCKING_TIME: Duration = Duration::from_millis(900);
/// A canceled save ends after at most this many bytes.
const CHUNK_BYTES: usize = 16 << 20;
/// A world grows only if the number of agents is at least this many times the scene's.
const MIN_GROWTH: f32 = 1.5;

impl Session {
    pub(crate) fn switch_scene(&mut self, by: isize) {
        let names: Vec<&str> = Scene::names().collect();
        let present = names.iter().position(|name| *name == self.shown.original.name);
        let next = present.map_or(0, |k| (k as isize + by).rem_euclid(names.len() as isize));
        self.open(names[next as usize]);
    }

    pub(crate) fn open(&mut self, name: &str) {
        let Some(scene) = self.ok_or_notify(Scene::named(name)) else { return };
        let (said, world) = (format!("{name}: {}", scene.about), scene.world);
        self.build(with_aspect_ratio(scene, self.aspect_ratio), move |session, new| {
            session.replace(new, world, said);
        });
    }

    /// Builds a crowd with the session's threads and partition.
    fn build(&mut self, scene: Scene, then: impl FnOnce(&mut Self, Simulation) + Send + 'static) {
        let agents = scene.agents_at_start();
        self.start(&format!("building {agents} agents"), agents, move |report| {
            let mut new = scene.build()?;
            // Pass 0 pixels: the window's pictures are already allocated.
            check_memory(&new, 0)?;
            report.update(move |session| {
                let Controls { threads, partition, .. } = session.controls;
                let wanted = new.execution().threads(threads).partition(partition);
                let set = new.set_execution(wanted);
                if session.ok_or_notify(set).is_some() {
                    then(session, new);
                }
            });
            Ok(())
        });
    }

    /// Replaces the crowd and the edits, but keeps the session's other settings.
    fn replace(&mut self, new: Simulation, world: World, said: String) {
        self.explained = explanation::shown_first(&new).into_iter().collect();
        self.shown.original = Arc::new(Scene { world, ..new.scene().clone() });
        self.simulation = new;
        self.begin_with(Edits::of(self.simulation.scene()), said);
    }

    /// The new epoch invalidates controls sent for the old crowd.
    fn begin_with(&mut self, edits: Edits, said: String) {
        self.controls.edits = edits;
        self.controls.epoch += 1;
        self.begin(said);
    }

    pub(crate) fn restart(&mut self, seed: Option<u64>) {
        let scene = self.simulation.scene().clone();
        let seed = seed.unwrap_or(scene.seed);
        self.rebuild(scene.seed(seed), String::new());
    }

    pub(crate) fn set_agents(&mut self, agents: usize) {
        let scene = self.simulation.scene().clone().agents(agents);
        let original = Arc::clone(&self.shown.original);
        let scene = with_aspect_ratio(Scene { world: original.world, ..scene }, self.aspect_ratio);
        let (scene, said) = with_room(scene, &original);
        self.rebuild(scene, said);
    }

    fn rebuild(&mut self, scene: Scene, said: String) {
        self.build(scene, move |session, new| {
            session.simulation = new;
            session.begin(said);
        });
    }

    /// Steps a flocking crowd before the first frame is shown. Ignores errors, because the next
    /// step reports them again.
    pub(super) fn form_flocks(&mut self) {
        let scene = self.simulation.scene();
        let seconds = if flocks(scene) { FLOCKING_SECONDS } else { 0.0 };
        let steps = (seconds * scene.steps_per_second) as u64;
        let start = Instant::now();
        while self.simulation.tick() < steps && start.elapsed() < MAX_FLOCKING_TIME {
            if self.simulation.step().is_err() {
                break;
            }
        }
    }

    pub(crate) fn save_checkpoint(&mut self) {
        if !self.try_apply(|simulation| memory::check(simulation.scene().estimated_bytes() / 2)) {
            return;
        }
        self.checkpoint = Some(Checkpoint {
            snapshot: self.simulation.snapshot(),
            edits: self.controls.edits.clone(),
            original: Arc::clone(&self.shown.original),
        });
        self.shown.message = format!("kept {}", self.state());
    }

    fn state(&self) -> String {
        let (tick, hash) = (self.simulation.tick(), self.simulation.state_hash());
        format!("step {tick}, state {hash:016x}")
    }

    pub(crate) fn save_snapshot(&mut self, folder: &Path) {
        let name = unused_name(&self.shown.original.name, self.simulation.tick(), folder);
        let path = folder.join(name + ".snapshot");
        // Saving needs memory for a copy of the state and for its serialized form.
        if !self.try_apply(|simulation| memory::check(simulation.scene().estimated_bytes())) {
            return;
        }
        let state = self.simulation.snapshot();
        let what = format!("{WRITING} {}", path.display());
        self.start(&what, self.simulation.len(), move |report| {
            let written = write(&path, &state.to_bytes(), report);
            if written.map_err(|error| Error::write(&path, &error))? {
                let said = format!("wrote {}, for --resume", path.display());
                report.update(move |session| session.shown.message = said);
            }
            Ok(())
        });
    }

    pub(crate) fn restore_checkpoint(&mut self) {
        if !self.check_not_writing() {
            return;
        }
        let Some(saved) = &self.checkpoint else {
            self.shown.message = "no state is kept yet (F5)".into();
            return;
        };
        self.job = None;
        self.simulation.restore(&saved.snapshot);
        self.shown.original = Arc::clone(&saved.original);
        self.begin_with(saved.edits.clone(), format!("back at {}", self.state()));
    }
}

/// Replaces a file. If the job is canceled meanwhile, leaves the file unchanged and returns false.
fn write(path: &Path, bytes: &[u8], report: &Reporter) -> io::Result<bool> {
    let mut file = file::Replacement::begin(path)?;
    for chunk in bytes.chunks(CHUNK_BYTES) {
        if !report.update(|_| ()) {
            return Ok(false);
        }
        file.write_all(chunk)?;
    }
    file.finish().map(|_| true)
}

pub(crate) fn flocks(scene: &Scene) -> bool {
    let rules = ["alignment", "cohesion", "flock_rules"];
    let mut behaviors = scene.species.iter().flat_map(|kind| &kind.behaviors);
    behaviors.any(|behavior| rules.contains(&behavior.name()))
}

/// If the crowd has at least [`MIN_GROWTH`] times as many agents as the original scene, enlarges a
/// world of fixed size so that each agent keeps as much room. A world in which the scene places
/// something stays as it is. Also returns a message for the user.
fn with_room(scene: Scene, original: &Scene) -> (Scene, String) {
    let times = scene.agents_at_start() as f32 / original.agents_at_start().max(1) as f32;
    let World { width: Some(width), height: Some(height), depth, .. } = original.world else {
        return (scene, String::new());
    };
    if times < MIN_GROWTH {
        return (scene, String::new());
    }
    if places_something(&scene) || scene.scatter.is_some() {
        let longer = HumanCount((times * times) as u64);
        let said = format!(
            "the world keeps its size, {times:.1} times as crowded: a step may take {longer} times \
             as long"
        );
        return (scene, said);
    }
    let growth = if depth.is_some() { times.cbrt() } else { times.sqrt() };
    let [width, height] = [width, height].map(|side| side * growth);
    let depth = depth.map(|side| side * growth);
    let sides = [Some(width), Some(height), depth].into_iter().flatten();
    let sides: Vec<String> = sides.map(|side| format!("{side:.0}")).collect();
    let said = format!("the world is now {}, so it is no more crowded", sides.join(" × "));
    let world = World { width: Some(width), height: Some(height), depth, ..original.world };
    (Scene { world, ..scene }, said)
}

/// True if the scene has scenery or points, or starts agents at given places.
fn places_something(scene: &Scene) -> bool {
    let starts = |kind: &Species| {
        !matches!(kind.start.place, StartPlace::Anywhere | StartPlace::Clusters { .. })
    };
    !(scene.obstacles.is_empty()
        && scene.walls.is_empty()
        && scene.paths.is_empty()
        && scene.routes.is_empty()
        && scene.points.is_empty())
        || scene.flow.is_some()
        || !scene.flows.is_empty()
        || scene.species.iter().any(starts)
}

/// If the number of agents determines the world's size, gives the world this aspect ratio (width
/// divided by height). By default, the engine makes such a world square. A world with depth stays a
/// cube, because it can be turned. A world in which the scene places something also stays as it is.
pub(super) fn with_aspect_ratio(scene: Scene, aspect_ratio: f32) -> Scene {
    let Some(neighbors) = scene.world.mean_neighbors else { return scene };
    if scene.world.dimensions == Some(3) || places_something(&scene) {
        return scene;
    }
    let Some(kind) = scene.species.first() else { return scene };
    let agents = scene.agents_at_start().max(1) as f32;
    let side = kind.view_distance * (agents * std::f32::consts::PI / neighbors).sqrt();
    let world = World {
        width: Some(side * aspect_ratio.sqrt()),
        height: Some(side / aspect_ratio.sqrt()),
        mean_neighbors: None,
        ..scene.world
    };
    Scene { world, ..scene }
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use flockwork::Partition;

    use super::*;
    use crate::session::MAX_ALL_PAIRS_AGENTS;
    use crate::session::tests::{set, settle};

    fn options(arguments: &[&str]) -> crate::options::Options {
        crate::options::Options::parse_from(["flockwork-viewer"].iter().chain(arguments))
    }

    #[test]
    fn large_crowds_never_get_all_pairs() {
        let many = (MAX_ALL_PAIRS_AGENTS + 1).to_string();
        let refused = Session::new(&options(&["--agents", &many, "--partition", "all-pairs"]), 1.0)
            .err()
            .unwrap();
        assert!(refused.to_string().contains("the window allows up to 300000"), "{refused}");

        let mut session = Session::named("stress");
        session.set_agents(MAX_ALL_PAIRS_AGENTS + 1);
        settle(&mut session);
        session.save_checkpoint();
        let all_pairs = |session: &mut Session| {
            session.open("flock");
            set(session, |controls| controls.partition = Partition::AllPairs);
            assert_eq!(session.simulation.execution().partition, Partition::AllPairs);
        };
        let refuses = |session: &Session| {
            assert_eq!(session.simulation.execution().partition, Partition::Cells);
            assert_eq!(session.controls.partition, Partition::Cells);
            assert!(session.shown.message.contains("300000"), "{}", session.shown.message);
        };
        all_pairs(&mut session);
        session.set_agents(MAX_ALL_PAIRS_AGENTS + 1);
        settle(&mut session);
        refuses(&session);
        all_pairs(&mut session);
        session.restore_checkpoint();
        refuses(&session);
    }

    /// Regression: the world was square, so a wide window showed almost two copies of it.
    #[test]
    fn a_world_whose_size_follows_from_its_agents_has_the_windows_shape() {
        let scene = Scene::named("stress").unwrap().agents(1_000);
        let [side, _] = scene.build().unwrap().world_size();
        for aspect_ratio in [0.5, 1.0, 1.78] {
            let [width, height] =
                with_aspect_ratio(scene.clone(), aspect_ratio).build().unwrap().world_size();
            assert!((width / height / aspect_ratio - 1.0).abs() < 1.0e-5);
            assert!((width * height / (side * side) - 1.0).abs() < 1.0e-5, "as many neighbors");
        }
        let flock = Scene::named("flock").unwrap();
        assert_eq!(with_aspect_ratio(flock.clone(), 1.78), flock, "its size is given");
    }

    /// Regression: a canceled save still wrote its file.
    #[test]
    fn a_canceled_save_leaves_the_previous_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state");
        std::fs::write(&path, "the previous file").unwrap();
        let (sender, updates) = std::sync::mpsc::channel();
        let report = Reporter(sender);
        assert!(write(&path, b"one", &report).unwrap());
        drop(updates);
        assert!(!write(&path, b"two", &report).unwrap());
        assert_eq!(std::fs::read(&path).unwrap(), b"one");
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1, "no temporary file is left");
    }

    /// Regression: the window rejected scenes that `--headless` accepts, or placed parts of a scene
    /// outside the world.
    #[test]
    fn a_world_in_which_the_scene_places_something_stays_square() {
        let scene = Scene::named("stress").unwrap().agents(1_000);
        let start = flockwork::Start::in_box([100.0, 800.0], [800.0, 880.0]);
        let started = scene.clone().species(Species::new("late", 9).start(start));
        let pointed = scene.point("exit", [5.0, 850.0]);
        for scene in [started, pointed] {
            assert_eq!(with_aspect_ratio(scene.clone(), 1.78), scene);
        }
        for name in ["heavy", "stress-clustered"] {
            let scene = Scene::named(name).unwrap();
            assert_ne!(with_aspect_ratio(scene.clone(), 1.78), scene, "{name}: anywhere will do");
        }
    }

    /// Regression: with a million agents in a world made for 600, a step took minutes, without a
    /// warning.
    #[test]
    fn a_world_of_fixed_size_grows_with_its_agents_or_tells_the_cost() {
        let mut session = Session::named("flock");
        let [width, height] = session.simulation.world_size();
        session.set_agents(60_000);
        settle(&mut session);
        let [wide, high] = session.simulation.world_size();
        assert!((wide / width - 10.0).abs() < 1.0e-3 && (high / height - 10.0).abs() < 1.0e-3);
        assert!(session.shown.message.contains("no more crowded"), "{}", session.shown.message);
        session.set_agents(300);
        settle(&mut session);
        assert_eq!(session.simulation.world_size(), [width, height], "the scene's again");
        assert_eq!(session.shown.message, "");

        let mut session = Session::named("birds-3d");
        let agents = session.simulation.len();
        let depth = session.simulation.world().depth.unwrap();
        session.set_agents(8 * agents);
        settle(&mut session);
        assert!((session.simulation.world().depth.unwrap() / depth - 2.0).abs() < 1.0e-3);

        let mut session = Session::named("evacuation");
        let size = session.simulation.world_size();
        session.set_agents(4_000);
        settle(&mut session);
        assert_eq!(session.simulation.world_size(), size, "walls do not move");
        assert!(session.shown.message.contains("4 times as long"), "{}", session.shown.message);
    }

    #[test]
    fn only_crowds_that_flock_take_steps_before_the_first_frame() {
        for (name, steps) in [("flock", 300), ("flock-rules", 300), ("seek", 0), ("hide", 0)] {
            let mut session = Session::named(name);
            session.form_flocks();
            let tick = session.simulation.tick();
            assert!(tick <= steps && (tick > 0) == (steps > 0), "{name}: {tick}");
        }
    }

    #[test]
    fn what_was_off_when_the_state_was_kept_can_be_switched_on_again() {
        let mut session = Session::named("wall-avoidance");
        let walls = session.simulation.walls().len();
        let behaviors = session.simulation.scene().species[0].behaviors.len();
        set(&mut session, |controls| {
            controls.edits.standing.walls = false;
            controls.edits.species[0].enabled[0] = false;
        });
        session.save_checkpoint();
        set(&mut session, |controls| {
            controls.edits.standing.walls = true;
            controls.edits.species[0].enabled[0] = true;
        });
        session.restore_checkpoint();
        assert!(
            !session.controls.edits.standing.walls && !session.controls.edits.species[0].enabled[0]
        );
        assert_eq!(session.simulation.walls().len(), 0);
        set(&mut session, |controls| {
            controls.edits.standing.walls = true;
            controls.edits.species[0].enabled[0] = true;
        });
        assert_eq!(session.simulation.walls().len(), walls);
        assert_eq!(session.simulation.scene().species[0].behaviors.len(), behaviors);
    }

    #[test]
    fn controls_sent_before_returning_are_ignored() {
        let mut session = Session::named("flock");
        let original = Arc::clone(&session.shown.original);
        session.save_checkpoint();
        let mut late = session.controls.clone();
        late.edits.non_penetration = 3;
        session.restore_checkpoint();
        session.set(late);
        assert_eq!(session.simulation.scene().non_penetration, 0);
        assert!(Arc::ptr_eq(&session.shown.original, &original), "the camera stays");
        session.open("big-shoal");
        session.restore_checkpoint();
        assert_eq!(session.shown.original.name, "flock");
    }
}
