//! Measures groups block by block and adds their rows to a report.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Instant;

use flockwork::{ErrorKind, Snapshot};

use crate::experiments::group::{Case, Group, Question, WARM_UP_STEPS};
use crate::failure::Failure;
use crate::measure::crowd::{self, FEWEST_TURNS};
use crate::measure::progress::Progress;
use crate::measure::runner::Runner;
use crate::measure::schedule::{Pace, Schedule, stopped};
use crate::measure::watch::Watch;
use crate::results::block::Block;
use crate::results::calm::CALM_BLOCKS;
use crate::results::report::Report;
use crate::results::row::Row;

const MOST_TURNS: usize = 25;
/// Crowd size of the trial step that predicts the time of the first measured size.
const TRIAL: usize = 1_000;
/// A crowd with a longer warm-up keeps its warm state from block to block.
const LONG_WARM_UP: u64 = 100;

pub(crate) struct Measurement<'a> {
    pub(crate) pace: Pace,
    pub(crate) begun: Instant,
    pub(crate) stop: &'a AtomicBool,
    pub(crate) progress: Progress,
    /// Called after every complete block.
    pub(crate) save: &'a dyn Fn(&Report) -> Result<(), Failure>,
}

impl Measurement<'_> {
    /// Adds the rows and blocks that the report does not have yet. After Ctrl-C it returns early.
    pub(crate) fn run(&mut self, groups: &[Group], report: &mut Report) -> Result<(), Failure> {
        for group in groups {
            // Refuse an invalid scene now, not after the first crowds are measured.
            group.scene.check()?;
        }
        let step_seconds = self.pace.step_seconds;
        let expected: Vec<_> =
            groups.iter().map(|group| crowd::expected(group, step_seconds)).collect();
        let mut schedule = Schedule::new(&self.pace, &expected);
        for (k, group) in groups.iter().enumerate() {
            if let Some(blocks) = rows(group, report).map(|row| row.blocks.len()).min() {
                schedule.resumed(k, blocks, disagreement(group, report));
            }
        }
        // Warm states by the name of their group.
        let mut kept = HashMap::new();
        let mut too_large = None;
        while let Some(next) = schedule.next(self.now()) {
            if self.stop.load(Relaxed) {
                return Ok(());
            }
            let (group, begun) = (&groups[next], self.now());
            self.progress.at(begun, schedule.left(begun));
            self.progress.tick(&group.name(), "preparing");
            let cases = self.cases_to_measure(group, next, &schedule, report)?;
            if cases.is_empty() {
                schedule.leave_out(next);
                continue;
            }
            match self.measure_block(group, &cases, schedule.row_seconds(), &mut kept, report) {
                Ok(complete) => {
                    schedule.measured(next, self.now() - begun, disagreement(group, report));
                    if complete {
                        (self.save)(report)?;
                        let agreed = |row: &&Row| row.blocks.len() == CALM_BLOCKS;
                        rows(group, report).filter(agreed).for_each(|row| self.progress.row(row));
                    }
                }
                // The other crowds may fit.
                Err(Failure::Engine(error)) if matches!(error.kind(), ErrorKind::Memory { .. }) => {
                    for case in cases {
                        report.stop(stopped(group, case, error.to_string()));
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

    /// The cases of the next block: those with rows, or at first those that the time allows.
    fn cases_to_measure<'g>(
        &self,
        group: &'g Group,
        number: usize,
        schedule: &Schedule,
        report: &mut Report,
    ) -> Result<Vec<&'g Case>, Failure> {
        let has_row = |case: &&Case| report.row(&group.id(case)).is_some();
        let begun: Vec<&Case> = group.cases.iter().filter(has_row).collect();
        if !begun.is_empty() {
            // All together, so that every block of one has its pair in the others.
            return Ok(begun);
        }
        let mut predicted = Vec::new();
        for case in &group.cases {
            let seconds = self.prediction(group, case, report)?;
            if seconds <= self.pace.step_seconds {
                predicted.push((seconds, case));
            } else {
                report.stop(stopped(group, case, self.pace.too_long(seconds)));
            }
        }
        // The fastest come first, so that at large crowds the slowest are left out.
        predicted.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut affordable = Vec::new();
        let mut sum = crowd::preparation(group);
        for (seconds, case) in predicted {
            let with_it = sum + crowd::block(group, case, seconds).max(schedule.row_seconds());
            if schedule.fits(number, self.now(), with_it) {
                sum = with_it;
                affordable.push(&*case.method);
            } else {
                let left = schedule.left_for(number, self.now());
                let all = CALM_BLOCKS as f64 * with_it;
                report.stop(stopped(group, case, self.pace.no_time(all, left)));
            }
        }
        Ok(group.cases.iter().filter(|case| affordable.contains(&&*case.method)).collect())
    }

    /// The predicted time of one step, in seconds.
    fn prediction(&self, group: &Group, case: &Case, report: &Report) -> Result<f64, Failure> {
        let agents = group.agents();
        let grown = |seconds: f64, from: usize| {
            seconds * (agents as f64 / from as f64).powf(case.way.expected_slope())
        };
        // Per agent, crowds of a few take far longer, which would leave out a crowd of millions.
        let fewest = if agents > TRIAL { TRIAL } else { 1 };
        let smaller = report.rows.iter().filter(|row| {
            row.experiment == group.experiment
                && row.method == case.method
                && (fewest..agents).contains(&row.n)
        });
        if let Some(row) = smaller.max_by_key(|row| row.n) {
            return Ok(grown(row.seconds_per_step(), row.n));
        }
        let scene = group.scene.clone().agents(TRIAL);
        if agents <= TRIAL || scene.check().is_err() {
            return Ok(0.0);
        }
        let mut crowd = scene.build()?;
        crowd.run(WARM_UP_STEPS)?;
        let warm = crowd.snapshot();
        let mut trial = Runner::new(group, case, &warm)?;
        trial.repeat(std::slice::from_ref(&warm), 1)?;
        Ok(grown(trial.repeat(&[warm], 1)?.time.as_secs_f64(), TRIAL))
    }

    /// Measures one block; false if nothing of it was complete before Ctrl-C.
    fn measure_block(
        &self,
        group: &Group,
        cases: &[&Case],
        row_seconds: f64,
        kept: &mut HashMap<String, Vec<Snapshot>>,
        report: &mut Report,
    ) -> Result<bool, Failure> {
        let name = group.name();
        if !kept.contains_key(&name) {
            let stops = |what: &str| {
                self.progress.tick(&name, what);
                self.stop.load(Relaxed)
            };
            let Some(warm) = crowd::warm(group, &stops)? else { return Ok(false) };
            kept.insert(name.clone(), warm);
        }
        let warm = &kept[&name];
        let mut runners = Vec::new();
        for case in cases {
            self.progress.tick(&name, &format!("copying for {}", case.method));
            runners.push(Runner::new(group, case, &warm[warm.len() - 1])?);
        }
        for runner in &mut runners {
            if self.stop.load(Relaxed) {
                return Ok(false);
            }
            self.progress.tick(&name, &format!("untimed steps of {}", runner.case.method));
            runner.repeat(warm, group.steps)?;
        }
        agree(group, &mut runners)?;
        let watch = Watch::start();
        let mut spent = vec![0.0; runners.len()];
        'rounds: for round in 0..MOST_TURNS {
            let mut any = false;
            for k in turns(runners.len(), round) {
                if round < FEWEST_TURNS || spent[k] < row_seconds {
                    self.progress.tick(&name, &runners[k].case.method);
                    spent[k] += runners[k].turn(warm, group.steps)?;
                    any = true;
                }
                if self.stop.load(Relaxed) {
                    if round == 0 {
                        return Ok(false);
                    }
                    // Of an unfinished round no result was compared; the rounds before it count.
                    break 'rounds;
                }
            }
            agree(group, &mut runners)?;
            if !any {
                break;
            }
        }
        let (cores_elsewhere, seconds) = watch.cores_elsewhere();
        for runner in &mut runners {
            let id = group.id(runner.case);
            let block = Block { cores_elsewhere, seconds, ..runner.block() };
            match report.row_mut(&id) {
                Some(row) if row.state_hash != runner.state_hash() => {
                    return Err(Failure::WrongResult(format!(
                        "the state of {id} differs between blocks, so no time is printed: {} and {}",
                        row.state_hash,
                        runner.state_hash()
                    )));
                }
                Some(row) => row.blocks.push(block),
                None => {
                    let row = runner.row(group)?;
                    report.rows.push(Row { blocks: vec![block], ..row });
                }
            }
        }
        for Question { words, slow, fast } in &group.questions {
            report.ask(words, &group.id_of(slow), &group.id_of(fast));
        }
        report.summarize(|row| row.experiment == group.experiment && row.point == group.point);
        if group.warm_up < LONG_WARM_UP {
            kept.remove(&name);
        }
        Ok(true)
    }
}

/// The rows of a group.
fn rows<'a>(group: &'a Group, report: &'a Report) -> impl Iterator<Item = &'a Row> {
    group.cases.iter().filter_map(|case| report.row(&group.id(case)))
}

/// Each way once, in alternating order, so that none always comes after the same other.
fn turns(ways: usize, round: usize) -> impl Iterator<Item = usize> {
    (0..ways).map(move |k| if round.is_multiple_of(2) { k } else { ways - 1 - k })
}

/// How far the calm blocks of the worst row disagree, or the pairs of the worst ratio.
fn disagreement(group: &Group, report: &Report) -> f64 {
    let ids: Vec<String> = group.cases.iter().map(|case| group.id(case)).collect();
    let ratios = report.ratios.iter().filter(|answer| ids.contains(&answer.fast));
    let ratios = ratios.map(|answer| answer.ratio.disagreement());
    rows(group, report).map(Row::disagreement).chain(ratios).fold(0.0, f64::max)
}

/// Fails unless all runners brought every crowd to the same state.
fn agree(group: &Group, runners: &mut [Runner<'_>]) -> Result<(), Failure> {
    let Some(first) = runners.first() else { return Ok(()) };
    if runners.iter().all(|runner| runner.hashes == first.hashes) {
        runners.iter_mut().for_each(Runner::verify);
        return Ok(());
    }
    let state = |runner: &Runner<'_>| {
        let hash = runner.hashes.iter().fold(0_u64, |all, hash| all.rotate_left(1) ^ hash);
        format!("{} {hash:016x}", runner.case.method)
    };
    Err(Failure::WrongResult(format!(
        "state hashes differ in {}, so no time is printed: {}",
        group.name(),
        runners.iter().map(state).collect::<Vec<_>>().join(", ")
    )))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiments::group::workload;
    use crate::method::Method;
    use crate::results::report::tests::{quiet_row, report_of};

    #[test]
    fn a_crowd_of_a_few_does_not_predict_the_time_of_thousands() {
        let (stop, save) = (AtomicBool::new(false), |_: &Report| Ok(()));
        let measurement = Measurement {
            pace: Pace { step_seconds: 1.0, seconds: 60.0, strict: true },
            begun: Instant::now(),
            stop: &stop,
            progress: Progress::new(),
            save: &save,
        };
        let case = Case::of(Method::CellsSimd, 1);
        let scene = workload(10_000, 16.0, 1).unwrap();
        let group = Group::new("scaling", 10_000, 1.0e4, scene, vec![case.clone()]);
        // A second per agent.
        let predicted_by = |n: usize| {
            let report = report_of(vec![quiet_row("scaling", "cells-simd", n, 1.0e9)]);
            measurement.prediction(&group, &case, &report).unwrap()
        };
        assert!((predicted_by(1_000) / 1.0e4 - 1.0).abs() < 1.0e-6);
        assert!(predicted_by(8) < 1.0e3);
    }
}
