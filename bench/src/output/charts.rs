use crate::experiment::Experiment;
use crate::numbers::{digits, grouped};
use crate::output::curves::{Chart, Curve, Point};
use crate::results::fit::Crossing;
use crate::results::report::Report;
use crate::results::row::Row;
use crate::variant::Variant;

/// Chart widths in pixels, for desktop and phone screens.
pub(super) const WIDE: f64 = 800.0;
pub(super) const NARROW: f64 = 380.0;

pub(super) const FRAME: f64 = 1.0 / 60.0;

pub(super) fn chart(report: &Report, experiment: Experiment) -> Option<Chart> {
    let (title, x) = match experiment {
        Experiment::Scaling => ("Time of a step", "number of agents"),
        Experiment::Density => ("Time per agent over density", "mean number of neighbors"),
        Experiment::CellSize => {
            ("Time per agent over cell height", "cell height in view distances")
        }
        _ => return None,
    };
    let is_scaling = experiment == Experiment::Scaling;
    let at_x = match report.crossover {
        Some(Crossing::At { n, .. }) if is_scaling => {
            Some((n, format!("cells win from {}", grouped(n.round() as usize))))
        }
        _ => None,
    };
    Some(Chart {
        title,
        x,
        y: if is_scaling { "ms per step" } else { "ns per agent-step" },
        curves: curves_of(report, experiment),
        at_x,
        at_y: is_scaling.then(|| (1.0e3 * FRAME, "60 steps/s".into())),
    })
}

fn curves_of(report: &Report, experiment: Experiment) -> Vec<Curve> {
    let all_sizes = experiment == Experiment::Scaling;
    let point = |row: &Row| {
        let by = if all_sizes { row.n as f64 * 1.0e-6 } else { 1.0 };
        Point {
            at: [row.x, row.ns_per_agent_step * by],
            interval: [row.ns_low * by, row.ns_high * by],
            title: format!("{}: {} ns per agent-step", row.id, digits(row.ns_per_agent_step)),
        }
    };
    let curve = |variant: Variant| {
        let mut rows = report.curve(experiment, variant);
        rows.retain(|row| all_sizes || row.n == report.most_agents(experiment));
        Curve {
            name: rows.last().map_or(String::new(), |row| row.label()),
            color: color(variant),
            points: rows.into_iter().map(point).collect(),
        }
    };
    let variants = report.variants_of(experiment).into_iter();
    variants.filter(|variant| *variant != Variant::CellsSimdAgain).map(curve).collect()
}

fn color(variant: Variant) -> usize {
    match variant {
        Variant::AllPairsScalar => 0,
        Variant::AllPairsSimd => 1,
        Variant::CellsScalar => 2,
        Variant::CellsSimd | Variant::CellsSimdAgain => 3,
        Variant::CellsSimdMt(_) => 4,
        Variant::NextBest => 5,
        Variant::CellsSimdFlat => 7,
        Variant::Level(_) | Variant::Peer(_) | Variant::Rung(_) | Variant::NaiveLoop => 6,
    }
}
