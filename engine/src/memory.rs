//! How much memory is available, and refusals of what does not fit.
//!
//! An allocation that fails ends the program, and where the system promises more than it has, it
//! ends later and without a message. So crowds are estimated and compared before they are built.

use std::hint::black_box;

use crate::error::{Error, ErrorKind};

/// What the system has to give beyond what is asked for: stacks and heaps of threads.
const HEADROOM: u64 = 256 << 20;

/// Less always counts as there: asking the system would take longer than building a small crowd.
const WORTH_ASKING: u64 = 64 << 20;

/// Checks that this many more bytes are available. [`Scene::build`] and snapshots call this
/// themselves; call it for what your program keeps per agent.
///
/// # Errors
/// [`ErrorKind::Memory`], with both figures. Less than 64 MiB is never refused.
///
/// [`Scene::build`]: crate::Scene::build
pub fn check(needed: u64) -> Result<(), Error> {
    if needed < WORTH_ASKING {
        return Ok(());
    }
    let available = available();
    match available {
        Some(there) if there < needed => Err(Error::new(ErrorKind::Memory { needed, available })),
        _ if can_be_reserved(needed.saturating_add(HEADROOM)) => Ok(()),
        _ => Err(Error::new(ErrorKind::Memory { needed, available: None })),
    }
}

/// The stack of every thread of a simulation, in bytes, whatever the environment says.
pub const STACK: usize = 2 << 20;

/// Refuses more threads with stacks of [`STACK`] bytes than fit in memory: a thread that runs out
/// of memory as it starts ends the program. Simulations call this themselves; call it for your
/// program's own threads.
///
/// # Errors
/// [`ErrorKind::Threads`]. Fewer than 32 are never refused.
pub fn check_threads(threads: usize) -> Result<(), Error> {
    let stacks = (STACK as u64).saturating_mul(threads as u64);
    if stacks < WORTH_ASKING || can_be_reserved(stacks.saturating_add(HEADROOM)) {
        return Ok(());
    }
    let message = "not enough memory for their stacks".to_owned();
    Err(Error::new(ErrorKind::Threads { threads, message }))
}

/// Whether the system would give this process so much; limits of processes are in effect here.
fn can_be_reserved(bytes: u64) -> bool {
    let mut tried = Vec::<u8>::new();
    let reserved = usize::try_from(bytes).is_ok_and(|bytes| tried.try_reserve_exact(bytes).is_ok());
    // Not optimized away.
    black_box(&mut tried);
    reserved
}

/// Bytes that this process can still get; `None` where the system does not say.
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
