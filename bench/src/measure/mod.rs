//! Measures crowds one by one, alternating between variants and checking every result.
//!
//! All variants start from the same warm state and take the same few steps. They must reach
//! the same state hash before and during timing, so all do the same work on the same crowd.
//! Repeats go round robin over the variants, so that noise affects all variants alike.
//!
//! A run passes over the list of crowds several times. Each pass measures one block of repeats per
//! crowd with fresh memory and threads, so the blocks of a row differ as much as separate runs
//! would. The remaining time goes to rows whose blocks disagree. Around the size at which cells
//! become faster than all pairs, more sizes are added until neighboring sizes are close.
//!
//! For a small crowd, each repeat steps several crowds that differ only in their seeds. Otherwise,
//! branch predictors would memorize the few thousand branches in a step of 100 agents,
//! and the scalar variants would look almost twice as fast as on a new crowd.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Instant;

use flockwork::ErrorKind;
use flockwork::internal::memory;

use crate::experiment::Experiment;
use crate::experiments::group::Group;
use crate::failure::Failure;
use crate::measure::clock::LoadClock;
use crate::measure::crowd::{MIN_TURNS, Warm};
use crate::measure::progress::Progress;
use crate::measure::runner::Runner;
use crate::measure::schedule::{Pace, Schedule, stopped};
use crate::results::CALM_BLOCKS;
use crate::results::fit::size_between;
use crate::results::ratio::Answer;
use crate::results::report::{Report, Skipped};
use crate::results::row::{Block, Row};
use crate::variant::Variant;

mod clock;
pub(crate) mod crowd;
pub(crate) mod progress;
pub(crate) mod runner;
pub(crate) mod schedule;
#[cfg(test)]
mod tests;

const MAX_TURNS: usize = 25;
/// A crowd above this size is predicted only from crowds of at least this size:
/// tiny crowds take far longer per agent.
const MIN_PREDICTING_AGENTS: usize = 1_000;
/// A crowd with at least this many warm-up steps keeps its warm state between blocks.
const LONG_WARM_UP: u64 = 100;

pub(crate) struct Run<'a> {
    pub(crate) pace: Pace,
    pub(crate) begun: Instant,
    pub(crate) stop: &'a AtomicBool,
    pub(crate) progress: &'a mut Progress,
    pub(crate) save: &'a dyn Fn(&Report),
}

impl Run<'_> {
    pub(crate) fn measure(&mut self, groups: &[Group], report: &mut Report) -> Result<(), Failure> {
        for group in groups {
            // Reject an invalid scene now rather than after measuring other crowds.
            group.scene.check()?;
            if let Some(small) = &group.small {
                self.progress.tick(&group.name(), "verifying");
                crowd::verify(&group.name(), small)?;
            }
        }
        let step_seconds = self.pace.step_seconds;
        let expected: Vec<_> =
            groups.iter().map(|group| crowd::expected(group, step_seconds)).collect();
        let mut schedule = Schedule::new(&self.pace, &expected);
        let mut groups = groups.to_vec();
        let mut kept = HashMap::new();
        let mut too_large = None;
        while let Some(next) = schedule.next(self.now()) {
            if self.stop.load(Relaxed) {
                return Ok(());
            }
            if let Some(group) = group_at_crossover(&groups, report)
                && schedule.add(&crowd::expected(&group, step_seconds), self.now())
            {
                groups.push(group);
                continue;
            }
            let (group, begun) = (&groups[next], self.now());
            self.progress.at(begun, schedule.left(begun));
            self.progress.tick(&group.name(), "preparing");
            let variants = self.choose(group, next, &schedule, report);
            if variants.is_empty() {
                schedule.leave_out(next);
                continue;
            }
            match self.measure_block(group, &variants, schedule.row_seconds, &mut kept, report) {
                Ok(complete) => {
                    schedule.measured(next, self.now() - begun, disagreement(group, report));
                    if complete {
                        (self.save)(report);
                        let agreed = |row: &&Row| row.blocks.len() == CALM_BLOCKS;
                        rows(group, report).filter(agreed).for_each(|row| self.progress.row(row));
                    }
                }
                // Out of memory: other crowds may still fit.
                Err(Failure::Engine(error)) if matches!(error.kind(), ErrorKind::Memory { .. }) => {
                    for variant in variants {
                        report.stopped.push(stopped(group, variant, error.to_string()));
                    }
                    schedule.leave_out(next);
                    too_large = Some(error);
                }
                Err(failure) => return Err(failure),
            }
        }
        if let Some(error) = too_large.filter(|_| report.rows.is_empty()) {
            return Err(error.into());
        }
        for row in report.rows.iter().filter(|row| row.blocks.len() < CALM_BLOCKS) {
            self.progress.row(row);
        }
        report.interrupted = false;
        Ok(())
    }

    fn now(&self) -> f64 {
        self.begun.elapsed().as_secs_f64()
    }

    /// Chooses the variants of the next block: all variants that already have rows or,
    /// for the first block, all that fit the time limit.
    fn choose(
        &self,
        group: &Group,
        number: usize,
        schedule: &Schedule,
        report: &mut Report,
    ) -> Vec<Variant> {
        let begun: Vec<Variant> = rows(group, report).map(|row| row.variant).collect();
        if !begun.is_empty() {
            // Measure all variants together, so that each block is paired with a block of every
            // other variant.
            return begun;
        }
        let mut fitting = Vec::new();
        for &variant in &group.variants {
            let seconds = predicted(group, variant, report);
            if seconds <= self.pace.step_seconds {
                fitting.push((seconds, variant));
            } else {
                let skipped = stopped(group, variant, self.pace.too_long(seconds));
                report.stopped.push(Skipped { step_seconds: Some(seconds), ..skipped });
            }
        }
        // Admit the fastest variants first, so that the slowest are skipped if time runs out.
        fitting.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut affordable = Vec::new();
        let mut sum = crowd::preparation(group);
        for (seconds, variant) in fitting {
            let with_it = sum + crowd::block(group, variant, seconds).max(schedule.row_seconds);
            if schedule.fits(number, self.now(), with_it) {
                sum = with_it;
                affordable.push(variant);
            } else {
                let left = schedule.left_for(number, self.now());
                let all = CALM_BLOCKS as f64 * with_it;
                report.stopped.push(stopped(group, variant, self.pace.no_time(all, left)));
            }
        }
        let in_order = group.variants.iter().copied();
        in_order.filter(|variant| affordable.contains(variant)).collect()
    }

    /// Measures one block. Returns false if Ctrl-C interrupts the first round.
    fn measure_block(
        &self,
        group: &Group,
        variants: &[Variant],
        row_seconds: f64,
        kept: &mut HashMap<String, Warm>,
        report: &mut Report,
    ) -> Result<bool, Failure> {
        let stops = || self.stop.load(Relaxed);
        let name = group.name();
        // Other crates abort the program when memory runs out, so check before allocating.
        memory::check(group.scene.estimated_bytes().saturating_mul(variants.len() as u64 + 2))?;
        if !kept.contains_key(&name) {
            let stops = |what: &str| {
                self.progress.tick(&name, what);
                stops()
            };
            let Some(warm) = crowd::warm(group, &stops)? else { return Ok(false) };
            kept.insert(name.clone(), warm);
        }
        let warm = &kept[&name];
        let mut runners = Vec::new();
        for &variant in variants {
            self.progress.tick(&name, &format!("copying for {variant}"));
            runners.push(Runner::new(group, variant, warm)?);
        }
        for runner in &mut runners {
            if stops() {
                return Ok(false);
            }
            self.progress.tick(&name, &format!("untimed steps of {}", runner.variant));
            // The first turn is a warm-up; its times are discarded.
            runner.turn(warm, group.steps)?;
            runner.block = Block::default();
        }
        agree(group, &runners)?;
        let mut spent = vec![0.0; runners.len()];
        let clock = LoadClock::start();
        for round in 0..MAX_TURNS {
            let mut any = false;
            for k in turns(runners.len(), round) {
                if round < MIN_TURNS || spent[k] < row_seconds {
                    self.progress.tick(&name, &runners[k].variant.to_string());
                    spent[k] += runners[k].turn(warm, group.steps)?;
                    any = true;
                }
                if stops() {
                    break;
                }
            }
            agree(group, &runners)?;
            if stops() && round == 0 {
                return Ok(false);
            }
            if stops() || !any {
                break;
            }
        }
        let load = clock.load();
        for runner in &mut runners {
            runner.block.load = load;
            let id = group.id(runner.variant);
            let known = report.rows.iter().position(|row| row.id == id);
            // Keep the rows of `scaling` sorted by size: crowds near the crossover are measured
            // last.
            let is_larger = |row: &Row| {
                [row.experiment, group.experiment] == [Experiment::Scaling; 2]
                    && row.n > group.agents()
            };
            let larger = || report.rows.iter().position(is_larger);
            let number = known.or_else(larger).unwrap_or(report.rows.len());
            if known.is_none() {
                report.rows.insert(number, runner.row(group)?);
            }
            let row = &mut report.rows[number];
            if row.state_hash != runner.state_hash() {
                return Err(Failure::WrongResult(format!(
                    "the state of {id} differs between blocks, so no time is printed: {} and {}",
                    row.state_hash,
                    runner.state_hash()
                )));
            }
            row.blocks.push(std::mem::take(&mut runner.block));
            row.summarize();
        }
        report.conclude();
        if group.warm_up < LONG_WARM_UP {
            kept.remove(&name);
        }
        Ok(true)
    }
}

/// Returns the crowd to add next in order to find where cells become faster than all pairs, once
/// every crowd has been measured.
fn group_at_crossover(groups: &[Group], report: &Report) -> Option<Group> {
    let (below, between) = size_between(&report.pairs_and_cells())?;
    let is_in = |group: &&Group, n| group.experiment == Experiment::Scaling && group.agents() == n;
    let is_new = !groups.iter().any(|group| is_in(&group, between));
    let neighbor = groups.iter().find(|group| is_in(group, below)).filter(|_| is_new)?;
    let variants = vec![Variant::AllPairsSimd, Variant::CellsSimd];
    Some(Group { variants, ..neighbor.of_size(between) })
}

fn predicted(group: &Group, variant: Variant, report: &Report) -> f64 {
    let agents = group.agents();
    let min = if agents > MIN_PREDICTING_AGENTS { MIN_PREDICTING_AGENTS } else { 1 };
    let curve = report.curve(group.experiment, variant).into_iter();
    let smaller = curve.filter(|row| (min..agents).contains(&row.n)).max_by_key(|row| row.n);
    smaller.map_or(variant.usual_seconds(agents), |row| {
        row.seconds_per_step() * (agents as f64 / row.n as f64).powf(variant.expected_slope())
    })
}

fn rows<'a>(group: &'a Group, report: &'a Report) -> impl Iterator<Item = &'a Row> + Clone {
    let of_experiment = report.rows_of(group.experiment);
    of_experiment.filter(|row| row.point == group.point)
}

/// Yields each variant's index once. Odd rounds go backward, so that no variant always runs
/// right after the same other variant.
fn turns(variants: usize, round: usize) -> impl Iterator<Item = usize> {
    (0..variants).map(move |k| if round.is_multiple_of(2) { k } else { variants - 1 - k })
}

/// Largest relative uncertainty among a group's times and ratios. It is infinite while a row has
/// too few blocks or `Ratio::doubt` is set.
fn disagreement(group: &Group, report: &Report) -> f64 {
    let ratios = Answer::all(rows(group, report));
    let ratios = ratios.iter().map(|answer| answer.ratio.disagreement());
    rows(group, report).map(Row::disagreement).chain(ratios).fold(0.0, f64::max)
}

/// Fails unless all runners ended their last turn in the same states. Flat twins are left out,
/// because their states differ: they are verified on a small crowd instead.
fn agree(group: &Group, runners: &[Runner]) -> Result<(), Failure> {
    let runners: Vec<_> = runners.iter().filter(|runner| !runner.variant.is_flat()).collect();
    if runners.windows(2).all(|pair| pair[0].hashes == pair[1].hashes) {
        return Ok(());
    }
    let state = |runner: &&Runner| {
        let hash = runner.hashes.iter().fold(0_u64, |all, hash| all.rotate_left(1) ^ hash);
        format!("{} {hash:016x}", runner.variant)
    };
    Err(Failure::WrongResult(format!(
        "state hashes differ in {}, so no time is printed: {}",
        group.name(),
        runners.iter().map(state).collect::<Vec<_>>().join(", ")
    )))
}
