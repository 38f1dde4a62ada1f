//! Colors: a hue for each heading, a scale for shares, and a set for species. All of them are safe
//! for color-blind viewers.
//!
//! Heading colors form a disk: the heading's x and y are its axes, and gray is its center. Opposite
//! colors are equally far from gray, so headings that cancel give gray, and the color of a mean
//! heading is the mean of the colors. Right and left differ along blue and yellow, up and down
//! in lightness, so viewers who cannot tell red from green still see both.

use wide::f32x4;

/// An opaque pixel: red, green, blue, alpha.
pub(crate) type Pixel = [u8; 4];
/// Red, green, blue, from 0 to 255. Heading colors may slightly exceed this range and are clamped
/// when they become pixels.
pub(crate) type Color = [f32; 3];
/// A color with a weight of 1 in the fourth lane, so that summing colors also sums their weights.
pub(crate) type WeightedColor = f32x4;

pub(crate) const BACKGROUND: Pixel = [11, 13, 18, 255];
pub(crate) const FRAME: [u8; 3] = [70, 78, 95];

/// The center of the disk of heading colors, and the color changes for headings to the right
/// and upward.
const GRAY: WeightedColor = f32x4::new([165.0, 165.0, 165.0, 1.0]);
const RIGHT: WeightedColor = f32x4::new([70.0, 20.0, -90.0, 0.0]);
const UP: WeightedColor = f32x4::new([-40.0, 80.0, 60.0, 0.0]);

/// Viridis (Smith and van der Walt 2015), which is perceptually uniform even for color-blind
/// viewers. Its darkest eighth is left out, because it would vanish against the background.
const SHARE_SCALE: [Color; 8] = [
    [71.0, 45.0, 123.0],
    [59.0, 82.0, 139.0],
    [44.0, 114.0, 142.0],
    [33.0, 145.0, 140.0],
    [40.0, 174.0, 128.0],
    [94.0, 201.0, 98.0],
    [173.0, 220.0, 48.0],
    [253.0, 231.0, 37.0],
];

/// Okabe and Ito's colors (2008), which color-blind viewers can tell apart, with light gray instead
/// of black.
const SPECIES: [Color; 8] = [
    [86.0, 180.0, 233.0],
    [230.0, 159.0, 0.0],
    [0.0, 158.0, 115.0],
    [240.0, 228.0, 66.0],
    [204.0, 121.0, 167.0],
    [213.0, 94.0, 0.0],
    [0.0, 114.0, 178.0],
    [200.0, 200.0, 200.0],
];

#[inline(always)]
pub(crate) fn heading(hx: f32, hy: f32) -> WeightedColor {
    GRAY + RIGHT * hx + UP * hy
}

/// Interpolates the scale linearly. Shares are clamped to the range from 0 to 1.
pub(crate) fn share(share: f32) -> Color {
    let last = SHARE_SCALE.len() - 1;
    let at = share.max(0.0) * last as f32;
    let below = (at as usize).min(last - 1);
    let further = (at - below as f32).min(1.0);
    let (from, to) = (SHARE_SCALE[below], SHARE_SCALE[below + 1]);
    std::array::from_fn(|k| from[k] + (to[k] - from[k]) * further)
}

pub(crate) fn species(index: usize) -> Color {
    SPECIES[index % SPECIES.len()]
}

#[inline(always)]
pub(crate) fn weighted([red, green, blue]: Color) -> WeightedColor {
    f32x4::new([red, green, blue, 1.0])
}

pub(crate) fn unweighted(color: WeightedColor) -> Color {
    let [red, green, blue, _] = color.to_array();
    [red, green, blue]
}

/// Blends `color` over `under` with an opacity of `share`, from 0 to 1.
pub(crate) fn blend(under: Pixel, color: Color, share: f32) -> Pixel {
    let channel = |k: usize| {
        let below = f32::from(under[k]);
        (below + (color[k] - below) * share + 0.5) as u8
    };
    [channel(0), channel(1), channel(2), 255]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opposite_headings_average_to_gray() {
        for degrees in (0..180).step_by(7) {
            let (hy, hx) = (degrees as f32).to_radians().sin_cos();
            let mean = unweighted((heading(hx, hy) + heading(-hx, -hy)) * 0.5);
            assert!(mean.iter().all(|channel| (channel - 165.0).abs() < 0.01), "{mean:?}");
        }
    }

    /// Regression: left and right were pink and teal, and up and down were pink and green,
    /// which look alike to viewers who cannot tell red from green. Without cones for red or green
    /// (Machado 2009), opposite headings now differ by at least 30, and left and right by at least
    /// 100, in CIE 1976 units; 2.3 units are just noticeable.
    #[test]
    fn color_blind_readers_can_tell_opposite_headings_apart() {
        let deutan = [
            [0.367_322, 0.860_646, -0.227_968],
            [0.280_085, 0.672_501, 0.047_413],
            [-0.011_820, 0.042_940, 0.968_881],
        ];
        let protan = [
            [0.152_286, 1.052_583, -0.204_868],
            [0.114_503, 0.786_281, 0.099_216],
            [-0.003_882, -0.048_116, 1.051_998],
        ];
        let usual = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        for sees in [usual, deutan, protan] {
            let seen = |degrees: f64| {
                let (hy, hx) = degrees.to_radians().sin_cos();
                let color = unweighted(heading(hx as f32, hy as f32)).map(f64::from);
                lab(times(sees, color.map(linear)))
            };
            let apart = |degrees: f64| {
                let (one, other) = (seen(degrees), seen(degrees + 180.0));
                (0..3).map(|k| (one[k] - other[k]).powi(2)).sum::<f64>().sqrt()
            };
            assert!(apart(0.0) > 100.0, "{}", apart(0.0));
            for degrees in 0..180 {
                let found = apart(f64::from(degrees));
                assert!(found > 30.0, "{degrees}: {found}");
            }
        }
    }

    fn times(matrix: [[f64; 3]; 3], color: [f64; 3]) -> [f64; 3] {
        matrix.map(|row| (0..3).map(|k| row[k] * color[k]).sum())
    }

    fn linear(channel: f64) -> f64 {
        let channel = channel.clamp(0.0, 255.0) / 255.0;
        if channel <= 0.040_45 { channel / 12.92 } else { ((channel + 0.055) / 1.055).powf(2.4) }
    }

    fn lab(color: [f64; 3]) -> [f64; 3] {
        let xyz = times(
            [
                [0.412_456_4, 0.357_576_1, 0.180_437_5],
                [0.212_672_9, 0.715_152_2, 0.072_175],
                [0.019_333_9, 0.119_192, 0.950_304_1],
            ],
            color.map(|channel| channel.clamp(0.0, 1.0)),
        );
        let white = [0.950_47, 1.0, 1.088_83];
        let [x, y, z] = std::array::from_fn(|k| {
            let share: f64 = xyz[k] / white[k];
            if share > 0.008_856 { share.cbrt() } else { 7.787 * share + 16.0 / 116.0 }
        });
        [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
    }

    #[test]
    fn any_input_has_a_color() {
        for value in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1.0e30, -2.0] {
            assert!(share(value).iter().all(|c| (0.0..=255.0).contains(c)));
        }
    }

    #[test]
    fn the_scale_goes_from_dark_to_bright() {
        let brightness = |at: f32| {
            let [red, green, blue] = share(at);
            0.2126 * red + 0.7152 * green + 0.0722 * blue
        };
        assert!(
            (0..100).all(|k| brightness(k as f32 / 100.0) < brightness((k + 1) as f32 / 100.0))
        );
        assert_eq!(share(1.0), SHARE_SCALE[7]);
    }

    #[test]
    fn blending_interpolates() {
        assert_eq!(blend(BACKGROUND, [200.0; 3], 0.0), BACKGROUND);
        assert_eq!(blend(BACKGROUND, [200.0; 3], 1.0), [200, 200, 200, 255]);
    }
}
