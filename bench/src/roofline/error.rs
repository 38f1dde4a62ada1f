//! The error of an operation with a wrong result.

/// An operation whose result differs from that of scalar code.
#[derive(Debug, thiserror::Error)]
#[error("the {operation} benchmark computed {found}, but scalar code {expected}")]
pub struct WrongResult {
    operation: &'static str,
    found: f64,
    expected: f64,
}

/// Fails unless the bits are the same.
pub(super) fn check(operation: &'static str, found: f64, expected: f64) -> Result<(), WrongResult> {
    let same = found.to_bits() == expected.to_bits();
    if same { Ok(()) } else { Err(WrongResult { operation, found, expected }) }
}
