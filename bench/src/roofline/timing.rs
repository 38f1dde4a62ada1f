//! Times the same work on several threads at once.

use std::hint::black_box;
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Instant;

const REPEATS: usize = 15;
/// Once this many repeats have taken this many seconds, they are enough: a pass over a gigabyte
/// takes long, and differs less from the next than a short one.
const ENOUGH_REPEATS: usize = 5;
const ENOUGH_SECONDS: f64 = 0.3;

/// The fewest seconds in which `threads` threads, each doing all of the work, have all finished;
/// and the result of the first. `prepare` makes the state of each thread.
pub(crate) fn fastest<S, T: Send>(
    threads: usize,
    prepare: impl Fn() -> S + Sync,
    work: impl Fn(&mut S) -> T + Sync,
) -> (f64, T) {
    let (barrier, enough) = (Barrier::new(threads), AtomicBool::new(false));
    let times_of_one = |leads: bool| {
        let mut state = prepare();
        let mut result = black_box(work(&mut state));
        let (mut times, mut spent) = (Vec::with_capacity(REPEATS), 0.0);
        while times.len() < REPEATS {
            if leads && times.len() >= ENOUGH_REPEATS && spent > ENOUGH_SECONDS {
                enough.store(true, Relaxed);
            }
            // All threads take as many repeats: what is stored before the barrier is read after it.
            barrier.wait();
            if enough.load(Relaxed) {
                break;
            }
            let start = Instant::now();
            result = black_box(work(&mut state));
            let time = start.elapsed().as_secs_f64();
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
