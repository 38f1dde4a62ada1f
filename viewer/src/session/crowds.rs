//! Opens, rebuilds, checkpoints and saves crowds.

use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use flockwork::Scene;
use flockwork::internal::memory;
use indicatif::HumanCount;

use super::building::{Building, Next};
use super::controls::{Controls, Edits};
use super::{Checkpoint, Session};
use crate::export::unused_name;
use crate::picture::explanation;

/// Crowds of at most this many agents are built at once, because that takes less time than drawing
/// a frame.
const MAX_SYNCHRONOUS_AGENTS: usize = 20_000;
/// A message says what more agents cost if they are at least this many times the scene's.
const MIN_CROWDED: f32 = 1.5;

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
        self.build(scene, Next::Open(said));
    }

    /// Starts to build a crowd, instead of any crowd that is being built already.
    fn build(&mut self, scene: Scene, next: Next) {
        let agents = scene.agents_at_start();
        let Some(building) = self.ok_or_notify(Building::start(scene, next)) else { return };
        self.building = None;
        if agents > MAX_SYNCHRONOUS_AGENTS {
            self.building = Some(building);
        } else {
            self.end(building);
        }
    }

    /// Takes over the crowd once it is built. Returns false if none is being built.
    pub(super) fn take_built(&mut self) -> bool {
        let was_building = self.building.is_some();
        if let Some(building) = self.building.take_if(|building| building.thread.is_finished()) {
            self.end(building);
        }
        was_building
    }

    /// Waits for the crowd and takes it over, with the session's threads and partition.
    fn end(&mut self, building: Building) {
        let Some((mut new, next)) = self.ok_or_notify(building.finish()) else { return };
        let Controls { threads, partition, .. } = self.controls;
        let set = new.set_execution(new.execution().threads(threads).partition(partition));
        if self.ok_or_notify(set).is_none() {
            return;
        }
        self.simulation = new;
        match next {
            Next::Open(said) => {
                self.explained = explanation::shown_first(&self.simulation).into_iter().collect();
                self.shown.original = Arc::new(self.simulation.scene().clone());
                self.begin_with(Edits::of(self.simulation.scene()), said);
            }
            Next::Restart(said) => self.begin(said),
        }
    }

    pub(crate) fn cancel(&mut self) {
        if let Some(building) = self.building.take() {
            self.shown.message = format!("canceled: {}", building.what);
        }
    }

    /// Returns false and shows a message while a crowd is being built, because that crowd would
    /// lack an edit made now.
    pub(super) fn check_editable(&mut self) -> bool {
        if let Some(building) = &self.building {
            self.shown.message = format!("wait, or cancel: {}", building.what);
        }
        self.building.is_none()
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
        self.build(scene.seed(seed), Next::Restart(String::new()));
    }

    pub(crate) fn set_agents(&mut self, agents: usize) {
        let scene = self.simulation.scene().clone().agents(agents);
        let said = cost(&scene, &self.shown.original);
        self.build(scene, Next::Restart(said));
    }

    pub(crate) fn save_checkpoint(&mut self) {
        if !self.try_apply(|simulation| memory::check(simulation.estimated_bytes() / 2)) {
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
        let written = self.try_apply(|simulation| {
            // Saving needs memory for a copy of the state and for its serialized form.
            memory::check(simulation.estimated_bytes())?;
            simulation.snapshot().save(&path)
        });
        self.written = Some(written);
        if written {
            self.shown.message = format!("wrote {}, for --resume", path.display());
        }
    }

    /// Prints the outcome of a save that the window has not shown. Returns false if it failed.
    pub(super) fn finish(self) -> bool {
        let Some(written) = self.written else { return true };
        let mark = if written { "" } else { "error: " };
        // Standard error may be closed, so failures are ignored.
        let _ = writeln!(io::stderr(), "{mark}{}", self.shown.message);
        written
    }

    pub(crate) fn restore_checkpoint(&mut self) {
        let Some(saved) = &self.checkpoint else {
            self.shown.message = "no state is kept yet (F5)".into();
            return;
        };
        self.building = None;
        self.simulation.restore(&saved.snapshot);
        self.shown.original = Arc::clone(&saved.original);
        self.begin_with(saved.edits.clone(), format!("back at {}", self.state()));
    }
}

pub(crate) fn flocks(scene: &Scene) -> bool {
    let rules = ["alignment", "cohesion", "flock_rules"];
    let mut behaviors = scene.species.iter().flat_map(|kind| &kind.behaviors);
    behaviors.any(|behavior| rules.contains(&behavior.name()))
}

/// Says how much more crowded a world of fixed size is than in the original scene.
fn cost(scene: &Scene, original: &Scene) -> String {
    let times = scene.agents_at_start() as f32 / original.agents_at_start().max(1) as f32;
    if times < MIN_CROWDED || scene.world.mean_neighbors.is_some() {
        return String::new();
    }
    let longer = HumanCount((times * times) as u64);
    format!("{times:.1} times as crowded: a step may take {longer} times as long")
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
        let refused =
            Session::new(&options(&["--agents", &many, "--partition", "all-pairs"])).err().unwrap();
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

    /// Regression: with a million agents in a world made for 600, a step took minutes, without a
    /// warning.
    #[test]
    fn more_agents_in_a_world_of_fixed_size_come_with_their_cost() {
        for (name, times, said) in [
            ("flock", 2, "2.0 times as crowded: a step may take 4 times as long"),
            ("birds-3d", 1, ""),
            ("evacuation", 20, "20.0 times as crowded: a step may take 400 times as long"),
            ("heavy", 2, ""),
        ] {
            let mut session = Session::named(name);
            let size = session.simulation.world_size();
            session.set_agents(times * session.simulation.len());
            settle(&mut session);
            assert_eq!(session.shown.message, said, "{name}");
            assert_eq!(session.simulation.world_size() == size, name != "heavy", "{name}");
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
