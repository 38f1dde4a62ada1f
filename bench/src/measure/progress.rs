use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

use indicatif::{HumanDuration, ProgressBar, ProgressStyle};

use crate::numbers::digits;
use crate::results::row::Row;

pub(crate) struct Progress {
    bar: ProgressBar,
    /// Estimated time left, in words; empty if unknown.
    left: String,
}

impl Progress {
    pub(crate) fn new() -> Self {
        let style = ProgressStyle::with_template("{bar:30} {percent:>3} %  {spinner} {msg}")
            .expect("a valid template");
        let bar = ProgressBar::new(1_000).with_style(style);
        let turning = bar.clone();
        let turn = move || {
            while !turning.is_finished() {
                turning.tick();
                thread::sleep(Duration::from_millis(250));
            }
        };
        // Tick from a thread, so that a run does not look stuck while it builds millions of agents.
        // If no thread can start, the spinner stands still; the bar's own ticker would panic.
        if !bar.is_hidden() {
            let _ = thread::Builder::new().spawn(turn);
        }
        Self { bar, left: String::new() }
    }

    /// Returns a flag that is set by Ctrl-C, a termination signal or a closed terminal. The report
    /// then covers the completed blocks. A second signal ends the program at once.
    pub(crate) fn stop_on_interrupt(&self) -> Arc<AtomicBool> {
        let stop = Arc::new(AtomicBool::new(false));
        let (stopped, bar) = (Arc::clone(&stop), self.bar.clone());
        // A signal handler whose thread cannot start would swallow signals. If no thread can start,
        // set no handler, so that a signal ends the run at once.
        if thread::Builder::new().spawn(|| ()).map(|tried| tried.join()).is_err() {
            return stop;
        }
        let _ = ctrlc::set_handler(move || {
            if stopped.swap(true, Relaxed) {
                std::process::exit(130);
            }
            bar.suspend(|| {
                log("stopping after the current repeat; press Ctrl-C again to stop at once");
            });
        });
        stop
    }

    pub(crate) fn at(&mut self, now: f64, left: f64) {
        self.bar.set_position((1_000.0 * now / (now + left).max(1.0e-9)) as u64);
        let words = HumanDuration(Duration::from_secs_f64(left.max(0.0)));
        self.left = if left > 0.0 { format!("  (about {words} left)") } else { String::new() };
    }

    pub(crate) fn tick(&self, crowd: &str, what: &str) {
        self.bar.set_message(format!("{crowd}, {what}{}", self.left));
    }

    pub(crate) fn row(&self, row: &Row) {
        if self.bar.is_hidden() {
            log(&format!("{}: {} ns per agent-step", row.id, digits(row.ns_per_agent_step)));
        }
    }

    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

/// Prints to standard error; standard output is reserved for the report.
pub(crate) fn log(text: &str) {
    use std::io::Write;
    let _ = writeln!(std::io::stderr(), "{text}");
}
