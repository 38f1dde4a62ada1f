//! SVG shapes; `picture.css` defines the fonts and colors of their classes.

use std::fmt::Write;

#[derive(Default)]
pub(super) struct Shapes(String);

impl Shapes {
    pub(super) fn line(&mut self, class: &str, [x1, y1, x2, y2]: [f64; 4]) {
        self.0 += &format!(
            r#"<line class="{class}" x1="{x1:.1}" y1="{y1:.1}" x2="{x2:.1}" y2="{y2:.1}"/>"#
        );
    }

    pub(super) fn curve(&mut self, class: &str, points: &[[f64; 2]]) {
        let points: Vec<String> = points.iter().map(|[x, y]| format!("{x:.1},{y:.1}")).collect();
        self.0 += &format!(r#"<polyline class="{class}" points="{}"/>"#, points.join(" "));
    }

    pub(super) fn point(&mut self, class: &str, [x, y]: [f64; 2], title: &str) {
        let title = escaped(title);
        self.0 += &format!(
            r#"<circle class="{class}" cx="{x:.1}" cy="{y:.1}" r="3.6"><title>{title}</title></circle>"#
        );
    }

    pub(super) fn text(&mut self, class: &str, [x, y]: [f64; 2], words: &str) {
        let words = escaped(words);
        self.0 += &format!(r#"<text class="{class}" x="{x:.1}" y="{y:.1}">{words}</text>"#);
    }

    /// Adds text rotated clockwise about `[x, y]`.
    pub(super) fn rotated_text(
        &mut self,
        class: &str,
        [x, y]: [f64; 2],
        degrees: f64,
        words: &str,
    ) {
        let words = escaped(words);
        self.0 += &format!(
            r#"<text class="{class}" transform="translate({x:.1} {y:.1}) rotate({degrees:.1})">{words}</text>"#
        );
    }

    pub(super) fn framed(&self, [width, height]: [f64; 2], title: &str, alone: bool) -> String {
        let mut svg = format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height:.0}" role="img" aria-label="{}">"#,
            escaped(title)
        );
        if alone {
            let style = include_str!("../../templates/picture.css");
            write!(svg, "<style>{style}</style>").expect("a string takes all");
        }
        svg + &self.0 + "</svg>"
    }
}

/// Generous estimate of the width of small text, in pixels.
pub(super) fn width_of(words: &str) -> f64 {
    6.8 * words.chars().count() as f64
}

fn escaped(words: &str) -> String {
    words.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_is_escaped() {
        assert_eq!(escaped("a < b & \"c\""), "a &lt; b &amp; &quot;c&quot;");
    }
}
