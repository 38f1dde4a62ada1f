use std::time::{Duration, Instant};

/// Time spent in each stage of a step; zero for disabled stages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StageTimes {
    /// Time spent sorting the crowd into cells.
    pub sort: Duration,
    /// Time spent steering and moving all agents.
    pub steer: Duration,
    /// Time spent pushing overlapping agents apart.
    pub non_penetration: Duration,
    /// Time spent smoothing headings.
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
