//! Horizontal bars as SVG: stacked, or from 1 on a logarithmic scale.

use std::fmt::Write;

use crate::output::svg::{WIDTH, escaped, text};

const LEFT: f64 = 262.0;
const RIGHT: f64 = 190.0;
const STEP: f64 = 24.0;
/// Width of a character of a note, rather more than less.
const CHARACTER: f64 = 6.8;
const TOP: f64 = 30.0;

pub(crate) struct Bar {
    pub(crate) name: String,
    /// Color and length of each part.
    pub(crate) parts: Vec<(usize, f64)>,
    /// What stands at its end.
    pub(crate) note: String,
}

/// What the length of a bar means.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Length {
    /// The sum of its parts.
    Linear,
    /// The logarithm of its one part, which is at least 1.
    Logarithmic,
}

pub(crate) struct Bars {
    pub(crate) length: Length,
    pub(crate) bars: Vec<Bar>,
    /// Names of the parts, by color.
    pub(crate) legend: Vec<(usize, String)>,
}

impl Bars {
    pub(crate) fn height(&self) -> f64 {
        self.top() + STEP * self.bars.len() as f64 + 8.0
    }

    fn top(&self) -> f64 {
        if self.legend.is_empty() { 8.0 } else { TOP }
    }

    pub(crate) fn svg(&self) -> Option<String> {
        let length = |value: f64| match self.length {
            Length::Linear => value,
            Length::Logarithmic => value.max(1.0).ln(),
        };
        // The longest bar that has room for its note sets the scale.
        let scale = |bar: &Bar| {
            let note = CHARACTER * bar.note.chars().count() as f64;
            let room = WIDTH - LEFT - note.max(RIGHT);
            room / bar.parts.iter().map(|part| length(part.1)).sum::<f64>()
        };
        let scale = self.bars.iter().map(scale).filter(|scale| scale.is_finite());
        let scale = scale.reduce(f64::min).or((!self.bars.is_empty()).then_some(0.0))?;
        let across = |value: f64| scale * length(value);
        let mut svg = String::new();
        let mut x = LEFT;
        for (color, name) in &self.legend {
            rectangle(&mut svg, *color, [x, 8.0, 12.0, 12.0], name);
            text(&mut svg, "small", x + 17.0, 18.0, name);
            x += 32.0 + 7.0 * name.chars().count() as f64;
        }
        for (k, bar) in self.bars.iter().enumerate() {
            let y = self.top() + STEP * k as f64;
            text(&mut svg, "tick end", LEFT - 8.0, y + 15.0, &bar.name);
            let mut from = LEFT;
            for &(color, value) in bar.parts.iter().filter(|part| part.1 > 0.0) {
                let width = across(value);
                rectangle(&mut svg, color, [from, y + 3.0, width, STEP - 7.0], &bar.note);
                from += width;
            }
            text(&mut svg, "small", from + 7.0, y + 15.0, &bar.note);
        }
        Some(svg)
    }
}

fn rectangle(svg: &mut String, color: usize, [x, y, width, height]: [f64; 4], title: &str) {
    write!(
        svg,
        "<rect class=\"f{color}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{height}\">\
         <title>{}</title></rect>",
        width.max(1.0),
        escaped(title)
    )
    .expect("a string takes all");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_note_beside_the_longest_bar_stays_in_the_picture() {
        let bar = |value: f64, note: &str| Bar {
            name: "a".into(),
            parts: vec![(0, value)],
            note: note.to_owned(),
        };
        for length in [Length::Linear, Length::Logarithmic] {
            let note = "54.0 ns, 4.87 of 263 ns per agent, and what else there is to say";
            let bars = Bars { length, bars: vec![bar(50.0, note), bar(9.0, "")], legend: vec![] };
            let svg = bars.svg().expect("a picture");
            let end = svg.split("class=\"small\" x=\"").nth(1).expect("a note");
            let x: f64 = end.split('"').next().expect("a number").parse().expect("a number");
            assert!(x > LEFT + 50.0, "the bar is seen: {x}");
            assert!(x + 6.0 * note.chars().count() as f64 <= WIDTH, "{x}");
        }
        let zero = Bars { length: Length::Linear, bars: vec![bar(0.0, "0")], legend: vec![] };
        assert!(zero.svg().is_some_and(|svg| !svg.contains("NaN") && !svg.contains("inf")));
    }
}
