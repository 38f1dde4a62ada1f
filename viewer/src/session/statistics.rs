//! Measures of the crowd, taken occasionally: they cost something.

use std::time::{Duration, Instant};

use flockwork::Simulation;

use crate::numbers::measures::Measures;
use crate::numbers::table::Row;

/// Minimum time between two updates.
const MIN_INTERVAL: Duration = Duration::from_millis(250);
/// At most one part in this many of the time is spent on updates.
const TIME_SHARE: u32 = 50;

#[derive(Clone, Debug, Default)]
pub(crate) struct Statistics {
    pub(crate) measures: Measures,
    /// How long they took.
    pub(crate) took: Duration,
    next: Option<Instant>,
}

impl Statistics {
    /// Updates the statistics after a step, if they are due, and returns them.
    pub(super) fn update(&mut self, simulation: &mut Simulation) -> Option<Row> {
        let start = Instant::now();
        if self.next.is_some_and(|next| start < next) {
            return None;
        }
        let times = simulation.stage_times();
        let measures = Measures::of(simulation);
        *self = Self { measures, took: start.elapsed(), next: None };
        self.next = Some(Instant::now() + MIN_INTERVAL.max(self.took * TIME_SHARE));
        Some(Row { measures, times })
    }
}
