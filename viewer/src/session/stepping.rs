use std::time::{Duration, Instant};

use flockwork::inspect::StageTimes;

use super::Session;
use super::comparison::{Comparer, Ratio};

/// Once steps have taken this long, the next frame and the user's commands get their turn.
const MAX_BUSY: Duration = Duration::from_millis(15);
/// Maximum real time to catch up on after a delay, in seconds.
const MAX_CATCH_UP: f64 = 0.25;
const BUILDING_POLL: Duration = Duration::from_millis(100);
/// Maximum number of queued single steps, so that stepping ends soon after a held key is released.
const MAX_QUEUED_STEPS: u32 = 2;

/// Milliseconds per stage: sorting, steering and moving, non-penetration, smoothing.
pub(crate) fn stages(times: StageTimes) -> [f64; 4] {
    let StageTimes { sort, steer, non_penetration, smooth, .. } = times;
    [sort, steer, non_penetration, smooth].map(|time| 1.0e3 * time.as_secs_f64())
}

impl Session {
    /// Time until the session has something to do; `None` if it waits for a command.
    pub(crate) fn idle_time(&self) -> Option<Duration> {
        if self.building.is_some() {
            return Some(BUILDING_POLL);
        }
        if self.queued_steps > 0 {
            return Some(Duration::ZERO);
        }
        if self.is_stopped() {
            return None;
        }
        let missing =
            (self.dt() - self.unstepped_time).max(0.0) / f64::from(self.controls.time_scale);
        Some(Duration::from_secs_f64(missing.min(MAX_CATCH_UP)))
    }

    fn dt(&self) -> f64 {
        1.0 / f64::from(self.simulation.scene().steps_per_second)
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.controls.paused || self.shown.failure.is_some()
    }

    /// Takes the steps due after `elapsed` real time, within a time limit. Returns true if there
    /// is something new to show.
    pub(crate) fn advance(&mut self, elapsed: Duration) -> bool {
        let told = self.take_built();
        self.renew_readings();
        if self.building.is_some() {
            self.was_stopped = true;
            return told;
        }
        let before = self.step_times.len();
        let went_well = self.shown.failure.is_none();
        for _ in 0..std::mem::take(&mut self.queued_steps) {
            self.step();
        }
        if !self.is_stopped() {
            // Don't catch up on time spent stopped.
            self.catch_up(if self.was_stopped { Duration::ZERO } else { elapsed });
        }
        self.was_stopped = self.is_stopped();
        let stepped = self.step_times.len() > before;
        if stepped {
            self.compare_partitions();
        }
        stepped || told || (went_well && self.shown.failure.is_some())
    }

    pub(super) fn compare_partitions(&mut self) {
        if self.comparison_done {
            return;
        }
        // If there is not enough memory for copies, skip the comparison.
        let comparer = self.comparer.take().or_else(|| Comparer::new(&self.simulation).ok());
        self.shown.comparison = None;
        self.comparison_done = true;
        if let Some(mut comparer) = comparer
            && let Ok(comparison) = comparer.compare()
        {
            self.shown.comparison = Some(comparison);
            self.comparison_done = comparison.ratio != Ratio::Unknown;
            self.comparer = Some(comparer).filter(|_| !self.comparison_done);
        }
    }

    fn catch_up(&mut self, elapsed: Duration) {
        let dt = self.dt();
        let caught_up = elapsed.as_secs_f64().min(MAX_CATCH_UP);
        self.unstepped_time += caught_up * f64::from(self.controls.time_scale);
        let start = Instant::now();
        while self.unstepped_time >= dt
            && self.shown.failure.is_none()
            && start.elapsed() < MAX_BUSY
        {
            self.unstepped_time -= dt;
            self.step();
        }
        // Keep at most one step of backlog, and drop the rest.
        self.unstepped_time = self.unstepped_time.min(dt);
    }

    pub(crate) fn step(&mut self) {
        match self.simulation.step() {
            Ok(()) => {
                self.shown.failure = None;
                let stages = stages(self.simulation.stage_times());
                self.step_times.push(stages.iter().sum::<f64>() as f32);
            }
            Err(error) => {
                self.shown.failure =
                    Some(format!("{error}; r restarts, F9 returns to the kept state (F5)"));
            }
        }
    }

    pub(crate) fn step_once(&mut self) {
        self.controls.paused = true;
        // Clear the old failure, since this step may succeed.
        self.shown.failure = None;
        self.queued_steps = (self.queued_steps + 1).min(MAX_QUEUED_STEPS);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::tests::set;
    use flockwork::{COORDINATE_LIMIT, Scene, Species, World};

    fn leaving() -> Session {
        let kind = Species::new("runner", 0);
        let mut one = Scene::new(World::open(100.0, 100.0)).species(kind).build().unwrap();
        one.spawn("runner", [COORDINATE_LIMIT, 0.0], [1.0, 0.0]).unwrap();
        Session::of(one, Vec::new())
    }

    #[test]
    fn a_failure_is_reported_once_and_names_the_ways_out() {
        let mut session = leaving();
        assert!(session.advance(Duration::from_millis(200)), "there is a failure to show");
        let failure = session.new_frame().readings.failure.unwrap();
        for part in ["outside", "r restarts", "F9"] {
            assert!(failure.contains(part), "{failure}");
        }
        assert!(!session.advance(Duration::from_millis(200)), "it is known already");
        assert_eq!(session.idle_time(), None);
    }

    #[test]
    fn the_crowd_goes_on_once_the_cause_of_a_failure_is_gone() {
        let mut session = leaving();
        session.advance(Duration::from_millis(200));
        let id = session.simulation.agents().id(0);
        session.simulation.remove(id).unwrap();
        session.step_once();
        assert!(session.advance(Duration::ZERO));
        assert_eq!(session.shown.failure, None);
    }

    #[test]
    fn at_most_a_quarter_of_a_second_is_caught_up_on() {
        let mut session = Session::named("flock");
        session.advance(Duration::ZERO);
        session.advance(Duration::from_secs(2));
        assert!(session.simulation.tick() <= 15, "{}", session.simulation.tick());
        assert!(session.unstepped_time <= session.dt());
    }

    #[test]
    fn time_spent_paused_is_not_caught_up_on() {
        let mut session = Session::named("flock");
        set(&mut session, |controls| controls.paused = true);
        session.advance(Duration::from_secs(10));
        set(&mut session, |controls| controls.paused = false);
        session.advance(Duration::from_secs(10));
        assert_eq!(session.simulation.tick(), 0);
        session.advance(Duration::from_millis(40));
        // On a busy machine, a single step may use up the frame's time limit.
        assert!((1..=2).contains(&session.simulation.tick()), "{}", session.simulation.tick());
    }

    /// Regression: after a restart, the new crowd took a step that was queued for the old crowd.
    #[test]
    fn queued_steps_end_with_a_restart_or_a_return() {
        let mut session = Session::named("flock");
        session.save_checkpoint();
        session.step_once();
        session.restart(None);
        session.advance(Duration::ZERO);
        assert_eq!(session.simulation.tick(), 0);
        session.step_once();
        session.restore_checkpoint();
        session.advance(Duration::ZERO);
        assert_eq!(session.simulation.tick(), 0);
    }

    #[test]
    fn single_steps_end_soon_after_a_held_key_is_released() {
        let mut session = Session::named("flock");
        (0..100).for_each(|_| session.step_once());
        while session.idle_time() == Some(Duration::ZERO) {
            session.advance(Duration::ZERO);
        }
        assert_eq!(session.simulation.tick(), u64::from(MAX_QUEUED_STEPS));
    }
}
