//! Saving the state, in memory or to a file, and returning to it.

use std::path::Path;
use std::sync::Arc;

use super::Session;
use super::checkpoint::Checkpoint;
use crate::export::files::unused_name;

impl Session {
    /// Keeps the present state in memory.
    pub(crate) fn save_checkpoint(&mut self) {
        // A driven agent has its own behaviors in the saved state; the next press drives it again.
        self.stop_driving();
        self.checkpoint = Some(Checkpoint {
            snapshot: self.simulation.snapshot(),
            controls: self.controls.clone(),
            original: Arc::clone(&self.original),
            scenery: self.scenery.clone(),
        });
        self.message = format!(
            "kept step {}, state {:016x}",
            self.simulation.tick(),
            self.simulation.state_hash()
        );
    }

    /// Writes the present state to a file named after the scene and step.
    pub(crate) fn save_snapshot(&mut self, folder: &Path) {
        self.stop_driving();
        let name = unused_name(&self.original.name, self.simulation.tick(), folder);
        let path = folder.join(name + ".snapshot");
        self.message = match self.simulation.snapshot().save(&path) {
            Ok(()) => format!("wrote {}: --resume or drop it on the window", path.display()),
            Err(error) => error.to_string(),
        };
    }

    /// Returns to the kept state and its settings.
    pub(crate) fn restore_checkpoint(&mut self) {
        let Some(saved) = &self.checkpoint else {
            self.message = "no state is kept yet (F5)".into();
            return;
        };
        self.simulation.restore(&saved.snapshot);
        if saved.original.name != self.original.name {
            self.scenes_opened += 1;
            self.file = None;
        }
        self.original = Arc::clone(&saved.original);
        self.scenery.clone_from(&saved.scenery);
        // Settings of the session stay. Controls sent for the previous crowd are out of date.
        self.controls = saved.controls.clone().with_session_of(&self.controls);
        self.dragged_point = None;
        self.driven = None;
        self.failure = None;
        self.comparison = None;
        self.message = format!(
            "back at step {}, state {:016x}",
            self.simulation.tick(),
            self.simulation.state_hash()
        );
        self.limit_all_pairs();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::tests::set;

    #[test]
    fn what_was_off_when_the_state_was_kept_can_be_switched_on_again() {
        let mut session = Session::named("wall-avoidance");
        let walls = session.simulation.walls().len();
        let behaviors = session.simulation.scene().species[0].behaviors.len();
        set(&mut session, |controls| {
            controls.walls = false;
            controls.species[0].enabled[0] = false;
        });
        session.save_checkpoint();
        set(&mut session, |controls| {
            controls.walls = true;
            controls.species[0].enabled[0] = true;
        });
        session.restore_checkpoint();
        assert!(!session.controls.walls && !session.controls.species[0].enabled[0]);
        assert_eq!(session.simulation.walls().len(), 0);
        set(&mut session, |controls| {
            controls.walls = true;
            controls.species[0].enabled[0] = true;
        });
        assert_eq!(session.simulation.walls().len(), walls);
        assert_eq!(session.simulation.scene().species[0].behaviors.len(), behaviors);
    }

    #[test]
    fn a_state_kept_while_driving_has_the_agent_s_own_behaviors() {
        let mut session = Session::named("big-shoal");
        session.drive([1.0, 0.0]);
        session.save_checkpoint();
        session.drive([1.0, 0.0]);
        session.restore_checkpoint();
        assert_eq!(session.simulation.scene().species, session.original.species);
    }

    #[test]
    fn controls_sent_before_returning_are_ignored() {
        let mut session = Session::named("flock");
        session.save_checkpoint();
        let mut late = session.controls.clone();
        late.non_penetration = 3;
        session.restore_checkpoint();
        session.set(late);
        assert_eq!(session.simulation.scene().non_penetration, 0);
        assert_eq!(session.scenes_opened, 0, "the camera stays");
        session.open("big-shoal");
        session.restore_checkpoint();
        assert_eq!((session.scenes_opened, session.original.name.as_str()), (2, "flock"));
    }
}
