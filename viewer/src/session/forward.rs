//! How far fast-forwarding goes.

/// A way to go, in steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Forward {
    pub(crate) from: u64,
    pub(crate) to: u64,
}
