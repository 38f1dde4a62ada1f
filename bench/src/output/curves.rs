use crate::numbers::plain;
use crate::output::names::{Label, Obstacles};
use crate::output::svg::{Shapes, width_of};

const HEIGHT: f64 = 440.0;
/// Edges of the plot area, in pixels.
const LEFT: f64 = 58.0;
const TOP: f64 = 34.0;
const BOTTOM: f64 = HEIGHT - 44.0;
const RIGHT_MARGIN: f64 = 14.0;

pub(super) struct Chart {
    pub(super) title: &'static str,
    pub(super) x: &'static str,
    pub(super) y: &'static str,
    pub(super) curves: Vec<Curve>,
    pub(super) at_x: Option<(f64, String)>,
    pub(super) at_y: Option<(f64, String)>,
}

pub(super) struct Curve {
    pub(super) name: String,
    pub(super) color: usize,
    pub(super) points: Vec<Point>,
}

pub(super) struct Point {
    pub(super) at: [f64; 2],
    /// Ends of the error bar, in units of the y axis.
    pub(super) interval: [f64; 2],
    pub(super) title: String,
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

impl Chart {
    /// Renders the chart as SVG. If `alone`, embeds the style sheet, which a standalone file needs.
    pub(super) fn svg(&self, width: f64, alone: bool) -> String {
        draw(self, width).unwrap_or_default().framed([width, HEIGHT], self.title, alone)
    }
}

fn draw(chart: &Chart, width: f64) -> Option<Shapes> {
    let points = || chart.curves.iter().flat_map(|curve| &curve.points);
    let heights = points().flat_map(|point| point.interval);
    let frame = Frame {
        x: range(points().map(|point| point.at[0]), 1.3)?,
        y: range(heights.chain(chart.at_y.iter().map(|line| line.0)), 1.5)?,
        right: width - RIGHT_MARGIN,
    };
    let mut shapes = Shapes::default();
    draw_axes(chart, &frame, &mut shapes);
    let place = |point: &Point| [frame.across(point.at[0]), frame.down(point.at[1])];
    let corners = |curve: &Curve| curve.points.iter().map(place).collect::<Vec<_>>();
    let curves: Vec<_> = chart.curves.iter().map(|curve| (curve, corners(curve))).collect();
    for (Curve { color, points, .. }, corners) in &curves {
        shapes.curve(&format!("curve k{color}"), corners);
        for (point, [x, y]) in points.iter().zip(corners) {
            let [low, high] = point.interval.map(|end| frame.down(end));
            shapes.line(&format!("error k{color}"), [*x, low, *x, high]);
            shapes.point(&format!("point k{color}"), [*x, *y], &point.title);
        }
    }
    // Names come last, beside their curves and away from all lines.
    let mut obstacles = Obstacles::default();
    if let Some((value, name)) = &chart.at_x {
        let x = frame.across(*value);
        shapes.line("mark", [x, TOP, x, BOTTOM]);
        obstacles.line([x, TOP], [x, BOTTOM]);
        shapes.text("small halo", [x + 5.0, BOTTOM - 10.0], name);
        obstacles.line([x + 5.0, BOTTOM - 14.0], [x + 5.0 + width_of(name), BOTTOM - 14.0]);
    }
    if let Some((value, name)) = &chart.at_y {
        let y = frame.down(*value);
        shapes.line("mark", [LEFT, y, frame.right, y]);
        obstacles.line([LEFT, y], [frame.right, y]);
        shapes.text("small halo", [LEFT + 5.0, y - 5.0], name);
        obstacles.line([LEFT + 5.0, y - 9.0], [LEFT + 5.0 + width_of(name), y - 9.0]);
    }
    curves.iter().for_each(|(_, corners)| obstacles.curve(corners));
    for (curve, corners) in curves.iter().filter(|(_, corners)| !corners.is_empty()) {
        let inside = [LEFT, TOP - 12.0, width, BOTTOM];
        let label = Label::beside(corners, width_of(&curve.name), inside, &obstacles);
        obstacles.label(&label);
        let class = format!("label middle halo k{}", curve.color);
        shapes.rotated_text(&class, label.baseline(), label.degrees(), &curve.name);
    }
    Some(shapes)
}

fn draw_axes(chart: &Chart, frame: &Frame, shapes: &mut Shapes) {
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
    shapes.text("small", [4.0, TOP - 16.0], chart.y);
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

    #[test]
    fn ticks_are_round_and_neither_too_few_nor_too_many() {
        assert_eq!(ticks([80.0, 1.2e6]), [100.0, 1_000.0, 10_000.0, 100_000.0, 1_000_000.0]);
        assert_eq!(ticks([9.0, 120.0]), [10.0, 20.0, 50.0, 100.0]);
        assert!(ticks([20.0, 50.0]).len() >= 4);
    }
}
