//! Other scenes, and the same scene from the beginning.

use std::path::Path;

use flockwork::{AgentId, Scene, Simulation, Snapshot};

use super::Session;
use super::controls::Controls;
use super::file_watcher::{self, Watched};
use crate::options::Overrides;
use crate::picture::trails::Trails;

impl Session {
    /// Goes `by` scenes on in the list.
    pub(crate) fn switch_scene(&mut self, by: isize) {
        let names: Vec<&str> = Scene::names().collect();
        let present = names.iter().position(|name| *name == self.original.name);
        let next = present.map_or(0, |k| (k as isize + by).rem_euclid(names.len() as isize));
        self.open(names[next as usize]);
    }

    /// Opens an embedded scene.
    pub(crate) fn open(&mut self, name: &str) {
        self.open_another(Scene::named(name).and_then(|scene| scene.build()), None);
    }

    /// Opens a scene file, or a snapshot.
    pub(crate) fn open_file(&mut self, path: &Path) {
        let built = match file_watcher::is_scene(path) {
            true => Scene::load(path).and_then(|scene| scene.build()),
            false => Snapshot::load(path).and_then(|snapshot| snapshot.build()),
        };
        self.open_another(built, Watched::if_scene(path));
    }

    fn open_another(&mut self, fresh: Result<Simulation, flockwork::Error>, file: Option<Watched>) {
        let watching = !self.explained.is_empty();
        let first = |fresh: &Simulation| (watching && !fresh.is_empty()).then(|| fresh.id_at(0));
        if self.replace(fresh, |fresh| first(fresh).into_iter().collect()) {
            self.scenes += 1;
            self.file = file;
            self.overrides = Overrides::default();
        }
    }

    /// Starts another crowd; threads, partition and the pace stay. Returns whether it could be
    /// built.
    fn replace(
        &mut self,
        fresh: Result<Simulation, flockwork::Error>,
        explained: impl FnOnce(&Simulation) -> Vec<AgentId>,
    ) -> bool {
        let fresh = match fresh.and_then(|fresh| self.prepared(fresh)) {
            Ok(fresh) => fresh,
            Err(error) => {
                self.message = error.to_string();
                return false;
            }
        };
        let explained = explained(&fresh);
        let Controls { opening, paused, time_scale, color_by, trails, .. } = self.controls;
        *self = Self {
            file: self.file.take(),
            overrides: self.overrides,
            saved: self.saved.take(),
            scenes: self.scenes,
            ..Self::of(fresh, explained)
        };
        self.trails = Trails::new(trails);
        self.controls = Controls {
            opening: opening + 1,
            paused,
            time_scale,
            color_by,
            trails,
            ..self.controls.clone()
        };
        self.limit_all_pairs();
        true
    }

    /// A new simulation with what does not belong to its scene.
    fn prepared(&self, mut fresh: Simulation) -> Result<Simulation, flockwork::Error> {
        fresh.set_threads(self.controls.threads)?;
        fresh.set_partition(self.controls.partition);
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
                self.simulation = fresh;
                self.comparison = None;
                self.trouble = None;
                self.message.clear();
                self.limit_all_pairs();
            }
            Err(error) => self.message = error.to_string(),
        }
    }

    /// Reads the scene's file again if it has changed; returns whether it has. What is wrong
    /// with it is said, and the scene goes on as it was.
    pub(super) fn follow_file(&mut self) -> bool {
        let Some(file) = &mut self.file else { return false };
        if !file.has_changed() {
            return false;
        }
        let path = file.path.clone();
        let wanted = Scene::load(&path).and_then(|scene| self.overrides.applied_to(scene));
        let explained = std::mem::take(&mut self.explained);
        let still = |fresh: &Simulation| {
            explained.iter().copied().filter(|&id| fresh.agent(id).is_ok()).collect()
        };
        if self.replace(wanted.and_then(|scene| scene.build()), still) {
            if self.message.is_empty() {
                self.message = format!("read {} again", path.display());
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
    use crate::session::MOST_FOR_ALL_PAIRS;
    use crate::session::tests::set;
    use clap::Parser;
    use flockwork::Partition;
    use std::time::{Duration, SystemTime};

    fn options(arguments: &[&str]) -> crate::options::Options {
        crate::options::Options::parse_from(["flockwork-viewer"].iter().chain(arguments))
    }

    #[test]
    fn a_file_that_is_read_again_keeps_the_command_line_and_the_explained_agent() {
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
        session.file.as_mut().unwrap().look_now();
        assert!(session.advance(Duration::ZERO));
        let wanted = |session: &Session| (session.simulation.len(), session.original.seed);
        assert_eq!(wanted(&session), (50, 3), "{}", session.message);
        assert_eq!(session.explained[0].index, 9);
        assert_eq!(session.scenes, 0, "the camera stays");

        session.open_file(&path);
        assert_eq!(wanted(&session), (200, 7), "opened anew, it is as it is");
        assert_eq!(session.scenes, 1);
    }

    #[test]
    fn no_way_leads_to_all_pairs_of_too_many() {
        let many = (MOST_FOR_ALL_PAIRS + 1).to_string();
        let refused =
            Session::new(&options(&["--agents", &many, "--partition", "all-pairs"])).err().unwrap();
        assert!(refused.to_string().contains("allowed up to 300000"), "{refused}");

        let mut session = Session::named("stress");
        session.set_agents(MOST_FOR_ALL_PAIRS + 1);
        session.save();
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
        session.set_agents(MOST_FOR_ALL_PAIRS + 1);
        refuses(&session);
        all_pairs(&mut session);
        session.go_back();
        refuses(&session);
    }
}
