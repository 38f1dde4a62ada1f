//! Opening other scenes, reloading a changed file, and restarting.

use std::path::Path;

use flockwork::{AgentId, Scene, Simulation, Snapshot};

use super::Session;
use super::file_watcher::{self, FileWatcher};
use super::rest::Rest;
use crate::options::Overrides;
use crate::picture::view::check_memory;

impl Session {
    /// Opens the scene `by` places further in the list.
    pub(crate) fn switch_scene(&mut self, by: isize) {
        let names: Vec<&str> = Scene::names().collect();
        let present = names.iter().position(|name| *name == self.original.name);
        let next = present.map_or(0, |k| (k as isize + by).rem_euclid(names.len() as isize));
        self.open(names[next as usize]);
    }

    /// Opens a built-in scene.
    pub(crate) fn open(&mut self, name: &str) {
        if self.replace_scene(Scene::named(name).and_then(|scene| scene.build()), None) {
            let about = &self.original.about;
            self.say_opened(format!("{name}: {about}"));
        }
    }

    /// Opens a scene file, or a snapshot.
    pub(crate) fn open_file(&mut self, path: &Path) {
        let built = match file_watcher::is_scene(path) {
            true => Scene::load(path).and_then(|scene| scene.build()),
            false => Snapshot::load(path).and_then(|snapshot| snapshot.build()),
        };
        if self.replace_scene(built, FileWatcher::for_scene(path)) {
            self.say_opened(format!("opened {}", path.display()));
        }
    }

    /// Replaces the message about what was tried before, unless there is something to say already.
    fn say_opened(&mut self, words: String) {
        if self.message.is_empty() {
            self.message = words;
        }
    }

    fn replace_scene(
        &mut self,
        new: Result<Simulation, flockwork::Error>,
        file: Option<FileWatcher>,
    ) -> bool {
        let watching = !self.explained.is_empty();
        let first = |new: &Simulation| (watching && !new.is_empty()).then(|| new.id_at(0));
        let replaced = self.replace(new, |new| first(new).into_iter().collect());
        if replaced {
            self.scenes_opened += 1;
            self.file = file;
            self.overrides = Overrides::default();
        }
        replaced
    }

    /// Replaces the crowd, but keeps threads, partition and time scale. Returns whether it could be
    /// built.
    fn replace(
        &mut self,
        new: Result<Simulation, flockwork::Error>,
        explained: impl FnOnce(&Simulation) -> Vec<AgentId>,
    ) -> bool {
        let new = match new.and_then(|new| self.with_settings(new)) {
            Ok(new) => new,
            Err(error) => {
                self.message = error.to_string();
                return false;
            }
        };
        let explained = explained(&new);
        let before = self.controls.clone();
        *self = Self {
            file: self.file.take(),
            overrides: self.overrides,
            checkpoint: self.checkpoint.take(),
            scenes_opened: self.scenes_opened,
            ..Self::of(new, explained)
        };
        self.controls = self.controls.clone().with_session_of(&before);
        self.limit_all_pairs();
        true
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
        let mut scene = self.simulation.scene().clone();
        scene.seed = seed.unwrap_or(scene.seed);
        self.rebuild(&scene);
    }

    /// Restarts with the next seed.
    pub(crate) fn reseed(&mut self) {
        self.restart(Some(self.simulation.scene().seed.wrapping_add(1)));
    }

    /// Restarts with another number of agents.
    pub(crate) fn set_agents(&mut self, agents: usize) {
        match self.simulation.scene().clone().agents(agents) {
            Ok(scene) => self.rebuild(&scene),
            Err(error) => self.message = error.to_string(),
        }
    }

    fn rebuild(&mut self, scene: &Scene) {
        match scene.build().and_then(|new| self.with_settings(new)) {
            Ok(new) => {
                self.simulation = new;
                self.pending_steps = 0;
                self.rest = Rest::default();
                self.touched = false;
                self.edits.forget_agents();
                self.forward = None;
                self.comparison = None;
                self.failure = None;
                self.message.clear();
                self.limit_all_pairs();
            }
            Err(error) => self.message = error.to_string(),
        }
    }

    /// Reloads the scene's file if it has changed; returns whether it has. If the file is invalid,
    /// the message says why and the crowd runs on.
    pub(super) fn reload_if_changed(&mut self) -> bool {
        let Some(file) = &mut self.file else { return false };
        if !file.has_changed() {
            return false;
        }
        let path = file.path.clone();
        let wanted = Scene::load(&path).and_then(|scene| self.overrides.applied_to(scene));
        let explained = std::mem::take(&mut self.explained);
        let still = |new: &Simulation| {
            explained.iter().copied().filter(|&id| new.agent(id).is_ok()).collect()
        };
        if self.replace(wanted.and_then(|scene| scene.build()), still) {
            if self.message.is_empty() {
                self.message = format!("reloaded {}", path.display());
            }
        } else {
            self.explained = explained;
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::MAX_ALL_PAIRS_AGENTS;
    use crate::session::tests::set;
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
            let scene = Scene::named("flock").unwrap().agents(agents).unwrap().seed(7);
            std::fs::write(&path, scene.to_toml()).unwrap();
            let later = SystemTime::now() + Duration::from_secs(seconds);
            std::fs::File::open(&path).unwrap().set_modified(later).unwrap();
        };
        write(100, 0);
        let name = path.display().to_string();
        let options =
            options(&["--scene", &name, "--agents", "50", "--seed", "3", "--explain", "9"]);
        let mut session = Session::new(&options).unwrap();
        write(200, 10);
        session.file.as_mut().unwrap().poll_now();
        assert!(session.advance(Duration::ZERO));
        let wanted = |session: &Session| (session.simulation.len(), session.original.seed);
        assert_eq!(wanted(&session), (50, 3), "{}", session.message);
        assert_eq!(session.explained[0].index, 9);
        assert_eq!(session.scenes_opened, 0, "the camera stays");

        session.open_file(&path);
        assert_eq!(wanted(&session), (200, 7), "opened by the user, it is unchanged");
        assert_eq!(session.scenes_opened, 1);
    }

    #[test]
    fn large_crowds_never_get_all_pairs() {
        let many = (MAX_ALL_PAIRS_AGENTS + 1).to_string();
        let refused =
            Session::new(&options(&["--agents", &many, "--partition", "all-pairs"])).err().unwrap();
        assert!(refused.to_string().contains("allowed up to 300000"), "{refused}");

        let mut session = Session::named("stress");
        session.set_agents(MAX_ALL_PAIRS_AGENTS + 1);
        session.save_checkpoint();
        let all_pairs = |session: &mut Session| {
            session.open("flock");
            set(session, |controls| controls.partition = Partition::AllPairs);
            assert_eq!(session.simulation.partition(), Partition::AllPairs);
        };
        let refuses = |session: &Session| {
            assert_eq!(session.simulation.partition(), Partition::Cells);
            assert_eq!(session.controls.partition, Partition::Cells);
            assert!(session.message.contains("300000"), "{}", session.message);
        };
        all_pairs(&mut session);
        session.set_agents(MAX_ALL_PAIRS_AGENTS + 1);
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
