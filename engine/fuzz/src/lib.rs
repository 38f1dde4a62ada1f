//! Fuzz targets for arbitrary bytes. A target panics if the engine breaks a promise: input works
//! or is refused with a message, every method, partition and SIMD level gives the same bits, all
//! numbers stay finite, and every state can be saved and read back.
//!
//! `engine/fuzz/run` searches for inputs that break a promise; `cargo test -p flockwork-fuzz`
//! replays the committed inputs.

#![deny(unsafe_code)]

mod alarm;
mod calls;
mod draw;
mod part;
#[path = "../../tests/suite/common/snapshots.rs"]
#[allow(dead_code, reason = "shared with the engine's tests")]
mod seal;
#[path = "../../tests/suite/slab/slabs.rs"]
#[allow(dead_code, reason = "shared with the engine's tests")]
mod slabs;
mod snapshot;
mod text;
mod variants;

pub use calls::calls;
pub use part::part;
pub use snapshot::snapshot;
pub use text::{params_ini, scene};

fn assert_readable(error: &flockwork::Error) {
    let message = error.to_string();
    assert!((10..3_000).contains(&message.len()), "{message}");
    assert!(!message.contains(|c: char| c.is_control() && c != '\n'), "{message:?}");
}
