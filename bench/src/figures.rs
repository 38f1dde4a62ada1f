//! The figures of the page: which rows each shows, and what it says.

use crate::bars::{Bar, Bars, Length};
use crate::chart::{Axis, Chart, Curve, Guide, Mark, Point};
use crate::experiments::{cell_size, density, kernels, scaling, scenes, threads};
use crate::findings::largest_ladder;
use crate::fit::Crossing;
use crate::method::Method;
use crate::numbers::{digits, grouped};
use crate::report::Report;
use crate::row::{Row, Stages};
use crate::svg::{COLORS, HEIGHT};
use crate::table::waits_for;

pub(crate) struct Figure {
    pub(crate) title: &'static str,
    pub(crate) caption: String,
    pub(crate) svg: String,
    pub(crate) height: f64,
    /// Names of its curves, by color, for screens too narrow for them.
    pub(crate) legend: Vec<(usize, String)>,
    /// The subcommand that measures what it shows.
    pub(crate) command: &'static str,
}

/// All figures that there are rows for.
pub(crate) fn all(report: &Report) -> Vec<Figure> {
    let figures = [
        step_over_n(report),
        per_agent_over_n(report),
        reached(report),
        ladder(report),
        thread_scaling(report),
        over_density(report),
        per_useful_pair(report),
        useful_pairs(report),
        over_cell_size(report),
        pairs_over_cell_size(report),
        clustered(report),
        breakdown(report),
        kernel_speed_ups(report),
        heavy(report),
    ];
    figures.into_iter().flatten().collect()
}

fn chart_figure(
    title: &'static str,
    caption: String,
    command: &'static str,
    chart: &Chart,
) -> Option<Figure> {
    let legend = chart.curves.iter().map(|curve| (curve.color, curve.name.clone())).collect();
    Some(Figure { title, caption, svg: chart.svg()?, height: HEIGHT, legend, command })
}

fn bar_figure(
    title: &'static str,
    caption: String,
    command: &'static str,
    bars: &Bars,
) -> Option<Figure> {
    let (svg, height) = (bars.svg()?, bars.height());
    Some(Figure { title, caption, svg, height, legend: Vec::new(), command })
}

const AGENTS: Axis = Axis { name: "agents", label: count };
const NS_PER_AGENT: Axis = Axis { name: "ns per agent-step", label: plain };

fn count(value: f64) -> String {
    grouped(value.round() as usize)
}

/// 0.001, 2.5, 1,000.
fn plain(value: f64) -> String {
    if value >= 10.0 { count(value) } else { format!("{}", (value * 1.0e6).round() / 1.0e6) }
}

/// The curves of an experiment, each row's time turned into what is drawn by `scale`.
fn curves(report: &Report, experiment: &str, scale: fn(&Row) -> f64) -> Vec<Curve> {
    let series = report.series_of(experiment);
    let curve = |(place, name): (usize, &&str)| Curve {
        name: (*name).to_owned(),
        color: color(name, place),
        points: report.curve(experiment, name).into_iter().map(|row| point(row, scale)).collect(),
    };
    series.iter().enumerate().map(curve).collect()
}

fn point(row: &Row, scale: fn(&Row) -> f64) -> Point {
    let by = scale(row);
    let [low, high] = row.interval_ns;
    Point {
        x: row.x,
        y: row.median_ns * by,
        interval: [low * by, high * by],
        title: format!(
            "{}: {} ns per agent-step [{}, {}]",
            row.id,
            digits(row.median_ns),
            digits(low),
            digits(high)
        ),
    }
}

/// A method has the same color in all figures.
fn color(series: &str, place: usize) -> usize {
    let known = Method::ALL.iter().position(|method| method.id() == series);
    known.unwrap_or((Method::ALL.len() + place) % COLORS)
}

fn step_over_n(report: &Report) -> Option<Figure> {
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
    // What n and n² look like, below the fastest curve of the kind.
    for (name, power, method) in
        [("∝ n", 1.0, Method::CellsSimd), ("∝ n²", 2.0, Method::AllPairsSimd)]
    {
        let Some(row) = report.curve(scaling::NAME, method.id()).pop() else { continue };
        let (n, ms) = (row.n as f64, row.seconds_per_step() * 1.0e3 / 3.0);
        let at = |x: f64| [x, ms * (x / n).powf(power)];
        guides.push(Guide { name: name.into(), color: None, ends: [at(1.0), at(n)] });
    }
    let mark = |crossover: &crate::report::Crossover| match crossover.n {
        Crossing::At { n, interval } => Some(Mark {
            name: format!("{} wins from {}", crossover.cells, count(n)),
            x: n,
            interval: Some(interval),
        }),
        _ => None,
    };
    let chart = Chart {
        x: AGENTS,
        y: Axis { name: "milliseconds per step", label: plain },
        curves,
        guides,
        marks: report.crossovers.iter().filter_map(mark).collect(),
    };
    let caption = "Medians with 95 % intervals. Dashed in a curve's color: the fitted power law; \
                   gray: what n and n² look like. Shaded: the 95 % interval of where cell space \
                   overtakes all pairs.";
    chart_figure("Time per step over crowd size", caption.into(), "scaling", &chart)
}

fn per_agent_over_n(report: &Report) -> Option<Figure> {
    let curves = curves(report, scaling::NAME, |_| 1.0);
    let cells = report.curve(scaling::NAME, Method::CellsSimd.id());
    let bytes = cells.last().and_then(|row| row.bytes_per_agent);
    let mark = |cache: &crate::machine::Cache| Mark {
        name: format!("L{} {}", cache.level, memory(cache.bytes)),
        x: cache.bytes as f64 / bytes.unwrap_or(f64::NAN),
        interval: None,
    };
    let marks = bytes.map_or(Vec::new(), |_| report.machine.caches.iter().map(mark).collect());
    let caption = match bytes {
        Some(bytes) => format!(
            "A flat curve is linear growth. Vertical lines: where a crowd of {} bytes per agent \
             fills a cache.",
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

fn reached(report: &Report) -> Option<Figure> {
    let bar = |row: &Row| {
        let share = report.reached.get(&row.id)?;
        let ruler = waits_for(share.ruler);
        Some(Bar {
            name: format!("{} agents, {}", grouped(row.n), row.series),
            parts: vec![(color(&row.series, 0), share.percent)],
            note: format!("{:.0} % of {} ns, {ruler}", share.percent, digits(share.limit_ns)),
        })
    };
    let mut rows: Vec<&Row> = report.rows_of(scaling::NAME).collect();
    rows.sort_by(|a, b| (&a.series, a.n).cmp(&(&b.series, b.n)));
    let caption = "The shortest time per agent-step that the measured limits of the machine allow \
                   for the counted work of a step, as a share of the time it took; and what that \
                   time would be spent waiting for. Loop ends, mispredicted branches and waiting for \
                   results come on top, so 100 % is out of reach.";
    let bars = rows.into_iter().filter_map(bar).collect();
    let bars = Bars { length: Length::Linear, bars, legend: Vec::new() };
    bar_figure("How near the limit", caption.into(), "roofline", &bars)
}

fn ladder(report: &Report) -> Option<Figure> {
    let rows = largest_ladder(report);
    let first = rows.first()?;
    let mut before = first.median_ns;
    let mut bars = Vec::new();
    for row in &rows {
        let (step, all) = (before / row.median_ns, first.median_ns / row.median_ns);
        before = row.median_ns;
        bars.push(Bar {
            name: row.series.clone(),
            parts: vec![(color(&row.series, bars.len()), all)],
            note: format!("{} ns, ×{} → ×{}", digits(row.median_ns), digits(step), digits(all)),
        });
    }
    let caption = format!(
        "{} agents, every rung the same steps with the same state hash. ns per agent-step, times \
         the rung before, times the first; logarithmic from ×1.",
        grouped(first.n)
    );
    let bars = Bars { length: Length::Logarithmic, bars, legend: Vec::new() };
    bar_figure("Speed-up, stage by stage", caption, "stages", &bars)
}

fn thread_scaling(report: &Report) -> Option<Figure> {
    let mut sizes: Vec<usize> = report.rows_of(threads::NAME).map(|row| row.n).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let mut bars = Vec::new();
    for (place, &n) in sizes.iter().enumerate() {
        let rows: Vec<&Row> = report.rows_of(threads::NAME).filter(|row| row.n == n).collect();
        let Some(one) = rows.iter().find(|row| row.threads == 1) else { continue };
        for row in &rows {
            let ratio = one.median_ns / row.median_ns;
            let share = ratio / row.threads as f64;
            bars.push(Bar {
                name: format!("{} agents, {}", grouped(n), row.series),
                parts: vec![(place % COLORS, ratio)],
                note: format!("×{}, {:.0} % each", digits(ratio), 100.0 * share),
            });
        }
    }
    let caption = format!(
        "Times as fast as one thread, and how much of a thread each is worth. The machine has {} \
         cores. Small crowds stay on one thread.",
        report.machine.cores
    );
    let bars = Bars { length: Length::Linear, bars, legend: Vec::new() };
    bar_figure("Thread scaling", caption, "threads", &bars)
}

const NEIGHBORS: Axis = Axis { name: "neighbors on average", label: plain };

fn over_density(report: &Report) -> Option<Figure> {
    let curves = curves(report, density::NAME, |_| 1.0);
    let chart =
        Chart { x: NEIGHBORS, y: NS_PER_AGENT, curves, guides: Vec::new(), marks: Vec::new() };
    let n = report.rows_of(density::NAME).map(|row| row.n).max()?;
    let caption = format!("{} agents, uniformly random, in worlds of different size.", grouped(n));
    chart_figure("Time per agent over density", caption, "density", &chart)
}

fn per_useful_pair(report: &Report) -> Option<Figure> {
    let curves = curves(report, density::NAME, |row| 1.0 / row.mean_neighbors.max(1.0e-9));
    let y = Axis { name: "ns per neighbor", label: plain };
    let chart = Chart { x: NEIGHBORS, y, curves, guides: Vec::new(), marks: Vec::new() };
    let caption = "The same times by pair in sight: what is paid once per agent is shared by more \
                   pairs in dense crowds.";
    chart_figure("Time per useful pair over density", caption.into(), "density", &chart)
}

fn useful_pairs(report: &Report) -> Option<Figure> {
    let rows: Vec<&Row> = report.rows_of(density::NAME).filter(|row| row.threads == 1).collect();
    let bar = |row: &&Row| {
        let (share, pairs) = (100.0 * row.useful_share()?, row.pairs_per_agent?);
        Some(Bar {
            name: format!("{} neighbors, {}", row.x, row.series),
            parts: vec![(color(&row.series, 0), share)],
            note: format!("{share:.0} % of {}", grouped(pairs.round() as usize)),
        })
    };
    let bars = rows.iter().filter_map(bar).collect();
    let caption = "The share of tested pairs that are neighbors, and the pairs tested per agent. \
                   For SIMD these are candidates times lanes: a lane looks at what any lane of its \
                   batch may need.";
    let bars = Bars { length: Length::Linear, bars, legend: Vec::new() };
    bar_figure("Useful pairs", caption.into(), "density", &bars)
}

const CELL_SIZE: Axis = Axis { name: "height of cells in view distances", label: plain };

fn over_cell_size(report: &Report) -> Option<Figure> {
    let curves = curves(report, cell_size::NAME, |_| 1.0);
    let chart =
        Chart { x: CELL_SIZE, y: NS_PER_AGENT, curves, guides: Vec::new(), marks: Vec::new() };
    let n = report.rows_of(cell_size::NAME).map(|row| row.n).max()?;
    let caption = format!(
        "{} agents, the same crowd with cells of different height; the engine's own choice is 1. \
         Along x cells are cut until they hold about one agent, but into 16 columns at most.",
        grouped(n)
    );
    chart_figure("Time per agent over cell size", caption, "cell-size", &chart)
}

fn pairs_over_cell_size(report: &Report) -> Option<Figure> {
    let mut curves = curves(report, cell_size::NAME, |row| {
        row.useful_share().map_or(f64::NAN, |share| 1.0 / share / row.median_ns)
    });
    // Counted, not measured: without an interval.
    for point in curves.iter_mut().flat_map(|curve| &mut curve.points) {
        point.interval = [point.y; 2];
        point.title = format!("{} pairs tested per useful pair", digits(point.y));
    }
    let y = Axis { name: "pairs tested per useful pair", label: plain };
    let chart = Chart { x: CELL_SIZE, y, curves, guides: Vec::new(), marks: Vec::new() };
    let caption = "Tested pairs for each that is in sight. For SIMD these are candidates times \
                   lanes.";
    chart_figure("Pairs tested over cell size", caption.into(), "cell-size", &chart)
}

fn clustered(report: &Report) -> Option<Figure> {
    let rows: Vec<&Row> = report.rows_of(scenes::CLUSTERED).collect();
    let bar = |row: &&Row| Bar {
        name: format!("{}, {}", row.point, row.series),
        parts: vec![(color(&row.series, 0), row.median_ns / row.mean_neighbors.max(1.0e-9))],
        note: format!(
            "{} ns, {} of {} ns per agent",
            digits(row.median_ns / row.mean_neighbors.max(1.0e-9)),
            digits(row.mean_neighbors),
            digits(row.median_ns)
        ),
    };
    let caption = format!(
        "{} agents; ns per pair in sight, neighbors on average, ns per agent. Uniform: the start. \
         After 2,000 steps the same crowd has drawn together.",
        grouped(rows.first()?.n)
    );
    let bars =
        Bars { length: Length::Linear, bars: rows.iter().map(bar).collect(), legend: Vec::new() };
    bar_figure("Uniform against clustered", caption, "scenes", &bars)
}

/// Bars of the stages of some rows.
fn stage_bars<'a>(rows: impl Iterator<Item = (String, &'a Row)>) -> Bars {
    let bar = |(name, row): (String, &Row)| {
        let stages = row.stages_ns?.as_array();
        Some(Bar {
            name,
            parts: stages.into_iter().enumerate().map(|(k, ns)| (k + 3, ns)).collect(),
            note: format!("{} ns", digits(stages.iter().sum())),
        })
    };
    let legend = Stages::NAMES.iter().enumerate().map(|(k, name)| (k + 3, (*name).to_owned()));
    Bars { length: Length::Linear, bars: rows.filter_map(bar).collect(), legend: legend.collect() }
}

fn breakdown(report: &Report) -> Option<Figure> {
    let rows = report.curve(scaling::NAME, Method::CellsSimd.id()).into_iter();
    let bars = stage_bars(rows.map(|row| (format!("{} agents", grouped(row.n)), row)));
    let caption = "cells-simd, ns per agent-step, as the engine times its stages: sorting into \
                   cells, steering and moving, parting, smoothing.";
    bar_figure("Where a step's time goes", caption.into(), "scaling", &bars)
}

fn kernel_speed_ups(report: &Report) -> Option<Figure> {
    let (scalar, simd) = (Method::CellsScalar.id(), Method::CellsSimd.id());
    let bar = |(slow, fast): (&Row, &Row)| {
        let ratio = slow.median_ns / fast.median_ns;
        Bar {
            name: fast.point.clone(),
            parts: vec![(color(simd, 0), ratio)],
            note: format!(
                "×{}: {} → {} ns",
                digits(ratio),
                digits(slow.median_ns),
                digits(fast.median_ns)
            ),
        }
    };
    let bars = report.common(kernels::NAME, scalar, simd).into_iter().map(bar).collect();
    let caption = "The steering stage of a crowd that only this behavior steers: times as fast as \
                   the scalar twin, on one thread.";
    let bars = Bars { length: Length::Linear, bars, legend: Vec::new() };
    bar_figure("SIMD against scalar, behavior by behavior", caption.into(), "kernels", &bars)
}

fn heavy(report: &Report) -> Option<Figure> {
    let rows = report.rows_of(kernels::HEAVY);
    let bars = stage_bars(rows.map(|row| (row.point.replace('`', ""), row)));
    let n = report.rows_of(kernels::HEAVY).map(|row| row.n).max()?;
    let caption = format!("{} agents, one thread, ns per agent-step by stage.", grouped(n));
    bar_figure("The heavy scene, part by part", caption, "kernels", &bars)
}
