//! How the crowd's time passes: as fast as the time scale says, as far as steps are fast enough.

use std::time::{Duration, Instant};

use super::Session;
use super::file_watcher::Watched;

/// The longest that steps may hold up the picture and what the audience wants.
const PATIENCE: Duration = Duration::from_millis(15);
/// Real time that is made up for at most.
const LONGEST_GAP: f64 = 0.25;
/// Single steps that wait at most: a held key is not to go on after it is released.
const MOST_PENDING: u32 = 2;

impl Session {
    /// How long nothing happens by itself; `None` if it never does.
    pub(crate) fn rest(&self) -> Option<Duration> {
        let look_at_file = self.file.as_ref().map(|_| Watched::EVERY);
        if self.pending_steps > 0 || self.has_announced_a_chore() {
            return Some(Duration::ZERO);
        }
        if self.stands_still() {
            return look_at_file;
        }
        let missing = (self.dt() - self.due).max(0.0) / f64::from(self.controls.time_scale);
        Some(Duration::from_secs_f64(missing.min(LONGEST_GAP)))
    }

    fn dt(&self) -> f64 {
        1.0 / f64::from(self.simulation.scene().steps_per_second)
    }

    fn stands_still(&self) -> bool {
        self.controls.paused || self.trouble.is_some()
    }

    /// Takes the steps that are due after `elapsed` real time: as many as keep time, as long
    /// as that does not take too long. Returns whether there is something new to see.
    pub(crate) fn advance(&mut self, elapsed: Duration) -> bool {
        let reloaded = self.follow_file();
        let done = self.do_chore();
        let before = self.taken.len();
        let went_well = self.trouble.is_none();
        self.take_pending_steps();
        if !self.stands_still() {
            // What passed while time stood still is not to be made up for.
            self.keep_time(if self.stood_still { Duration::ZERO } else { elapsed });
        }
        self.stood_still = self.stands_still();
        let stepped = self.taken.len() > before;
        if stepped {
            self.survey.look_again(&mut self.simulation);
        }
        stepped || reloaded || done || (went_well && self.trouble.is_some())
    }

    fn take_pending_steps(&mut self) {
        let start = Instant::now();
        while self.pending_steps > 0 && start.elapsed() < PATIENCE {
            self.pending_steps -= 1;
            self.step();
        }
    }

    fn keep_time(&mut self, elapsed: Duration) {
        let dt = self.dt();
        let scale = f64::from(self.controls.time_scale);
        let wanted = elapsed.as_secs_f64() * scale;
        let made_up_for = wanted.min(LONGEST_GAP * scale);
        self.due += made_up_for;
        let start = Instant::now();
        while self.due >= dt && self.trouble.is_none() && start.elapsed() < PATIENCE {
            self.due -= dt;
            self.step();
        }
        // What cannot be caught up is lost, and said so.
        let late = (self.due - dt).max(0.0);
        self.due -= late;
        if wanted > 0.0 {
            let lost = late + wanted - made_up_for;
            let share = (1.0 - lost / wanted).clamp(0.0, 1.0) as f32;
            // A mean over about a second, however often this is.
            let weight = (elapsed.as_secs_f32() * 2.0).min(1.0);
            self.reached += (share - self.reached) * weight;
        }
    }

    pub(super) fn step(&mut self) {
        match self.simulation.step() {
            Ok(()) => {
                self.trouble = None;
                self.taken.push(self.simulation.stage_times());
                self.trails.note(&self.simulation);
            }
            Err(error) => {
                self.trouble =
                    Some(format!("{error}; r starts over, F9 returns to the kept state (F5)"));
            }
        }
    }

    /// Pauses, and takes one step.
    pub(crate) fn step_once(&mut self) {
        self.controls.paused = true;
        self.pending_steps = (self.pending_steps + 1).min(MOST_PENDING);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::tests::set;
    use flockwork::{COORDINATE_LIMIT, Scene, Species, World};

    /// An agent that is about to leave the plane.
    fn leaving() -> Session {
        let kind = Species::new("runner", 0);
        let mut one = Scene::new(World::open(100.0, 100.0)).species(kind).build().unwrap();
        one.spawn("runner", [COORDINATE_LIMIT, 0.0], [1.0, 0.0]).unwrap();
        Session::of(one, Vec::new())
    }

    #[test]
    fn what_stops_the_crowd_is_news_once_and_says_the_way_out() {
        let mut session = leaving();
        assert!(session.advance(Duration::from_millis(200)), "there is trouble to show");
        let trouble = session.frame().readings.trouble.unwrap();
        for part in ["outside", "r starts over", "F9"] {
            assert!(trouble.contains(part), "{trouble}");
        }
        assert!(!session.advance(Duration::from_millis(200)), "it is known");
        assert_eq!(session.rest(), None);
    }

    #[test]
    fn a_crowd_goes_on_when_the_reason_for_its_trouble_is_gone() {
        let mut session = leaving();
        session.advance(Duration::from_millis(200));
        let id = session.simulation.id_at(0);
        session.simulation.remove(id).unwrap();
        session.step_once();
        assert!(session.advance(Duration::ZERO));
        assert_eq!(session.trouble, None);
    }

    #[test]
    fn the_share_of_real_time_counts_all_time_that_passes() {
        let mut session = Session::named("flock");
        for _ in 0..20 {
            session.advance(Duration::from_secs(2));
        }
        // At most a quarter of a second of two is made up for.
        assert!(session.reached <= 0.125, "{}", session.reached);
        assert!(session.reached > 0.0);
    }

    #[test]
    fn time_that_passes_at_rest_is_not_missed() {
        let mut session = Session::named("flock");
        set(&mut session, |controls| controls.paused = true);
        session.advance(Duration::from_secs(10));
        set(&mut session, |controls| controls.paused = false);
        session.advance(Duration::from_secs(10));
        assert_eq!((session.reached, session.simulation.tick()), (1.0, 0));
        session.advance(Duration::from_millis(40));
        assert_eq!(session.simulation.tick(), 2);
    }

    #[test]
    fn a_held_key_does_not_go_on_after_it_is_released() {
        let mut session = Session::named("flock");
        (0..100).for_each(|_| session.step_once());
        while session.rest() == Some(Duration::ZERO) {
            session.advance(Duration::ZERO);
        }
        assert_eq!(session.simulation.tick(), u64::from(MOST_PENDING));
    }
}
