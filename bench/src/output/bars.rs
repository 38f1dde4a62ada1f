//! Horizontal bars as SVG: stacked, or from 1 on a logarithmic scale.

use std::fmt::Write;

use crate::output::svg::{NARROW_WIDTH, WIDTH, escaped, text};

const LEFT: f64 = 262.0;
const RIGHT: f64 = 190.0;
const STEP: f64 = 24.0;
/// Width of a character of a note, rounded up.
const CHARACTER: f64 = 6.8;
const TOP: f64 = 30.0;
/// Height of a line of text, and of a bar with the gap below it, on narrow screens.
const LINE: f64 = 17.0;
const NARROW_BAR: f64 = 24.0;

pub(crate) struct Bar {
    pub(crate) name: String,
    /// Color and length of each part.
    pub(crate) parts: Vec<(usize, f64)>,
    /// The text at its end.
    pub(crate) note: String,
}

/// The scale of a bar's length.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Length {
    /// Proportional to the sum of its parts.
    Linear,
    /// Proportional to the logarithm of its only part, which is at least 1.
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

    /// The picture, with names before the bars and notes after them.
    pub(crate) fn svg(&self) -> Option<String> {
        // The scale leaves room for the note of the longest bar.
        let scale = self.scale(|bar| WIDTH - LEFT - width_of(&bar.note).max(RIGHT))?;
        let mut svg = String::new();
        self.draw_legend(LEFT, &mut svg);
        for (k, bar) in self.bars.iter().enumerate() {
            let y = self.top() + STEP * k as f64;
            text(&mut svg, "tick end", LEFT - 8.0, y + 15.0, &bar.name);
            let end = self.draw(bar, scale, [LEFT, y + 3.0, STEP - 7.0], &mut svg);
            text(&mut svg, "small", end + 7.0, y + 15.0, &bar.note);
        }
        Some(svg)
    }

    /// The picture for narrow screens, with names and notes above the bars, and its height.
    pub(crate) fn narrow_svg(&self) -> Option<(String, f64)> {
        let scale = self.scale(|_| NARROW_WIDTH)?;
        let fit = |bar: &Bar| width_of(&bar.name) + width_of(&bar.note) <= NARROW_WIDTH;
        let lines = if self.bars.iter().all(fit) { 1.0 } else { 2.0 };
        let mut svg = String::new();
        self.draw_legend(0.0, &mut svg);
        let mut y = self.top();
        for bar in &self.bars {
            text(&mut svg, "small name", 0.0, y + 13.0, &bar.name);
            y += LINE * lines;
            let (class, x) =
                if lines == 1.0 { ("small end", NARROW_WIDTH) } else { ("small", 0.0) };
            text(&mut svg, class, x, y - 4.0, &bar.note);
            self.draw(bar, scale, [0.0, y, NARROW_BAR / 2.0], &mut svg);
            y += NARROW_BAR;
        }
        Some((svg, y))
    }

    fn length(&self, value: f64) -> f64 {
        match self.length {
            Length::Linear => value,
            Length::Logarithmic => value.max(1.0).ln(),
        }
    }

    /// The length of a unit that lets every bar fit its room; `None` without bars.
    fn scale(&self, room: impl Fn(&Bar) -> f64) -> Option<f64> {
        let scale =
            |bar: &Bar| room(bar) / bar.parts.iter().map(|part| self.length(part.1)).sum::<f64>();
        let scale = self.bars.iter().map(scale).filter(|scale| scale.is_finite());
        scale.reduce(f64::min).or((!self.bars.is_empty()).then_some(0.0))
    }

    fn draw_legend(&self, mut x: f64, svg: &mut String) {
        for (color, name) in &self.legend {
            rectangle(svg, *color, [x, 8.0, 12.0, 12.0], name);
            text(svg, "small", x + 17.0, 18.0, name);
            x += 32.0 + 7.0 * name.chars().count() as f64;
        }
    }

    /// Draws the parts one after the other and returns where they end.
    fn draw(&self, bar: &Bar, scale: f64, [x, y, height]: [f64; 3], svg: &mut String) -> f64 {
        let mut end = x;
        for &(color, value) in bar.parts.iter().filter(|part| part.1 > 0.0) {
            let width = scale * self.length(value);
            rectangle(svg, color, [end, y, width, height], &bar.note);
            end += width;
        }
        end
    }
}

fn width_of(words: &str) -> f64 {
    CHARACTER * words.chars().count() as f64
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
    fn a_long_note_after_the_longest_bar_stays_in_the_picture() {
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
            assert!(x > LEFT + 50.0, "the bar is visible: {x}");
            assert!(x + 6.0 * note.chars().count() as f64 <= WIDTH, "{x}");
        }
        let narrow = |name: &str| {
            let mut bar = bar(50.0, "54.0 ns, 4.87 of 263 ns per agent");
            bar.name = name.to_owned();
            Bars { length: Length::Linear, bars: vec![bar], legend: vec![] }.narrow_svg()
        };
        let (one_line, two_lines) = (
            narrow("a").expect("a picture").1,
            narrow("the name of a method and of a scene").expect("a picture").1,
        );
        assert!(one_line < two_lines, "long names get their own line");
        let zero = Bars { length: Length::Linear, bars: vec![bar(0.0, "0")], legend: vec![] };
        assert!(zero.svg().is_some_and(|svg| !svg.contains("NaN") && !svg.contains("inf")));
    }
}
