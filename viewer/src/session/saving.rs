use std::path::Path;
use std::sync::Arc;

use flockwork::internal::{file, memory};

use super::{Checkpoint, Session, Setup};
use crate::error::Error;
use crate::export::files::unused_name;

impl Session {
    pub(crate) fn save_checkpoint(&mut self) {
        self.checkpoint = Some(Checkpoint {
            snapshot: self.simulation.snapshot(),
            controls: self.controls.clone(),
            original: Arc::clone(&self.shown.original),
            scenery: self.scenery.clone(),
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
        let what = format!("writing {}", path.display());
        self.start(&what, self.simulation.len(), move |report| {
            let bytes = state.to_bytes();
            if report.is_canceled() {
                return;
            }
            let said = match file::replace(&path, &bytes) {
                Ok(_) => format!("wrote {}, for --resume", path.display()),
                Err(error) => Error::write(&path, &error).to_string(),
            };
            report.update(move |session: &mut Self| session.shown.message = said);
        });
    }

    pub(crate) fn restore_checkpoint(&mut self) {
        let Some(saved) = &self.checkpoint else {
            self.shown.message = "no state is kept yet (F5)".into();
            return;
        };
        self.job = None;
        self.simulation.restore(&saved.snapshot);
        if saved.original.name != self.shown.original.name {
            self.shown.scenes_opened += 1;
        }
        self.shown.original = Arc::clone(&saved.original);
        self.scenery.clone_from(&saved.scenery);
        // The session's settings stay. Controls sent for the previous crowd are outdated.
        self.controls = saved.controls.clone().with_session_settings(&self.controls);
        self.setup = Setup::default();
        self.queued_steps = 0;
        self.dragged_point = None;
        self.shown.failure = None;
        self.shown.message = format!("back at {}", self.state());
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
            controls.edits.walls = false;
            controls.edits.species[0].enabled[0] = false;
        });
        session.save_checkpoint();
        set(&mut session, |controls| {
            controls.edits.walls = true;
            controls.edits.species[0].enabled[0] = true;
        });
        session.restore_checkpoint();
        assert!(!session.controls.edits.walls && !session.controls.edits.species[0].enabled[0]);
        assert_eq!(session.simulation.walls().len(), 0);
        set(&mut session, |controls| {
            controls.edits.walls = true;
            controls.edits.species[0].enabled[0] = true;
        });
        assert_eq!(session.simulation.walls().len(), walls);
        assert_eq!(session.simulation.scene().species[0].behaviors.len(), behaviors);
    }

    #[test]
    fn controls_sent_before_returning_are_ignored() {
        let mut session = Session::named("flock");
        session.save_checkpoint();
        let mut late = session.controls.clone();
        late.edits.non_penetration = 3;
        session.restore_checkpoint();
        session.set(late);
        assert_eq!(session.simulation.scene().non_penetration, 0);
        assert_eq!(session.shown.scenes_opened, 0, "the camera stays");
        session.open("big-shoal");
        session.restore_checkpoint();
        assert_eq!(
            (session.shown.scenes_opened, session.shown.original.name.as_str()),
            (2, "flock")
        );
    }
}
