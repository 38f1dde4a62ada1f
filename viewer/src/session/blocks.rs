//! Times steps in short blocks that alternate between crowds, so that other load disturbs all
//! crowds alike.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fs;
use std::time::{Duration, Instant};

use flockwork::{Error, Simulation};

/// Duration of a block. A block takes at least one step, however long that is.
const BLOCK: Duration = Duration::from_millis(15);
/// A block is disturbed if its threads waited for a processor for longer than this fraction of it.
const MAX_WAITED: f64 = 0.05;
/// Timings of one block of steps of each crowd.
pub(super) struct Round {
    /// Duration of each crowd's fastest step, in seconds.
    pub(super) fastest: Vec<f64>,
    pub(super) disturbed: bool,
}

pub(super) fn round(crowds: &mut [Simulation]) -> Result<Round, Error> {
    let mut round = Round { fastest: Vec::new(), disturbed: false };
    for crowd in crowds {
        let (before, start) = (waiting_times(), Instant::now());
        let mut fastest = f64::MAX;
        while fastest == f64::MAX || start.elapsed() < BLOCK {
            let step = Instant::now();
            crowd.step()?;
            fastest = fastest.min(step.elapsed().as_secs_f64());
        }
        let most = MAX_WAITED * start.elapsed().as_secs_f64();
        round.disturbed |= waited_since(&before) > most;
        round.fastest.push(fastest);
    }
    Ok(round)
}

/// Returns the seconds that each stepping thread has been ready but without a processor, by thread
/// id. Stepping threads are this thread and the engine's workers. Other threads, e.g. of a driver
/// that draws in software, may wait without disturbing a step. Empty if the system does not report
/// waiting times.
fn waiting_times() -> HashMap<OsString, f64> {
    let own = fs::read_link("/proc/thread-self").ok();
    let own = own.as_ref().and_then(|path| path.file_name());
    let is_worker = |thread: &fs::DirEntry| {
        let name = fs::read_to_string(thread.path().join("comm")).unwrap_or_default();
        let number = name.trim_end().strip_prefix("flockwork-");
        number.is_some_and(|number| number.parse::<u32>().is_ok())
    };
    let waited = |thread: fs::DirEntry| {
        let line = fs::read_to_string(thread.path().join("schedstat")).ok()?;
        let nanoseconds: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
        Some((thread.file_name(), 1.0e-9 * nanoseconds))
    };
    let threads = fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let steps = |thread: &fs::DirEntry| Some(&*thread.file_name()) == own || is_worker(thread);
    threads.filter(steps).filter_map(waited).collect()
}

/// Returns the total seconds that stepping threads have waited since `before` was read.
fn waited_since(before: &HashMap<OsString, f64>) -> f64 {
    let times = waiting_times();
    times.iter().map(|(thread, now)| now - before.get(thread).copied().unwrap_or(0.0)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use flockwork::Scene;

    #[test]
    fn every_crowd_is_stepped_and_timed() {
        let crowd = |agents| Scene::named("flock").unwrap().agents(agents).build().unwrap();
        let mut crowds = [crowd(4), crowd(3_000)];
        let [few, many] = round(&mut crowds).unwrap().fastest[..] else {
            panic!("a time for each")
        };
        assert!(few > 0.0 && many > few, "{few} {many}");
        assert!(crowds.iter().all(|crowd| crowd.tick() > 0));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn waiting_for_a_processor_is_noticed() {
        let before = waiting_times();
        let cores = std::thread::available_parallelism().unwrap().get();
        let done = &std::sync::Barrier::new(4 * cores + 1);
        std::thread::scope(|scope| {
            // Threads that end are no longer counted, so the time is read while all are running.
            for k in 0..4 * cores {
                let worker = std::thread::Builder::new().name(format!("flockwork-{k}"));
                let work = move || {
                    let start = Instant::now();
                    while start.elapsed() < Duration::from_millis(200) {
                        std::hint::spin_loop();
                    }
                    done.wait();
                    done.wait();
                };
                worker.spawn_scoped(scope, work).expect("a few threads");
            }
            done.wait();
            let waited = waited_since(&before);
            done.wait();
            assert!(waited > 0.1, "{waited}");
        });
    }

    /// Regression: threads that draw in software waited for a processor, so the window always said
    /// "busy machine".
    #[cfg(target_os = "linux")]
    #[test]
    fn threads_count_only_if_they_take_steps() {
        let number = || fs::read_link("/proc/thread-self").unwrap().file_name().unwrap().to_owned();
        assert!(waiting_times().contains_key(&number()), "this thread");
        let counts = |name: &str| {
            let (tell, told) = std::sync::mpsc::channel();
            let (end, ended) = std::sync::mpsc::channel::<()>();
            let thread = std::thread::Builder::new().name(name.into()).spawn(move || {
                tell.send(number()).unwrap();
                _ = ended.recv();
            });
            let thread_number = told.recv().unwrap();
            let counts = waiting_times().contains_key(&thread_number);
            drop(end);
            thread.unwrap().join().unwrap();
            counts
        };
        assert!(!counts("llvmpipe-0") && !counts("flockwork-viewe"));
        assert!(counts("flockwork-3"));
    }
}
