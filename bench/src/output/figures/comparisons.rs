//! Charts that compare ways to compute steps, crowds, behaviors and crates.

use super::series::{bar, bars, color, noted, stage_bars};
use crate::experiments::kernels::HEAVY;
use crate::experiments::{KERNELS, LADDER, THREADS};
use crate::numbers::{digits, grouped};
use crate::output::bars::Bar;
use crate::output::chart::{Chart, Series};
use crate::results::ratio::{Answer, Ratio};
use crate::results::report::Report;
use crate::results::row::Row;

pub(super) fn ladder(report: &Report) -> Chart {
    let rows = rungs(report);
    let rung = |(k, row): (usize, &&Row)| {
        let below = rows[k.saturating_sub(1)].ns_per_agent_step / row.ns_per_agent_step;
        let all = rows[0].ns_per_agent_step / row.ns_per_agent_step;
        let ns = digits(row.ns_per_agent_step);
        let note = format!("{ns} ns, ×{} → ×{}", digits(below), digits(all));
        bar(row, &*row.method, all, note)
    };
    Chart::new(
        "Speed-up, rung by rung",
        &grouped(rows.first().map_or(0, |row| row.n)),
        bars(true, rows.iter().enumerate().map(rung).collect()),
    )
}

/// The rungs at the largest size at which all of them were measured.
fn rungs(report: &Report) -> Vec<&Row> {
    let all = report.methods_of(LADDER).len();
    let rows_of = |n: usize| report.rows_of(LADDER).filter(move |row| row.n == n);
    let sizes = report.rows_of(LADDER).map(|row| row.n);
    let largest = sizes.filter(|n| rows_of(*n).count() == all).max();
    largest.map_or(Vec::new(), |n| rows_of(n).collect())
}

pub(super) fn threads(report: &Report) -> Chart {
    let rows = || report.rows_of(THREADS);
    let speed_up = |row: &Row| {
        let one = rows().find(|one| one.n == row.n && one.threads == 1)?;
        let ratio = Ratio::of(one, row).times;
        let note = format!("×{}, {:.0} % each", digits(ratio), 100.0 * ratio / row.threads as f64);
        Some(bar(row, format!("{}, {}", row.place(), row.method), ratio, note))
    };
    Chart::new(
        "Speed-up by number of threads",
        &report.machine.cores.to_string(),
        bars(false, rows().filter_map(speed_up).collect()),
    )
}

/// The times of an experiment at its largest size, with how many times the shortest each is.
pub(super) fn times(report: &Report, experiment: &str, title: &'static str) -> Chart {
    let best = report.largest(experiment).map(|row| row.ns_per_agent_step).fold(f64::MAX, f64::min);
    let time = |row: &Row| {
        let ns = row.ns_per_agent_step;
        let name = format!("{}, {}", row.place(), row.method);
        bar(row, name, ns, format!("{} ns, ×{}", digits(ns), digits(ns / best)))
    };
    let rows = report.largest(experiment).map(time).collect();
    Chart::new(title, &grouped(report.most_agents(experiment)), bars(false, rows))
}

pub(super) fn kernels(report: &Report) -> Chart {
    let n = report.most_agents(KERNELS);
    let behavior = |(Answer { slow, ratio, .. }, fast): (&Answer, &Row)| {
        let slow = report.row(slow).filter(|slow| slow.n == n)?;
        let [slow_ns, fast_ns] = [slow, fast].map(|row| digits(row.ns_per_agent_step));
        let note = format!("×{}: {slow_ns} → {fast_ns} ns", digits(ratio.times));
        Some(Bar {
            name: fast.point.clone(),
            parts: vec![(color(&fast.method, 0), ratio.times)],
            note: noted(&[slow, fast], note),
        })
    };
    Chart::new(
        "Speed-up by SIMD for each behavior",
        "",
        bars(false, report.ratios_of(KERNELS).filter_map(behavior).collect()),
    )
}

pub(super) fn heavy(report: &Report) -> Chart {
    let rows = report.rows_of(HEAVY).map(|row| (row.point.clone(), row));
    Chart::new(
        "The heavy scene, and without each of its parts",
        &grouped(report.most_agents(HEAVY)),
        Series::Bars(stage_bars(rows)),
    )
}
