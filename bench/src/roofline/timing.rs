//! Times the same work on several threads at once.

use std::hint::black_box;
use std::sync::Barrier;
use std::time::Instant;

const REPEATS: usize = 15;

/// The fewest seconds in which `threads` threads, each doing all of the work, have all finished;
/// and the result of the first. `prepare` makes the state of each thread.
pub(crate) fn fastest<S, T: Send>(
    threads: usize,
    prepare: impl Fn() -> S + Sync,
    work: impl Fn(&mut S) -> T + Sync,
) -> (f64, T) {
    let barrier = Barrier::new(threads);
    let times_of_one = || {
        let mut state = prepare();
        let mut result = black_box(work(&mut state));
        let mut times = [0.0; REPEATS];
        for time in &mut times {
            barrier.wait();
            let start = Instant::now();
            result = black_box(work(&mut state));
            *time = start.elapsed().as_secs_f64();
        }
        (times, result)
    };
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(times_of_one)).collect();
        let (mut slowest, result) = times_of_one();
        for other in others {
            let (times, _) = other.join().expect("arithmetic does not panic");
            slowest.iter_mut().zip(times).for_each(|(slow, time)| *slow = slow.max(time));
        }
        (slowest.into_iter().fold(f64::MAX, f64::min), result)
    })
}
