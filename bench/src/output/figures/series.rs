//! Shared by all charts: curves and bars of rows, their colors, and marks of doubt.

use crate::method::Method;
use crate::numbers::{digits, grouped};
use crate::output::bars::{Bar, Bars};
use crate::output::chart::Series;
use crate::output::curves::{Axis, Curve, Curves, Mark, Point};
use crate::output::svg::COLORS;
use crate::results::block::Stages;
use crate::results::report::Report;
use crate::results::row::Row;

pub(super) const AGENTS: Axis = Axis { name: "agents", label: count };

const NS_PER_AGENT: Axis = Axis { name: "ns per agent-step", label: plain };

pub(super) fn count(value: f64) -> String {
    grouped(value.round() as usize)
}

/// `0.001`, `2.5`, `1,000`.
pub(super) fn plain(value: f64) -> String {
    if value >= 10.0 { count(value) } else { format!("{}", (value * 1.0e6).round() / 1.0e6) }
}

/// Times per agent over some quantity.
pub(super) fn ns_over(x: Axis, curves: Vec<Curve>, marks: Vec<Mark>) -> Series {
    Series::Curves(Curves { x, y: NS_PER_AGENT, curves, marks })
}

/// Bars as long as their values, or as the logarithms of these.
pub(super) fn bars(logarithmic: bool, bars: Vec<Bar>) -> Series {
    Series::Bars(Bars { logarithmic, bars, legend: Vec::new() })
}

type Scale = fn(&Row) -> f64;

/// The curves of an experiment, each of which `rows` finds, with the time of a row multiplied by
/// `scale`.
pub(super) fn curves(
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
        fit: None,
    };
    methods.iter().enumerate().map(curve).collect()
}

fn point(row: &Row, scale: Scale) -> Point {
    let by = scale(row);
    Point {
        x: row.x,
        y: row.ns_per_agent_step * by,
        interval: [row.ns_low * by, row.ns_high * by],
        trusted: row.is_trusted(),
        title: noted(&[row], format!("{}: {} ns per agent-step", row.id, row.interval())),
    }
}

/// The bar of a row in the color of its method.
pub(super) fn bar(row: &Row, name: impl Into<String>, value: f64, note: String) -> Bar {
    Bar {
        name: name.into(),
        parts: vec![(color(&row.method, 0), value)],
        note: noted(&[row], note),
    }
}

/// A note on some rows, marked if one of them cannot be trusted.
pub(super) fn noted(rows: &[&Row], note: String) -> String {
    note + if rows.iter().all(|row| row.is_trusted()) { "" } else { " ?" }
}

/// The color of a curve. A method has the same color in all charts, and no other curve has it,
/// except for one on several numbers of threads.
pub(super) fn color(name: &str, index: usize) -> usize {
    let methods = Method::ALL.len();
    let known = Method::ALL.iter().position(|method| method.id() == name);
    known.unwrap_or(methods + index % (COLORS - methods))
}

/// Bars of the stages of some rows, in shades that no curve has.
pub(super) fn stage_bars<'a>(rows: impl Iterator<Item = (String, &'a Row)>) -> Bars {
    let bar = |(name, row): (String, &Row)| {
        let stages = <[f64; 4]>::from(row.stages_ns?);
        let parts = stages.into_iter().enumerate().map(|(k, ns)| (k + COLORS, ns)).collect();
        let note = noted(&[row], format!("{} ns", digits(stages.iter().sum())));
        Some(Bar { name, parts, note })
    };
    let name = |(k, name): (usize, &&str)| (k + COLORS, (*name).to_owned());
    let legend = Stages::NAMES.iter().enumerate().map(name).collect();
    Bars { logarithmic: false, bars: rows.filter_map(bar).collect(), legend }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::report::tests::quiet_row;

    const STYLE: &str = include_str!("../../../templates/picture.css");

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
            let rest = STYLE.split(&format!(".k{color} {{ color: light-dark(")).nth(1);
            rest.expect("a color").split(')').next().unwrap().split(", ").collect()
        };
        for stage in drawn {
            assert_eq!(values_of(stage).len(), 2, "light and dark");
            for other in (0..12).filter(|other| *other != stage) {
                let pairs = values_of(stage).into_iter().zip(values_of(other));
                assert!(pairs.into_iter().all(|(a, b)| a != b), "{stage} and {other}");
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
