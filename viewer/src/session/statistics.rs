//! What is counted of a crowd now and then, because counting costs about as much as a step.

use std::time::{Duration, Instant};

use flockwork::{Census, Simulation};

/// At least so long between two surveys.
const EVERY: Duration = Duration::from_millis(250);
/// At most this share of the time goes into surveys.
const SHARE: u32 = 50;

#[derive(Clone, Debug, Default)]
pub(crate) struct Survey {
    /// The step it was made after.
    pub(crate) tick: u64,
    /// The length of the crowd's mean heading.
    pub(crate) order: f64,
    pub(crate) census: Census,
    /// How long it took.
    pub(crate) took: Duration,
    next: Option<Instant>,
}

impl Survey {
    /// Counts anew if it is time to.
    pub(super) fn look_again(&mut self, simulation: &mut Simulation) {
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
        self.next = Some(Instant::now() + EVERY.max(self.took * SHARE));
    }
}
