use crate::numbers::plain;
use crate::output::svg::{Shapes, width_of};

const HEIGHT: f64 = 440.0;
/// Edges of the plot area, in pixels.
const LEFT: f64 = 58.0;
const TOP: f64 = 34.0;
const BOTTOM: f64 = HEIGHT - 44.0;
const NAME_LINE: f64 = 16.0;
/// Sample points per curve segment when testing whether a curve crosses a label.
const SAMPLES_PER_SEGMENT: u32 = 64;

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

    fn place(&self, point: &Point) -> [f64; 2] {
        [self.across(point.at[0]), self.down(point.at[1])]
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
    let longest = chart.curves.iter().map(|curve| width_of(&curve.name)).fold(0.0, f64::max);
    let frame = Frame {
        x: range(points().map(|point| point.at[0]), 1.3)?,
        y: range(heights.chain(chart.at_y.iter().map(|line| line.0)), 1.5)?,
        right: width - longest - 10.0,
    };
    let mut shapes = Shapes::default();
    draw_axes(chart, &frame, &mut shapes);
    for curve in &chart.curves {
        draw_curve(curve, &frame, &mut shapes);
    }
    // Draw labels last, so that no curve crosses them.
    if let Some((value, name)) = &chart.at_x {
        let x = frame.across(*value);
        shapes.line("mark", [x, TOP, x, BOTTOM]);
        shapes.text("small halo", [x + 5.0, BOTTOM - 10.0], name);
    }
    if let Some((value, name)) = &chart.at_y {
        let y = frame.down(*value);
        shapes.line("mark", [LEFT, y, frame.right, y]);
        shapes.text("small halo", [LEFT + 5.0, y - 5.0], name);
    }
    let mut taken = Vec::new();
    let ends =
        chart.curves.iter().filter_map(|curve| Some((frame.place(curve.points.last()?), curve)));
    let mut ends: Vec<([f64; 2], &Curve)> = ends.collect();
    // From the bottom up, so that labels pushed away from their curves keep the curves' order.
    ends.sort_by(|([_, a], _), ([_, b], _)| b.total_cmp(a));
    for ([x, y], curve) in ends {
        let label = label([x, y], &curve.name, chart, &frame, &taken);
        let [left, top, _, bottom] = label;
        // If other labels pushed this one away from its curve's end, draw a line between them.
        if !(top - NAME_LINE..bottom + NAME_LINE).contains(&y) {
            let middle = (top + bottom) / 2.0;
            shapes.line(&format!("error k{}", curve.color), [x, y, left - 2.0, middle]);
        }
        shapes.text(&format!("label halo k{}", curve.color), [left, bottom - 4.0], &curve.name);
        taken.push(label);
    }
    Some(shapes)
}

/// Returns the left, top, right and bottom edges of the label of a curve that ends at (x, y). The
/// label is as close to that end as curves and labels allow, and above the labels placed before it
/// if there is room.
fn label(
    [x, y]: [f64; 2],
    name: &str,
    chart: &Chart,
    frame: &Frame,
    taken: &[[f64; 4]],
) -> [f64; 4] {
    let [left, right] = [x + 9.0, x + 9.0 + width_of(name)];
    let at = |shift: f64| [left, y + shift - NAME_LINE / 2.0, right, y + shift + NAME_LINE / 2.0];
    let overlaps =
        |a: &[f64; 4], b: &[f64; 4]| a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];
    let is_free = |label: &[f64; 4]| {
        let mut others = chart.curves.iter().flat_map(|curve| curve.points.windows(2));
        let crosses = |ends: &[Point]| {
            let [[ax, ay], [bx, by]] = [frame.place(&ends[0]), frame.place(&ends[1])];
            (0..=SAMPLES_PER_SEGMENT).map(|k| f64::from(k) / f64::from(SAMPLES_PER_SEGMENT)).any(
                |along| {
                    let (x, y) = (ax + (bx - ax) * along, ay + (by - ay) * along);
                    overlaps(label, &[x, y, x, y])
                },
            )
        };
        label[1] >= TOP
            && label[3] <= BOTTOM
            && !taken.iter().any(|other| overlaps(label, other))
            && !others.any(crosses)
    };
    let shifts = (0..HEIGHT as u32).flat_map(|k| [f64::from(k), -f64::from(k)]);
    let mut free = shifts.map(at).filter(is_free).peekable();
    let closest = free.peek().copied().unwrap_or(at(0.0));
    let is_above =
        |label: &[f64; 4]| taken.iter().all(|other| label[3] <= other[1] || label[0] >= other[2]);
    free.find(is_above).unwrap_or(closest)
}

fn draw_axes(chart: &Chart, frame: &Frame, shapes: &mut Shapes) {
    // Labels of neighboring ticks must neither overlap nor extend beyond the picture.
    let mut free = 0.0;
    for value in ticks(frame.x) {
        let (x, label) = (frame.across(value), plain(value));
        shapes.line("grid", [x, TOP, x, BOTTOM]);
        let half = width_of(&label) / 2.0;
        if free < x - half {
            shapes.text("tick middle", [x, BOTTOM + 17.0], &label);
            free = x + half + 4.0;
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

fn draw_curve(curve: &Curve, frame: &Frame, shapes: &mut Shapes) {
    let color = curve.color;
    let corners: Vec<[f64; 2]> = curve.points.iter().map(|point| frame.place(point)).collect();
    shapes.curve(&format!("curve k{color}"), &corners);
    for (point, [x, y]) in curve.points.iter().zip(corners) {
        let [low, high] = point.interval.map(|end| frame.down(end));
        shapes.line(&format!("error k{color}"), [x, low, x, high]);
        shapes.point(&format!("point k{color}"), [x, y], &point.title);
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

    fn curve(name: &str, height: f64) -> Curve {
        let point = |x| Point { at: [x, height], interval: [height; 2], title: String::new() };
        Curve { name: name.into(), color: 0, points: vec![point(1.0), point(100.0)] }
    }

    fn number(svg: &str, name: &str, key: &str) -> f64 {
        let before = svg.split(&format!(">{name}<")).next().expect("a name");
        let rest = before.rsplit(&format!(" {key}=\"")).next().expect("a key");
        rest.split('"').next().expect("a number").parse().expect("a number")
    }

    #[test]
    fn names_at_the_ends_of_near_curves_do_not_overlap_and_stay_inside() {
        let names = ["first", "second", "third"];
        for width in [800.0, 380.0] {
            let curves = names.into_iter().zip([1.0, 1.01, 1.02]);
            let curves = curves.map(|(name, height)| curve(name, height)).collect();
            let (at_x, at_y) = (Some((9.0, "from 9".into())), Some((100.0, "limit".into())));
            let chart = Chart { title: "", x: "x", y: "y", curves, at_x, at_y };
            let shapes = draw(&chart, width).expect("a picture");
            let svg = shapes.framed([width, HEIGHT], "a", false);
            let mut heights = names.map(|name| number(&svg, name, "y"));
            // The highest curve, the last one, is named at the top.
            heights.reverse();
            assert!(heights.windows(2).all(|pair| pair[1] - pair[0] >= 15.9), "{heights:?}");
            assert!(heights.iter().all(|height| (TOP..=BOTTOM).contains(height)), "{heights:?}");
            assert!(names.iter().all(|name| number(&svg, name, "x") + width_of(name) <= width));
        }
    }

    /// Regression: the label "all pairs, SIMD" overlapped the curve of "cells, scalar".
    #[test]
    fn no_curve_crosses_a_name() {
        let point = |x: f64, y: f64| Point { at: [x, y], interval: [y; 2], title: String::new() };
        let square = |x: f64| point(x, x * x * 1.0e-4);
        let steep = Curve {
            name: "all pairs, SIMD".into(),
            color: 1,
            points: [1.0e2, 1.0e3, 1.0e4].map(square).into(),
        };
        let flat = Curve {
            name: "cells, scalar".into(),
            color: 2,
            points: vec![point(1.0e2, 3.0), point(1.0e6, 4.0e4)],
        };
        let chart =
            Chart { title: "", x: "x", y: "y", curves: vec![steep, flat], at_x: None, at_y: None };
        for width in [800.0, 380.0] {
            let shapes = draw(&chart, width).expect("a picture");
            let svg = shapes.framed([width, HEIGHT], "a", false);
            let [x, y] = ["x", "y"].map(|key| number(&svg, "all pairs, SIMD", key));
            let line = svg.split("curve k2\" points=\"").nth(1).expect("a curve");
            let ends: Vec<f64> = line
                .split('"')
                .next()
                .expect("points")
                .split([',', ' '])
                .map(|number| number.parse().expect("a number"))
                .collect();
            let [ax, ay, bx, by] = ends[..] else { panic!("two points") };
            for at in 0..=(width_of("all pairs, SIMD") as u32) {
                let height = ay + (by - ay) * (x + f64::from(at) - ax) / (bx - ax);
                assert!(!(y - 11.0..y + 3.0).contains(&height), "{height} {y}");
            }
        }
    }

    /// Regression: the label "all pairs, SIMD" stood above "all pairs, scalar", the higher curve.
    #[test]
    fn names_are_in_the_order_of_their_curves() {
        let point = |[x, y]: [f64; 2]| Point { at: [x, y], interval: [y; 2], title: String::new() };
        let curve = |name: &str, color: usize, ends: [[f64; 2]; 2]| Curve {
            name: name.into(),
            color,
            points: ends.map(point).into(),
        };
        let curves = vec![
            curve("all pairs, scalar", 0, [[1.0e2, 0.05], [1.0e4, 208.0]]),
            curve("all pairs, SIMD", 1, [[1.0e2, 0.01], [1.0e4, 51.5]]),
            curve("zelll, scalar", 2, [[1.0e4, 5.0], [1.0e5, 104.0]]),
            curve("cells, scalar", 3, [[1.0e4, 4.0], [1.0e6, 407.0]]),
        ];
        let chart = Chart { title: "", x: "x", y: "y", curves, at_x: None, at_y: None };
        for width in [820.0, 600.0] {
            let svg = draw(&chart, width).expect("a picture").framed([width, HEIGHT], "a", false);
            let [scalar, simd] =
                ["all pairs, scalar", "all pairs, SIMD"].map(|name| number(&svg, name, "y"));
            assert!(scalar < simd, "{width}: {scalar} {simd}");
        }
    }

    /// Regression: the label "all pairs, SIMD" was drawn far below the end of its curve,
    /// so readers took it for another curve's label.
    #[test]
    fn a_line_leads_to_every_displaced_name() {
        let lines = |heights: &[f64]| {
            let curves = heights.iter().map(|&height| curve("all pairs, SIMD", height)).collect();
            let chart = Chart { title: "", x: "x", y: "y", curves, at_x: None, at_y: None };
            let shapes = draw(&chart, 800.0).expect("a picture");
            let svg = shapes.framed([800.0, HEIGHT], "a", false);
            // Two error bars per curve share this class with the leader lines, so subtract them.
            svg.matches("class=\"error k0\"").count() - 2 * heights.len()
        };
        assert_eq!(lines(&[1.0, 1.0e4]), 0, "both names are beside their curves");
        assert_eq!(lines(&[1.0; 7]), 5, "two names fit beside the ends of seven equal curves");
    }

    #[test]
    fn ticks_are_round_and_neither_too_few_nor_too_many() {
        assert_eq!(ticks([80.0, 1.2e6]), [100.0, 1_000.0, 10_000.0, 100_000.0, 1_000_000.0]);
        assert_eq!(ticks([9.0, 120.0]), [10.0, 20.0, 50.0, 100.0]);
        assert!(ticks([20.0, 50.0]).len() >= 4);
    }
}
