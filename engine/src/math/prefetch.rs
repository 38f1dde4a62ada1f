//! Prefetching by reading.

use std::hint::black_box;

/// Reads a stretch of memory front to back, so that the hardware prefetcher brings it into the
/// cache. Scattered reads that follow find it there; otherwise they would wait for memory at every
/// jump between rows of cells.
pub(crate) fn prefetch<T: bytemuck::NoUninit>(values: &[T]) {
    const CACHE_LINE: usize = 64;
    let bytes: &[u8] = bytemuck::cast_slice(values);
    black_box(bytes.iter().step_by(CACHE_LINE).fold(0, |sum, byte| sum ^ byte));
}
