//! Opening other scenes, reloading a changed file, and restarting.

use std::path::Path;

use flockwork::{AgentId, Scene, Simulation, Snapshot, World};

use super::file_watcher::FileWatcher;
use super::frame::Readings;
use super::opening::shaped;
use super::{Session, Setup};
use crate::picture::explanation;
use crate::picture::view::check_memory;

/// What a snapshot takes for an agent, about.
const BYTES_PER_AGENT: u64 = 32;

impl Session {
    /// Opens the scene `by` places further in the list.
    pub(crate) fn switch_scene(&mut self, by: isize) {
        let names: Vec<&str> = Scene::names().collect();
        let present = names.iter().position(|name| *name == self.shown.original.name);
        let next = present.map_or(0, |k| (k as isize + by).rem_euclid(names.len() as isize));
        self.open(names[next as usize]);
    }

    /// Opens a built-in scene.
    pub(crate) fn open(&mut self, name: &str) {
        let Some(scene) = self.or_say(Scene::named(name)) else { return };
        let said = format!("{name}: {}", scene.about);
        self.open_scene(scene, None, said);
    }

    /// Opens a scene file, or a snapshot.
    pub(crate) fn open_file(&mut self, path: &Path) {
        let said = format!("opened {}", path.display());
        let file = FileWatcher::for_scene(path);
        if file.is_none() {
            let bytes = path.metadata().map_or(0, |about| about.len());
            let path = path.to_owned();
            let source = move || Snapshot::load(path).and_then(|snapshot| snapshot.build());
            let agents = (bytes / BYTES_PER_AGENT) as usize;
            return self.replace_scene(agents, source, None, None, said);
        }
        let Some(scene) = self.or_say(Scene::load(path)) else { return };
        self.open_scene(scene, file, said);
    }

    fn open_scene(&mut self, scene: Scene, file: Option<FileWatcher>, said: String) {
        let (agents, world, shape) = (scene.agent_count(), scene.world, self.shape);
        let source = move || shaped(scene, shape).build();
        self.replace_scene(agents, source, Some(world), file, said);
    }

    /// Builds a crowd, on a thread of its own if it is large, and hands it over.
    fn build(
        &mut self,
        agents: usize,
        source: impl FnOnce() -> Result<Simulation, flockwork::Error> + Send + 'static,
        then: impl FnOnce(&mut Self, Simulation) + Send + 'static,
    ) {
        self.start(&format!("building {agents} agents"), agents, move |report| {
            let built = source();
            report.update(move |session: &mut Self| {
                let built = built.and_then(|new| session.with_settings(new));
                if let Some(new) = session.or_say(built) {
                    then(session, new);
                }
            });
        });
    }

    fn replace_scene(
        &mut self,
        agents: usize,
        source: impl FnOnce() -> Result<Simulation, flockwork::Error> + Send + 'static,
        world: Option<World>,
        file: Option<FileWatcher>,
        said: String,
    ) {
        self.build(agents, source, move |session, new| {
            let explained = explanation::shown_first(&new).into_iter().collect();
            session.replace(new, world, explained, said);
            session.shown.scenes_opened += 1;
            session.file = file;
            session.options = None;
        });
    }

    /// Replaces the crowd, but keeps threads, partition and time scale.
    fn replace(
        &mut self,
        new: Simulation,
        world: Option<World>,
        explained: Vec<AgentId>,
        said: String,
    ) {
        let before = self.controls.clone();
        let shown = Readings {
            scenes_opened: self.shown.scenes_opened,
            setups: self.shown.setups,
            ..Readings::of(new.scene().clone())
        };
        *self = Self {
            shown,
            file: self.file.take(),
            options: self.options.take(),
            checkpoint: self.checkpoint.take(),
            shape: self.shape,
            ..Self::of(new, explained)
        };
        world.into_iter().for_each(|world| self.set_world(world));
        self.controls = self.controls.clone().with_session_of(&before);
        self.shown.message = said;
        self.limit_all_pairs();
    }

    /// A new simulation with the session's threads and partition.
    fn with_settings(&self, mut new: Simulation) -> Result<Simulation, flockwork::Error> {
        // The window has its pixels.
        check_memory(&new, 0)?;
        new.set_threads(self.controls.threads)?;
        new.set_partition(self.controls.partition);
        Ok(new)
    }

    /// Restarts, with another seed if given; the user's settings stay.
    pub(crate) fn restart(&mut self, seed: Option<u64>) {
        let scene = self.simulation.scene().clone();
        let seed = seed.unwrap_or(scene.seed);
        self.rebuild(scene.seed(seed));
    }

    /// Restarts with another number of agents.
    pub(crate) fn set_agents(&mut self, agents: usize) {
        let scene = self.simulation.scene().clone().agents(agents);
        let world = self.shown.original.world;
        self.rebuild(shaped(Scene { world, ..scene }, self.shape));
    }

    fn rebuild(&mut self, scene: Scene) {
        let agents = scene.agent_count();
        self.build(
            agents,
            move || scene.build(),
            move |session, new| {
                session.simulation = new;
                session.setup = Setup::default();
                session.queued_steps = 0;
                session.shown.failure = None;
                session.shown.message.clear();
                session.limit_all_pairs();
            },
        );
    }

    /// Reloads the scene's file if it has changed; returns whether it has. If the file is invalid,
    /// the message says why and the crowd runs on.
    pub(super) fn reload_if_changed(&mut self) -> bool {
        let Some(file) = self.file.as_mut().filter(|_| self.job.is_none()) else { return false };
        if !file.has_changed() {
            return false;
        }
        let said = format!("reloaded {}", file.path.display());
        let scene = Scene::load(&file.path).map(|scene| match &self.options {
            Some(options) => options.applied_to(scene),
            None => scene,
        });
        if let Some(scene) = self.or_say(scene) {
            let (world, shape) = (scene.world, self.shape);
            self.build(
                scene.agent_count(),
                move || shaped(scene, shape).build(),
                move |session, new| {
                    let mut explained = std::mem::take(&mut session.explained);
                    explained.retain(|&id| new.agent(id).is_ok());
                    session.replace(new, Some(world), explained, said);
                },
            );
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::MAX_ALL_PAIRS_AGENTS;
    use crate::session::tests::{set, settle};
    use clap::Parser;
    use flockwork::Partition;
    use std::time::{Duration, SystemTime};

    fn options(arguments: &[&str]) -> crate::options::Options {
        crate::options::Options::parse_from(["flockwork-viewer"].iter().chain(arguments))
    }

    #[test]
    fn reloading_keeps_the_command_line_and_the_explained_agent() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("mine.toml");
        let write = |agents: usize, seconds: u64| {
            let scene = Scene::named("flock").unwrap().agents(agents).seed(7);
            std::fs::write(&path, scene.to_toml()).unwrap();
            let later = SystemTime::now() + Duration::from_secs(seconds);
            std::fs::File::open(&path).unwrap().set_modified(later).unwrap();
        };
        write(100, 0);
        let name = path.display().to_string();
        let options =
            options(&["--scene", &name, "--agents", "50", "--seed", "3", "--explain", "9"]);
        let mut session = Session::new(&options, 1.5).unwrap();
        write(200, 10);
        session.file.as_mut().unwrap().poll_now();
        assert!(session.advance(Duration::ZERO));
        let wanted = |session: &Session| (session.simulation.len(), session.shown.original.seed);
        assert_eq!(wanted(&session), (50, 3), "{}", session.shown.message);
        assert_eq!(session.explained[0].index, 9);
        assert_eq!(session.shown.scenes_opened, 0, "the camera stays");

        session.open_file(&path);
        assert_eq!(wanted(&session), (200, 7), "opened by the user, it is unchanged");
        assert_eq!(session.shown.scenes_opened, 1);
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
            assert_eq!(session.simulation.partition(), Partition::AllPairs);
        };
        let refuses = |session: &Session| {
            assert_eq!(session.simulation.partition(), Partition::Cells);
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

    #[test]
    fn a_message_about_a_bad_file_goes_when_a_good_one_is_opened() {
        let folder = tempfile::tempdir().unwrap();
        let good = folder.path().join("good.toml");
        std::fs::write(&good, Scene::named("flock").unwrap().to_toml()).unwrap();
        let mut session = Session::named("flock");
        let said = |session: &mut Session| session.new_frame().readings.message;
        session.open_file(&folder.path().join("bad.toml"));
        assert!(said(&mut session).contains("bad.toml"));
        session.open_file(&good);
        let words = said(&mut session);
        assert!(words.contains("opened") && words.contains("good.toml"), "{words}");
        session.open_file(&folder.path().join("bad.snapshot"));
        assert!(said(&mut session).contains("bad.snapshot"));
        session.open("seek");
        assert!(said(&mut session).starts_with("seek: "));
    }
}
