//! Checks that take steps and then return to where the crowd was.

use std::time::Instant;

use flockwork::Partition;

use super::Session;
use super::comparison::{Comparison, StepSample};
use super::pending_check::{Check, PendingCheck};

/// How many steps a determinism check runs twice.
const DETERMINISM_STEPS: u64 = 60;

impl Session {
    /// Schedules the check that two runs from this state agree.
    pub(crate) fn check_determinism(&mut self) {
        self.schedule(Check::Determinism, "checking determinism ...");
    }

    /// Schedules the next step with cells and with all pairs.
    pub(super) fn compare_partitions(&mut self) {
        self.comparison = None;
        self.schedule(Check::Partitions, "taking a step both ways ...");
    }

    fn schedule(&mut self, check: Check, words: &str) {
        self.pending_check = Some(PendingCheck { check, announced: false });
        self.message = words.into();
    }

    /// Call this when a frame, and with it the announcement, has been filled.
    pub(super) fn mark_announced(&mut self) {
        if let Some(pending) = &mut self.pending_check {
            pending.announced = true;
        }
    }

    pub(super) fn has_announced_check(&self) -> bool {
        self.pending_check.is_some_and(|pending| pending.announced)
    }

    /// Runs the check that has been announced; returns whether there was one.
    pub(super) fn run_pending_check(&mut self) -> bool {
        let announced = self.pending_check.take_if(|pending| pending.announced);
        let Some(pending) = announced else { return false };
        match pending.check {
            Check::Determinism => self.run_determinism_check(),
            Check::Partitions => self.run_partition_comparison(),
        }
        true
    }

    /// Runs from the present state twice, the second time on another number of threads, and
    /// compares.
    fn run_determinism_check(&mut self) {
        let before = self.simulation.snapshot();
        let threads = self.simulation.threads();
        let run = |session: &mut Self, threads: usize| -> Result<u64, flockwork::Error> {
            session.simulation.restore(&before);
            session.simulation.set_threads(threads)?;
            session.simulation.run(DETERMINISM_STEPS)?;
            Ok(session.simulation.state_hash())
        };
        let hashes = run(self, threads).and_then(|a| Ok((a, run(self, threads % 2 + 1)?)));
        self.simulation.restore(&before);
        self.try_apply(|simulation| simulation.set_threads(threads));
        self.message = match hashes {
            Ok((a, b)) if a == b => format!("{DETERMINISM_STEPS} steps twice: the same {a:016x}"),
            Ok((a, b)) => format!("{DETERMINISM_STEPS} steps twice: {a:016x} and {b:016x} DIFFER"),
            Err(error) => error.to_string(),
        };
    }

    /// Takes the next step with cells and with all pairs, compares time, work and state, and
    /// returns to the present state.
    fn run_partition_comparison(&mut self) {
        let before = self.simulation.snapshot();
        let chosen = self.simulation.partition();
        let sample = |session: &mut Self, partition| {
            session.simulation.restore(&before);
            session.simulation.set_partition(partition);
            let pairs = session.simulation.census().pairs_per_agent;
            session.simulation.restore(&before);
            let start = Instant::now();
            let done = session.try_apply(|simulation| simulation.step());
            let time = start.elapsed();
            done.then(|| StepSample { time, pairs, hash: session.simulation.state_hash() })
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
