//! Pixels, colors, and shapes. Nothing here depends on crowds.
//!
//! Heading colors form a disk: the heading's x and y are its axes, and gray is its center. Opposite
//! colors are equally far from gray, so headings that cancel give gray, and the color of a mean
//! heading is the mean of the colors. Right and left differ along blue and yellow, up and down
//! in lightness, so viewers who cannot tell red from green still see both.
//!
//! Lines and circles are anti-aliased: a pixel's coverage depends on its center's distance from
//! the shape's edge. Shapes are clipped before they are drawn, so a huge shape costs no more
//! than the pixels it can touch. Shapes with non-finite coordinates are not drawn.

use std::ops::Range;

use rayon::prelude::*;
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

/// The color of a heading (x, y) is `GRAY + x * RIGHT + y * UP`.
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

/// Interpolates [`SHARE_SCALE`] linearly. The share is clamped to the range from 0 to 1.
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

/// A color with an opacity from 0 to 1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tint {
    pub(crate) color: [u8; 3],
    pub(crate) opacity: f32,
}

impl Tint {
    pub(crate) const fn new(color: [u8; 3]) -> Self {
        Self { color, opacity: 1.0 }
    }

    pub(crate) const fn faint(self, factor: f32) -> Self {
        Self { opacity: self.opacity * factor, ..self }
    }
}

/// Rows per band of [`Canvas::bands`].
const BAND: usize = 32;

/// A picture, or consecutive rows of one. Pixel coordinates are relative to the whole picture.
pub(crate) struct Canvas<'a> {
    pub(crate) width: usize,
    first_row: usize,
    pub(crate) pixels: &'a mut [Pixel],
    /// Factor for line widths and minimum mark sizes, e.g. 2 on a HiDPI display.
    pub(crate) scale: f32,
}

impl<'a> Canvas<'a> {
    /// `pixels` contains whole rows, from top to bottom.
    pub(crate) fn new(width: usize, pixels: &'a mut [Pixel]) -> Self {
        Self { width: width.max(1), first_row: 0, pixels, scale: 1.0 }
    }

    pub(crate) fn scaled(self, scale: f32) -> Self {
        Self { scale, ..self }
    }

    pub(crate) fn rows(&self) -> Range<usize> {
        self.first_row..self.first_row + self.pixels.len() / self.width
    }

    /// Draws bands of rows in parallel.
    pub(crate) fn bands(&mut self, draw: impl Fn(&mut Canvas<'_>) + Sync) {
        let (width, scale) = (self.width, self.scale);
        self.pixels.par_chunks_mut(width * BAND).enumerate().for_each(|(number, pixels)| {
            draw(&mut Canvas { width, first_row: number * BAND, pixels, scale });
        });
    }

    pub(crate) fn disk(&mut self, center: [f32; 2], radius: f32, tint: Tint) {
        // A negative inner radius leaves no hole.
        self.round(center, [-1.0, radius], tint);
    }

    pub(crate) fn ring(&mut self, center: [f32; 2], radius: f32, thickness: f32, tint: Tint) {
        let thickness = thickness * self.scale;
        self.round(center, [radius - thickness / 2.0, radius + thickness / 2.0], tint);
    }

    /// Draws a ball lit from the upper left, on the viewer's side.
    pub(crate) fn ball(&mut self, [x, y]: [f32; 2], radius: f32, tint: Tint) {
        /// Unit vector toward the light: right, down, toward the viewer.
        const LIGHT: [f64; 3] = [-0.48, -0.64, 0.6];
        /// Brightness of the side away from the light.
        const AMBIENT: f64 = 0.4;
        let ([x, y], radius) = ([x, y].map(f64::from), f64::from(radius));
        if ![x, y, radius].into_iter().all(f64::is_finite) {
            return;
        }
        for row in self.clip_rows(y - radius - 0.5, y + radius + 0.5) {
            let down = row as f64 + 0.5 - y;
            let half_width = ((radius + 0.5) * (radius + 0.5) - down * down).max(0.0).sqrt();
            for column in self.clip_columns(x - half_width, x + half_width) {
                let right = column as f64 + 0.5 - x;
                let near = (radius * radius - right * right - down * down).max(0.0).sqrt();
                let facing = LIGHT[0] * right + LIGHT[1] * down + LIGHT[2] * near;
                let bright = AMBIENT + (1.0 - AMBIENT) * (facing / radius).clamp(0.0, 1.0);
                let color = tint.color.map(|channel| (f64::from(channel) * bright) as u8);
                let covered = radius - length([right, down]) + 0.5;
                self.cover(row, column, covered, Tint { color, ..tint });
            }
        }
    }

    /// Fills a convex polygon.
    pub(crate) fn polygon(&mut self, corners: &[[f32; 2]], tint: Tint) {
        let corners: Vec<[f64; 2]> = corners.iter().map(|at| at.map(f64::from)).collect();
        if !corners.iter().flatten().all(|along| along.is_finite()) {
            return;
        }
        let low = corners.iter().map(|[_, y]| *y).fold(f64::MAX, f64::min);
        let high = corners.iter().map(|[_, y]| *y).fold(f64::MIN, f64::max);
        for row in self.clip_rows(low, high) {
            let y = row as f64 + 0.5;
            let edges = corners.iter().zip(corners.iter().cycle().skip(1));
            let crossed = edges.filter(|([_, from], [_, to])| (*from > y) != (*to > y));
            let places =
                crossed.map(|([x, from], [to_x, to])| x + (to_x - x) * (y - from) / (to - from));
            let (left, right) =
                places.fold((f64::MAX, f64::MIN), |(left, right), x| (left.min(x), right.max(x)));
            for column in self.clip_columns(left - 0.5, right - 0.5) {
                let x = column as f64 + 0.5;
                self.cover(row, column, (x - left + 0.5).min(right - x + 0.5), tint);
            }
        }
    }

    /// Draws in the rectangle between two corners. `share` returns the coverage at a pixel's
    /// center, or `None` to leave the pixel unchanged.
    pub(crate) fn shade(
        &mut self,
        [[left, top], [right, bottom]]: [[f32; 2]; 2],
        tint: Tint,
        share: impl Fn([f32; 2]) -> Option<f32>,
    ) {
        for row in self.clip_rows(top.into(), bottom.into()) {
            for column in self.clip_columns(left.into(), right.into()) {
                if let Some(share) = share([column as f32 + 0.5, row as f32 + 0.5]) {
                    self.cover(row, column, share.into(), tint);
                }
            }
        }
    }

    pub(crate) fn outline(&mut self, [ax, ay]: [f32; 2], [bx, by]: [f32; 2], tint: Tint) {
        let corners = [[ax, ay], [bx, ay], [bx, by], [ax, by]];
        for k in 0..4 {
            self.line([corners[k], corners[(k + 1) % 4]], 1.0, tint);
        }
    }

    pub(crate) fn line(&mut self, ends: [[f32; 2]; 2], thickness: f32, tint: Tint) {
        let half_width = f64::from(thickness * self.scale) / 2.0 + 0.5;
        let Some([from, to]) = self.clip(ends, half_width + 1.0) else { return };
        let direction = [to[0] - from[0], to[1] - from[1]];
        let square =
            (direction[0] * direction[0] + direction[1] * direction[1]).max(f64::MIN_POSITIVE);
        let (top, bottom) = (from[1].min(to[1]), from[1].max(to[1]));
        for row in self.clip_rows(top - half_width, bottom + half_width) {
            let y = row as f64 + 0.5 - from[1];
            let near = [(y - half_width) / direction[1], (y + half_width) / direction[1]];
            let [first, last] = [near[0].min(near[1]), near[0].max(near[1])]
                .map(|along| from[0] + direction[0] * along.clamp(0.0, 1.0));
            for column in
                self.clip_columns(first.min(last) - half_width, first.max(last) + half_width)
            {
                let x = column as f64 + 0.5 - from[0];
                let along = ((x * direction[0] + y * direction[1]) / square).clamp(0.0, 1.0);
                let distance = length([x - direction[0] * along, y - direction[1] * along]);
                self.cover(row, column, half_width - distance, tint);
            }
        }
    }

    pub(crate) fn arrow(&mut self, [from, to]: [[f32; 2]; 2], thickness: f32, tint: Tint) {
        /// Extent of each barb along and across the shaft, as fractions of the arrowhead's size.
        const HEAD: [f32; 2] = [0.86, 0.5];
        let direction = [to[0] - from[0], to[1] - from[1]];
        let length = length(direction.map(f64::from)) as f32;
        let size = (3.5 * thickness * self.scale).min(length * 0.4) / length.max(f32::MIN_POSITIVE);
        let [back, aside] = HEAD.map(|share| share * size);
        self.line([from, to], thickness, tint);
        for aside in [aside, -aside] {
            let x = to[0] - back * direction[0] - aside * direction[1];
            let y = to[1] - back * direction[1] + aside * direction[0];
            self.line([to, [x, y]], thickness, tint);
        }
    }

    fn round(&mut self, center: [f32; 2], edges: [f32; 2], tint: Tint) {
        let ([center_x, center_y], [inner, outer]) = (center.map(f64::from), edges.map(f64::from));
        if ![center_x, center_y, inner, outer].into_iter().all(f64::is_finite) {
            return;
        }
        let half_chord = |radius: f64, y: f64| (radius * radius - y * y).max(0.0).sqrt();
        for row in self.clip_rows(center_y - outer - 0.5, center_y + outer + 0.5) {
            let y = row as f64 + 0.5 - center_y;
            let half_width = half_chord(outer + 0.5, y);
            let gap = half_chord((inner - 1.5).max(0.0), y);
            let all = self.clip_columns(center_x - half_width, center_x + half_width);
            let hole = self.clip_columns(center_x - gap, center_x + gap);
            let hole = if gap > 1.0 { hole } else { all.end..all.end };
            for column in
                (all.start..hole.start.min(all.end)).chain(hole.end.max(all.start)..all.end)
            {
                let distance = length([column as f64 + 0.5 - center_x, y]);
                let inside = (outer - distance).min(distance - inner);
                self.cover(row, column, inside + 0.5, tint);
            }
        }
    }

    fn cover(&mut self, row: usize, column: usize, share: f64, tint: Tint) {
        if share > 0.0 {
            let pixel = &mut self.pixels[(row - self.first_row) * self.width + column];
            let share = share.min(1.0) as f32 * tint.opacity;
            *pixel = blend(*pixel, tint.color.map(f32::from), share);
        }
    }

    fn clip_rows(&self, top: f64, bottom: f64) -> Range<usize> {
        let rows = self.rows();
        // Casts saturate and turn NaN into 0.
        (top as usize).max(rows.start)..((bottom + 1.0) as usize).min(rows.end)
    }

    fn clip_columns(&self, left: f64, right: f64) -> Range<usize> {
        left as usize..((right + 1.0) as usize).min(self.width)
    }

    /// Clips a line to the canvas's area, extended by `margin` pixels on every side.
    fn clip(&self, ends: [[f32; 2]; 2], margin: f64) -> Option<[[f64; 2]; 2]> {
        let [from, to] = ends.map(|end| end.map(f64::from));
        let rows = self.rows();
        let low = [-margin, rows.start as f64 - margin];
        let high = [self.width as f64 + margin, rows.end as f64 + margin];
        let (mut start, mut end) = (0.0_f64, 1.0_f64);
        for axis in 0..2 {
            // A line parallel to the two edges has infinite `bounds`. They keep the line if it lies
            // between the edges and drop it otherwise.
            let direction = to[axis] - from[axis];
            let bounds = [low, high].map(|edge| (edge[axis] - from[axis]) / direction);
            start = start.max(bounds[0].min(bounds[1]));
            end = end.min(bounds[0].max(bounds[1]));
        }
        let at = |along: f64| [0, 1].map(|axis| from[axis] + (to[axis] - from[axis]) * along);
        let finite = from.into_iter().chain(to).all(f64::is_finite);
        (finite && start <= end).then(|| [at(start), at(end)])
    }
}

/// Unlike `hypot`, returns the same length on every machine, and is several times faster. `hypot`
/// guards against overflow, which `f32` input cannot cause here.
pub(crate) fn length([x, y]: [f64; 2]) -> f64 {
    (x * x + y * y).sqrt()
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
    /// 100, in CIE76 color difference (ΔE); a difference of 2.3 is just noticeable.
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

    const SIDE: usize = 40;
    const WHITE: Tint = Tint::new([255; 3]);

    fn picture(rows: usize, draw: impl Fn(&mut Canvas<'_>)) -> Vec<Pixel> {
        let mut pixels = vec![BACKGROUND; SIDE * SIDE];
        for (k, strip) in pixels.chunks_mut(SIDE * rows).enumerate() {
            let first_row = k * rows;
            draw(&mut Canvas { first_row, ..Canvas::new(SIDE, strip) });
        }
        pixels
    }

    fn lit(pixels: &[Pixel], x: usize, y: usize) -> bool {
        pixels[y * SIDE + x] != BACKGROUND
    }

    #[test]
    fn a_disk_is_filled_and_a_ring_is_hollow() {
        let disk = picture(SIDE, |canvas| canvas.disk([20.0, 20.0], 10.0, WHITE));
        let ring = picture(SIDE, |canvas| canvas.ring([20.0, 20.0], 10.0, 1.0, WHITE));
        for (x, y) in [(10, 20), (29, 20), (20, 10), (20, 29)] {
            assert!(lit(&disk, x, y) && lit(&ring, x, y), "{x} {y}");
        }
        assert!(lit(&disk, 20, 20) && !lit(&ring, 20, 20));
        assert!(!lit(&disk, 8, 20) && !lit(&disk, 28, 28));
        let area = disk.iter().map(|pixel| (f64::from(pixel[0]) - 11.0) / 244.0).sum::<f64>();
        assert!((area - 314.16).abs() < 3.0, "{area}");
    }

    #[test]
    fn a_line_covers_the_pixels_near_it() {
        for ends in
            [[[5.0, 8.0], [35.0, 30.0]], [[8.0, 35.0], [9.0, 5.0]], [[3.0, 9.5], [30.0, 9.5]]]
        {
            let pixels = picture(SIDE, |canvas| canvas.line(ends, 2.0, WHITE));
            let [from, to] = ends;
            let length = (to[0] - from[0]).hypot(to[1] - from[1]);
            for (at, pixel) in pixels.iter().enumerate() {
                let (x, y) =
                    ((at % SIDE) as f32 + 0.5 - from[0], (at / SIDE) as f32 + 0.5 - from[1]);
                let (dx, dy) = ((to[0] - from[0]) / length, (to[1] - from[1]) / length);
                let along = (x * dx + y * dy).clamp(0.0, length);
                let distance = (x - dx * along).hypot(y - dy * along);
                assert!((distance < 1.45) <= (*pixel != BACKGROUND), "{ends:?} at {at}");
                assert!((distance > 1.55) <= (*pixel == BACKGROUND), "{ends:?} at {at}");
            }
        }
    }

    #[test]
    fn strips_make_the_same_picture() {
        let draw = |canvas: &mut Canvas<'_>| {
            canvas.disk([12.0, 14.0], 9.0, WHITE.faint(0.5));
            canvas.ring([25.0, 22.0], 11.0, 2.0, WHITE);
            canvas.arrow([[2.0, 3.0], [36.0, 31.0]], 2.0, WHITE);
        };
        assert!(picture(SIDE, draw) == picture(7, draw));
    }

    #[test]
    fn huge_shapes_are_clipped() {
        let far = 1.0e12;
        let pixels = picture(SIDE, |canvas| canvas.line([[-far, 20.5], [far, 20.5]], 1.0, WHITE));
        assert!((0..SIDE).all(|x| lit(&pixels, x, 20) && !lit(&pixels, x, 10)));
        let pixels = picture(SIDE, |canvas| canvas.disk([far, 20.0], far, WHITE));
        assert!((1..SIDE).all(|x| lit(&pixels, x, 20)));
        let pixels = picture(SIDE, |canvas| canvas.ring([20.5, 20.0 - 1.0e7], 1.0e7, 1.0, WHITE));
        assert!((0..SIDE).all(|x| !lit(&pixels, x, 10) && !lit(&pixels, x, 30)));
    }

    #[test]
    fn any_coordinates_can_be_drawn() {
        let hostile = [f32::NAN, f32::INFINITY, f32::MIN, f32::MAX, -1.0e9, 0.0, 17.0, 1.0e-40];
        let values = || hostile.into_iter();
        let places = || values().flat_map(|x| values().map(move |y| [x, y]));
        for from in places() {
            picture(SIDE, |canvas| {
                values().for_each(|radius| canvas.disk(from, radius, WHITE));
            });
            picture(SIDE, |canvas| {
                values().for_each(|radius| canvas.ring(from, radius, 1.0, WHITE));
            });
            picture(SIDE, |canvas| {
                places().for_each(|to| canvas.arrow([from, to], 1.0, WHITE));
            });
        }
        let nowhere = picture(SIDE, |canvas| {
            canvas.line([[f32::NAN, 3.0], [9.0, 9.0]], 1.0, WHITE);
            canvas.disk([f32::INFINITY, 3.0], f32::INFINITY, WHITE);
        });
        assert!(nowhere.iter().all(|pixel| *pixel == BACKGROUND));
    }
}
