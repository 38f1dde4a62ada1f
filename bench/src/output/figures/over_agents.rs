//! Charts of the time over crowd size, and of its distance from the machine's limits.

use super::series::{AGENTS, bar, bars, count, curves, ns_over, plain, stage_bars};
use crate::experiments::SCALING;
use crate::method::Method;
use crate::numbers::{digits, grouped};
use crate::output::chart::{Chart, Series};
use crate::output::curves::{Axis, Curves, Guide, Mark};
use crate::results::fit::Crossing;
use crate::results::report::{Crossover, Report, is_threaded};
use crate::results::row::Row;
use crate::roofline::{Bottleneck, Cache};

/// Crowds for which all pairs may be the better choice.
pub(crate) const SMALL: usize = 4_000;

pub(super) fn step(report: &Report) -> Chart {
    let mut curves = curves(report, SCALING, |row| row.n as f64 * 1.0e-6, Report::curve);
    let mut guides = Vec::new();
    for curve in &mut curves {
        let Some(slope) = report.slope_of(&curve.name) else { continue };
        let at = |n: usize| [n as f64, slope.seconds_at_one * 1.0e3 * (n as f64).powf(slope.slope)];
        let ends = [at(slope.from_n), at(slope.to_n)];
        guides.push(Guide { name: String::new(), color: Some(curve.color), ends });
        curve.name = format!("{} N^{:.2}", curve.name, slope.slope);
    }
    // Guides for n and n², below the fastest curve of each kind.
    for (name, power, method) in
        [("∝ n", 1.0, Method::CellsSimd), ("∝ n²", 2.0, Method::AllPairsSimd)]
    {
        let Some(row) = report.curve(SCALING, method.id()).pop() else { continue };
        let (n, ms) = (row.n as f64, row.seconds_per_step() * 1.0e3 / 3.0);
        let at = |x: f64| [x, ms * (x / n).powf(power)];
        guides.push(Guide { name: name.into(), color: None, ends: [at(1.0), at(n)] });
    }
    let y = Axis { name: "milliseconds per step", label: plain };
    Chart::new(
        "Time per step over crowd size",
        "",
        Series::Curves(Curves { x: AGENTS, y, curves, guides, marks: crossovers(report) }),
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

/// All pairs against cells where both are about as fast.
pub(super) fn small_crowds(report: &Report) -> Chart {
    let mut curves = curves(report, SCALING, |_| 1.0, Report::curve);
    for curve in &mut curves {
        curve.points.retain(|point| point.x <= SMALL as f64);
    }
    // Small crowds stay on one thread.
    curves.retain(|curve| !is_threaded(&curve.name) && curve.points.len() > 1);
    let marks = crossovers(report).into_iter().filter(|mark| !is_threaded(&mark.name)).collect();
    Chart::new(
        "Small crowds: all pairs against cells",
        &grouped(SMALL),
        ns_over(AGENTS, curves, marks),
    )
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
        let note = format!("{percent:.0} % of {limit} ns, {}", bottleneck(share.bottleneck));
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

/// The name of a bottleneck.
pub(crate) fn bottleneck(bottleneck: Bottleneck) -> &'static str {
    match bottleneck {
        Bottleneck::Arithmetic => "arithmetic",
        Bottleneck::Calls => "software fma",
        Bottleneck::Division => "division",
        Bottleneck::Broadcast => "broadcasts",
        Bottleneck::Memory => "memory",
    }
}

pub(super) fn stages(report: &Report) -> Chart {
    let rows = report.curve(SCALING, Method::CellsSimd.id()).into_iter();
    let named = rows.map(|row| (format!("{} agents", grouped(row.n)), row));
    Chart::new("Time of each stage of a step", "", Series::Bars(stage_bars(named)))
}
