use crate::experiment::Experiment;
use crate::numbers::{digits, grouped, plain};
use crate::output::names::{Label, sampled};
use crate::output::svg::{Shapes, width_of};
use crate::results::fit::Crossing;
use crate::results::report::Report;
use crate::results::row::Row;
use crate::variant::Variant;

/// Chart widths in pixels, for desktop and phone screens.
pub(super) const WIDE: f64 = 800.0;
pub(super) const NARROW: f64 = 380.0;
const HEIGHT: f64 = 440.0;
/// Edges of the plot area, in pixels.
const LEFT: f64 = 58.0;
const TOP: f64 = 34.0;
const BOTTOM: f64 = HEIGHT - 44.0;
const RIGHT_MARGIN: f64 = 14.0;
/// Height of a row of the legend, in pixels.
const LEGEND_ROW: f64 = 20.0;

pub(super) const FRAME: f64 = 1.0 / 60.0;

pub(super) struct Chart<'a> {
    pub(super) title: &'static str,
    x: &'static str,
    /// The rows of each variant, in order of `x`; at least one.
    curves: Vec<(Variant, Vec<&'a Row>)>,
    /// True if the y axis has milliseconds per step instead of nanoseconds per agent-step.
    has_steps: bool,
    at_x: Option<(f64, String)>,
}

struct Frame {
    x: [f64; 2],
    y: [f64; 2],
    right: f64,
}

impl Frame {
    fn across(&self, x: f64) -> f64 {
        LEFT + share(self.x, x) * (self.right - LEFT)
    }

    fn down(&self, y: f64) -> f64 {
        BOTTOM - share(self.y, y) * (BOTTOM - TOP)
    }
}

/// Position on a logarithmic axis, from 0 to 1.
fn share([low, high]: [f64; 2], value: f64) -> f64 {
    (value / low).ln() / (high / low).ln()
}

fn range(values: impl Iterator<Item = f64>, margin: f64) -> Option<[f64; 2]> {
    let values: Vec<f64> = values.filter(|value| *value > 0.0 && value.is_finite()).collect();
    let low = values.iter().copied().reduce(f64::min)?;
    let high = values.iter().copied().reduce(f64::max)?;
    Some([low / margin, high * margin])
}

impl<'a> Chart<'a> {
    /// Returns `None` for experiments that have no chart.
    pub(super) fn of(report: &'a Report, experiment: Experiment) -> Option<Self> {
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
        let most = report.most_agents(experiment);
        let variants = report.variants_of(experiment).into_iter();
        let curves =
            variants.filter(|variant| *variant != Variant::CellsSimdAgain).map(|variant| {
                let mut rows = report.curve(experiment, variant);
                rows.retain(|row| is_scaling || row.n == most);
                (variant, rows)
            });
        Some(Self {
            title,
            x,
            curves: curves.filter(|(_, rows)| !rows.is_empty()).collect(),
            has_steps: is_scaling,
            at_x,
        })
    }

    /// Converts nanoseconds per agent-step of a row to the unit of the y axis.
    fn scale(&self, row: &Row, ns: f64) -> f64 {
        if self.has_steps { 1.0e3 * row.seconds(ns) } else { ns }
    }

    /// Renders the chart as SVG. If `alone`, embeds the style sheet, which a standalone file needs.
    pub(super) fn svg(&self, width: f64, alone: bool) -> String {
        let (shapes, height) = draw(self, width).unwrap_or((Shapes::default(), HEIGHT));
        shapes.framed([width, height], self.title, alone)
    }
}

/// Returns the chart's shapes and its height in pixels.
fn draw(chart: &Chart<'_>, width: f64) -> Option<(Shapes, f64)> {
    let rows = || chart.curves.iter().flat_map(|(_, rows)| rows.iter().copied());
    let interval = |row: &Row| [row.ns_low, row.ns_high].map(|ns| chart.scale(row, ns));
    let frame_ms = chart.has_steps.then_some(1.0e3 * FRAME);
    let heights = rows().flat_map(interval).chain(frame_ms);
    let frame = Frame {
        x: range(rows().map(|row| row.x), 1.3)?,
        y: range(heights, 1.5)?,
        right: width - RIGHT_MARGIN,
    };
    let mut shapes = Shapes::default();
    draw_axes(chart, &frame, &mut shapes);
    let place =
        |row: &&Row| [frame.across(row.x), frame.down(chart.scale(row, row.ns_per_agent_step))];
    let curves: Vec<Vec<[f64; 2]>> =
        chart.curves.iter().map(|(_, rows)| rows.iter().map(place).collect()).collect();
    let mut points: Vec<Vec<_>> = curves.iter().map(|corners| sampled(corners).collect()).collect();
    for (k, ((variant, rows), corners)) in chart.curves.iter().zip(&curves).enumerate() {
        let color = color(*variant);
        shapes.curve(&format!("curve k{color}"), corners);
        for (row, &[x, y]) in rows.iter().zip(corners) {
            let [low, high] = interval(row).map(|end| frame.down(end));
            shapes.line(&format!("error k{color}"), [x, low, x, high]);
            points[k].extend(sampled(&[[x, low], [x, high]]));
            let title = format!("{}: {} ns per agent-step", row.id, digits(row.ns_per_agent_step));
            shapes.point(&format!("point k{color}"), [x, y], &title);
        }
    }
    // Names are placed last, next to their curves and away from all lines. If one finds no room,
    // all are listed below the chart.
    let mut taken: Vec<[f64; 2]> = Vec::new();
    let mut mark = |[x1, y1, x2, y2]: [f64; 4], [x, y]: [f64; 2], name: &str| {
        shapes.line("mark", [x1, y1, x2, y2]);
        taken.extend(sampled(&[[x1, y1], [x2, y2]]));
        shapes.text("small halo", [x, y], name);
        taken.extend(sampled(&[[x, y - 4.0], [x + width_of(name), y - 4.0]]));
    };
    if let Some((value, name)) = &chart.at_x {
        let x = frame.across(*value);
        mark([x, TOP, x, BOTTOM], [x + 5.0, BOTTOM - 10.0], name);
    }
    if let Some(y) = frame_ms.map(|ms| frame.down(ms)) {
        mark([LEFT, y, frame.right, y], [LEFT + 5.0, y - 5.0], "60 steps/s");
    }
    let name =
        |(variant, rows): &(Variant, Vec<&Row>)| (color(*variant), rows[rows.len() - 1].label());
    let names: Vec<(usize, String)> = chart.curves.iter().map(name).collect();
    let place = |(k, (_, name)): (usize, &(_, String))| {
        let mut others = [&points[..k], &points[k + 1..]].concat().concat();
        others.extend(&taken);
        let inside = [LEFT, TOP - 12.0, width, BOTTOM];
        let label = Label::beside(&curves[k], &points[k], width_of(name), inside, &others)?;
        taken.extend(label.points());
        Some(label)
    };
    let labels: Option<Vec<Label>> = names.iter().enumerate().map(place).collect();
    let Some(labels) = labels else { return Some(with_legend(shapes, &names, width)) };
    for ((color, name), label) in names.iter().zip(labels) {
        let class = format!("label middle halo k{color}");
        shapes.rotated_text(&class, label.baseline(), label.degrees(), name);
    }
    Some((shapes, HEIGHT))
}

/// Adds two columns of names below the chart, each with a sample of its curve. Returns the shapes
/// and the height of the chart with them.
fn with_legend(mut shapes: Shapes, names: &[(usize, String)], width: f64) -> (Shapes, f64) {
    for (k, (color, name)) in names.iter().enumerate() {
        let [x, y] = [4.0 + (k % 2) as f64 * width / 2.0, HEIGHT + (k / 2 + 1) as f64 * LEGEND_ROW];
        shapes.line(&format!("curve k{color}"), [x, y - 4.0, x + 20.0, y - 4.0]);
        shapes.text(&format!("label k{color}"), [x + 26.0, y], name);
    }
    (shapes, HEIGHT + (names.len().div_ceil(2) as f64 + 0.5) * LEGEND_ROW)
}

fn draw_axes(chart: &Chart<'_>, frame: &Frame, shapes: &mut Shapes) {
    // Labels of neighboring ticks must neither overlap nor extend beyond the picture.
    let mut free = 0.0;
    for value in ticks(frame.x) {
        let (x, label) = (frame.across(value), plain(value));
        shapes.line("grid", [x, TOP, x, BOTTOM]);
        let half = width_of(&label) / 2.0;
        let middle = x.min(frame.right + RIGHT_MARGIN - half);
        if free < middle - half {
            shapes.text("tick middle", [middle, BOTTOM + 17.0], &label);
            free = middle + half + 4.0;
        }
    }
    for value in ticks(frame.y) {
        let y = frame.down(value);
        shapes.line("grid", [LEFT, y, frame.right, y]);
        shapes.text("tick end", [LEFT - 6.0, y + 4.0], &plain(value));
    }
    shapes.line("axis", [LEFT, BOTTOM, frame.right, BOTTOM]);
    shapes.line("axis", [LEFT, TOP, LEFT, BOTTOM]);
    shapes.text("small middle", [(LEFT + frame.right) / 2.0, HEIGHT - 8.0], chart.x);
    let y = if chart.has_steps { "ms per step" } else { "ns per agent-step" };
    shapes.text("small", [4.0, TOP - 16.0], y);
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
        Variant::Level(_) | Variant::Peer(_) | Variant::NaiveLoop => 6,
    }
}

/// Tick values: powers of ten, plus round values in between if the axis spans few powers.
fn ticks([low, high]: [f64; 2]) -> Vec<f64> {
    let decades = low.log10().floor() as i32..=high.log10().ceil() as i32;
    let of = |digits: &[f64]| -> Vec<f64> {
        let all = decades.clone().flat_map(|d| digits.iter().map(move |m| m * 10_f64.powi(d)));
        all.filter(|tick| (low..=high).contains(tick)).collect()
    };
    let choices: [&[f64]; 3] =
        [&[1.0], &[1.0, 2.0, 5.0], &[1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0]];
    let enough = choices.iter().map(|digits| of(digits)).find(|ticks| ticks.len() >= 4);
    enough.unwrap_or_else(|| of(choices[2]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::fixtures::{quiet_row, report_of};

    /// Regression: on a telephone, the name "all pairs, SIMD" was above the end of another curve.
    #[test]
    fn curves_without_room_for_a_name_have_a_legend() {
        use Variant::{
            AllPairsScalar, AllPairsSimd, CellsScalar, CellsSimd, CellsSimdMt, NextBest,
        };
        // Times of a run with --quick, in ns per agent-step.
        let sizes = [8, 32, 100, 316, 1_000, 10_000, 100_000, 1_000_000];
        let curves: [(_, &[f64]); 6] = [
            (AllPairsScalar, &[163.0, 296.0, 357.0, 580.0, 1_291.0, 10_490.0]),
            (AllPairsSimd, &[115.0, 33.2, 30.8, 56.8, 159.0, 1_504.0]),
            (CellsScalar, &[187.0, 332.0, 283.0, 268.0, 259.0, 245.0, 242.0, 243.0]),
            (CellsSimd, &[120.0, 35.6, 28.7, 21.2, 18.1, 15.7, 15.5, 17.7]),
            (CellsSimdMt(None), &[120.0, 35.6, 28.7, 21.2, 18.1, 15.7, 8.5, 9.4]),
            (NextBest, &[619.0, 530.0, 388.0, 346.0, 332.0, 330.0, 349.0, 681.0]),
        ];
        let rows = curves.iter().flat_map(|&(variant, times)| {
            let row = move |(n, &ns)| quiet_row(Experiment::Scaling, variant, n, ns);
            sizes.into_iter().zip(times).map(row)
        });
        let mut report = report_of(rows.collect());
        report.conclude();
        let chart = Chart::of(&report, Experiment::Scaling).unwrap();
        let [wide, narrow] = [WIDE, NARROW].map(|width| chart.svg(width, false));
        assert_eq!(wide.matches("rotate(").count(), curves.len(), "{wide}");
        assert!(!narrow.contains("rotate("), "{narrow}");
        for (variant, _) in curves {
            let (color, name) = (color(variant), variant.words());
            assert!(narrow.contains(&format!(r#"<line class="curve k{color}""#)), "{narrow}");
            let named = narrow.split(&format!(r#"<text class="label k{color}""#)).nth(1);
            assert!(named.is_some_and(|text| text.contains(&format!(">{name}</text>"))), "{name}");
        }
    }

    #[test]
    fn ticks_are_round_and_neither_too_few_nor_too_many() {
        assert_eq!(ticks([80.0, 1.2e6]), [100.0, 1_000.0, 10_000.0, 100_000.0, 1_000_000.0]);
        assert_eq!(ticks([9.0, 120.0]), [10.0, 20.0, 50.0, 100.0]);
        assert!(ticks([20.0, 50.0]).len() >= 4);
    }
}
