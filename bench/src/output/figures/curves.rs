//! Charts of the time over crowd size and other quantities, of its distance from the machine's
//! limits, and of its stages.

use super::series::{AGENTS, bar, bars, count, curves, ns_over, plain, stage_bars};
use crate::experiments::SCALING;
use crate::method::Method;
use crate::numbers::{digits, grouped};
use crate::output::chart::{Chart, Series};
use crate::output::curves::{Axis, Curves, Mark};
use crate::results::fit::Crossing;
use crate::results::report::{Crossover, Report};
use crate::results::row::Row;
use crate::roofline::Cache;

pub(super) fn step(report: &Report) -> Chart {
    let mut curves = curves(report, SCALING, |row| row.n as f64 * 1.0e-6, Report::curve);
    for curve in &mut curves {
        let Some(slope) = report.slope_of(&curve.name) else { continue };
        let at = |n: usize| [n as f64, slope.seconds_at_one * 1.0e3 * (n as f64).powf(slope.slope)];
        curve.fit = Some([at(slope.from_n), at(slope.to_n)]);
        curve.name = format!("{} N^{:.2}", curve.name, slope.slope);
    }
    let y = Axis { name: "milliseconds per step", label: plain };
    Chart::new(
        "Time per step over crowd size",
        "",
        Series::Curves(Curves { x: AGENTS, y, curves, marks: crossovers(report) }),
    )
}

/// Where cells overtake all pairs.
fn crossovers(report: &Report) -> Vec<Mark> {
    let mark = |crossover: &Crossover| match crossover.n {
        Crossing::At { n, interval } => Some(Mark {
            name: format!("{} faster from {}", crossover.cells, count(n)),
            x: n,
            interval: Some(interval),
        }),
        _ => None,
    };
    report.crossovers.iter().filter_map(mark).collect()
}

/// The times of an experiment at its largest size over the quantity that it varies.
pub(super) fn over(
    report: &Report,
    experiment: &str,
    title: &'static str,
    quantity: &'static str,
) -> Chart {
    let x = Axis { name: quantity, label: plain };
    let curves = curves(report, experiment, |_| 1.0, Report::largest_curve);
    Chart::new(title, &grouped(report.most_agents(experiment)), ns_over(x, curves, Vec::new()))
}

pub(super) fn per_agent(report: &Report) -> Chart {
    let bytes = report.rows_of(SCALING).filter_map(|row| row.bytes_per_agent).last();
    let mark = |cache: &Cache| {
        let size = match cache.bytes >> 10 {
            kib if kib >= 1024 => format!("{} MiB", kib >> 10),
            kib => format!("{kib} KiB"),
        };
        let name = format!("L{} {size}", cache.level);
        Some(Mark { name, x: cache.bytes as f64 / bytes?, interval: None })
    };
    let marks = report.machine.caches.iter().filter_map(mark).collect();
    let curves = curves(report, SCALING, |_| 1.0, Report::curve);
    Chart::new(
        "Time per agent over crowd size",
        &digits(bytes.unwrap_or_default()),
        ns_over(AGENTS, curves, marks),
    )
}

pub(super) fn reached(report: &Report) -> Chart {
    let share = |row: &Row| {
        let share = report.reached.get(&row.id)?;
        let (percent, limit) = (share.percent, digits(share.limit_ns));
        let note = format!("{percent:.0} % of {limit} ns, {}", share.bottleneck);
        Some(bar(row, format!("{} agents, {}", grouped(row.n), row.method), percent, note))
    };
    let mut rows: Vec<&Row> = report.rows_of(SCALING).collect();
    // A bar for every size of a full run would be longer than a page.
    let is_decade = |row: &&Row| row.n == 10_usize.pow(row.n.ilog10());
    if rows.iter().any(is_decade) {
        rows.retain(is_decade);
    }
    rows.sort_by(|a, b| (&a.method, a.n).cmp(&(&b.method, b.n)));
    Chart::new(
        "Share of the machine's limit",
        "",
        bars(false, rows.into_iter().filter_map(share).collect()),
    )
}

pub(super) fn stages(report: &Report) -> Chart {
    let rows = report.curve(SCALING, Method::CellsSimd.id()).into_iter();
    let named = rows.map(|row| (format!("{} agents", grouped(row.n)), row));
    Chart::new("Time of each stage of a step", "", Series::Bars(stage_bars(named)))
}
