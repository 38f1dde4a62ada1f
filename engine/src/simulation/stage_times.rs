use std::time::{Duration, Instant};

/// Durations of the stages of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StageTimes {
    /// Time to sort the crowd into cells.
    pub sort: Duration,
    /// Time to steer and move all agents.
    pub steer: Duration,
    /// Time to push overlapping agents apart.
    pub non_penetration: Duration,
    /// Time to smooth headings.
    pub smooth: Duration,
}

/// Times the stages of a step. Timing is optional, because reading the clock takes up to 1/60
/// of a small crowd's step.
pub(crate) struct Stopwatch(Option<Instant>);

impl Stopwatch {
    pub(crate) fn start(timed: bool) -> Self {
        Self(timed.then(Instant::now))
    }

    pub(crate) fn lap(&mut self) -> Duration {
        self.0.as_mut().map_or(Duration::ZERO, |start| {
            let end = Instant::now();
            end - std::mem::replace(start, end)
        })
    }
}
