//! Times the same work on several threads at once, and checks its result.

use std::hint::black_box;
use std::sync::Barrier;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use crate::stopwatch::Stopwatch;

const REPEATS: usize = 15;
/// Once this many repeats have taken this many seconds, they are enough: a pass over a gigabyte
/// takes long, and differs less from the next than a short one.
const ENOUGH_REPEATS: usize = 5;
const ENOUGH_SECONDS: f64 = 0.3;

/// The fewest seconds in which `threads` threads, each doing all of the work, have all finished;
/// and the result of the first. `prepare` makes the state of each thread.
pub(super) fn fastest<S, T: Send>(
    threads: usize,
    prepare: impl Fn() -> S + Sync,
    work: impl Fn(&mut S) -> T + Sync,
) -> (f64, T) {
    let (barrier, last) = (Barrier::new(threads), AtomicUsize::new(REPEATS));
    let times_of_one = |leads: bool| {
        let (mut state, mut watch) = (prepare(), Stopwatch::default());
        let mut result = black_box(work(&mut state));
        let (mut times, mut spent) = (Vec::with_capacity(REPEATS), 0.0);
        loop {
            if leads && times.len() >= ENOUGH_REPEATS && spent > ENOUGH_SECONDS {
                last.fetch_min(times.len(), Relaxed);
            }
            // All threads take as many repeats: what is stored before the barrier is read after it.
            // A thread that wakes up late may read what is stored before the next barrier, too, so
            // the number of the last repeat is told and not that the next one is the last.
            barrier.wait();
            if times.len() >= last.load(Relaxed) {
                break;
            }
            result = watch.time(|| black_box(work(&mut state)));
            let time = watch.lap().time.as_secs_f64();
            times.push(time);
            spent += time;
        }
        (times, result)
    };
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(|| times_of_one(false))).collect();
        let (mut slowest, result) = times_of_one(true);
        for other in others {
            let (times, _) = other.join().expect("arithmetic does not panic");
            slowest.iter_mut().zip(times).for_each(|(slow, time)| *slow = slow.max(time));
        }
        (slowest.into_iter().fold(f64::MAX, f64::min), result)
    })
}

/// An operation whose result differs from that of scalar code.
#[derive(Debug, thiserror::Error)]
#[error("the {operation} benchmark computed {found}, but scalar code {expected}")]
pub struct WrongResult {
    operation: &'static str,
    found: f32,
    expected: f32,
}

/// Fails unless the bits are the same.
pub(super) fn check(operation: &'static str, found: f32, expected: f32) -> Result<(), WrongResult> {
    let same = found.to_bits() == expected.to_bits();
    if same { Ok(()) } else { Err(WrongResult { operation, found, expected }) }
}

#[cfg(test)]
mod tests {
    use std::thread;
    use std::time::{Duration, Instant};

    use super::*;

    #[test]
    fn threads_that_wake_up_late_take_as_many_repeats_as_the_first() {
        // So many threads per core that the first is done before others have begun.
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
        let (seconds, ()) = fastest(threads, || (), work);
        assert!(seconds >= 0.06, "{seconds}");
    }
}
