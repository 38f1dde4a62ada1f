//! An operation that went wrong.

/// An operation that did not compute what it should have.
#[derive(Debug, thiserror::Error)]
#[error("the {operation} benchmark computed {found}, and scalar code {expected}")]
pub struct WrongResult {
    pub(super) operation: &'static str,
    pub(super) found: f32,
    pub(super) expected: f32,
}
