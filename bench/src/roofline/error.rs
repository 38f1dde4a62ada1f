//! The error of an operation with a wrong result.

/// An operation whose result differs from that of scalar code.
#[derive(Debug, thiserror::Error)]
#[error("the {operation} benchmark computed {found}, but scalar code {expected}")]
pub struct WrongResult {
    pub(super) operation: &'static str,
    pub(super) found: f32,
    pub(super) expected: f32,
}
