//! Chooses the crowd to measure next, so that a run stays within its time limit.
//!
//! Every crowd gets five blocks, one per pass over the list. The first pass follows the list.
//! Later passes run in random order, because a periodic disturbance would otherwise hit
//! the same rows in every pass. The remaining time goes to crowds whose calm blocks disagree
//! or whose ratios are in doubt, always to the one that has used the least time so far,
//! until its blocks agree or it has sixteen of them. If time is short, there are fewer passes.
//! If not even three passes fit, the slowest crowds are left out.

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::experiment::Experiment;
use crate::experiments::group::Group;
use crate::numbers::duration;
use crate::results::CALM_BLOCKS;
use crate::results::report::Skipped;
use crate::variant::Variant;

/// If time allows, each crowd gets this many blocks of repeats, and more if results vary.
pub(super) const BLOCKS: usize = 5;
pub(super) const MAX_BLOCKS: usize = 16;
/// After `BLOCKS` blocks, a crowd needs no more once its relative uncertainty is at most this.
pub(super) const TARGET_DISAGREEMENT: f64 = 0.02;
/// Fraction of the time limit reserved for the first five blocks of rows with short steps.
/// The rest is for long steps, preparation, and rows that need more blocks.
const SHARE_OF_SHORT_STEPS: f64 = 0.4;
/// Maximum time per row and block, in seconds: more repeats would add no information.
const MAX_ROW_SECONDS: f64 = 0.6;
/// Fraction of the time limit within which all crowds should get three blocks.
const SHARE_OF_EXPECTED: f64 = 0.85;
/// Seconds reserved for writing the report.
const REPORT_SECONDS: f64 = 1.0;
/// Each block is expected to take at most this many times as long as the previous one.
const MAX_BLOCK_SLOWDOWN: f64 = 1.3;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Pace {
    pub(crate) step_seconds: f64,
    pub(crate) seconds: f64,
    /// If true, crowds that would exceed the time limit are skipped. Otherwise, each crowd
    /// is measured at least once.
    pub(crate) strict: bool,
}

impl Pace {
    pub(crate) fn too_long(&self, seconds: f64) -> String {
        let [step, budget] = [seconds, self.step_seconds].map(duration);
        format!("a step takes about {step}, but the budget is {budget}")
    }

    pub(crate) fn no_time(&self, seconds: f64, left: f64) -> String {
        let [needed, left, all] = [seconds, left, self.seconds].map(duration);
        format!("needs about {needed}, but {left} of {all} are left (--time)")
    }
}

pub(crate) fn stopped(group: &Group, variant: Variant, reason: String) -> Skipped {
    Skipped { id: group.id(variant), n: group.agents(), step_seconds: None, reason }
}

pub(crate) struct Schedule {
    end: f64,
    strict: bool,
    pub(crate) row_seconds: f64,
    crowds: Vec<CrowdTiming>,
    order: Xoshiro256PlusPlus,
}

struct CrowdTiming {
    /// Deadline for the crowd's third block, in seconds from the start of the run.
    due: f64,
    seconds: f64,
    blocks: usize,
    disagreement: f64,
    left_out: bool,
}

impl CrowdTiming {
    fn new(due: f64, seconds: f64) -> Self {
        Self { due, seconds, blocks: 0, disagreement: f64::INFINITY, left_out: false }
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Expected {
    pub(crate) experiment: Experiment,
    pub(crate) rows: usize,
    pub(crate) seconds: f64,
}

impl Schedule {
    pub(crate) fn new(pace: &Pace, expected: &[Expected]) -> Self {
        let &Pace { seconds, strict, .. } = pace;
        let end = (seconds - REPORT_SECONDS).max(0.5 * seconds);
        let rows = expected.iter().map(|crowd| crowd.rows).sum::<usize>().max(1);
        let row_seconds =
            (SHARE_OF_SHORT_STEPS * end / (BLOCKS * rows) as f64).min(MAX_ROW_SECONDS);
        let block = |crowd: &Expected| crowd.seconds.max(crowd.rows as f64 * row_seconds);
        let all: f64 = expected.iter().map(block).sum();
        // Each experiment gets its share of the time. Otherwise, a slow machine would skip the last
        // experiment.
        let due = |crowd: &Expected| {
            let last = expected.iter().rposition(|other| other.experiment == crowd.experiment);
            let until: f64 = expected[..=last.unwrap_or(0)].iter().map(block).sum();
            SHARE_OF_EXPECTED * end * until / all
        };
        let crowds =
            expected.iter().map(|crowd| CrowdTiming::new(due(crowd), block(crowd))).collect();
        let order = Xoshiro256PlusPlus::seed_from_u64(2004);
        Self { end, strict, row_seconds, crowds, order }
    }

    /// Adds a crowd if all others have been measured and time remains for three of its blocks.
    pub(crate) fn add(&mut self, expected: &Expected, now: f64) -> bool {
        let seconds = expected.seconds.max(expected.rows as f64 * self.row_seconds);
        let is_measured = |crowd: &CrowdTiming| crowd.blocks > 0 || crowd.left_out;
        let fits = now + self.committed() + CALM_BLOCKS as f64 * seconds <= self.end;
        let is_added = fits && self.crowds.iter().all(is_measured);
        if is_added {
            self.crowds.push(CrowdTiming::new(self.end, seconds));
        }
        is_added
    }

    pub(crate) fn next(&mut self, now: f64) -> Option<usize> {
        let open: Vec<(usize, &CrowdTiming)> =
            self.crowds.iter().enumerate().filter(|(_, crowd)| !crowd.left_out).collect();
        if let Some((first, _)) = open.iter().find(|(_, crowd)| crowd.blocks == 0) {
            return Some(*first);
        }
        let fits = |crowd: &CrowdTiming| now + MAX_BLOCK_SLOWDOWN * crowd.seconds <= self.end;
        let lacks = |crowd: &CrowdTiming| crowd.blocks < BLOCKS && fits(crowd);
        let fewest = open.iter().filter(|(_, crowd)| lacks(crowd)).map(|(_, crowd)| crowd.blocks);
        if let Some(fewest) = fewest.min() {
            let in_pass = |crowd: &CrowdTiming| crowd.blocks == fewest && lacks(crowd);
            let pass: Vec<usize> =
                open.iter().filter(|(_, crowd)| in_pass(crowd)).map(|(k, _)| *k).collect();
            return Some(pass[(self.order.next_u64() % pass.len() as u64) as usize]);
        }
        let needs = |crowd: &CrowdTiming| {
            crowd.blocks < MAX_BLOCKS && crowd.disagreement > TARGET_DISAGREEMENT && fits(crowd)
        };
        let spent = |crowd: &CrowdTiming| crowd.blocks as f64 * crowd.seconds;
        let needy = open.iter().filter(|(_, crowd)| needs(crowd));
        needy.min_by(|(_, a), (_, b)| spent(a).total_cmp(&spent(b))).map(|(next, _)| *next)
    }

    /// True if three blocks of `seconds` each fit before the crowd's deadline, together with the
    /// blocks that other started crowds still need. Always true unless the time limit is strict.
    pub(crate) fn fits(&self, crowd: usize, now: f64, seconds: f64) -> bool {
        !self.strict
            || now + self.committed() + CALM_BLOCKS as f64 * seconds <= self.crowds[crowd].due
    }

    pub(crate) fn left_for(&self, crowd: usize, now: f64) -> f64 {
        (self.crowds[crowd].due - now - self.committed()).max(0.0)
    }

    fn committed(&self) -> f64 {
        let lacks = |crowd: &CrowdTiming| CALM_BLOCKS.saturating_sub(crowd.blocks) as f64;
        let begun = self.crowds.iter().filter(|crowd| crowd.blocks > 0 && !crowd.left_out);
        begun.map(|crowd| lacks(crowd) * crowd.seconds).sum()
    }

    pub(crate) fn measured(&mut self, crowd: usize, seconds: f64, disagreement: f64) {
        let crowd = &mut self.crowds[crowd];
        crowd.seconds = seconds;
        crowd.disagreement = disagreement;
        crowd.blocks += 1;
    }

    pub(crate) fn leave_out(&mut self, crowd: usize) {
        self.crowds[crowd].left_out = true;
    }

    pub(crate) fn left(&self, now: f64) -> f64 {
        let of_crowd = |crowd: &CrowdTiming| {
            let few = if crowd.disagreement > TARGET_DISAGREEMENT { BLOCKS + 1 } else { BLOCKS };
            few.saturating_sub(crowd.blocks) as f64 * crowd.seconds
        };
        let open = self.crowds.iter().filter(|crowd| !crowd.left_out);
        open.map(of_crowd).sum::<f64>().min(self.end - now).max(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pace(seconds: f64, strict: bool) -> Pace {
        Pace { step_seconds: 0.02, seconds, strict }
    }

    const SMALL: Expected = Expected { experiment: Experiment::Scaling, rows: 4, seconds: 0.01 };

    /// Simulates a schedule on a machine `slower` times as slow as expected.
    /// `disagreement(crowd, blocks)` is a crowd's relative uncertainty after `blocks` blocks.
    /// Returns the number of blocks per crowd and the end time in seconds.
    fn run(
        seconds: f64,
        expected: &[Expected],
        slower: f64,
        disagreement: impl Fn(usize, usize) -> f64,
    ) -> (Vec<usize>, f64) {
        let mut schedule = Schedule::new(&pace(seconds, true), expected);
        let (mut now, mut blocks) = (1.0, vec![0; expected.len()]);
        while let Some(next) = schedule.next(now) {
            let rows = expected[next].rows as f64 * schedule.row_seconds;
            let took = rows.max(slower * expected[next].seconds);
            if blocks[next] == 0 && !schedule.fits(next, now, took) {
                schedule.leave_out(next);
                continue;
            }
            now += took;
            blocks[next] += 1;
            schedule.measured(next, took, disagreement(next, blocks[next]));
        }
        (blocks, now)
    }

    #[test]
    fn rows_that_agree_get_five_blocks_and_the_others_the_rest_of_the_time() {
        let crowds = [SMALL; 6];
        let (blocks, end) = run(60.0, &crowds, 1.0, |_, _| 0.01);
        assert_eq!(blocks, [5; 6]);
        assert!(end < 0.5 * 60.0, "{end}");
        let (blocks, end) = run(60.0, &crowds, 1.0, |crowd, blocks| match crowd {
            2 if blocks < 8 => 0.06,
            4 => 0.3,
            _ => 0.01,
        });
        assert_eq!(blocks, [5, 5, 8, 5, 16, 5]);
        assert!(end < 60.0, "{end}");
    }

    #[test]
    fn on_a_slower_machine_there_are_fewer_blocks_and_then_fewer_crowds() {
        let long = |seconds| Expected { experiment: Experiment::Scaling, rows: 4, seconds };
        let crowds = [long(0.01), long(0.5), long(1.0), long(4.0)];
        for (slower, fewest, left_out) in [(1.0, 5, 0), (2.0, 3, 0), (5.0, 3, 1), (40.0, 3, 3)] {
            let (blocks, end) = run(60.0, &crowds, slower, |_, _| 0.1);
            assert!(end <= 60.0, "{slower} times as slow: {end} s");
            assert_eq!(blocks.iter().filter(|count| **count == 0).count(), left_out, "{slower}");
            let fewest_found = blocks.iter().filter(|count| **count > 0).min();
            assert!(fewest_found.is_some_and(|found| *found >= fewest), "{slower}: {blocks:?}");
        }
    }

    #[test]
    fn every_experiment_has_its_part_of_the_time() {
        let of = |experiment| Expected { experiment, rows: 2, seconds: 0.8 };
        let [a, b] = [Experiment::Scaling, Experiment::Density].map(of);
        let crowds = [a, a, a, b, b, b];
        let (blocks, end) = run(30.0, &crowds, 3.0, |_, _| 0.01);
        assert!(blocks[0] >= 3 && blocks[3] >= 3, "{blocks:?}");
        assert!(blocks[2] == 0 && blocks[5] == 0, "{blocks:?}");
        assert!(end <= 30.0, "{end}");
    }

    #[test]
    fn a_crowd_is_added_once_all_others_are_measured_if_time_remains() {
        let mut schedule = Schedule::new(&pace(60.0, true), &[SMALL; 2]);
        assert!(!schedule.add(&SMALL, 0.0));
        schedule.measured(0, 1.0, 0.01);
        schedule.leave_out(1);
        assert!(!schedule.add(&SMALL, 58.0));
        assert!(schedule.add(&SMALL, 1.0));
        assert!(schedule.next(1.0) == Some(2) && schedule.fits(2, 1.0, 1.0));
    }

    #[test]
    fn what_was_asked_for_is_measured_once_however_long_it_takes() {
        let crowd = Expected { experiment: Experiment::Scaling, rows: 1, seconds: 500.0 };
        let mut schedule = Schedule::new(&pace(240.0, false), &[crowd]);
        assert!(schedule.next(3.0) == Some(0) && schedule.fits(0, 3.0, 500.0));
        schedule.measured(0, 500.0, f64::INFINITY);
        assert_eq!(schedule.next(503.0), None);
    }

    #[test]
    fn the_reason_shows_the_predicted_time_and_the_budget() {
        let pace = pace(60.0, true);
        let reason = pace.too_long(0.0231);
        assert_eq!(reason, "a step takes about 23.1 ms, but the budget is 20.0 ms");
        assert_eq!(
            pace.no_time(31.0, 4.0),
            "needs about 31.0 s, but 4.00 s of 60.0 s are left (--time)"
        );
    }
}
