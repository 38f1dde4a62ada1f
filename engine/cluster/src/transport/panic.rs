//! What a panic says.

use std::any::Any;

/// The message of a panic, from what it carries.
pub(super) fn message(payload: &(dyn Any + Send)) -> &str {
    let fixed = payload.downcast_ref::<&str>().copied();
    let formatted = || payload.downcast_ref::<String>().map(String::as_str);
    fixed.or_else(formatted).unwrap_or("panicked without a message")
}
