//! Curves on logarithmic axes: error bars, fitted lines, guides and marks, with names at the ends of
//! the curves where there is room.

use crate::output::svg::{Shapes, WIDE, ticks, width_of};

/// Height of a line of names of marks, and the most such lines.
const NAME_LINE: f64 = 18.0;
const MOST_NAME_LINES: usize = 4;

pub(crate) struct Curves {
    pub(crate) x: Axis,
    pub(crate) y: Axis,
    pub(crate) curves: Vec<Curve>,
    pub(crate) guides: Vec<Guide>,
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

/// A thin line for comparison, not measured.
pub(crate) struct Guide {
    pub(crate) name: String,
    /// The color of its curve, if it belongs to one.
    pub(crate) color: Option<usize>,
    pub(crate) ends: [[f64; 2]; 2],
}

/// A vertical line, with an optional interval around it.
pub(crate) struct Mark {
    pub(crate) name: String,
    pub(crate) x: f64,
    pub(crate) interval: Option<[f64; 2]>,
}

/// The part of a picture that has the curves, and the values at its edges.
struct Frame {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
    x: [f64; 2],
    y: [f64; 2],
}

impl Frame {
    fn across(&self, x: f64) -> f64 {
        self.left + share(self.x, x) * (self.right - self.left)
    }

    fn down(&self, y: f64) -> f64 {
        self.bottom - share(self.y, y) * (self.bottom - self.top)
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
pub(super) fn draw(chart: &Curves, width: f64) -> Option<(Shapes, f64)> {
    // Narrow pictures have no names beside their curves.
    let narrow = width < WIDE;
    let height = if narrow { 320.0 } else { 440.0 };
    let points = || chart.curves.iter().flat_map(|curve| &curve.points);
    let values = |point: &Point| [point.interval[0], point.y, point.interval[1]];
    let mut frame = Frame {
        left: if narrow { 76.0 } else { 92.0 },
        right: width - if narrow { 6.0 } else { 184.0 },
        top: 14.0,
        bottom: height - 50.0,
        x: range(points().map(|point| point.x), 1.3)?,
        y: range(points().flat_map(values), 1.5)?,
    };
    let inside = |mark: &&Mark| (frame.x[0]..=frame.x[1]).contains(&mark.x);
    let marks: Vec<&Mark> = chart.marks.iter().filter(inside).collect();
    // Leaves room for their names above the curves.
    let lines = marks.len().min(MOST_NAME_LINES);
    let room = lines as f64 * NAME_LINE / (frame.bottom - frame.top);
    frame.y[1] *= (frame.y[1] / frame.y[0]).powf(room);
    let mut shapes = Shapes::default();
    draw_axes(chart, &frame, [width, height], &mut shapes);
    for mark in &marks {
        draw_mark(mark, &frame, &mut shapes);
    }
    for guide in &chart.guides {
        draw_guide(guide, &frame, &mut shapes);
    }
    for curve in &chart.curves {
        draw_curve(curve, &frame, &mut shapes);
    }
    // Names come last, so that no curve runs through them.
    for (k, mark) in marks.iter().enumerate() {
        let x = frame.across(mark.x);
        let (class, x) = match x + 5.0 + width_of(&mark.name) < frame.right {
            true => ("small halo", x + 5.0),
            false => ("small end halo", (x - 5.0).max(frame.left + width_of(&mark.name))),
        };
        let y = frame.top + 12.0 + NAME_LINE * (k % lines) as f64;
        shapes.text(class, [x, y], &mark.name);
    }
    if !narrow {
        draw_names(&chart.curves, &frame, &mut shapes);
    }
    Some((shapes, height))
}

fn draw_axes(chart: &Curves, frame: &Frame, [width, height]: [f64; 2], shapes: &mut Shapes) {
    let &Frame { left, right, top, bottom, .. } = frame;
    // Labels of neighboring ticks must neither touch nor leave the picture.
    let mut free = 0.0;
    for value in ticks(frame.x) {
        let (x, label) = (frame.across(value), (chart.x.label)(value));
        shapes.line("grid", [x, top, x, bottom]);
        let half = width_of(&label) / 2.0;
        if free < x - half && x + half < width {
            shapes.text("tick middle", [x, bottom + 18.0], &label);
            free = x + half + 4.0;
        }
    }
    for value in ticks(frame.y) {
        let y = frame.down(value);
        shapes.line("grid", [left, y, right, y]);
        shapes.text("tick end", [left - 8.0, y + 4.0], &(chart.y.label)(value));
    }
    shapes.line("axis", [left, bottom, right, bottom]);
    shapes.line("axis", [left, top, left, bottom]);
    shapes.text("middle", [(left + right) / 2.0, height - 10.0], chart.x.name);
    shapes.upright([14.0, (top + bottom) / 2.0], chart.y.name);
}

fn draw_mark(mark: &Mark, frame: &Frame, shapes: &mut Shapes) {
    if let Some(interval) = mark.interval {
        let [from, to] = interval.map(|x| frame.across(x.clamp(frame.x[0], frame.x[1])));
        let band = [from, frame.top, to - from, frame.bottom - frame.top];
        shapes.rectangle("band", band, &mark.name);
    }
    let x = frame.across(mark.x);
    shapes.line("mark", [x, frame.top, x, frame.bottom]);
}

fn draw_curve(curve: &Curve, frame: &Frame, shapes: &mut Shapes) {
    let color = curve.color;
    let corners: Vec<[f64; 2]> =
        curve.points.iter().map(|point| frame.at([point.x, point.y])).collect();
    shapes.curve(&format!("curve k{color}"), &corners);
    for (point, [x, y]) in curve.points.iter().zip(corners) {
        let [low, high] = point.interval.map(|end| frame.down(end));
        shapes.line(&format!("error k{color}"), [x, low, x, high]);
        let hollow = if point.trusted { "" } else { " hollow" };
        shapes.point(&format!("point k{color}{hollow}"), [x, y], &point.title);
    }
}

/// Draws the part of the line inside the frame, with its name near the upper end.
fn draw_guide(guide: &Guide, frame: &Frame, shapes: &mut Shapes) {
    let [[x0, y0], [x1, y1]] = guide.ends;
    let power = (y1 / y0).ln() / (x1 / x0).ln();
    let y_at = |x: f64| y0 * (x / x0).powf(power);
    let x_at = |y: f64| if power == 0.0 { x1 } else { x0 * (y / y0).powf(1.0 / power) };
    let from = x0.max(frame.x[0]).max(x_at(frame.y[0]));
    let to = x1.min(frame.x[1]).min(x_at(frame.y[1]));
    if from >= to {
        return;
    }
    let class = guide.color.map_or("guide".to_owned(), |color| format!("fit k{color}"));
    let [[x, y], [end_x, end_y]] = [from, to].map(|x| frame.at([x, y_at(x)]));
    shapes.line(&class, [x, y, end_x, end_y]);
    shapes.text("small end halo", [end_x - 4.0, end_y + 16.0], &guide.name);
}

/// Draws the names at the ends of their curves, moved apart where these are close.
fn draw_names(curves: &[Curve], frame: &Frame, shapes: &mut Shapes) {
    const APART: f64 = 16.0;
    let end = |curve: &Curve| curve.points.last().map(|point| frame.at([point.x, point.y]));
    let mut names: Vec<(f64, [f64; 2], &Curve)> =
        curves.iter().filter_map(|curve| end(curve).map(|end| (end[1], end, curve))).collect();
    names.sort_by(|a, b| a.0.total_cmp(&b.0));
    for k in 1..names.len() {
        names[k].0 = names[k].0.max(names[k - 1].0 + APART);
    }
    let mut lowest = frame.bottom;
    for (y, ..) in names.iter_mut().rev() {
        *y = y.min(lowest);
        lowest = *y - APART;
    }
    for (y, [end_x, end_y], Curve { name, color, .. }) in names {
        let x = frame.right + 14.0;
        shapes.line(&format!("lead k{color}"), [end_x + 6.0, end_y, x - 4.0, y]);
        shapes.text(&format!("label k{color}"), [x, y + 4.0], name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::svg::NARROW;

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
            }],
            guides: Vec::new(),
            marks: vec![mark("first"), mark("second"), mark("third")],
        };
        let number = |before: &str, key: &str| -> f64 {
            let rest = before.rsplit(key).next().expect("a key");
            rest.split('"').next().expect("a number").parse().expect("a number")
        };
        for width in [WIDE, NARROW] {
            let svg = draw(&chart, width).expect("a picture").0.into_string();
            let names = ["first", "second", "third"].map(|name| {
                number(svg.split(&format!(">{name}<")).next().expect("a name"), " y=\"")
            });
            assert!(names.windows(2).all(|pair| pair[1] - pair[0] >= 16.0), "{names:?}");
            let highest = number(svg.split(" r=\"3.6\"").nth(1).expect("a point"), " cy=\"");
            assert!(highest > names[2], "{highest} is below {names:?}");
        }
    }
}
