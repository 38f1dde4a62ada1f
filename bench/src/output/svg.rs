//! Shapes of a picture as SVG. Their classes have fonts and colors in `picture.css`.

pub(crate) const WIDTH: f64 = 800.0;

/// Number of colors for series; the shades of stages follow these.
pub(crate) const COLORS: usize = 8;

/// Shapes, one after the other.
#[derive(Default)]
pub(crate) struct Shapes(String);

impl Shapes {
    pub(crate) fn line(&mut self, class: &str, [x1, y1, x2, y2]: [f64; 4]) {
        self.add("line", class, &[("x1", x1), ("y1", y1), ("x2", x2), ("y2", y2)], None);
    }

    pub(crate) fn curve(&mut self, class: &str, points: &[[f64; 2]]) {
        let points: Vec<String> = points.iter().map(|[x, y]| format!("{x:.1},{y:.1}")).collect();
        self.0 += &format!(r#"<polyline class="{class}" points="{}"/>"#, points.join(" "));
    }

    pub(crate) fn rectangle(&mut self, class: &str, [x, y, w, h]: [f64; 4], title: &str) {
        let at = [("x", x), ("y", y), ("width", w), ("height", h)];
        self.add("rect", class, &at, Some(title));
    }

    pub(crate) fn point(&mut self, class: &str, [x, y]: [f64; 2], title: &str) {
        self.add("circle", class, &[("cx", x), ("cy", y), ("r", 3.6)], Some(title));
    }

    fn add(&mut self, shape: &str, class: &str, at: &[(&str, f64)], title: Option<&str>) {
        let at: String =
            at.iter().map(|(name, value)| format!(r#" {name}="{value:.1}""#)).collect();
        self.0 += &match title.map(escaped) {
            Some(title) => {
                format!(r#"<{shape} class="{class}"{at}><title>{title}</title></{shape}>"#)
            }
            None => format!(r#"<{shape} class="{class}"{at}/>"#),
        };
    }

    pub(crate) fn text(&mut self, class: &str, [x, y]: [f64; 2], words: &str) {
        if !words.is_empty() {
            let words = escaped(words);
            self.0 += &format!(r#"<text class="{class}" x="{x:.1}" y="{y:.1}">{words}</text>"#);
        }
    }

    /// Text that reads upward, around its middle.
    pub(crate) fn upright(&mut self, [x, y]: [f64; 2], words: &str) {
        let words = escaped(words);
        self.0 += &format!(
            r#"<text class="middle" transform="translate({x} {y:.1}) rotate(-90)">{words}</text>"#
        );
    }

    pub(crate) fn into_string(self) -> String {
        self.0
    }
}

/// Width of small text, rounded up.
pub(crate) fn width_of(words: &str) -> f64 {
    6.8 * words.chars().count() as f64
}

fn escaped(words: &str) -> String {
    words.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Round numbers on a logarithmic axis: powers of ten, and more numbers if these are few.
pub(crate) fn ticks([low, high]: [f64; 2]) -> Vec<f64> {
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

    #[test]
    fn ticks_are_round_and_neither_too_few_nor_too_many() {
        assert_eq!(ticks([80.0, 1.2e6]), [100.0, 1_000.0, 10_000.0, 100_000.0, 1_000_000.0]);
        assert_eq!(ticks([9.0, 120.0]), [10.0, 20.0, 50.0, 100.0]);
        assert!(ticks([20.0, 50.0]).len() >= 4);
    }

    #[test]
    fn markup_is_escaped() {
        assert_eq!(escaped("a < b & \"c\""), "a &lt; b &amp; &quot;c&quot;");
    }
}
