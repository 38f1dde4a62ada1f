//! Horizontal bars as SVG: stacked, or from 1 on a logarithmic scale.

use std::fmt::Write;

use crate::output::svg::{WIDTH, escaped, text};

const LEFT: f64 = 262.0;
const RIGHT: f64 = 190.0;
const STEP: f64 = 24.0;
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
        let whole = |bar: &Bar| bar.parts.iter().map(|part| part.1).sum::<f64>();
        let longest = self.bars.iter().map(whole).reduce(f64::max)?;
        let room = WIDTH - LEFT - RIGHT;
        let across = |value: f64| match self.length {
            Length::Linear => room * value / longest,
            Length::Logarithmic => room * (value.max(1.0).ln() / longest.max(1.01).ln()),
        };
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
            for &(color, value) in &bar.parts {
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
