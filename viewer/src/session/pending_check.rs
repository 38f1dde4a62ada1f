//! A check that may take long. It is announced first.

#[derive(Clone, Copy, Debug)]
pub(super) enum Check {
    Determinism,
    Partitions,
}

/// A check to run once a frame has announced it.
#[derive(Clone, Copy, Debug)]
pub(super) struct PendingCheck {
    pub(super) check: Check,
    /// Whether a frame has announced it.
    pub(super) announced: bool,
}
