//! Horizontal bars: stacked, or from 1 on a logarithmic scale.

use crate::output::svg::{Shapes, WIDE, width_of};

const LEFT: f64 = 262.0;
const RIGHT: f64 = 190.0;
const STEP: f64 = 24.0;
/// Height of a line of text above a bar.
const LINE: f64 = 17.0;

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
    pub(crate) fn length(&self, value: f64) -> f64 {
        if self.logarithmic { value.max(1.0).ln() } else { value }
    }
}

/// The shapes and their height; `None` without bars.
pub(super) fn draw(bars: &Bars, width: f64) -> Option<(Shapes, f64)> {
    // Narrow pictures have names and notes above the bars.
    let narrow = width < WIDE;
    let fit = |bar: &Bar| width_of(&bar.name) + width_of(&bar.note) <= width;
    let lines = if bars.bars.iter().all(fit) { 1.0 } else { 2.0 };
    let left = if narrow { 0.0 } else { LEFT };
    // The scale leaves room for the note of the longest bar.
    let scale = |bar: &Bar| {
        let room = if narrow { width } else { width - LEFT - width_of(&bar.note).max(RIGHT) };
        room / bar.parts.iter().map(|part| bars.length(part.1)).sum::<f64>()
    };
    let finite = bars.bars.iter().map(scale).filter(|scale| scale.is_finite());
    let scale = finite.reduce(f64::min).or((!bars.bars.is_empty()).then_some(0.0))?;
    let mut shapes = Shapes::default();
    let mut x = left;
    for (color, name) in &bars.legend {
        shapes.rectangle(&format!("bar k{color}"), [x, 8.0, 12.0, 12.0], name);
        shapes.text("small", [x + 17.0, 18.0], name);
        x += 32.0 + 7.0 * name.chars().count() as f64;
    }
    let mut y = if bars.legend.is_empty() { 8.0 } else { 30.0 };
    for bar in &bars.bars {
        if narrow {
            shapes.text("", [0.0, y + 13.0], &bar.name);
            y += LINE * lines;
            let (class, x) = if lines == 1.0 { ("small end", width) } else { ("small", 0.0) };
            shapes.text(class, [x, y - 4.0], &bar.note);
        } else {
            shapes.text("tick end", [LEFT - 8.0, y + 15.0], &bar.name);
        }
        let mut end = left;
        for &(color, value) in bar.parts.iter().filter(|part| part.1 > 0.0) {
            let long = scale * bars.length(value);
            let [top, high] = if narrow { [y, 12.0] } else { [y + 3.0, STEP - 7.0] };
            shapes.rectangle(&format!("bar k{color}"), [end, top, long.max(1.0), high], &bar.note);
            end += long;
        }
        if !narrow {
            shapes.text("small", [end + 7.0, y + 15.0], &bar.note);
        }
        y += STEP;
    }
    Some((shapes, y + 8.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::svg::NARROW;

    #[test]
    fn a_long_note_after_the_longest_bar_stays_in_the_picture() {
        let bar = |name: &str, value: f64, note: &str| Bar {
            name: name.into(),
            parts: vec![(0, value)],
            note: note.to_owned(),
        };
        let drawn = |bars: Vec<Bar>, logarithmic, width| {
            let (shapes, height) =
                draw(&Bars { logarithmic, bars, legend: Vec::new() }, width).expect("a picture");
            (shapes.into_string(), height)
        };
        for logarithmic in [false, true] {
            let note = "54.0 ns, 4.87 of 263 ns per agent, and what else there is to say";
            let (svg, _) = drawn(vec![bar("a", 50.0, note), bar("a", 9.0, "")], logarithmic, WIDE);
            let end = svg.split("class=\"small\" x=\"").nth(1).expect("a note");
            let x: f64 = end.split('"').next().expect("a number").parse().expect("a number");
            assert!(x > LEFT + 50.0, "the bar is visible: {x}");
            assert!(x + 6.0 * note.chars().count() as f64 <= WIDE, "{x}");
        }
        let height = |name: &str| {
            drawn(vec![bar(name, 50.0, "54.0 ns, 4.87 of 263 ns per agent")], false, NARROW).1
        };
        let long = height("the name of a method and of a scene");
        assert!(height("a") < long, "long names get their own line");
        let (zero, _) = drawn(vec![bar("a", 0.0, "0")], false, WIDE);
        assert!(!zero.contains("NaN") && !zero.contains("inf"));
    }
}
