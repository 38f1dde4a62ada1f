//! Builds a crowd on its own thread.

use std::thread::JoinHandle;
use std::time::Instant;

use flockwork::{Scene, Simulation};
use indicatif::HumanCount;

use crate::picture::view::check_memory;
use crate::{Error, spawn};

/// A crowd that is being built. Dropping this value discards the crowd.
pub(super) struct Building {
    /// Description for the user.
    pub(super) what: String,
    since: Instant,
    pub(super) thread: JoinHandle<Result<Simulation, Error>>,
    pub(super) next: Next,
}

/// What happens to the crowd once it is built, with a message for the user.
pub(super) enum Next {
    /// It opens as another scene.
    Open(String),
    /// It replaces the crowd of the same scene.
    Restart(String),
}

impl Building {
    pub(super) fn start(scene: Scene, next: Next) -> Result<Self, Error> {
        let what = format!("building {} agents", HumanCount(scene.agents_at_start() as u64));
        let build = move || {
            let new = scene.build()?;
            // Pass 0 pixels: the window's pictures are already allocated.
            check_memory(&new, 0)?;
            Ok(new)
        };
        Ok(Self { what, since: Instant::now(), thread: spawn(build)?, next })
    }

    /// Waits for the crowd.
    pub(super) fn finish(self) -> Result<(Simulation, Next), String> {
        let built = self.thread.join();
        let built = built.map_err(|_| format!("{} failed: see standard error", self.what))?;
        Ok((built.map_err(|why| why.to_string())?, self.next))
    }

    pub(super) fn progress(&self) -> String {
        format!("{}: {:.1} s", self.what, self.since.elapsed().as_secs_f32())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Session;
    use crate::session::tests::{set, settle};
    use std::time::Duration;

    /// Regression: the window froze while a large crowd was being built.
    #[test]
    fn a_large_crowd_is_built_beside_the_present_one() {
        let mut session = Session::named("flock");
        let agents = session.simulation.len();
        session.set_agents(200_000);
        assert_eq!(session.simulation.len(), agents, "it is still there");
        let words = session.new_frame().readings.work.unwrap();
        assert!(words.starts_with("building 200,000 agents"), "{words}");
        set(&mut session, |controls| controls.edits.standing.walls = false);
        assert!(session.shown.message.contains("wait, or cancel"), "{}", session.shown.message);
        session.cancel();
        session.advance(Duration::ZERO);
        assert_eq!(session.simulation.len(), agents, "canceled");
        session.set_agents(200_000);
        settle(&mut session);
        assert_eq!(session.simulation.len(), 200_000);
    }

    #[test]
    fn a_panic_while_a_crowd_is_built_is_reported() {
        let next = Next::Restart(String::new());
        let building = Building::start(Scene::named("flock").unwrap(), next).unwrap();
        let thread = spawn(|| std::panic::resume_unwind(Box::new("on purpose"))).unwrap();
        let failed = Building { thread, ..building }.finish().err().unwrap();
        assert_eq!(failed, "building 600 agents failed: see standard error");
    }

    /// Regression: building a million agents showed no progress and could not be canceled.
    #[test]
    fn building_is_announced_and_can_be_canceled() {
        let mut session = Session::named("flock");
        session.set_agents(1_000_000);
        let work = session.new_frame().readings.work.unwrap();
        assert!(work.contains("building 1,000,000 agents"), "{work}");
        let before = session.simulation.tick();
        session.advance(Duration::from_millis(100));
        assert_eq!(session.simulation.tick(), before, "the crowd waits");
        session.cancel();
        let readings = session.new_frame().readings;
        assert!(readings.work.is_none() && readings.message.contains("canceled"));
    }
}
