//! Places the names of curves: along a curve, close to it, and away from all lines and other names.

/// Height of a line of text, and the gap between it and its curve, in pixels.
const HEIGHT: f64 = 11.0;
const GAP: f64 = 4.0;
/// Extra clearance to everything but the name's own curve, in pixels. The first margin that leaves
/// a free position is used.
const MARGINS: [f64; 3] = [12.0, 6.0, 2.0];
/// Lines are sampled, and positions of names tried, at this spacing.
const STEP: f64 = 2.0;

/// Returns points along a curve, for the list of points that names must not touch.
pub(super) fn sampled(corners: &[[f64; 2]]) -> impl Iterator<Item = [f64; 2]> {
    let lines = corners.windows(2).flat_map(|ends| {
        let steps = (distance(ends[0], ends[1]) / STEP).ceil() as u32;
        (1..steps).map(move |k| between(ends[0], ends[1], f64::from(k) / f64::from(steps)))
    });
    lines.chain(corners.iter().copied())
}

fn between(a: [f64; 2], b: [f64; 2], share: f64) -> [f64; 2] {
    [0, 1].map(|k| a[k] + share * (b[k] - a[k]))
}

/// The box around a name: its center, its width, and a unit vector in reading direction.
#[derive(Clone, Copy)]
pub(super) struct Label {
    middle: [f64; 2],
    width: f64,
    along: [f64; 2],
}

impl Label {
    /// Returns a box of this width inside `[left, top, right, bottom]`, as near the curve's end as
    /// other lines allow, or `None` if they leave no room. Curves run from left to right. `own` and
    /// `others` are points of the curve with its error bars, and of everything else.
    pub(super) fn beside(
        corners: &[[f64; 2]],
        own: &[[f64; 2]],
        width: f64,
        inside: [f64; 4],
        others: &[[f64; 2]],
    ) -> Option<Self> {
        let length: f64 = corners.windows(2).map(|ends| distance(ends[0], ends[1])).sum();
        let places = ((length - width).max(0.0) / STEP) as u32;
        let chords = (0..places).map(|k| {
            let from_end = STEP * f64::from(k);
            [from_end + width, from_end].map(|back| point_at(corners, length - back))
        });
        let beside = |chord| [-1.0, 1.0].map(|side| Self::along(chord, own, width, side));
        let tried: Vec<Self> = chords.flat_map(beside).collect();
        let is_free = |label: &&Self, margin| label.is_free(inside, others, margin);
        let free = |margin: &f64| tried.iter().find(|label| is_free(label, *margin));
        MARGINS.iter().find_map(free).copied()
    }

    /// Returns the box of a name next to the chord from `a` to `b`, clear of the curve's bulge and
    /// of its error bars. `side` is -1 above the curve and 1 below it.
    fn along([a, b]: [[f64; 2]; 2], own: &[[f64; 2]], width: f64, side: f64) -> Self {
        let length = distance(a, b).max(1.0e-9);
        let along = [0, 1].map(|k| (b[k] - a[k]) / length);
        let chord = Self { middle: between(a, b, 0.5), width, along };
        let beside = own.iter().map(|point| chord.local(*point));
        let bulge = beside.filter(|[x, _]| x.abs() < width / 2.0).map(|[_, y]| side * y);
        let across = side * (bulge.fold(0.0, f64::max) + GAP + HEIGHT / 2.0);
        Self { middle: chord.at(0.0, across), ..chord }
    }

    fn at(&self, along: f64, across: f64) -> [f64; 2] {
        let [x, y] = self.along;
        [self.middle[0] + along * x - across * y, self.middle[1] + along * y + across * x]
    }

    fn local(&self, point: [f64; 2]) -> [f64; 2] {
        let ([x, y], [dx, dy]) = (self.along, [0, 1].map(|k| point[k] - self.middle[k]));
        [dx * x + dy * y, dy * x - dx * y]
    }

    /// Returns points all over the box.
    pub(super) fn points(&self) -> impl Iterator<Item = [f64; 2]> {
        let half = self.width / 2.0;
        [-HEIGHT / 2.0, 0.0, HEIGHT / 2.0].into_iter().flat_map(move |across| {
            let line = [self.at(-half, across), self.at(half, across)];
            sampled(&line).collect::<Vec<_>>()
        })
    }

    /// True if nothing but the name's own curve is nearer than `GAP` plus `margin`.
    fn is_free(&self, inside: [f64; 4], others: &[[f64; 2]], margin: f64) -> bool {
        let [left, top, right, bottom] = inside;
        let is_inside = |[x, y]: [f64; 2]| left <= x && x <= right && top <= y && y <= bottom;
        let half = [self.width / 2.0, HEIGHT / 2.0].map(|half| half + GAP + margin);
        let mut local = others.iter().map(|point| self.local(*point));
        local.all(|[x, y]| x.abs() >= half[0] || y.abs() >= half[1]) && self.points().all(is_inside)
    }

    /// Midpoint of the text's baseline.
    pub(super) fn baseline(&self) -> [f64; 2] {
        self.at(0.0, 0.35 * HEIGHT)
    }

    pub(super) fn degrees(&self) -> f64 {
        self.along[1].atan2(self.along[0]).to_degrees()
    }
}

fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    (b[0] - a[0]).hypot(b[1] - a[1])
}

/// Returns the point of a curve at a distance from its start, measured along it.
fn point_at(corners: &[[f64; 2]], mut along: f64) -> [f64; 2] {
    for (k, ends) in corners.windows(2).enumerate() {
        let length = distance(ends[0], ends[1]);
        // Rounding may put the curve's end beyond its last segment.
        if along <= length || k + 2 == corners.len() {
            return between(ends[0], ends[1], along / length.max(1.0e-9));
        }
        along -= length;
    }
    corners[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Name, first and last number of agents, and seconds per step at both.
    const CURVES: [(&str, [f64; 2], [f64; 2]); 6] = [
        ("all pairs, scalar", [8.0, 31_623.0], [1.2e-6, 1.6]),
        ("all pairs, SIMD", [8.0, 31_623.0], [5.5e-7, 0.245]),
        ("cells, scalar", [8.0, 1.0e6], [1.4e-6, 0.282]),
        ("cells, SIMD", [8.0, 1.0e6], [6.0e-7, 0.0285]),
        ("cells, 2 threads", [8.0, 1.0e6], [6.0e-7, 0.014]),
        ("zelll, scalar", [8.0, 1.0e6], [3.0e-6, 0.66]),
    ];

    fn distance_to(corners: &[[f64; 2]], label: &Label) -> f64 {
        let pairs = sampled(corners).flat_map(|a| label.points().map(move |b| distance(a, b)));
        pairs.fold(f64::INFINITY, f64::min)
    }

    /// Regressions: on a phone, names were nearer to other curves; on a desktop, a line crossed a
    /// name.
    #[test]
    fn a_name_is_nearest_to_its_own_curve_and_on_no_line() {
        for width in [800.0, 380.0] {
            let place = |[n, seconds]: [f64; 2]| {
                let [x, y] = [(n / 8.0).ln() / 125_000_f64.ln(), (seconds / 4.0e-7).ln() / 17.0];
                [60.0 + x * (width - 80.0), 396.0 - y * 362.0]
            };
            let curves = CURVES.map(|(_, n, seconds)| {
                (0..=8)
                    .map(|k| {
                        let at =
                            |[low, high]: [f64; 2]| low * (high / low).powf(f64::from(k) / 8.0);
                        place([at(n), at(seconds)])
                    })
                    .collect::<Vec<_>>()
            });
            let mut labels: Vec<Label> = Vec::new();
            for ((name, ..), corners) in CURVES.iter().zip(&curves) {
                let inside = [58.0, 34.0, width, 396.0];
                let is_other = |curve: &&Vec<_>| *curve != corners;
                let others = curves.iter().filter(is_other).flat_map(|curve| sampled(curve));
                let others: Vec<_> = others.chain(labels.iter().flat_map(Label::points)).collect();
                let own: Vec<_> = sampled(corners).collect();
                let wide = 6.8 * name.len() as f64;
                let label = Label::beside(corners, &own, wide, inside, &others);
                assert!(label.is_some() || width < 800.0, "{name}");
                let Some(label) = label else { continue };
                let own = distance_to(corners, &label);
                let others = curves.iter().filter(|other| *other != corners);
                let other = others.map(|other| distance_to(other, &label)).fold(f64::MAX, f64::min);
                assert!(own > 2.0 && own < other, "{name} at {width}: {own} {other}");
                labels.push(label);
            }
            for (k, label) in labels.iter().enumerate() {
                let is_in =
                    |[x, y]: [f64; 2], other: &Label| x.abs() < other.width / 2.0 && y.abs() < 6.0;
                let others = labels.iter().enumerate().filter(|(j, _)| *j != k);
                for (_, other) in others {
                    assert!(!label.points().any(|point| is_in(other.local(point), other)));
                }
            }
        }
    }

    #[test]
    fn names_of_points_and_of_crowded_curves_have_no_place() {
        let inside = [0.0, 0.0, 300.0, 300.0];
        let point = [[100.0, 100.0]];
        assert!(Label::beside(&point, &point, 60.0, inside, &[]).is_none());
        let line = [[10.0, 200.0], [90.0, 200.0]];
        let mut others = Vec::new();
        let mut place = || {
            let label = Label::beside(&line, &line, 60.0, inside, &others)?;
            others.extend(label.points());
            Some(label.middle[1])
        };
        // One name fits above the curve and one below it.
        let places = [place(), place()].map(|place| place.expect("a place"));
        assert!(places[0] < 200.0 && places[1] > 200.0, "{places:?}");
        assert!(place().is_none());
    }

    /// Regression: error bars crossed names.
    #[test]
    fn names_are_clear_of_error_bars() {
        let line = [[10.0, 200.0], [90.0, 200.0]];
        let bar = [[50.0, 150.0], [50.0, 210.0]];
        let own: Vec<_> = sampled(&line).chain(sampled(&bar)).collect();
        let label = Label::beside(&line, &own, 60.0, [0.0, 0.0, 300.0, 300.0], &[]).unwrap();
        assert!(distance_to(&bar, &label) > 3.0 && distance_to(&line, &label) > 3.0);
    }
}
