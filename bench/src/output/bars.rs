//! Horizontal bars: stacked, or from 1 on a logarithmic scale.

use crate::output::svg::{Shapes, WIDTH, width_of};

const LEFT: f64 = 262.0;
const RIGHT: f64 = 190.0;
const STEP: f64 = 24.0;

pub(crate) struct Bars {
    /// Bars have the length of the logarithm of their only part, which is at least 1.
    pub(crate) logarithmic: bool,
    pub(crate) bars: Vec<Bar>,
    /// Names of the parts, by color.
    pub(crate) legend: Vec<(usize, String)>,
}

pub(crate) struct Bar {
    pub(crate) name: String,
    /// Color and length of each part.
    pub(crate) parts: Vec<(usize, f64)>,
    /// The text at its end.
    pub(crate) note: String,
}

impl Bars {
    fn length(&self, value: f64) -> f64 {
        if self.logarithmic { value.max(1.0).ln() } else { value }
    }
}

/// The shapes and their height; `None` without bars.
pub(super) fn draw(bars: &Bars) -> Option<(Shapes, f64)> {
    // The scale leaves room for the note of the longest bar.
    let scale = |bar: &Bar| {
        let room = WIDTH - LEFT - width_of(&bar.note).max(RIGHT);
        room / bar.parts.iter().map(|part| bars.length(part.1)).sum::<f64>()
    };
    let finite = bars.bars.iter().map(scale).filter(|scale| scale.is_finite());
    let scale = finite.reduce(f64::min).or((!bars.bars.is_empty()).then_some(0.0))?;
    let mut shapes = Shapes::default();
    let mut x = LEFT;
    for (color, name) in &bars.legend {
        shapes.rectangle(&format!("bar k{color}"), [x, 8.0, 12.0, 12.0], name);
        shapes.text("small", [x + 17.0, 18.0], name);
        x += 32.0 + width_of(name);
    }
    let mut y = if bars.legend.is_empty() { 8.0 } else { 30.0 };
    for bar in &bars.bars {
        shapes.text("tick end", [LEFT - 8.0, y + 15.0], &bar.name);
        let mut end = LEFT;
        for &(color, value) in bar.parts.iter().filter(|part| part.1 > 0.0) {
            let long = scale * bars.length(value);
            let place = [end, y + 3.0, long.max(1.0), STEP - 7.0];
            shapes.rectangle(&format!("bar k{color}"), place, &bar.note);
            end += long;
        }
        shapes.text("small", [end + 7.0, y + 15.0], &bar.note);
        y += STEP;
    }
    Some((shapes, y + 8.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_note_after_the_longest_bar_stays_in_the_picture() {
        let bar = |name: &str, value: f64, note: &str| Bar {
            name: name.into(),
            parts: vec![(0, value)],
            note: note.to_owned(),
        };
        let drawn = |bars: Vec<Bar>, logarithmic| {
            let bars = Bars { logarithmic, bars, legend: Vec::new() };
            draw(&bars).expect("a picture").0.into_string()
        };
        for logarithmic in [false, true] {
            let note = "54.0 ns, 4.87 of 263 ns per agent, and what else there is to say";
            let svg = drawn(vec![bar("a", 50.0, note), bar("a", 9.0, "")], logarithmic);
            let end = svg.split("class=\"small\" x=\"").nth(1).expect("a note");
            let x: f64 = end.split('"').next().expect("a number").parse().expect("a number");
            assert!(x > LEFT + 50.0, "the bar is visible: {x}");
            assert!(x + 6.0 * note.chars().count() as f64 <= WIDTH, "{x}");
        }
        let zero = drawn(vec![bar("a", 0.0, "0")], false);
        assert!(!zero.contains("NaN") && !zero.contains("inf"));
    }
}
