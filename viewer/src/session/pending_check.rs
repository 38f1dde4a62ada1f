//! What may take long: it is said before it is done.

#[derive(Clone, Copy, Debug)]
pub(super) enum Task {
    CheckDeterminism,
    ComparePartitions,
}

/// Something to do as soon as the audience can know of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chore {
    pub(super) task: Task,
    /// Whether a frame says that it is about to be done.
    pub(super) announced: bool,
}
