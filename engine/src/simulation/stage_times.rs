//! How long the stages of a step take.

use std::time::{Duration, Instant};

/// How long the stages of a step took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StageTimes {
    /// Sorting the crowd into cells.
    pub sort: Duration,
    /// Steering and moving every agent.
    pub steer: Duration,
    /// Pushing overlapping agents apart.
    pub non_penetration: Duration,
    /// Smoothing headings.
    pub smooth: Duration,
}

/// Times the stages of a step, or none of them: reading the clock takes time, too, in a small crowd a
/// sixtieth of a step.
pub(crate) struct Stopwatch(Option<Instant>);

impl Stopwatch {
    /// Starts the first stage.
    pub(crate) fn start(timed: bool) -> Self {
        Self(timed.then(Instant::now))
    }

    /// How long the stage took that ends now; the next one begins. 0 if none are timed.
    pub(crate) fn lap(&mut self) -> Duration {
        self.0.as_mut().map_or(Duration::ZERO, |start| {
            let end = Instant::now();
            end - std::mem::replace(start, end)
        })
    }
}
