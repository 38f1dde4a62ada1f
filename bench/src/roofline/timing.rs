use std::hint::black_box;
use std::sync::{Barrier, Mutex, PoisonError};
use std::time::Instant;

use rayon::{ThreadPoolBuildError, ThreadPoolBuilder};

const MAX_REPEATS: usize = 15;
/// Measurement may stop after this many repeats if they took more than `MIN_SECONDS` in total.
/// Long repeats vary less than short ones, so fewer are enough.
const MIN_REPEATS: usize = 5;
const MIN_SECONDS: f64 = 0.3;

/// Repeats `work` on one thread per state. A repeat takes as long as its slowest thread.
/// Returns the time of the shortest repeat, in seconds, and the first thread's result.
pub(super) fn fastest<S: Send, T: Send>(
    states: Vec<S>,
    work: impl Fn(&mut S) -> T + Sync,
) -> Result<(f64, T), Unmeasured> {
    let states: Vec<Mutex<S>> = states.into_iter().map(Mutex::new).collect();
    let barrier = Barrier::new(states.len());
    let timed = |thread: usize| {
        let mut state = states[thread].lock().unwrap_or_else(PoisonError::into_inner);
        barrier.wait();
        let begun = Instant::now();
        let result = black_box(work(&mut state));
        (begun.elapsed().as_secs_f64(), result)
    };
    // A single state runs on the calling thread, because the system may refuse to start another.
    let many = (states.len() > 1).then(|| ThreadPoolBuilder::new().num_threads(states.len()));
    let pool = many.map(ThreadPoolBuilder::build).transpose().map_err(Unmeasured::Thread)?;
    let repeat = || match &pool {
        Some(pool) => pool.broadcast(|thread| timed(thread.index())),
        None => vec![timed(0)],
    };
    // The first repeat is a warm-up.
    let mut last = repeat();
    let (mut shortest, mut spent) = (f64::MAX, 0.0);
    for repeats in 0..MAX_REPEATS {
        if repeats >= MIN_REPEATS && spent > MIN_SECONDS {
            break;
        }
        last = repeat();
        let slowest = last.iter().map(|(seconds, _)| *seconds).fold(0.0, f64::max);
        shortest = slowest.min(shortest);
        spent += slowest;
    }
    Ok((shortest, last.swap_remove(0).1))
}

#[derive(Debug, thiserror::Error)]
pub enum Unmeasured {
    #[error("the {operation} benchmark computed {found}, but scalar code computed {expected}")]
    WrongResult { operation: &'static str, found: f32, expected: f32 },
    #[error("cannot start a thread to measure the limits of the machine: {0}")]
    Thread(ThreadPoolBuildError),
    #[error("not enough memory to measure memory bandwidth: {bytes} bytes are needed")]
    Memory { bytes: usize },
}

/// Fails unless the two values are bitwise identical.
pub(super) fn check(operation: &'static str, found: f32, expected: f32) -> Result<(), Unmeasured> {
    let same = found.to_bits() == expected.to_bits();
    if same { Ok(()) } else { Err(Unmeasured::WrongResult { operation, found, expected }) }
}
