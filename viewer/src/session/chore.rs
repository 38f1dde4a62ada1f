//! What may take long: it is said before it is done.

use super::Session;

#[derive(Clone, Copy, Debug)]
enum Task {
    CheckDeterminism,
    ComparePartitions,
}

/// Something to do as soon as the audience can know of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chore {
    task: Task,
    /// Whether a frame says that it is about to be done.
    announced: bool,
}

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
}
