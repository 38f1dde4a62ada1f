//! Curves as SVG: error bars, fitted lines, guides and marks, with names at the ends of the curves.
//! Colors and fonts come from the classes of the page.

use std::fmt::Write;

use crate::output::svg::{HEIGHT, WIDTH, escaped, text, ticks};

const LEFT: f64 = 92.0;
const RIGHT: f64 = 184.0;
const TOP: f64 = 14.0;
const BOTTOM: f64 = 50.0;
/// Height of a line of names of marks, and the most such lines.
const NAME_LINE: f64 = 18.0;
const MOST_NAME_LINES: usize = 4;

/// A logarithmic axis.
pub(crate) struct Axis {
    pub(crate) name: &'static str,
    pub(crate) label: fn(f64) -> String,
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

pub(crate) struct Curve {
    pub(crate) name: String,
    /// The number of its color.
    pub(crate) color: usize,
    pub(crate) points: Vec<Point>,
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

pub(crate) struct Chart {
    pub(crate) x: Axis,
    pub(crate) y: Axis,
    pub(crate) curves: Vec<Curve>,
    pub(crate) guides: Vec<Guide>,
    pub(crate) marks: Vec<Mark>,
}

/// The range of values shown, and their positions in the picture.
struct Frame {
    x: [f64; 2],
    y: [f64; 2],
}

impl Frame {
    fn across(&self, x: f64) -> f64 {
        LEFT + share(self.x, x) * (WIDTH - LEFT - RIGHT)
    }

    fn down(&self, y: f64) -> f64 {
        HEIGHT - BOTTOM - share(self.y, y) * (HEIGHT - TOP - BOTTOM)
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

impl Chart {
    /// The picture; `None` without points.
    pub(crate) fn svg(&self) -> Option<String> {
        let points = || self.curves.iter().flat_map(|curve| &curve.points);
        let mut frame = Frame {
            x: range(points().map(|point| point.x), 1.3)?,
            y: range(
                points().flat_map(|point| [point.interval[0], point.y, point.interval[1]]),
                1.5,
            )?,
        };
        // Leaves room for their names above the curves.
        let room = self.name_lines() as f64 * NAME_LINE / (HEIGHT - TOP - BOTTOM);
        frame.y[1] *= (frame.y[1] / frame.y[0]).powf(room);
        let mut svg = String::new();
        self.draw_axes(&frame, &mut svg);
        self.draw_marks(&frame, &mut svg);
        for guide in &self.guides {
            draw_guide(guide, &frame, &mut svg);
        }
        for curve in &self.curves {
            draw_curve(curve, &frame, &mut svg);
        }
        self.draw_names_of_marks(&frame, &mut svg);
        self.draw_names(&frame, &mut svg);
        Some(svg)
    }

    fn draw_axes(&self, frame: &Frame, svg: &mut String) {
        let (left, right, top, bottom) = (LEFT, WIDTH - RIGHT, TOP, HEIGHT - BOTTOM);
        for value in ticks(frame.x) {
            let x = frame.across(value);
            line(svg, "grid", [x, top, x, bottom]);
            text(svg, "tick middle", x, bottom + 18.0, &(self.x.label)(value));
        }
        for value in ticks(frame.y) {
            let y = frame.down(value);
            line(svg, "grid", [left, y, right, y]);
            text(svg, "tick end", left - 8.0, y + 4.0, &(self.y.label)(value));
        }
        line(svg, "axis", [left, bottom, right, bottom]);
        line(svg, "axis", [left, top, left, bottom]);
        text(svg, "name middle", (left + right) / 2.0, HEIGHT - 10.0, self.x.name);
        let middle = (top + bottom) / 2.0;
        write!(
            svg,
            "<text class=\"name middle\" transform=\"translate(16 {middle:.1}) rotate(-90)\">{}</text>",
            escaped(self.y.name)
        )
        .expect("a string takes all");
    }

    /// Lines for the names of marks, so that neighboring ones do not overlap.
    fn name_lines(&self) -> usize {
        self.marks.len().min(MOST_NAME_LINES)
    }

    /// The marks within the frame.
    fn marks_inside(&self, frame: &Frame) -> impl Iterator<Item = &Mark> {
        let [low, high] = frame.x;
        self.marks.iter().filter(move |mark| (low..=high).contains(&mark.x))
    }

    fn draw_marks(&self, frame: &Frame, svg: &mut String) {
        let (top, bottom) = (TOP, HEIGHT - BOTTOM);
        let inside = |x: f64| x.clamp(frame.x[0], frame.x[1]);
        for mark in self.marks_inside(frame) {
            if let Some([low, high]) = mark.interval {
                let (from, to) = (frame.across(inside(low)), frame.across(inside(high)));
                write!(
                    svg,
                    "<rect class=\"band\" x=\"{from:.1}\" y=\"{top}\" width=\"{:.1}\" height=\"{:.1}\"/>",
                    to - from,
                    bottom - top
                )
                .expect("a string takes all");
            }
            let x = frame.across(mark.x);
            line(svg, "mark", [x, top, x, bottom]);
        }
    }

    /// Draws the names above the curves, so that no curve runs through them.
    fn draw_names_of_marks(&self, frame: &Frame, svg: &mut String) {
        for (k, mark) in self.marks_inside(frame).enumerate() {
            let x = frame.across(mark.x);
            let y = TOP + 12.0 + NAME_LINE * (k % self.name_lines()) as f64;
            let (class, x) =
                if x > WIDTH - RIGHT - 140.0 { ("small end", x - 5.0) } else { ("small", x + 5.0) };
            text(svg, &format!("{class} halo"), x, y, &mark.name);
        }
    }

    /// Draws the names at the ends of their curves, moved apart where these are close.
    fn draw_names(&self, frame: &Frame, svg: &mut String) {
        const APART: f64 = 16.0;
        let end = |curve: &Curve| curve.points.last().map(|point| frame.down(point.y));
        let mut names: Vec<(f64, &Curve)> =
            self.curves.iter().filter_map(|curve| Some((end(curve)?, curve))).collect();
        names.sort_by(|a, b| a.0.total_cmp(&b.0));
        for k in 1..names.len() {
            names[k].0 = names[k].0.max(names[k - 1].0 + APART);
        }
        let mut lowest = HEIGHT - BOTTOM;
        for (y, _) in names.iter_mut().rev() {
            *y = y.min(lowest);
            lowest = *y - APART;
        }
        for (y, curve) in names {
            let Some(point) = curve.points.last() else { continue };
            let x = WIDTH - RIGHT + 14.0;
            let from = [frame.across(point.x) + 6.0, frame.down(point.y)];
            line(svg, &format!("lead c{}", curve.color), [from[0], from[1], x - 4.0, y]);
            text(svg, &format!("label f{}", curve.color), x, y + 4.0, &curve.name);
        }
    }
}

fn draw_curve(curve: &Curve, frame: &Frame, svg: &mut String) {
    let pair = |point: &Point| format!("{:.1},{:.1}", frame.across(point.x), frame.down(point.y));
    let pairs: Vec<String> = curve.points.iter().map(pair).collect();
    let color = curve.color;
    write!(svg, "<polyline class=\"curve c{color}\" points=\"{}\"/>", pairs.join(" "))
        .expect("a string takes all");
    for point in &curve.points {
        let (x, y) = (frame.across(point.x), frame.down(point.y));
        let [low, high] = point.interval.map(|end| frame.down(end));
        line(svg, &format!("error c{color}"), [x, low, x, high]);
        let hollow = if point.trusted { "" } else { " hollow" };
        write!(
            svg,
            "<circle class=\"f{color} c{color}{hollow}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.6\"><title>{}</title></circle>",
            escaped(&point.title)
        )
        .expect("a string takes all");
    }
}

/// Draws the part of the line inside the frame, with its name near the upper end.
fn draw_guide(guide: &Guide, frame: &Frame, svg: &mut String) {
    let [[x0, y0], [x1, y1]] = guide.ends;
    let power = (y1 / y0).ln() / (x1 / x0).ln();
    let y_at = |x: f64| y0 * (x / x0).powf(power);
    let x_at = |y: f64| if power == 0.0 { x1 } else { x0 * (y / y0).powf(1.0 / power) };
    let from = x0.max(frame.x[0]).max(x_at(frame.y[0]));
    let to = x1.min(frame.x[1]).min(x_at(frame.y[1]));
    if from >= to {
        return;
    }
    let class = guide.color.map_or("guide".to_owned(), |color| format!("guide c{color}"));
    let ends = [frame.across(from), frame.down(y_at(from)), frame.across(to), frame.down(y_at(to))];
    line(svg, &class, ends);
    if !guide.name.is_empty() {
        text(svg, "small end halo", ends[2] - 4.0, ends[3] + 16.0, &guide.name);
    }
}

fn line(svg: &mut String, class: &str, [x1, y1, x2, y2]: [f64; 4]) {
    write!(
        svg,
        "<line class=\"{class}\" x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"/>"
    )
    .expect("a string takes all");
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
        let chart = Chart {
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
        let svg = chart.svg().expect("a picture");
        let number = |before: &str, key: &str| -> f64 {
            let rest = before.rsplit(key).next().expect("a key");
            rest.split('"').next().expect("a number").parse().expect("a number")
        };
        let lines = ["first", "second", "third"]
            .map(|name| number(svg.split(&format!(">{name}<")).next().expect("a name"), " y=\""));
        assert!(lines.windows(2).all(|pair| pair[1] - pair[0] >= 16.0), "{lines:?}");
        let highest = number(svg.split(" r=\"3.6\"").nth(1).expect("a point"), " cy=\"");
        assert!(highest > lines[2], "{highest} is below {lines:?}");
    }
}
