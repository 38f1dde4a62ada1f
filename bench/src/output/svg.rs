//! Shared by pictures and the page: sizes, text, ticks and colors.

use std::fmt::Write;

pub(crate) const WIDTH: f64 = 800.0;
/// Width of pictures for narrow screens.
pub(crate) const NARROW_WIDTH: f64 = 360.0;
pub(crate) const HEIGHT: f64 = 440.0;

/// Fonts, strokes and colors of pictures. Series have Okabe and Ito's colors, which color-blind
/// people can tell apart, darkened or lightened until they are readable as text. Stages of a step
/// have shades of slate and brown, so that a bright color always means a series.
pub(crate) const STYLE: &str = "
:root { --paper: #fff; --ink: #222; --faint: #6b6b6b; --grid: #e4e4e4; --band: #0001;
  --s0: #b54a00; --s1: #9a6b00; --s2: #a84a80; --s3: #0068a8; --s4: #007a58; --s5: #5b3fa0;
  --s6: #444; --s7: #a01f30; --s8: #2c3a48; --s9: #7d93a8; --s10: #b9c8d6; --s11: #7a5546 }
@media (prefers-color-scheme: dark) {
  :root { --paper: #16181b; --ink: #e6e6e6; --faint: #9b9b9b; --grid: #33373b; --band: #fff2;
    --s0: #f58a45; --s1: #e8b23a; --s2: #e08ebd; --s3: #5ab4f0; --s4: #34c79b; --s5: #b49af0;
    --s6: #c0c0c0; --s7: #f27a88; --s8: #e8eef4; --s9: #8197ab; --s10: #4d5f72; --s11: #c9a08c }
}
@media print {
  :root { --paper: #fff; --ink: #000; --faint: #555; --grid: #ddd; --band: #0001;
    --s0: #b54a00; --s1: #9a6b00; --s2: #a84a80; --s3: #0068a8; --s4: #007a58; --s5: #5b3fa0;
    --s6: #444; --s7: #a01f30; --s8: #2c3a48; --s9: #7d93a8; --s10: #b9c8d6; --s11: #7a5546 }
}
svg { background: var(--paper) }
svg text { font: 13px system-ui, Helvetica, Arial, sans-serif; fill: var(--ink) }
svg .tick, svg .small { font-size: 12px; fill: var(--faint) }
svg .halo { stroke: var(--paper); stroke-width: 4; paint-order: stroke }
svg .small.name { fill: var(--ink) } svg .middle { text-anchor: middle } svg .end { text-anchor: end }
svg .grid { stroke: var(--grid) } svg .axis { stroke: var(--faint) }
svg .mark { stroke: var(--faint); stroke-dasharray: 2 4 } svg .band { fill: var(--band) }
svg .guide { stroke: var(--faint); stroke-dasharray: 6 5 }
svg .curve { fill: none; stroke-width: 2 } svg .error { stroke-width: 2; opacity: .6 }
svg .lead { opacity: .4 } svg circle { stroke-width: 1.5 }
svg .c0 { stroke: var(--s0) } svg .f0 { fill: var(--s0) } svg .c1 { stroke: var(--s1) } svg .f1 { fill: var(--s1) }
svg .c2 { stroke: var(--s2) } svg .f2 { fill: var(--s2) } svg .c3 { stroke: var(--s3) } svg .f3 { fill: var(--s3) }
svg .c4 { stroke: var(--s4) } svg .f4 { fill: var(--s4) } svg .c5 { stroke: var(--s5) } svg .f5 { fill: var(--s5) }
svg .c6 { stroke: var(--s6) } svg .f6 { fill: var(--s6) } svg .c7 { stroke: var(--s7) } svg .f7 { fill: var(--s7) }
svg .f8 { fill: var(--s8) } svg .f9 { fill: var(--s9) } svg .f10 { fill: var(--s10) } svg .f11 { fill: var(--s11) }
svg .hollow { fill: var(--paper) }
";

/// Number of colors for series; the shades of stages follow these.
pub(crate) const COLORS: usize = 8;

/// A picture within a page, or `alone` in a file with its own style.
pub(crate) fn picture(
    content: &str,
    [width, height]: [f64; 2],
    title: &str,
    alone: bool,
) -> String {
    let style = if alone { format!("<style>{STYLE}</style>") } else { String::new() };
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height:.0}\" \
         role=\"img\" aria-label=\"{}\">{style}{content}</svg>",
        escaped(title)
    )
}

pub(crate) fn text(svg: &mut String, class: &str, x: f64, y: f64, words: &str) {
    write!(svg, "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\">{}</text>", escaped(words))
        .expect("a string takes all");
}

/// Escapes text for markup.
pub(crate) fn escaped(words: &str) -> String {
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
