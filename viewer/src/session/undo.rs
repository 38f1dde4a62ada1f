//! Undoing edits: parameters, scenery, points, and agents that were added or removed.

use std::time::{Duration, Instant};

use flockwork::AgentId;

use super::Session;
use super::controls::Controls;
use super::edits::{Edit, RemovedAgent};

/// Edits of one kind that follow one another faster than this are one, such as those of a drag.
const TOGETHER: Duration = Duration::from_millis(600);
/// Number of edits that are remembered.
const MAX_EDITS: usize = 200;

impl Session {
    /// Call this before an edit.
    pub(super) fn remember(&mut self, what: &'static str) {
        self.touched = true;
        self.edits.unsaved = true;
        let soon =
            self.edits.latest.replace(Instant::now()).is_some_and(|at| at.elapsed() < TOGETHER);
        if soon && self.edits.latest().is_some_and(|edit| edit.what == what) {
            return;
        }
        if self.edits.edits.len() == MAX_EDITS {
            self.edits.edits.remove(0);
        }
        self.edits.edits.push(Edit {
            what,
            controls: self.controls.clone(),
            scenery: self.scenery.clone(),
            points: self.simulation.scene().points.clone(),
            added: Vec::new(),
            removed: Vec::new(),
        });
    }

    /// Notes agents that an edit has added.
    pub(super) fn note_added(&mut self, ids: &[AgentId]) {
        if let Some(edit) = self.edits.latest() {
            edit.added.extend(ids);
        }
    }

    /// Notes agents that an edit is about to remove.
    pub(super) fn note_removed(&mut self, ids: &[AgentId]) {
        let names = self.simulation.scene().species.iter().map(|kind| kind.name.clone());
        let names: Vec<String> = names.collect();
        let states = ids.iter().filter_map(|&id| Some((id, self.simulation.agent(id).ok()?)));
        let removed: Vec<RemovedAgent> = states
            .map(|(id, state)| RemovedAgent {
                id,
                species: names[state.species].clone(),
                position: state.position,
                heading: state.heading,
            })
            .collect();
        if let Some(edit) = self.edits.latest() {
            edit.removed.extend(removed);
        }
    }

    /// Undoes the latest edit; time goes on from where it is.
    pub(crate) fn undo(&mut self) {
        let Some(edit) = self.edits.edits.pop() else {
            self.message = "there is nothing to undo".into();
            return;
        };
        self.edits.latest = None;
        self.edits.unsaved &= !self.edits.edits.is_empty();
        self.stop_driving();
        let present = self.controls.clone();
        let wanted = edit.controls.with_session_of(&present);
        // As if the window had asked for them.
        self.set_edited(Controls { epoch: present.epoch, ..wanted });
        self.controls.epoch += 1;
        self.scenery = edit.scenery;
        self.set_scenery(self.controls.obstacles, self.controls.walls);
        for (name, place) in edit.points {
            self.try_apply(|simulation| simulation.set_point(&name, place));
        }
        for id in edit.added {
            // The agent may be gone already.
            let _ = self.simulation.remove(id);
        }
        for removed in edit.removed {
            self.bring_back(&removed);
        }
        if self.message.is_empty() {
            self.message = format!("undone: {}", edit.what);
        }
    }
}

impl Session {
    fn bring_back(&mut self, RemovedAgent { id, species, position, heading }: &RemovedAgent) {
        match self.simulation.spawn(species, *position, *heading) {
            Ok(new) => {
                // Earlier edits know it by its previous id.
                let added = self.edits.edits.iter_mut().flat_map(|edit| &mut edit.added);
                added.filter(|known| *known == id).for_each(|known| *known = new);
            }
            Err(error) => self.message = error.to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::tests::set;

    #[test]
    fn edits_are_undone_one_by_one() {
        let mut session = Session::named("wall-avoidance");
        let later = |session: &mut Session| session.edits.latest = None;
        let before = session.simulation.scene().clone();
        set(&mut session, |controls| controls.species[0].species.view_distance = 77.0);
        later(&mut session);
        session.add_obstacle([300.0, 300.0], 40.0);
        later(&mut session);
        set(&mut session, |controls| controls.walls = false);
        assert!(session.edits.unsaved);
        session.undo();
        assert!(session.controls.walls && session.simulation.walls().len() > 0);
        assert_eq!(session.simulation.obstacles().len(), 1);
        session.undo();
        assert_eq!(session.simulation.obstacles().len(), 0);
        assert_eq!(session.simulation.scene().species[0].view_distance, 77.0);
        session.undo();
        assert_eq!(session.simulation.scene().species, before.species);
        assert!(!session.edits.unsaved);
        session.undo();
        assert!(session.message.contains("nothing to undo"), "{}", session.message);
    }

    #[test]
    fn a_drag_is_one_edit() {
        let mut session = Session::named("arrive");
        let points = |session: &Session| session.simulation.scene().points.clone();
        let before = points(&session);
        session.grab_point([840.0, 130.0]);
        for k in 0..20 {
            session.drag_point([800.0, 200.0 + k as f32]);
        }
        assert_ne!(points(&session), before);
        session.undo();
        assert_eq!(points(&session), before);
    }

    #[test]
    fn added_agents_go_and_removed_agents_come_back() {
        let mut session = Session::named("flock");
        let agents = session.simulation.len();
        session.add_agents("fish", [300.0, 300.0], 20.0);
        session.remove_agents([300.0, 300.0], 200.0);
        assert!(session.simulation.len() < agents);
        session.undo();
        assert_eq!(session.simulation.len(), agents + 4);
        session.undo();
        assert_eq!(session.simulation.len(), agents);
    }
}
