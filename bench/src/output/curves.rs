//! Curves on logarithmic axes: error bars, fitted lines and marks, and a list of names in the
//! order in which the curves end.

use crate::output::svg::{Shapes, WIDTH, ticks, width_of};

const HEIGHT: f64 = 440.0;
/// The edges of the part that has the curves.
const LEFT: f64 = 92.0;
const RIGHT: f64 = WIDTH - 184.0;
const TOP: f64 = 14.0;
const BOTTOM: f64 = HEIGHT - 50.0;
/// Height of a line of names, and the most such lines for marks.
const NAME_LINE: f64 = 18.0;
const MOST_NAME_LINES: usize = 4;

pub(crate) struct Curves {
    pub(crate) x: Axis,
    pub(crate) y: Axis,
    pub(crate) curves: Vec<Curve>,
    pub(crate) marks: Vec<Mark>,
}

/// A logarithmic axis.
#[derive(Clone, Copy)]
pub(crate) struct Axis {
    pub(crate) name: &'static str,
    pub(crate) label: fn(f64) -> String,
}

pub(crate) struct Curve {
    pub(crate) name: String,
    /// The number of its color.
    pub(crate) color: usize,
    pub(crate) points: Vec<Point>,
    /// The ends of the power law that was fitted to it.
    pub(crate) fit: Option<[[f64; 2]; 2]>,
}

pub(crate) struct Point {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) interval: [f64; 2],
    /// Untrusted points are hollow.
    pub(crate) trusted: bool,
    /// The text shown on hovering.
    pub(crate) title: String,
}

/// A vertical line, with an optional interval around it.
pub(crate) struct Mark {
    pub(crate) name: String,
    pub(crate) x: f64,
    pub(crate) interval: Option<[f64; 2]>,
}

/// The values at the edges.
struct Frame {
    x: [f64; 2],
    y: [f64; 2],
}

impl Frame {
    fn across(&self, x: f64) -> f64 {
        LEFT + share(self.x, x) * (RIGHT - LEFT)
    }

    fn down(&self, y: f64) -> f64 {
        BOTTOM - share(self.y, y) * (BOTTOM - TOP)
    }

    fn at(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        [self.across(x), self.down(y)]
    }
}

/// The position on a logarithmic axis, from 0 to 1.
fn share([low, high]: [f64; 2], value: f64) -> f64 {
    (value / low).ln() / (high / low).ln()
}

/// The range of some values with a margin; `None` without values.
fn range(values: impl Iterator<Item = f64>, margin: f64) -> Option<[f64; 2]> {
    let values: Vec<f64> = values.filter(|value| *value > 0.0 && value.is_finite()).collect();
    let low = values.iter().copied().reduce(f64::min)?;
    let high = values.iter().copied().reduce(f64::max)?;
    Some([low / margin, high * margin])
}

/// The shapes and their height; `None` without points.
pub(super) fn draw(chart: &Curves) -> Option<(Shapes, f64)> {
    let points = || chart.curves.iter().flat_map(|curve| &curve.points);
    let values = |point: &Point| [point.interval[0], point.y, point.interval[1]];
    let x = range(points().map(|point| point.x), 1.3)?;
    let mut y = range(points().flat_map(values), 1.5)?;
    let inside = |mark: &&Mark| (x[0]..=x[1]).contains(&mark.x);
    let marks: Vec<&Mark> = chart.marks.iter().filter(inside).collect();
    // Leaves room for their names above the curves.
    let lines = marks.len().min(MOST_NAME_LINES);
    y[1] *= (y[1] / y[0]).powf(lines as f64 * NAME_LINE / (BOTTOM - TOP));
    let frame = Frame { x, y };
    let mut shapes = Shapes::default();
    draw_axes(chart, &frame, &mut shapes);
    for mark in &marks {
        draw_mark(mark, &frame, &mut shapes);
    }
    for curve in &chart.curves {
        draw_curve(curve, &frame, &mut shapes);
    }
    // Names come last, so that no curve runs through them.
    for (k, mark) in marks.iter().enumerate() {
        let x = frame.across(mark.x);
        let (class, x) = match x + 5.0 + width_of(&mark.name) < RIGHT {
            true => ("small halo", x + 5.0),
            false => ("small end halo", (x - 5.0).max(LEFT + width_of(&mark.name))),
        };
        shapes.text(class, [x, TOP + 12.0 + NAME_LINE * (k % lines) as f64], &mark.name);
    }
    let end = |curve: &&Curve| curve.points.last().map_or(BOTTOM, |point| frame.down(point.y));
    let mut curves: Vec<&Curve> = chart.curves.iter().collect();
    curves.sort_by(|a, b| end(a).total_cmp(&end(b)));
    for (k, Curve { name, color, .. }) in curves.into_iter().enumerate() {
        let y = TOP + 12.0 + NAME_LINE * k as f64;
        shapes.text(&format!("label k{color}"), [RIGHT + 12.0, y], name);
    }
    Some((shapes, HEIGHT))
}

fn draw_axes(chart: &Curves, frame: &Frame, shapes: &mut Shapes) {
    // Labels of neighboring ticks must neither touch nor leave the picture.
    let mut free = 0.0;
    for value in ticks(frame.x) {
        let (x, label) = (frame.across(value), (chart.x.label)(value));
        shapes.line("grid", [x, TOP, x, BOTTOM]);
        let half = width_of(&label) / 2.0;
        if free < x - half && x + half < WIDTH {
            shapes.text("tick middle", [x, BOTTOM + 18.0], &label);
            free = x + half + 4.0;
        }
    }
    for value in ticks(frame.y) {
        let y = frame.down(value);
        shapes.line("grid", [LEFT, y, RIGHT, y]);
        shapes.text("tick end", [LEFT - 8.0, y + 4.0], &(chart.y.label)(value));
    }
    shapes.line("axis", [LEFT, BOTTOM, RIGHT, BOTTOM]);
    shapes.line("axis", [LEFT, TOP, LEFT, BOTTOM]);
    shapes.text("middle", [(LEFT + RIGHT) / 2.0, HEIGHT - 10.0], chart.x.name);
    shapes.upright([14.0, (TOP + BOTTOM) / 2.0], chart.y.name);
}

fn draw_mark(mark: &Mark, frame: &Frame, shapes: &mut Shapes) {
    if let Some(interval) = mark.interval {
        let [from, to] = interval.map(|x| frame.across(x.clamp(frame.x[0], frame.x[1])));
        shapes.rectangle("band", [from, TOP, to - from, BOTTOM - TOP], &mark.name);
    }
    let x = frame.across(mark.x);
    shapes.line("mark", [x, TOP, x, BOTTOM]);
}

fn draw_curve(curve: &Curve, frame: &Frame, shapes: &mut Shapes) {
    let color = curve.color;
    let corners: Vec<[f64; 2]> =
        curve.points.iter().map(|point| frame.at([point.x, point.y])).collect();
    if let Some([[x, y], [end_x, end_y]]) = curve.fit.map(|ends| ends.map(|end| frame.at(end))) {
        shapes.line(&format!("fit k{color}"), [x, y, end_x, end_y]);
    }
    shapes.curve(&format!("curve k{color}"), &corners);
    for (point, [x, y]) in curve.points.iter().zip(corners) {
        let [low, high] = point.interval.map(|end| frame.down(end));
        shapes.line(&format!("error k{color}"), [x, low, x, high]);
        let hollow = if point.trusted { "" } else { " hollow" };
        shapes.point(&format!("point k{color}{hollow}"), [x, y], &point.title);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_neighboring_marks_have_lines_of_their_own_above_the_curves() {
        fn label(value: f64) -> String {
            value.to_string()
        }
        let point =
            |x: f64| Point { x, y: x, interval: [x, x], trusted: true, title: String::new() };
        let mark = |name: &str| Mark { name: name.into(), x: 99.0, interval: None };
        let chart = Curves {
            x: Axis { name: "x", label },
            y: Axis { name: "y", label },
            curves: vec![Curve {
                name: "curve".into(),
                color: 0,
                points: vec![point(1.0), point(100.0)],
                fit: None,
            }],
            marks: vec![mark("first"), mark("second"), mark("third")],
        };
        let number = |before: &str, key: &str| -> f64 {
            let rest = before.rsplit(key).next().expect("a key");
            rest.split('"').next().expect("a number").parse().expect("a number")
        };
        let svg = draw(&chart).expect("a picture").0.into_string();
        let names = ["first", "second", "third"]
            .map(|name| number(svg.split(&format!(">{name}<")).next().expect("a name"), " y=\""));
        assert!(names.windows(2).all(|pair| pair[1] - pair[0] >= 16.0), "{names:?}");
        let highest = number(svg.split(" r=\"3.6\"").nth(1).expect("a point"), " cy=\"");
        assert!(highest > names[2], "{highest} is below {names:?}");
    }
}
