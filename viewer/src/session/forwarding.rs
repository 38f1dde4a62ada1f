//! Fast-forwarding: steps as fast as they go, between which frames are still shown.

use std::time::Instant;

use super::Session;
use super::forward::Forward;
use super::stepping::MAX_BUSY;

/// How far a press of the key forwards, in simulated seconds.
const SECONDS: f32 = 10.0;

impl Session {
    /// Takes this many steps at full speed.
    pub(crate) fn forward(&mut self, steps: u64) {
        let from = self.simulation.tick();
        self.forward = (steps > 0).then(|| Forward { from, to: from.saturating_add(steps) });
    }

    /// Takes the steps of some simulated seconds at full speed, or stops doing so.
    pub(crate) fn toggle_forward(&mut self) {
        let steps = match self.forward {
            Some(_) => 0,
            None => (SECONDS * self.simulation.scene().steps_per_second).ceil() as u64,
        };
        self.forward(steps);
    }

    /// Takes some of the steps that are due; returns whether there were any.
    pub(super) fn take_forward_steps(&mut self) -> bool {
        let Some(Forward { to, .. }) = self.forward else { return false };
        let start = Instant::now();
        while self.simulation.tick() < to && self.failure.is_none() && start.elapsed() < MAX_BUSY {
            self.step();
        }
        if self.simulation.tick() >= to || self.failure.is_some() {
            self.forward = None;
            self.message = format!("at step {}", self.simulation.tick());
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use crate::session::Session;
    use crate::session::tests::set;
    use std::time::Duration;

    #[test]
    fn forwarding_reaches_its_step_even_while_paused_and_shows_how_far_it_is() {
        let mut session = Session::named("flock");
        set(&mut session, |controls| controls.paused = true);
        session.forward(500);
        let mut seen = 0;
        while session.idle_time() == Some(Duration::ZERO) {
            let readings = session.new_frame().readings;
            let forward = readings.forward.unwrap();
            assert_eq!((forward.from, forward.to), (0, 500));
            assert!(readings.tick >= seen);
            seen = readings.tick;
            assert!(session.advance(Duration::from_millis(1)));
        }
        assert_eq!(session.simulation.tick(), 500);
        session.toggle_forward();
        session.toggle_forward();
        assert_eq!(session.idle_time(), None, "stopped");
    }
}
