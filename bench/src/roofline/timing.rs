use std::hint::black_box;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Barrier, Mutex, PoisonError};
use std::time::Instant;
use std::{io, thread};

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
    let (barrier, last) = (Barrier::new(states.len()), AtomicUsize::new(MAX_REPEATS));
    let times_of_one = |leads: bool, mut state: S| {
        let mut result = black_box(work(&mut state));
        let (mut times, mut spent) = (Vec::with_capacity(MAX_REPEATS), 0.0);
        loop {
            if leads && times.len() >= MIN_REPEATS && spent > MIN_SECONDS {
                last.fetch_min(times.len(), Relaxed);
            }
            // All threads must run the same number of repeats. A thread slow to leave the barrier
            // may already see the value that the leader stores after its next repeat. A stop flag
            // would end that thread one repeat early, so store the number of repeats instead.
            barrier.wait();
            if times.len() >= last.load(Relaxed) {
                break;
            }
            let begun = Instant::now();
            result = black_box(work(&mut state));
            let time = begun.elapsed().as_secs_f64();
            times.push(time);
            spent += time;
        }
        (times, result)
    };
    // Spawned threads wait for this lock until all have been spawned. If one fails to start,
    // the others exit; otherwise, they would wait at the barrier forever.
    let all_started = Mutex::new(true);
    let mut states = states.into_iter();
    let first = states.next().expect("one thread or more");
    thread::scope(|scope| {
        let mut have_all = all_started.lock().unwrap_or_else(PoisonError::into_inner);
        let start = |state| {
            let work = || {
                let is_begun = *all_started.lock().unwrap_or_else(PoisonError::into_inner);
                is_begun.then(|| times_of_one(false, state).0)
            };
            thread::Builder::new().spawn_scoped(scope, work)
        };
        let others: Vec<_> = match states.map(start).collect() {
            Ok(others) => others,
            Err(error) => {
                *have_all = false;
                return Err(Unmeasured::Thread(error));
            }
        };
        drop(have_all);
        let (mut slowest, result) = times_of_one(true, first);
        for other in others {
            let times = other.join().expect("arithmetic does not panic").expect("all have started");
            slowest.iter_mut().zip(times).for_each(|(slow, time)| *slow = slow.max(time));
        }
        Ok((slowest.into_iter().fold(f64::MAX, f64::min), result))
    })
}

#[derive(Debug, thiserror::Error)]
pub enum Unmeasured {
    #[error("the {operation} benchmark computed {found}, but scalar code computed {expected}")]
    WrongResult { operation: &'static str, found: f32, expected: f32 },
    #[error("cannot start a thread to measure the limits of the machine: {0}")]
    Thread(io::Error),
    #[error("not enough memory to measure memory bandwidth: {bytes} bytes are needed")]
    Memory { bytes: usize },
}

/// Fails unless the two values are bitwise identical.
pub(super) fn check(operation: &'static str, found: f32, expected: f32) -> Result<(), Unmeasured> {
    let same = found.to_bits() == expected.to_bits();
    if same { Ok(()) } else { Err(Unmeasured::WrongResult { operation, found, expected }) }
}

#[cfg(test)]
mod tests {
    use std::thread;
    use std::time::Duration;

    use super::*;

    #[test]
    fn threads_that_wake_up_late_take_as_many_repeats_as_the_first() {
        // Use enough threads per core that the first ends a repeat before the last ones wake up.
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let (first, threads) = (thread::current().id(), (40 * cores).min(512));
        let work = |_: &mut ()| {
            if thread::current().id() == first {
                thread::sleep(Duration::from_millis(61));
            } else {
                let start = Instant::now();
                while start.elapsed() < Duration::from_millis(3) {}
            }
        };
        let (seconds, ()) = fastest(vec![(); threads], work).unwrap();
        assert!(seconds >= 0.06, "{seconds}");
    }
}
