//! The progress of a measurement and its remaining time.

use std::time::Duration;

use indicatif::{HumanDuration, ProgressBar, ProgressStyle};

use crate::numbers::{digits, grouped};
use crate::results::row::Row;

/// From this size on, a crowd takes seconds to prepare.
const HUGE: usize = 3_000_000;

/// A bar in seconds on a terminal, and lines elsewhere.
pub(crate) struct Progress {
    bar: ProgressBar,
    /// Seconds of the run so far, and those that are expected to follow.
    now: f64,
    left: f64,
}

impl Progress {
    pub(crate) fn new() -> Self {
        let style = ProgressStyle::with_template("{bar:30} {percent:>3} %  {spinner} {msg}")
            .expect("a valid template");
        let bar = ProgressBar::new(1_000).with_style(style);
        // The spinner turns while a crowd of millions is built, so that nobody thinks it hangs.
        bar.enable_steady_tick(Duration::from_millis(250));
        Self { bar, now: 0.0, left: 0.0 }
    }

    /// The bar itself, for messages printed above it.
    pub(crate) fn bar(&self) -> ProgressBar {
        self.bar.clone()
    }

    /// Shows what runs before the first crowd.
    pub(crate) fn show(&self, what: &'static str) {
        self.bar.set_message(what);
    }

    pub(crate) fn at(&mut self, now: f64, left: f64) {
        (self.now, self.left) = (now, left);
    }

    /// Shows what is done now with a crowd.
    pub(crate) fn tick(&self, crowd: &str, what: &str) {
        let share = self.now / (self.now + self.left).max(1.0e-9);
        self.bar.set_position((1_000.0 * share) as u64);
        let left = if self.left > 0.0 {
            format!("  (about {} left)", HumanDuration(Duration::from_secs_f64(self.left)))
        } else {
            String::new()
        };
        self.bar.set_message(format!("{crowd}, {what}{left}"));
    }

    /// Shows that a crowd is being prepared; without a terminal, prints a line if it is huge.
    pub(crate) fn prepare(&self, crowd: &str, agents: usize, what: &str) {
        self.tick(crowd, what);
        if self.bar.is_hidden() && agents >= HUGE {
            note(&format!("{crowd}: {what}, {} agents", grouped(agents)));
        }
    }

    /// A line for a row that has a time, where there is no terminal.
    pub(crate) fn row(&self, row: &Row) {
        if self.bar.is_hidden() {
            let [ns, low, high] = [row.ns_per_agent_step, row.ns_low, row.ns_high].map(digits);
            let doubt = row.doubts.first().map_or(String::new(), |why| format!(" ? {why}"));
            note(&format!("{}: {ns} ns per agent-step [{low}, {high}]{doubt}", row.id));
        }
    }

    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

/// Prints a message for the user; standard output is for the report.
pub(crate) fn note(text: &str) {
    use std::io::Write;
    // If standard error is closed, the message is not wanted.
    let _ = writeln!(std::io::stderr(), "{text}");
}
