//! Checks that an allocation fits into the available memory.
//!
//! A failed allocation aborts the program. If the system overcommits memory, the program is killed
//! later, without a message. Memory is therefore estimated before a crowd is built.

use std::hint::black_box;

use crate::error::{Error, ErrorKind};

/// Bytes that must remain free after the allocation, for thread stacks and heaps.
const HEADROOM: u64 = 256 << 20;

/// Smaller requests always pass: querying the system is slower than building a small crowd.
const MIN_CHECKED_BYTES: u64 = 64 << 20;

/// Checks that `needed` more bytes are available. [`Scene::build`] and snapshots already call this
/// function. Call it yourself before your program allocates memory per agent.
///
/// # Errors
/// [`ErrorKind::Memory`], with the needed and available bytes, if there is not enough memory.
/// Requests below 64 MiB never fail.
///
/// [`Scene::build`]: crate::Scene::build
pub fn check(needed: u64) -> Result<(), Error> {
    if needed < MIN_CHECKED_BYTES {
        return Ok(());
    }
    let available = available();
    match available {
        Some(there) if there < needed => Err(Error::new(ErrorKind::Memory { needed, available })),
        _ if can_be_reserved(needed.saturating_add(HEADROOM)) => Ok(()),
        _ => Err(Error::new(ErrorKind::Memory { needed, available: None })),
    }
}

/// Stack size of every simulation thread, in bytes; `RUST_MIN_STACK` does not change it.
pub const STACK_BYTES: usize = 2 << 20;

/// Checks that the stacks of `threads` more threads, [`STACK_BYTES`] bytes each, fit in memory:
/// a thread that runs out of memory while starting aborts the program.
/// Simulations already call this function. Call it before starting threads of your own.
///
/// # Errors
/// [`ErrorKind::Threads`] if the stacks do not fit. Requests for fewer than 32 threads never fail.
pub fn check_threads(threads: usize) -> Result<(), Error> {
    let stacks = (STACK_BYTES as u64).saturating_mul(threads as u64);
    if stacks < MIN_CHECKED_BYTES || can_be_reserved(stacks.saturating_add(HEADROOM)) {
        return Ok(());
    }
    let message = "not enough memory for their stacks".to_owned();
    Err(Error::new(ErrorKind::Threads { threads, message }))
}

/// Tries to allocate the memory, because the process may have a lower limit than the system.
fn can_be_reserved(bytes: u64) -> bool {
    let mut tried = Vec::<u8>::new();
    let reserved = usize::try_from(bytes).is_ok_and(|bytes| tried.try_reserve_exact(bytes).is_ok());
    // Keeps the compiler from removing the allocation.
    black_box(&mut tried);
    reserved
}

#[cfg(target_os = "linux")]
fn available() -> Option<u64> {
    let mut system = sysinfo::System::new();
    system.refresh_memory();
    let of_machine = system.available_memory() + system.free_swap();
    let of_group = system.cgroup_limits().map(|group| group.free_memory + group.free_swap);
    let of_process = rustix::process::getrlimit(rustix::process::Resource::As).current;
    let all = [Some(of_machine).filter(|&bytes| bytes > 0), of_group, of_process];
    all.into_iter().flatten().min()
}

#[cfg(not(target_os = "linux"))]
fn available() -> Option<u64> {
    None
}
