use flockwork::{Scene, Simulation, World};

use super::frame::Readings;
use super::opening::with_aspect_ratio;
use super::{Session, Setup};
use crate::picture::explanation;
use crate::picture::view::check_memory;

impl Session {
    pub(crate) fn switch_scene(&mut self, by: isize) {
        let names: Vec<&str> = Scene::names().collect();
        let present = names.iter().position(|name| *name == self.shown.original.name);
        let next = present.map_or(0, |k| (k as isize + by).rem_euclid(names.len() as isize));
        self.open(names[next as usize]);
    }

    pub(crate) fn open(&mut self, name: &str) {
        let Some(scene) = self.ok_or_notify(Scene::named(name)) else { return };
        let said = format!("{name}: {}", scene.about);
        let (agents, world, aspect_ratio) = (scene.agent_count(), scene.world, self.aspect_ratio);
        self.build(
            agents,
            move || with_aspect_ratio(scene, aspect_ratio).build(),
            move |session, new| session.replace(new, world, said),
        );
    }

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
                if let Some(new) = session.ok_or_notify(built) {
                    then(session, new);
                }
            });
        });
    }

    /// Replaces the crowd, but keeps the session's threads, partition and time scale.
    fn replace(&mut self, new: Simulation, world: World, said: String) {
        let before = self.controls.clone();
        let explained = explanation::shown_first(&new).into_iter().collect();
        let shown = Readings {
            scenes_opened: self.shown.scenes_opened + 1,
            setups: self.shown.setups,
            ..Readings::of(new.scene().clone())
        };
        *self = Self {
            shown,
            checkpoint: self.checkpoint.take(),
            aspect_ratio: self.aspect_ratio,
            ..Self::of(new, explained)
        };
        self.set_world(world);
        self.controls = self.controls.clone().with_session_settings(&before);
        self.shown.message = said;
        self.limit_all_pairs();
    }

    fn with_settings(&self, mut new: Simulation) -> Result<Simulation, flockwork::Error> {
        // Zero pixels, because the window has already allocated its pictures.
        check_memory(&new, 0)?;
        new.set_threads(self.controls.threads)?;
        new.set_partition(self.controls.partition);
        Ok(new)
    }

    pub(crate) fn restart(&mut self, seed: Option<u64>) {
        let scene = self.simulation.scene().clone();
        let seed = seed.unwrap_or(scene.seed);
        self.rebuild(scene.seed(seed));
    }

    pub(crate) fn set_agents(&mut self, agents: usize) {
        let scene = self.simulation.scene().clone().agents(agents);
        let world = self.shown.original.world;
        self.rebuild(with_aspect_ratio(Scene { world, ..scene }, self.aspect_ratio));
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::MAX_ALL_PAIRS_AGENTS;
    use crate::session::tests::{set, settle};
    use clap::Parser;
    use flockwork::Partition;

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
}
