//! Keeping a state, returning to it, and checking that time repeats itself.

use std::path::Path;
use std::sync::Arc;

use super::Session;
use super::checkpoint::Kept;
use super::controls::Controls;
use crate::export::files::free_name;

impl Session {
    /// Keeps the present state in memory.
    pub(crate) fn save(&mut self) {
        // What is driven drives on with the next press, but has its own will when it is back.
        self.let_go();
        self.saved = Some(Kept {
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

    /// Writes the present state to a file whose name says what it is.
    pub(crate) fn save_file(&mut self, folder: &Path) {
        self.let_go();
        let name = free_name(&self.original.name, self.simulation.tick(), folder);
        let path = folder.join(name + ".snapshot");
        self.message = match self.simulation.snapshot().save(&path) {
            Ok(()) => format!("wrote {}: --resume or drop it on the window", path.display()),
            Err(error) => error.to_string(),
        };
    }

    /// Returns to the kept state, with the parameters of then.
    pub(crate) fn go_back(&mut self) {
        let Some(saved) = &self.saved else {
            self.message = "nothing is kept yet (F5)".into();
            return;
        };
        self.simulation.restore(&saved.snapshot);
        if saved.original.name != self.original.name {
            self.scenes += 1;
            self.file = None;
        }
        self.original = Arc::clone(&saved.original);
        self.scenery.clone_from(&saved.scenery);
        // What does not belong to a crowd stays; what was wanted for the crowd before is late.
        let Controls { opening, paused, time_scale, threads, partition, color_by, trails, .. } =
            self.controls;
        self.controls = Controls {
            opening: opening + 1,
            paused,
            time_scale,
            threads,
            partition,
            color_by,
            trails,
            ..saved.controls.clone()
        };
        self.in_hand = None;
        self.driven = None;
        self.trouble = None;
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
    fn what_is_switched_off_when_a_state_is_kept_can_be_switched_on_again() {
        let mut session = Session::named("wall-avoidance");
        let walls = session.simulation.walls().len();
        let behaviors = session.simulation.scene().species[0].behaviors.len();
        set(&mut session, |controls| {
            controls.walls = false;
            controls.species[0].enabled[0] = false;
        });
        session.save();
        set(&mut session, |controls| {
            controls.walls = true;
            controls.species[0].enabled[0] = true;
        });
        session.go_back();
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
    fn a_state_that_is_kept_while_driving_has_its_own_will() {
        let mut session = Session::named("big-shoal");
        session.drive([1.0, 0.0]);
        session.save();
        session.drive([1.0, 0.0]);
        session.go_back();
        assert_eq!(session.simulation.scene().species, session.original.species);
    }

    #[test]
    fn what_was_wanted_for_the_crowd_before_is_late() {
        let mut session = Session::named("flock");
        session.save();
        let mut late = session.controls.clone();
        late.non_penetration = 3;
        session.go_back();
        session.set(late);
        assert_eq!(session.simulation.scene().non_penetration, 0);
        assert_eq!(session.scenes, 0, "the camera stays");
        session.open("big-shoal");
        session.go_back();
        assert_eq!((session.scenes, session.original.name.as_str()), (2, "flock"));
    }
}
