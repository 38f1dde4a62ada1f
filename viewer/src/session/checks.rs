//! Checks that take steps and then return to where the crowd was.

use std::time::Instant;

use flockwork::Partition;

use super::Session;
use super::comparison::{Comparison, Sample};
use super::pending_check::{Chore, Task};

/// Steps that a determinism check takes twice.
const CHECKED_STEPS: u64 = 60;

impl Session {
    /// Will run on, come back, run on otherwise, and compare.
    pub(crate) fn check_determinism(&mut self) {
        self.announce(Task::CheckDeterminism, "checking that time repeats itself ...");
    }

    /// Will take the next step with cells and with all pairs.
    pub(super) fn compare_partitions(&mut self) {
        self.comparison = None;
        self.announce(Task::ComparePartitions, "taking a step both ways ...");
    }

    fn announce(&mut self, task: Task, words: &str) {
        self.chore = Some(Chore { task, announced: false });
        self.message = words.into();
    }

    /// A frame has been filled, with the announcement if there is one.
    pub(super) fn has_been_shown(&mut self) {
        if let Some(chore) = &mut self.chore {
            chore.announced = true;
        }
    }

    pub(super) fn has_announced_a_chore(&self) -> bool {
        self.chore.is_some_and(|chore| chore.announced)
    }

    /// Does what has been announced; returns whether there was something to do.
    pub(super) fn do_chore(&mut self) -> bool {
        let Some(chore) = self.chore.take_if(|chore| chore.announced) else { return false };
        match chore.task {
            Task::CheckDeterminism => self.check_determinism_now(),
            Task::ComparePartitions => self.compare_partitions_now(),
        }
        true
    }

    /// Runs on, comes back, runs on again on another number of threads, and compares.
    fn check_determinism_now(&mut self) {
        let before = self.simulation.snapshot();
        let threads = self.simulation.threads();
        let run = |session: &mut Self, threads: usize| -> Result<u64, flockwork::Error> {
            session.simulation.restore(&before);
            session.simulation.set_threads(threads)?;
            session.simulation.run(CHECKED_STEPS)?;
            Ok(session.simulation.state_hash())
        };
        let hashes = run(self, threads).and_then(|a| Ok((a, run(self, threads % 2 + 1)?)));
        self.simulation.restore(&before);
        self.does(|simulation| simulation.set_threads(threads));
        self.message = match hashes {
            Ok((a, b)) if a == b => format!("{CHECKED_STEPS} steps twice: the same {a:016x}"),
            Ok((a, b)) => format!("{CHECKED_STEPS} steps twice: {a:016x} and {b:016x} DIFFER"),
            Err(error) => error.to_string(),
        };
    }

    /// Takes the next step with cells and with all pairs, for the time, the work and the state
    /// of each, and returns to where it was.
    fn compare_partitions_now(&mut self) {
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
