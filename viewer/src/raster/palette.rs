//! Colors: a hue of even lightness for each heading, a color-blind-safe scale for shares, and a
//! color-blind-safe set for species.
//!
//! Heading colors form a disk in Oklab: the heading's x and y are its two color axes. Opposite
//! colors are equally far from gray, so headings that cancel give gray. Lightness also increases to
//! the right and upward, so that color-blind viewers can tell directions apart too.

use wide::f32x4;

/// An opaque pixel: red, green, blue, alpha. While a picture is drawn, alpha says how much of a pixel
/// is not the light of agents, so that only they glow.
pub(crate) type Pixel = [u8; 4];
/// Red, green, blue, from 0 to 255. Heading colors go slightly beyond and are clipped when they
/// become pixels.
pub(crate) type Color = [f32; 3];
/// A color with a weight of 1, which sums up along with it.
pub(crate) type WeightedColor = f32x4;

pub(crate) const BACKGROUND: Pixel = [11, 13, 18, 255];
pub(crate) const FRAME: Pixel = [70, 78, 95, 255];

/// Opacity of the periodic images of a torus, relative to the world itself.
pub(crate) const REPETITION: f32 = 0.3;

/// Entries per axis of the heading table.
const SIDE: usize = 64;

/// Viridis (Smith and van der Walt 2015) without its darkest eighth, which would vanish against the
/// background: perceptually uniform, also for color-blind viewers.
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

/// Okabe and Ito's set (2008) with its black as light gray: distinct for color-blind viewers.
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

pub(crate) struct Palette {
    headings: Vec<WeightedColor>,
}

impl Palette {
    pub(crate) fn new() -> Self {
        let axis = |k: usize| (k as f32 + 0.5) / SIDE as f32 * 2.0 - 1.0;
        let color = |k: usize| weighted(heading_color(axis(k % SIDE), axis(k / SIDE)));
        Self { headings: (0..SIDE * SIDE).map(color).collect() }
    }

    #[inline(always)]
    pub(crate) fn heading(&self, hx: f32, hy: f32) -> WeightedColor {
        const HALF: f32 = SIDE as f32 / 2.0;
        // Casting saturates, which also handles NaN.
        let index = |h: f32| usize::from((h * HALF + HALF) as u8).min(SIDE - 1);
        self.headings[index(hy) * SIDE + index(hx)]
    }

    /// The color of a heading or of the mean of several, interpolated.
    #[inline(always)]
    pub(crate) fn heading_between(&self, hx: f32, hy: f32) -> WeightedColor {
        const HALF: f32 = SIDE as f32 / 2.0;
        let place = |h: f32| {
            let at = (h * HALF + HALF - 0.5).clamp(0.0, (SIDE - 1) as f32);
            let below = (at as usize).min(SIDE - 2);
            (below, at - below as f32)
        };
        let ((column, across), (row, up)) = (place(hx), place(hy));
        let between = |row: usize| {
            let two = &self.headings[row * SIDE + column..][..2];
            two[0] + (two[1] - two[0]) * across
        };
        let (low, high) = (between(row), between(row + 1));
        low + (high - low) * up
    }

    /// The color of a share from 0 to 1, linearly interpolated.
    pub(crate) fn share(&self, share: f32) -> Color {
        let last = SHARE_SCALE.len() - 1;
        let at = share.max(0.0) * last as f32;
        let below = (at as usize).min(last - 1);
        let further = (at - below as f32).min(1.0);
        let (from, to) = (SHARE_SCALE[below], SHARE_SCALE[below + 1]);
        std::array::from_fn(|k| from[k] + (to[k] - from[k]) * further)
    }

    /// The color of a species. Colors repeat after the eighth.
    pub(crate) fn species(&self, index: usize) -> Color {
        SPECIES[index % SPECIES.len()]
    }
}

#[inline(always)]
pub(crate) fn weighted([red, green, blue]: Color) -> WeightedColor {
    f32x4::new([red, green, blue, 1.0])
}

pub(crate) fn unweighted(color: WeightedColor) -> Color {
    let [red, green, blue, _] = color.to_array();
    [red, green, blue]
}

fn heading_color(hx: f32, hy: f32) -> Color {
    const CHROMA: f32 = 0.12;
    let color = |sign: f32| {
        let (a, b) = (sign * hx, sign * hy);
        oklab_to_srgb(0.73 + 0.07 * a + 0.04 * b, CHROMA * a, CHROMA * b)
    };
    let (gray, here, opposite) = (color(0.0), color(1.0), color(-1.0));
    std::array::from_fn(|k| 255.0 * (gray[k] + (here[k] - opposite[k]) / 2.0))
}

/// Björn Ottosson's Oklab to gamma-encoded sRGB, from 0 to 1 within the gamut.
fn oklab_to_srgb(lightness: f32, a: f32, b: f32) -> [f32; 3] {
    let l = cube(lightness + 0.396_337_78 * a + 0.215_803_76 * b);
    let m = cube(lightness - 0.105_561_346 * a - 0.063_854_17 * b);
    let s = cube(lightness - 0.089_484_18 * a - 1.291_485_5 * b);
    [
        4.076_741_7 * l - 3.307_711_6 * m + 0.230_969_94 * s,
        -1.268_438 * l + 2.609_757_4 * m - 0.341_319_38 * s,
        -0.004_196_086_3 * l - 0.703_418_6 * m + 1.707_614_7 * s,
    ]
    .map(
        |linear| {
            if linear <= 0.003_130_8 { 12.92 * linear } else { 1.055 * encoded(linear) - 0.055 }
        },
    )
}

fn cube(value: f32) -> f32 {
    value * value * value
}

/// `linear` to the power of 1 / 2.4, for 0.003 to 2. Bit-identical on every machine, unlike `powf`:
/// the twelfth root is the cube root, by Newton's method, of a fourth root.
fn encoded(linear: f32) -> f32 {
    let fourth_root = linear.sqrt().sqrt();
    let mut root = 1.0;
    for _ in 0..6 {
        root -= (root - fourth_root / (root * root)) / 3.0;
    }
    root * root * cube(root)
}

/// `under`, covered by `share` (0 to 1) of `color`.
pub(crate) fn blend(under: Pixel, color: Color, share: f32) -> Pixel {
    let channel = |k: usize| {
        let below = f32::from(under[k]);
        (below + (color[k] - below) * share + 0.5) as u8
    };
    [channel(0), channel(1), channel(2), 255]
}

/// The same for an agent's light.
pub(crate) fn blend_light(under: Pixel, color: Color, share: f32) -> Pixel {
    let [red, green, blue, _] = blend(under, color, share);
    [red, green, blue, covered(under[3], share)]
}

/// Alpha after a share of a pixel is covered with the light of agents.
pub(crate) fn covered(alpha: u8, share: f32) -> u8 {
    (f32::from(alpha) * (1.0 - share) + 0.5) as u8
}

/// How much of a pixel is the light of agents, from 0 to 255.
pub(crate) fn agents_share(pixel: Pixel) -> u8 {
    255 - pixel[3]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_are_interpolated() {
        let palette = Palette::new();
        for degrees in (0..360).step_by(5) {
            let (hy, hx) = (degrees as f32).to_radians().sin_cos();
            let [near, between] =
                [palette.heading(hx, hy), palette.heading_between(hx, hy)].map(unweighted);
            assert!((0..3).all(|k| (near[k] - between[k]).abs() < 10.0), "{near:?} {between:?}");
        }
        let gray = unweighted(palette.heading_between(0.0, 0.0));
        assert!((gray[0] - gray[1]).abs() < 1.0 && (gray[1] - gray[2]).abs() < 1.0, "{gray:?}");
        for value in [f32::NAN, f32::INFINITY, -3.0] {
            palette.heading_between(value, value);
        }
    }

    #[test]
    fn only_agents_count_as_light() {
        let lit = blend_light(BACKGROUND, [200.0; 3], 0.5);
        assert_eq!((agents_share(lit), agents_share(BACKGROUND)), (127, 0));
        assert_eq!(agents_share(blend(lit, [0.0; 3], 0.5)), 0);
        assert_eq!(agents_share(blend_light(lit, [200.0; 3], 1.0)), 255);
    }

    #[test]
    fn opposite_headings_differ_and_average_to_gray() {
        let palette = Palette::new();
        let heading = |hx: f32, hy: f32| unweighted(palette.heading(hx, hy));
        let (right, left) = (heading(1.0, 0.0), heading(-1.0, 0.0));
        let distance: f32 = (0..3).map(|k| (right[k] - left[k]).abs()).sum();
        assert!(distance > 100.0, "{right:?} {left:?}");
        for degrees in (0..180).step_by(7) {
            let (hy, hx) = (degrees as f32).to_radians().sin_cos();
            let (one, other) = (heading(hx, hy), heading(-hx, -hy));
            let mean: Color = std::array::from_fn(|k| (one[k] + other[k]) / 2.0);
            assert!((mean[0] - mean[1]).abs() + (mean[1] - mean[2]).abs() < 12.0, "{mean:?}");
        }
    }

    #[test]
    fn encoding_matches_powf() {
        for k in 3..2_000 {
            let linear = k as f32 / 1_000.0;
            assert!((encoded(linear) - linear.powf(1.0 / 2.4)).abs() < 1.0e-6, "{linear}");
        }
    }

    #[test]
    fn any_input_has_a_color() {
        let palette = Palette::new();
        for value in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1.0e30, -2.0] {
            assert!(unweighted(palette.heading(value, value)).iter().all(|c| c.is_finite()));
            assert!(palette.share(value).iter().all(|c| (0.0..=255.0).contains(c)));
        }
    }

    #[test]
    fn the_scale_goes_from_dark_to_bright() {
        let palette = Palette::new();
        let brightness = |share: f32| {
            let [red, green, blue] = palette.share(share);
            0.2126 * red + 0.7152 * green + 0.0722 * blue
        };
        assert!(
            (0..100).all(|k| brightness(k as f32 / 100.0) < brightness((k + 1) as f32 / 100.0))
        );
        assert_eq!(palette.share(1.0), SHARE_SCALE[7]);
    }

    #[test]
    fn blending_interpolates() {
        assert_eq!(blend(BACKGROUND, [200.0; 3], 0.0), BACKGROUND);
        assert_eq!(blend(BACKGROUND, [200.0; 3], 1.0), [200, 200, 200, 255]);
    }
}
