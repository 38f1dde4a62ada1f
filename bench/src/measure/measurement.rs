//! Measures groups block by block and adds their rows to a report.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use flockwork::{Scene, Snapshot};

use crate::experiments::group::{Case, Group, WARM_UP_STEPS};
use crate::failure::Failure;
use crate::measure::pace::{BLOCKS, Pace};
use crate::measure::progress::Progress;
use crate::measure::runner::Runner;
use crate::measure::watch::Watch;
use crate::results::report::Report;
use crate::results::row::{Block, Row};

/// Agents in all crowds of a repeat: more than a branch predictor can learn, and enough work for
/// the clock's resolution.
const AGENTS_PER_REPEAT: usize = 16_000;
const MOST_CROWDS: usize = 64;
const FEWEST_TURNS: usize = 2;
const MOST_TURNS: usize = 25;
/// Crowd size of the trial step that predicts the time of the first measured size.
const TRIAL: usize = 1_000;

pub(crate) struct Measurement<'a> {
    pub(crate) pace: Pace,
    pub(crate) stop: &'a AtomicBool,
    pub(crate) progress: Progress,
    /// Called after every complete block.
    pub(crate) save: &'a dyn Fn(&Report) -> Result<(), Failure>,
}

impl Measurement<'_> {
    /// Adds the rows that the report does not have yet. After Ctrl-C it returns early.
    pub(crate) fn run(&mut self, groups: &[Group], report: &mut Report) -> Result<(), Failure> {
        for group in groups {
            // Refuse an invalid scene now, not after the first crowds are measured.
            group.scene.check()?;
        }
        let mut too_large = None;
        for block in 0..BLOCKS {
            for group in groups {
                if self.stop.load(Relaxed) {
                    return Ok(());
                }
                self.progress.begin(group);
                let cases = self.cases_to_measure(group, block, report)?;
                if cases.is_empty() {
                    self.progress.skip(group);
                    continue;
                }
                match self.measure_block(group, &cases, report) {
                    Ok(true) => (self.save)(report)?,
                    Ok(false) => {}
                    // The other crowds may fit.
                    Err(Failure::Engine(error @ flockwork::Error::Memory { .. })) => {
                        for case in cases {
                            report.stop(self.pace.stopped(group, case, error.to_string()));
                        }
                        too_large = Some(error);
                    }
                    Err(failure) => return Err(failure),
                }
                self.progress.end(group, block);
            }
        }
        if let Some(error) = too_large.filter(|_| report.rows.is_empty()) {
            return Err(error.into());
        }
        report.interrupted = false;
        Ok(())
    }

    /// The cases without this block; none if an earlier run measured it.
    fn cases_to_measure<'g>(
        &self,
        group: &'g Group,
        block: usize,
        report: &mut Report,
    ) -> Result<Vec<&'g Case>, Failure> {
        let blocks = |case: &&Case| report.row(&group.id(case)).map(|row| row.blocks.len());
        if block == 0 && group.cases.iter().all(|case| blocks(&case).is_none()) {
            return self.affordable(group, report);
        }
        Ok(group.cases.iter().filter(|case| blocks(case) == Some(block)).collect())
    }

    /// The cases whose step is predicted to fit the budget; the report lists the others.
    fn affordable<'g>(
        &self,
        group: &'g Group,
        report: &mut Report,
    ) -> Result<Vec<&'g Case>, Failure> {
        let mut affordable = Vec::new();
        for case in &group.cases {
            let seconds = self.prediction(group, case, report)?;
            if seconds <= self.pace.step_budget {
                affordable.push(case);
            } else {
                report.stop(self.pace.too_long(group, case, seconds));
            }
        }
        Ok(affordable)
    }

    /// The predicted time of one step, in seconds.
    fn prediction(&self, group: &Group, case: &Case, report: &Report) -> Result<f64, Failure> {
        let agents = group.agents();
        let grown = |seconds: f64, from: usize| {
            seconds * (agents as f64 / from as f64).powf(case.way.expected_slope())
        };
        let smaller = report.rows.iter().filter(|row| {
            row.experiment == group.experiment && row.series == case.series && row.n < agents
        });
        if let Some(row) = smaller.max_by_key(|row| row.n) {
            return Ok(grown(row.seconds_per_step(), row.n));
        }
        let Ok(scene) = group.scene.clone().agents(TRIAL) else { return Ok(0.0) };
        if agents <= TRIAL || scene.check().is_err() {
            return Ok(0.0);
        }
        let mut crowd = scene.build()?;
        crowd.run(WARM_UP_STEPS)?;
        let warm = crowd.snapshot();
        let mut trial = Runner::new(group, case, &warm)?;
        trial.repeat(std::slice::from_ref(&warm), 1)?;
        Ok(grown(trial.repeat(&[warm], 1)?, TRIAL))
    }

    /// Measures one block; false if Ctrl-C came before its end.
    fn measure_block(
        &self,
        group: &Group,
        cases: &[&Case],
        report: &mut Report,
    ) -> Result<bool, Failure> {
        let Some(warm) = self.warm_states(group)? else { return Ok(false) };
        let crowds = warm.len();
        let mut runners = Vec::new();
        for case in cases {
            runners.push(Runner::new(group, case, &warm[crowds - 1])?);
        }
        for runner in &mut runners {
            if self.stop.load(Relaxed) {
                return Ok(false);
            }
            runner.repeat(&warm, group.steps)?;
        }
        agree(group, &runners)?;
        let watch = Watch::start();
        let budget = self.pace.per_row / BLOCKS as f64;
        let mut spent = vec![0.0; runners.len()];
        for round in 0..MOST_TURNS {
            let mut any = false;
            for (runner, spent) in runners.iter_mut().zip(&mut spent) {
                if round < FEWEST_TURNS || *spent < budget {
                    self.progress.tick(group, &runner.case.series);
                    *spent += runner.turn(&warm, group.steps)?;
                    any = true;
                }
                // An interrupted block is dropped: only some of its rows would have the last round.
                if self.stop.load(Relaxed) {
                    return Ok(false);
                }
            }
            agree(group, &runners)?;
            if !any {
                break;
            }
        }
        let (cores_elsewhere, seconds) = watch.cores_elsewhere();
        for runner in &mut runners {
            let id = group.id(runner.case);
            let block = Block { cores_elsewhere, seconds, ..runner.block() };
            match report.row_mut(&id) {
                Some(row) => row.blocks.push(block),
                None => {
                    let row = runner.row(group)?;
                    report.rows.push(Row { blocks: vec![block], ..row });
                }
            }
        }
        report.summarize(|row| row.experiment == group.experiment && row.point == group.point);
        Ok(true)
    }

    /// The warm state of a group's crowd, preceded by others of the same size if it is small. It
    /// comes last because the last state is reported. `None` after Ctrl-C.
    fn warm_states(&self, group: &Group) -> Result<Option<Vec<Snapshot>>, Failure> {
        let crowds = (AGENTS_PER_REPEAT / group.agents().max(1)).clamp(1, MOST_CROWDS) as u64;
        let warm = |offset: u64| -> Result<Option<Snapshot>, Failure> {
            let seed = group.scene.seed.wrapping_add(offset);
            let mut simulation = Scene { seed, ..group.scene.clone() }.build()?;
            for _ in 0..group.warm_up {
                if self.stop.load(Relaxed) {
                    return Ok(None);
                }
                simulation.step()?;
            }
            Ok(Some(simulation.snapshot()))
        };
        (0..crowds).rev().map(warm).collect()
    }
}

/// Fails unless all runners brought every crowd to the same state.
fn agree(group: &Group, runners: &[Runner<'_>]) -> Result<(), Failure> {
    let Some(first) = runners.first() else { return Ok(()) };
    if runners.iter().all(|runner| runner.hashes == first.hashes) {
        return Ok(());
    }
    let state = |runner: &Runner<'_>| {
        let hash = runner.hashes.iter().fold(0_u64, |all, hash| all.rotate_left(1) ^ hash);
        format!("{} {hash:016x}", runner.case.series)
    };
    Err(Failure::WrongResult(format!(
        "state hashes differ in {}, so no time is printed: {}",
        group.name(),
        runners.iter().map(state).collect::<Vec<_>>().join(", ")
    )))
}
