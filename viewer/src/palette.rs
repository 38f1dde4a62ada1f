//! Colors: the heading as a hue of even lightness, disorder as gray.
//!
//! The color plane is a disk in Oklab: the heading's x and y are its two color axes, so a
//! mean of headings maps to the mean color, and headings that cancel give gray. Lightness
//! also grows to the right and upward, so that directions differ for color-blind eyes too.

/// An opaque pixel: red, green, blue, alpha.
pub(crate) type Pixel = [u8; 4];

pub(crate) const BACKGROUND: Pixel = [11, 13, 18, 255];
pub(crate) const FRAME: Pixel = [70, 78, 95, 255];

/// How bright the repetitions of a torus are beside the world itself.
pub(crate) const REPETITION: f32 = 0.45;

/// Entries per axis of the color table.
const SIDE: usize = 64;

/// Colors of mean headings.
pub(crate) struct Palette {
    table: Vec<[f32; 3]>,
}

impl Palette {
    pub(crate) fn new() -> Self {
        let axis = |k: usize| (k as f32 + 0.5) / SIDE as f32 * 2.0 - 1.0;
        let color = |k: usize| heading_color(axis(k % SIDE), axis(k / SIDE));
        Self { table: (0..SIDE * SIDE).map(color).collect() }
    }

    /// The color of a heading, or of a mean of headings, as linear shares of 255.
    pub(crate) fn heading(&self, hx: f32, hy: f32) -> [f32; 3] {
        // Casting saturates, which also settles NaN.
        let index =
            |h: f32| ((((h + 1.0) / 2.0 * SIDE as f32) as i32).clamp(0, SIDE as i32 - 1)) as usize;
        self.table[index(hy) * SIDE + index(hx)]
    }
}

fn heading_color(hx: f32, hy: f32) -> [f32; 3] {
    const CHROMA: f32 = 0.13;
    let lightness = 0.74 + 0.07 * hx + 0.04 * hy;
    oklab_to_srgb(lightness, CHROMA * hx, CHROMA * hy).map(|channel| channel * 255.0)
}

/// Björn Ottosson's Oklab, to gamma-encoded sRGB from 0 to 1.
fn oklab_to_srgb(lightness: f32, a: f32, b: f32) -> [f32; 3] {
    let l = (lightness + 0.396_337_78 * a + 0.215_803_76 * b).powi(3);
    let m = (lightness - 0.105_561_346 * a - 0.063_854_17 * b).powi(3);
    let s = (lightness - 0.089_484_18 * a - 1.291_485_5 * b).powi(3);
    [
        4.076_741_7 * l - 3.307_711_6 * m + 0.230_969_94 * s,
        -1.268_438 * l + 2.609_757_4 * m - 0.341_319_38 * s,
        -0.004_196_086_3 * l - 0.703_418_6 * m + 1.707_614_7 * s,
    ]
    .map(|linear| {
        let linear = linear.clamp(0.0, 1.0);
        if linear <= 0.003_130_8 { 12.92 * linear } else { 1.055 * linear.powf(1.0 / 2.4) - 0.055 }
    })
}

/// `under` covered by `share` (0 to 1) of `color`.
pub(crate) fn blend(under: Pixel, color: [f32; 3], share: f32) -> Pixel {
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
    fn opposite_headings_differ_and_their_mean_is_gray() {
        let palette = Palette::new();
        let (right, left) = (palette.heading(1.0, 0.0), palette.heading(-1.0, 0.0));
        let distance: f32 = (0..3).map(|k| (right[k] - left[k]).abs()).sum();
        assert!(distance > 100.0, "{right:?} {left:?}");
        let gray = palette.heading(0.0, 0.0);
        assert!((gray[0] - gray[2]).abs() < 12.0, "{gray:?}");
    }

    #[test]
    fn any_input_has_a_color() {
        let palette = Palette::new();
        for value in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1.0e30, -2.0] {
            assert!(palette.heading(value, value).iter().all(|c| (0.0..=255.0).contains(c)));
        }
    }

    #[test]
    fn blending_goes_from_below_to_above() {
        assert_eq!(blend(BACKGROUND, [200.0; 3], 0.0), BACKGROUND);
        assert_eq!(blend(BACKGROUND, [200.0; 3], 1.0), [200, 200, 200, 255]);
    }
}
