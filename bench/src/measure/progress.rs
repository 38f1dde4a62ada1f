//! The progress of a measurement and its remaining time.

use std::collections::HashMap;
use std::time::Instant;

use indicatif::{ProgressBar, ProgressStyle};

use crate::experiments::group::Group;
use crate::measure::pace::{BLOCKS, Pace};

/// A bar in seconds of expected work: the costs of crowds differ too much to count crowds.
pub(crate) struct Progress {
    bar: ProgressBar,
    /// Measured or expected seconds of a block of each group.
    seconds: HashMap<String, f64>,
    /// Seconds of all remaining blocks.
    left: f64,
    done: f64,
    begun: Instant,
}

impl Progress {
    pub(crate) fn new(groups: &[Group], pace: Pace) -> Self {
        let guess = |group: &Group| {
            let times = group.cases.len() as f64 * pace.per_row / BLOCKS as f64;
            // Building and warming up, at about a microsecond per agent.
            (group.name(), times + group.agents() as f64 * 1.0e-6)
        };
        let seconds: HashMap<String, f64> = groups.iter().map(guess).collect();
        let left = seconds.values().sum::<f64>() * BLOCKS as f64;
        let style = ProgressStyle::with_template("{bar:30} {percent:>3} %  {msg}")
            .expect("a valid template");
        let bar = ProgressBar::new(1_000).with_style(style);
        Self { bar, seconds, left, done: 0.0, begun: Instant::now() }
    }

    /// The bar itself, for messages printed above it.
    pub(crate) fn bar(&self) -> ProgressBar {
        self.bar.clone()
    }

    /// Shows what runs before the first group.
    pub(crate) fn show(&self, what: &'static str) {
        self.bar.set_message(what);
    }

    pub(crate) fn begin(&mut self, group: &Group) {
        self.begun = Instant::now();
        self.tick(group, "preparing");
    }

    pub(crate) fn tick(&self, group: &Group, series: &str) {
        let expected = self.seconds[&group.name()];
        let now = self.begun.elapsed().as_secs_f64().min(expected);
        let (done, left) = (self.done + now, (self.left - now).max(0.0));
        self.bar.set_position((1_000.0 * done / (done + left).max(1.0e-9)) as u64);
        self.bar.set_message(format!(
            "{}, {series}  (about {} left)",
            group.name(),
            duration(left)
        ));
    }

    /// Ends a block. The remaining blocks of this crowd are expected to take as long.
    pub(crate) fn end(&mut self, group: &Group, block: usize) {
        let took = self.begun.elapsed().as_secs_f64();
        let expected = self.seconds.insert(group.name(), took).unwrap_or(took);
        self.left += (BLOCKS - 1 - block) as f64 * (took - expected) - expected;
        self.done += took;
    }

    /// Ends a block that is not measured, because an earlier run did it or it would take too long.
    /// It predicts nothing about the remaining ones.
    pub(crate) fn skip(&mut self, group: &Group) {
        self.left -= self.seconds[&group.name()];
    }

    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

/// 42 s, 3 min 20 s.
pub(crate) fn duration(seconds: f64) -> String {
    let whole = seconds.round() as u64;
    match whole {
        0..=99 => format!("{whole} s"),
        _ => format!("{} min {} s", whole / 60, whole % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiments::group::workload;

    #[test]
    fn skipped_blocks_do_not_change_the_expected_time_of_others() {
        let scene = workload(1_000, 16.0, 1).expect("the stress scene");
        let groups = [Group::new("test", "a", 1.0, scene, Vec::new())];
        let pace = Pace { step_budget: 1.0, per_row: 1.0 };
        let mut progress = Progress::new(&groups, pace);
        let (all, of_block) = (progress.left, progress.seconds["test a"]);
        progress.skip(&groups[0]);
        progress.skip(&groups[0]);
        assert!((progress.left - 0.6 * all).abs() < 1.0e-9);
        assert_eq!((progress.done, progress.seconds["test a"]), (0.0, of_block));
    }
}
