//! What is counted of a crowd now and then, because counting costs about as much as a step.

use std::time::{Duration, Instant};

use flockwork::{Census, Partition, Simulation};

use super::Session;

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

/// A step taken both ways.
#[derive(Clone, Debug)]
pub(crate) struct Comparison {
    pub(crate) tick: u64,
    pub(crate) cells: Sample,
    pub(crate) all_pairs: Sample,
}

/// A step taken one way.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sample {
    pub(crate) time: Duration,
    /// Pairs tested per agent.
    pub(crate) pairs: f64,
    /// The state after it.
    pub(crate) hash: u64,
}

impl Session {
    /// Takes the next step with cells and with all pairs, for the time, the work and the state
    /// of each, and returns to where it was.
    pub(super) fn compare_partitions_now(&mut self) {
        let before = self.simulation.snapshot();
        let chosen = self.simulation.partition();
        let sample = |session: &mut Self, partition| {
            session.simulation.restore(&before);
            session.simulation.set_partition(partition);
            let pairs = session.simulation.census().pairs_per_agent;
            session.simulation.restore(&before);
            let start = Instant::now();
            let done = session.does(|simulation| simulation.step());
            let time = start.elapsed();
            done.then(|| Sample { time, pairs, hash: session.simulation.state_hash() })
        };
        let cells = sample(self, Partition::Cells);
        let all_pairs = sample(self, Partition::AllPairs);
        self.simulation.restore(&before);
        self.simulation.set_partition(chosen);
        let tick = self.simulation.tick();
        self.comparison =
            cells.zip(all_pairs).map(|(cells, all_pairs)| Comparison { tick, cells, all_pairs });
        if self.comparison.is_some() {
            self.message = "took a step both ways".into();
        }
    }
}
