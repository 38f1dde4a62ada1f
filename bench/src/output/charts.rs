use crate::experiment::Experiment;
use crate::method::Method;
use crate::numbers::grouped;
use crate::output::curves::{self, Curve, Curves, Point};
use crate::results::fit::Crossing;
use crate::results::report::Report;
use crate::results::row::Row;

/// Chart widths in pixels, for desktop and phone screens.
pub(super) const WIDE: f64 = 800.0;
pub(super) const NARROW: f64 = 380.0;

pub(super) const FRAME: f64 = 1.0 / 60.0;

pub(super) struct Chart {
    pub(super) title: &'static str,
    curves: Curves,
}

impl Chart {
    pub(super) fn of(report: &Report, experiment: Experiment) -> Option<Self> {
        let (title, quantity) = match experiment {
            Experiment::Scaling => ("Time of a step", "agents"),
            Experiment::Density => ("Time per agent over density", "neighbors on average"),
            Experiment::CellSize => ("Time per agent over cell height", "view distances"),
            _ => return None,
        };
        report.rows_of(experiment).next()?;
        let is_scaling = experiment == Experiment::Scaling;
        let at_x = match report.crossover {
            Some(Crossing::At { n, .. }) if is_scaling => {
                Some((n, format!("cells win from {}", grouped(n as usize))))
            }
            _ => None,
        };
        let curves = Curves {
            x: quantity,
            y: if is_scaling { "ms per step" } else { "ns per agent-step" },
            curves: curves_of(report, experiment),
            at_x,
            at_y: is_scaling.then(|| (1.0e3 * FRAME, "60 steps/s".into())),
        };
        Some(Self { title, curves })
    }

    /// Renders the chart as SVG. If `alone`, embeds the style sheet so that the SVG works
    /// as a separate file.
    pub(super) fn svg(&self, width: f64, alone: bool) -> String {
        let (shapes, height) = curves::draw(&self.curves, width).unwrap_or_default();
        shapes.framed([width, height], self.title, alone)
    }
}

fn curves_of(report: &Report, experiment: Experiment) -> Vec<Curve> {
    let all_sizes = experiment == Experiment::Scaling;
    let point = |row: &Row| {
        let by = if all_sizes { row.n as f64 * 1.0e-6 } else { 1.0 };
        Point {
            at: [row.x, row.ns_per_agent_step * by],
            interval: [row.ns_low * by, row.ns_high * by],
            title: format!("{}: {} ns per agent-step", row.id, row.interval()),
        }
    };
    let curve = |method: Method| {
        let mut rows = report.curve(experiment, method);
        rows.retain(|row| all_sizes || row.n == report.most_agents(experiment));
        Curve {
            name: rows.last().map_or(String::new(), |row| row.label()),
            color: color(method),
            points: rows.into_iter().map(point).collect(),
        }
    };
    let methods = report.methods_of(experiment).into_iter();
    methods.filter(|method| *method != Method::CellsSimdAgain).map(curve).collect()
}

fn color(method: Method) -> usize {
    match method {
        Method::AllPairsScalar => 0,
        Method::AllPairsSimd => 1,
        Method::CellsScalar => 2,
        Method::CellsSimd | Method::CellsSimdAgain => 3,
        Method::CellsSimdMt(_) => 4,
        Method::NextBest => 5,
        Method::Level(_) | Method::Peer(_) | Method::Rung(_) => 6,
    }
}
