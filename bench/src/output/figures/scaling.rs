//! Figures of the time over crowd size, and of its distance from the machine's limits.

use super::figure::{
    AGENTS, Figure, NS_PER_AGENT, bar_figure, chart_figure, color, count, curves, noted, plain,
    stage_bars,
};
use crate::experiments::scaling;
use crate::method::Method;
use crate::numbers::{digits, grouped};
use crate::output::bars::{Bar, Bars, Length};
use crate::output::chart::{Axis, Chart, Guide, Mark};
use crate::output::findings::crowds::SMALL;
use crate::output::table::bottleneck_name;
use crate::results::fit::Crossing;
use crate::results::machine::Cache;
use crate::results::report::{Crossover, Report, is_threaded};
use crate::results::row::Row;

pub(super) fn step_over_n(report: &Report) -> Option<Figure> {
    let to_ms: fn(&Row) -> f64 = |row| row.n as f64 * 1.0e-6;
    let mut curves = curves(report, scaling::NAME, to_ms);
    let mut guides = Vec::new();
    for curve in &mut curves {
        let Some(slope) = report.slope_of(&curve.name) else { continue };
        let at = |n: usize| [n as f64, slope.seconds_at_one * 1.0e3 * (n as f64).powf(slope.slope)];
        guides.push(Guide {
            name: String::new(),
            color: Some(curve.color),
            ends: [at(slope.from_n), at(slope.to_n)],
        });
        curve.name = format!("{} N^{:.2}", curve.name, slope.slope);
    }
    // Guides for n and n², below the fastest curve of each kind.
    for (name, power, method) in
        [("∝ n", 1.0, Method::CellsSimd), ("∝ n²", 2.0, Method::AllPairsSimd)]
    {
        let Some(row) = report.curve(scaling::NAME, method.id()).pop() else { continue };
        let (n, ms) = (row.n as f64, row.seconds_per_step() * 1.0e3 / 3.0);
        let at = |x: f64| [x, ms * (x / n).powf(power)];
        guides.push(Guide { name: name.into(), color: None, ends: [at(1.0), at(n)] });
    }
    let chart = Chart {
        x: AGENTS,
        y: Axis { name: "milliseconds per step", label: plain },
        curves,
        guides,
        marks: crossovers(report),
    };
    let caption = "Times of the calm blocks with 95 % intervals. Dashed in the color of a curve: \
                   its fitted power law; dashed in gray: n and n². Shaded: the 95 % interval of \
                   the size at which cell space overtakes all pairs.";
    chart_figure("Time per step over crowd size", caption.into(), "scaling", &chart)
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
pub(super) fn small_crowds(report: &Report) -> Option<Figure> {
    let mut curves = curves(report, scaling::NAME, |_| 1.0);
    for curve in &mut curves {
        curve.points.retain(|point| point.x <= SMALL as f64);
    }
    // Small crowds stay on one thread.
    curves.retain(|curve| !is_threaded(&curve.name) && curve.points.len() > 1);
    let marks = crossovers(report).into_iter().filter(|mark| !is_threaded(&mark.name)).collect();
    let chart = Chart { x: AGENTS, y: NS_PER_AGENT, curves, guides: Vec::new(), marks };
    let caption = format!(
        "Up to {} agents, on one thread. Shaded: the 95 % interval of the size at which cell space \
         overtakes all pairs.",
        grouped(SMALL)
    );
    chart_figure("Small crowds: all pairs against cells", caption, "scaling", &chart)
}

pub(super) fn per_agent_over_n(report: &Report) -> Option<Figure> {
    let curves = curves(report, scaling::NAME, |_| 1.0);
    let cells = report.curve(scaling::NAME, Method::CellsSimd.id());
    let bytes = cells.last().and_then(|row| row.bytes_per_agent);
    let mark = |cache: &Cache| Mark {
        name: format!("L{} {}", cache.level, memory(cache.bytes)),
        x: cache.bytes as f64 / bytes.unwrap_or(f64::NAN),
        interval: None,
    };
    let marks = bytes.map_or(Vec::new(), |_| report.machine.caches.iter().map(mark).collect());
    let caption = match bytes {
        Some(bytes) => format!(
            "A flat curve is linear growth. Vertical lines: sizes at which a crowd of {} bytes per \
             agent fills a cache.",
            digits(bytes)
        ),
        None => "A flat curve is linear growth.".into(),
    };
    let chart = Chart { x: AGENTS, y: NS_PER_AGENT, curves, guides: Vec::new(), marks };
    chart_figure("Time per agent over crowd size", caption, "scaling", &chart)
}

fn memory(bytes: usize) -> String {
    match bytes >> 10 {
        kib if kib >= 1024 => format!("{} MiB", kib >> 10),
        kib => format!("{kib} KiB"),
    }
}

pub(super) fn reached(report: &Report) -> Option<Figure> {
    let bar = |row: &Row| {
        let share = report.reached.get(&row.id)?;
        let bottleneck = bottleneck_name(share.bottleneck);
        Some(Bar {
            name: format!("{} agents, {}", grouped(row.n), row.method),
            parts: vec![(color(&row.method, 0), share.percent)],
            note: noted(
                &[row],
                format!("{:.0} % of {} ns, {bottleneck}", share.percent, digits(share.limit_ns)),
            ),
        })
    };
    let mut rows: Vec<&Row> = report.rows_of(scaling::NAME).collect();
    // A bar for every size of a full run would be longer than a page.
    let is_decade = |row: &&Row| row.n == 10_usize.pow(row.n.ilog10());
    if rows.iter().any(is_decade) {
        rows.retain(is_decade);
    }
    rows.sort_by(|a, b| (&a.method, a.n).cmp(&(&b.method, b.n)));
    let caption = "The shortest time per agent-step that the measured limits of the machine allow \
                   for the counted work of a step, as a share of the measured time; and the \
                   resource that bounds it. Loop ends, mispredicted branches and waiting for \
                   results come on top, so 100 % cannot be reached.";
    let bars = rows.into_iter().filter_map(bar).collect();
    let bars = Bars { length: Length::Linear, bars, legend: Vec::new() };
    bar_figure("Share of the machine's limit", caption.into(), "roofline", &bars)
}

pub(super) fn breakdown(report: &Report) -> Option<Figure> {
    let rows = report.curve(scaling::NAME, Method::CellsSimd.id()).into_iter();
    let bars = stage_bars(rows.map(|row| (format!("{} agents", grouped(row.n)), row)));
    let caption = "cells-simd, ns per agent-step, by the engine's own clock: sorting into cells, \
                   steering and moving, non-penetration, smoothing headings.";
    bar_figure("Time of each stage of a step", caption.into(), "scaling", &bars)
}
