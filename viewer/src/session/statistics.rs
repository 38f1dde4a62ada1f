//! Statistics of a crowd, taken occasionally because they cost about as much as a step.

use std::time::{Duration, Instant};

use flockwork::{Census, Simulation};

/// Minimum time between two updates.
const MIN_INTERVAL: Duration = Duration::from_millis(250);
/// At most one part in this many of the time is spent on updates.
const TIME_SHARE: u32 = 50;

#[derive(Clone, Debug, Default)]
pub(crate) struct Statistics {
    /// The step they were taken after.
    pub(crate) tick: u64,
    /// The length of the crowd's mean heading.
    pub(crate) order: f64,
    pub(crate) census: Census,
    /// How long they took.
    pub(crate) took: Duration,
    next: Option<Instant>,
}

impl Statistics {
    /// Updates the statistics if they are due.
    pub(super) fn update(&mut self, simulation: &mut Simulation) {
        let start = Instant::now();
        if self.next.is_some_and(|next| start < next) {
            return;
        }
        *self = Self {
            tick: simulation.tick(),
            order: simulation.alignment_order(),
            census: simulation.census(),
            took: start.elapsed(),
            next: None,
        };
        self.next = Some(Instant::now() + MIN_INTERVAL.max(self.took * TIME_SHARE));
    }
}
