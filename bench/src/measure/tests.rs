//! Simulates a machine under background load, and checks that times and ratios are still
//! as reliable as reports claim.

use super::*;
use crate::experiment::Experiment;
use crate::measure::schedule::{BLOCKS, Expected, MAX_BLOCKS, TARGET_DISAGREEMENT};
use crate::options::Request;
use crate::results::fixtures::{Draws, quiet_row, report_of, row_of};
use crate::results::ratio::Ratio;
use crate::results::row::Load;

const CORES: usize = 2;
const SECONDS: f64 = 240.0;

/// A background process that is busy for the first part of every period. Times are in seconds.
#[derive(Clone, Copy)]
struct Other {
    period: f64,
    busy: f64,
}

const NO_LOAD: Other = Other { period: 1.0, busy: 0.0 };
const THROUGHOUT: Other = Other { period: 1.0, busy: 1.0 };

impl Other {
    fn seconds(&self, from: f64, to: f64) -> f64 {
        let until = |time: f64| {
            (time / self.period).floor() * self.busy + (time % self.period).min(self.busy)
        };
        until(to) - until(from)
    }

    fn load(&self, from: f64, to: f64) -> Load {
        Load { others_seconds: self.seconds(from, to), wall_seconds: to - from }
    }
}

#[derive(Clone, Copy)]
struct Work {
    ns: f64,
    threads: usize,
    seconds_per_repeat: f64,
}

/// Models the rows of a report, with repeats of different lengths. A quarter of the rows use two
/// cores and have shorter repeats, as the fastest variant does for up to a million agents.
fn rows() -> Vec<Work> {
    let work = |k: usize| Work {
        ns: 10.0 + k as f64,
        threads: if k % 4 == 3 { 2 } else { 1 },
        seconds_per_repeat: if k % 4 == 3 {
            [0.001, 0.004, 0.012, 0.036][k / 4 % 4]
        } else {
            [0.001, 0.01, 0.06, 0.3][k / 4 % 4]
        },
    };
    (0..48).map(work).collect()
}

fn run(work: &[Work], other: Other, seed: usize) -> Report {
    let mut draws = Draws::new();
    (0..1_000 * seed).for_each(|_| _ = draws.normal());
    // Memory layout is constant within a run and differs between runs.
    let layout: Vec<f64> = work.iter().map(|_| 0.006 * draws.normal()).collect();
    let expected = |work: &Work| Expected {
        experiment: Experiment::Scaling,
        rows: 1,
        seconds: 3.0 * work.seconds_per_repeat,
    };
    let expected: Vec<Expected> = work.iter().map(expected).collect();
    let pace = Pace { step_seconds: 2.0, seconds: SECONDS, strict: true };
    let mut schedule = Schedule::new(&pace, &expected);
    let row = |(k, work): (usize, &Work)| Row {
        id: format!("scaling/cells-simd/{k}"),
        n: k + 1,
        x: k as f64,
        threads: work.threads,
        ..Row::default()
    };
    let mut rows: Vec<Row> = work.iter().enumerate().map(row).collect();
    let mut now = draws.normal().abs();
    while let Some(next) = schedule.next(now) {
        let begun = now;
        let quiet = work[next];
        let of_block = 0.006 * draws.normal();
        let (mut ns, mut waited) = (Vec::new(), vec![]);
        while ns.len() < 2 || (now - begun < schedule.row_seconds && ns.len() < 25) {
            let noise = layout[next] + of_block + 0.008 * draws.normal() + 0.004;
            let mut time = quiet.seconds_per_repeat * noise.exp();
            // Background load takes one of the two cores from a crowd that uses both,
            // and disturbs the caches of a crowd that uses only one.
            let share = if quiet.threads == CORES { 0.9 } else { 0.06 };
            time += share * other.seconds(now, now + time);
            if draws.normal() > 1.8 {
                time *= 1.0 + 0.1 * draws.normal().abs();
            }
            if quiet.threads == CORES {
                waited.push(0.5 * other.seconds(now, now + time) / time);
            }
            now += time + 0.02;
            ns.push(quiet.ns * time / quiet.seconds_per_repeat);
        }
        let load = Some(other.load(begun, now));
        rows[next].blocks.push(Block { ns, waited, load, ..Block::default() });
        rows[next].summarize();
        schedule.measured(next, now - begun, rows[next].disagreement());
    }
    assert!(now < SECONDS, "{now} s");
    let mut report = report_of(rows);
    report.conclude();
    report
}

fn most_above(report: &Report, work: &[Work]) -> f64 {
    let rows = report.rows.iter().zip(work);
    rows.map(|(row, work)| row.ns_per_agent_step / work.ns - 1.0).fold(0.0, f64::max)
}

const BURSTS: [Other; 4] = [
    Other { period: 0.2, busy: 0.1 },
    Other { period: 2.0, busy: 1.0 },
    Other { period: 8.0, busy: 4.0 },
    Other { period: 30.0, busy: 15.0 },
];

#[test]
fn bursts_of_half_a_core_leave_nine_of_ten_times_within_5_percent_of_each_other() {
    let work = rows();
    for other in BURSTS {
        let reports: Vec<Report> = (1..=3).map(|seed| run(&work, other, seed)).collect();
        let apart = |k: &usize| {
            let times = reports.iter().map(|report| report.rows[*k].ns_per_agent_step);
            times.clone().fold(0.0, f64::max) / times.fold(f64::MAX, f64::min)
        };
        let agree = (0..work.len()).filter(|k| apart(k) < 1.05).count();
        assert!(10 * agree >= 9 * work.len(), "{agree} rows, period {} s", other.period);
        let above = |report: &Report| {
            let rows = report.rows.iter().zip(&work);
            rows.filter(|(row, work)| row.ns_per_agent_step > 1.05 * work.ns).count()
        };
        assert!(reports.iter().all(|report| 10 * above(report) <= work.len()));
    }
}

#[test]
fn on_a_quiet_machine_times_are_right() {
    let work = rows();
    let report = run(&work, NO_LOAD, 1);
    assert!(most_above(&report, &work) < 0.03, "{}", most_above(&report, &work));
}

/// Simulates alternating repeats of two single-threaded variants. The first variant takes
/// three times as long, and background load slows it down more.
fn ratios(other: Other, seed: usize) -> Vec<Ratio> {
    let mut draws = Draws::new();
    (0..1_000 * seed).for_each(|_| _ = draws.normal());
    let of_one_thread = rows().into_iter().filter(|work| work.threads == 1);
    let ratio = |work: Work| {
        let mut blocks: [Vec<Vec<f64>>; 2] = Default::default();
        let mut loads = Vec::new();
        loop {
            let mut now = SECONDS * draws.unit();
            let begun = now;
            let of_block = [0.006 * draws.normal(), 0.006 * draws.normal()];
            let mut ns: [Vec<f64>; 2] = Default::default();
            while ns[0].len() < 2 || (now - begun < 1.0 && ns[0].len() < 25) {
                for (k, (slower, share)) in [(3.0, 0.09), (1.0, 0.06)].into_iter().enumerate() {
                    let noise = of_block[k] + 0.008 * draws.normal();
                    let mut time = slower * work.seconds_per_repeat * noise.exp();
                    time += share * other.seconds(now, now + time);
                    now += time + 0.002;
                    ns[k].push(work.ns * time / work.seconds_per_repeat);
                }
            }
            blocks.iter_mut().zip(ns).for_each(|(blocks, ns)| blocks.push(ns));
            loads.push(other.load(begun, now));
            let [slow, fast] = blocks.each_ref().map(|blocks| {
                let mut row = row_of(Variant::CellsSimd, 100, blocks.clone());
                row.blocks
                    .iter_mut()
                    .zip(&loads)
                    .for_each(|(block, load)| block.load = Some(*load));
                row
            });
            let ratio = Ratio::of(&slow, &fast);
            let enough =
                if ratio.disagreement() > TARGET_DISAGREEMENT { MAX_BLOCKS } else { BLOCKS };
            if blocks[0].len() >= enough {
                return ratio;
            }
        }
    };
    of_one_thread.map(ratio).collect()
}

#[test]
fn ratios_without_a_mark_hold_beside_bursts() {
    for other in BURSTS.into_iter().chain([NO_LOAD]) {
        let runs = [1, 2, 3].map(|seed| ratios(other, seed));
        let trusted: Vec<&Ratio> =
            runs.iter().flatten().filter(|ratio| ratio.doubt.is_none()).collect();
        let wrong = trusted.iter().filter(|ratio| ratio.low > 3.03 || ratio.high < 2.97).count();
        assert!(
            20 * wrong <= trusted.len(),
            "{wrong} of {}, period {}",
            trusted.len(),
            other.period
        );
        // If bursts are far apart, most blocks are undisturbed, so most ratios must be trusted.
        let fewest = if other.busy == 0.0 {
            1.0
        } else if other.period > 3.0 {
            0.9
        } else {
            0.0
        };
        let all = runs.iter().flatten().count() as f64;
        assert!(trusted.len() as f64 >= fewest * all, "{}, period {}", trusted.len(), other.period);
    }
}

#[test]
fn every_ratio_beside_a_core_that_is_busy_throughout_is_marked() {
    assert!(ratios(THROUGHOUT, 1).iter().all(|ratio| ratio.doubt.is_some()));
}

#[test]
fn a_crowd_of_a_few_does_not_predict_the_time_of_thousands() {
    let variant = Variant::CellsSimd;
    let group = Group::plain(&Request::of("--quick"), Experiment::Scaling, 10_000, None).unwrap();
    // One second per agent-step.
    let predicted_by = |n: usize| {
        let report = report_of(vec![quiet_row(Experiment::Scaling, variant, n, 1.0e9)]);
        predicted(&group, variant, &report)
    };
    assert!((predicted_by(1_000) / 1.0e4 - 1.0).abs() < 1.0e-6);
    assert!(predicted_by(8) < 1.0e3);
}
