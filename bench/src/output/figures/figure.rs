//! Shared by all figures: layout, curves, colors and marks.

use crate::method::Method;
use crate::numbers::{digits, grouped};
use crate::output::bars::{Bar, Bars, Length};
use crate::output::chart::{Axis, Chart, Curve, Point};
use crate::output::svg::{COLORS, HEIGHT};
use crate::results::block::Stages;
use crate::results::report::Report;
use crate::results::row::Row;

pub(crate) struct Figure {
    pub(crate) title: &'static str,
    pub(crate) caption: String,
    pub(crate) svg: String,
    pub(crate) height: f64,
    /// The picture for narrow screens and its height, if its layout differs.
    pub(crate) narrow: Option<(String, f64)>,
    /// Names of its curves by color, for screens too narrow for names in the picture.
    pub(crate) legend: Vec<(usize, String)>,
    /// The subcommand that measures its rows.
    pub(crate) command: &'static str,
}

pub(super) fn chart_figure(
    title: &'static str,
    caption: String,
    command: &'static str,
    chart: &Chart,
) -> Option<Figure> {
    let legend = chart.curves.iter().map(|curve| (curve.color, curve.name.clone())).collect();
    Some(Figure {
        title,
        caption,
        svg: chart.svg()?,
        height: HEIGHT,
        narrow: None,
        legend,
        command,
    })
}

pub(super) fn bar_figure(
    title: &'static str,
    caption: String,
    command: &'static str,
    bars: &Bars,
) -> Option<Figure> {
    let (svg, height, narrow) = (bars.svg()?, bars.height(), bars.narrow_svg());
    Some(Figure { title, caption, svg, height, narrow, legend: Vec::new(), command })
}

pub(super) const AGENTS: Axis = Axis { name: "agents", label: count };

pub(super) const NS_PER_AGENT: Axis = Axis { name: "ns per agent-step", label: plain };

pub(super) fn count(value: f64) -> String {
    grouped(value.round() as usize)
}

/// `0.001`, `2.5`, `1,000`.
pub(super) fn plain(value: f64) -> String {
    if value >= 10.0 { count(value) } else { format!("{}", (value * 1.0e6).round() / 1.0e6) }
}

type Scale = fn(&Row) -> f64;

/// The curves of an experiment over crowd size, with each row's time multiplied by `scale`.
pub(super) fn curves(report: &Report, experiment: &str, scale: Scale) -> Vec<Curve> {
    curves_of(report, experiment, scale, Report::curve)
}

/// The curves of an experiment over another quantity, at the largest size.
pub(super) fn sweep(report: &Report, experiment: &str, scale: Scale) -> Vec<Curve> {
    curves_of(report, experiment, scale, Report::largest_curve)
}

fn curves_of(
    report: &Report,
    experiment: &str,
    scale: Scale,
    rows: for<'a> fn(&'a Report, &str, &str) -> Vec<&'a Row>,
) -> Vec<Curve> {
    let methods = report.methods_of(experiment);
    let curve = |(index, name): (usize, &&str)| Curve {
        name: (*name).to_owned(),
        color: color(name, index),
        points: rows(report, experiment, name).into_iter().map(|row| point(row, scale)).collect(),
    };
    methods.iter().enumerate().map(curve).collect()
}

fn point(row: &Row, scale: Scale) -> Point {
    let by = scale(row);
    let [low, high] = [row.ns_low, row.ns_high];
    Point {
        x: row.x,
        y: row.ns_per_agent_step * by,
        interval: [low * by, high * by],
        trusted: row.is_trusted(),
        title: noted(
            &[row],
            format!(
                "{}: {} ns per agent-step [{}, {}]",
                row.id,
                digits(row.ns_per_agent_step),
                digits(low),
                digits(high)
            ),
        ),
    }
}

/// A note on some rows, marked if one of them cannot be trusted.
pub(super) fn noted(rows: &[&Row], note: String) -> String {
    note + if rows.iter().all(|row| row.is_trusted()) { "" } else { " ?" }
}

/// The color of a curve. A method has the same color in all figures, and no other curve has it,
/// except for one on several numbers of threads.
pub(super) fn color(name: &str, index: usize) -> usize {
    let methods = Method::ALL.len();
    let known = Method::ALL.iter().position(|method| method.id() == name);
    known.unwrap_or(methods + index % (COLORS - methods))
}

/// Bars of the stages of some rows, in shades that no curve has.
pub(super) fn stage_bars<'a>(rows: impl Iterator<Item = (String, &'a Row)>) -> Bars {
    let bar = |(name, row): (String, &Row)| {
        let stages = row.stages_ns?.as_array();
        Some(Bar {
            name,
            parts: stages.into_iter().enumerate().map(|(k, ns)| (k + COLORS, ns)).collect(),
            note: noted(&[row], format!("{} ns", digits(stages.iter().sum()))),
        })
    };
    let name = |(k, name): (usize, &&str)| (k + COLORS, (*name).to_owned());
    let legend = Stages::NAMES.iter().enumerate().map(name);
    Bars { length: Length::Linear, bars: rows.filter_map(bar).collect(), legend: legend.collect() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::svg::STYLE;
    use crate::results::report::tests::quiet_row;

    #[test]
    fn no_other_series_has_the_color_of_a_method() {
        let methods: Vec<usize> = Method::ALL.iter().map(|method| color(method.id(), 9)).collect();
        assert_eq!(methods, [0, 1, 2, 3, 4]);
        assert!((0..20).all(|index| !methods.contains(&color("rstar", index))));
    }

    #[test]
    fn stages_have_colors_of_their_own() {
        let stages_ns = Some(Stages { sort: 4.0, steer: 3.0, non_penetration: 2.0, smooth: 1.0 });
        let row = Row { stages_ns, ..quiet_row("heavy", "cells-simd", 100, 10.0) };
        let bars = stage_bars([("all".to_owned(), &row)].into_iter());
        let drawn: Vec<usize> = bars.bars[0].parts.iter().map(|part| part.0).collect();
        let named: Vec<usize> = bars.legend.iter().map(|part| part.0).collect();
        assert_eq!((&drawn, &named), (&vec![8, 9, 10, 11], &drawn));
        assert!((0..20).all(|index| !drawn.contains(&color("rstar", index))));
        let values_of = |color: usize| -> Vec<&str> {
            let key = format!("--s{color}: ");
            STYLE.match_indices(&key).map(|(at, _)| &STYLE[at + key.len()..][..4]).collect()
        };
        for stage in drawn {
            assert!(STYLE.contains(&format!(".f{stage} {{")));
            let values = values_of(stage);
            assert_eq!(values.len(), 3, "light, dark and print");
            for other in (0..12).filter(|other| *other != stage) {
                assert!(values.iter().zip(values_of(other)).all(|(a, b)| *a != b));
            }
        }
    }

    #[test]
    fn untrusted_rows_are_marked() {
        let calm = quiet_row("scaling", "cells-simd", 100, 20.0);
        let doubtful = Row { doubts: vec!["far out".into()], ..calm.clone() };
        assert_eq!(noted(&[&calm], "2 ns".into()), "2 ns");
        assert_eq!(noted(&[&calm, &doubtful], "2 ns".into()), "2 ns ?");
        assert!(point(&calm, |_| 1.0).trusted && !point(&doubtful, |_| 1.0).trusted);
    }
}
