//! Crowds of agents smaller than pixels, as a flow: the hue is the direction in which agents around
//! a place move together, the saturation how much they agree, the brightness how many they are.
//!
//! The sums are taken at half the size. Bands of rows are summed by one thread each, in the crowd's
//! order, so the picture does not depend on the number of threads.

use rayon::prelude::*;
use wide::f32x4;

use super::super::camera::Camera;
use super::super::culling::VisibleChunk;
use super::super::view::View;
use super::exposure::Exposure;
use super::half::{HalfPicture, MAX, Texel};
use crate::raster::canvas::Canvas;
use crate::raster::palette::{Palette, Pixel};

/// Half-size rows per band.
const BAND: usize = 12;
/// Rows that a thread takes at a time.
const ROWS: usize = 16;
/// Order that agents without a common direction have by chance, and order that counts as full.
const ORDER: [f32; 2] = [0.15, 0.8];
/// Lightness at the density of the typical agent, and how much lighter each doubling is.
const TYPICAL: f32 = 0.8;
const PER_DOUBLING: f32 = 0.16;
/// Brightness without order, as a share of that with order.
const DISORDERED: f32 = 0.3;
/// What counts as bright, and how much pictures are brightened or darkened for it.
const BRIGHT: f32 = 0.49;
const GAINS: [f32; 2] = [0.6, 1.5];
/// One in this many places is looked at to find out.
const SAMPLED: usize = 13;
/// Agents per half-size pixel that hide half of the background.
const HALF_HIDDEN: f32 = 0.2;

#[derive(Default)]
pub(crate) struct Flow {
    /// Sums of heading x, heading y and number.
    sums: Vec<f32x4>,
    spare: Vec<f32x4>,
    half: HalfPicture,
}

/// What a flow is drawn of.
pub(crate) struct Crowd<'a> {
    pub(crate) view: &'a View,
    pub(crate) camera: &'a Camera,
    pub(crate) visible: &'a [VisibleChunk],
    /// Which species are part of it.
    pub(crate) species: &'a [bool],
    pub(crate) exposure: &'a Exposure,
}

impl Flow {
    /// Draws a crowd with an opacity.
    pub(crate) fn draw(
        &mut self,
        crowd: &Crowd<'_>,
        opacity: f32,
        palette: &Palette,
        canvas: &mut Canvas<'_>,
    ) {
        let (width, height) = (canvas.width, canvas.height());
        self.half.resize(width, height);
        let columns = width.div_ceil(2);
        self.sums.resize(self.half.texels.len(), f32x4::ZERO);
        self.spare.resize(self.half.texels.len(), f32x4::ZERO);

        let bands = self.sums.par_chunks_mut(columns * BAND).enumerate();
        bands.for_each(|(band, sums)| add(crowd, band * BAND, columns, sums));
        blur(&mut self.sums, &mut self.spare, columns);

        let typical = (4.0 * crowd.exposure.typical).max(f32::MIN_POSITIVE);
        let gain = gain(&self.sums, typical);
        let texels = self.half.texels.par_iter_mut().zip(&self.sums).with_min_len(ROWS * columns);
        texels.for_each(|(texel, sum)| {
            *texel = Place::of(*sum, typical)
                .map_or([0; 4], |place| place.color(gain, opacity, palette));
        });

        let half = &self.half;
        let rows = canvas.pixels.par_chunks_mut(width).enumerate().with_min_len(ROWS);
        rows.for_each_init(
            || half.row(),
            |row, (y, pixels)| {
                let flow = half.enlarge(y, row);
                pixels.iter_mut().zip(flow).for_each(|(pixel, flow)| cover(pixel, *flow));
            },
        );
    }
}

/// Sums the agents that fall on a band of half-size rows.
fn add(crowd: &Crowd<'_>, first_row: usize, columns: usize, sums: &mut [f32x4]) {
    sums.fill(f32x4::ZERO);
    let (view, camera) = (crowd.view, crowd.camera);
    let end = [columns as f32, (sums.len() / columns) as f32];
    let rows = 2.0 * first_row as f32..2.0 * (first_row as f32 + end[1]);
    let scale = camera.zoom / 2.0;
    for chunk in crowd.visible.iter().filter(|chunk| chunk.overlaps_rows(&rows, 0.0)) {
        let [left, top] = camera.to_screen(chunk.image).map(|at| at / 2.0);
        let (top, share) = (top - first_row as f32, chunk.opacity());
        for slot in chunk.slots.clone() {
            let (x, y) = (left + view.x[slot] * scale, top - view.y[slot] * scale);
            // False for NaN as well.
            if x >= 0.0 && x < end[0] && y >= 0.0 && y < end[1] && crowd.species[view.kind(slot)] {
                let one = f32x4::new([view.hx[slot], view.hy[slot], 1.0, 0.0]);
                sums[y as usize * columns + x as usize] += one * share;
            }
        }
    }
}

/// Blurs with the weights 1, 4, 6, 4, 1 across and down.
fn blur(sums: &mut [f32x4], spare: &mut [f32x4], columns: usize) {
    let mean = |[a, b, c, d, e]: [f32x4; 5]| (a + e + (b + d) * 4.0 + c * 6.0) * (1.0 / 16.0);
    let rows = spare.par_chunks_mut(columns).zip(sums.par_chunks(columns)).with_min_len(ROWS);
    rows.for_each(|(to, from)| {
        let at = |k: isize| from[k.clamp(0, columns as isize - 1) as usize];
        let inner = 2..columns.saturating_sub(2).max(2);
        for k in (0..columns).filter(|k| !inner.contains(k)) {
            to[k] = mean([-2, -1, 0, 1, 2].map(|away| at(k as isize + away)));
        }
        for (to, from) in to.iter_mut().skip(2).zip(from.windows(5)) {
            *to = mean([from[0], from[1], from[2], from[3], from[4]]);
        }
    });
    let (spare, last) = (&*spare, spare.len() / columns);
    sums.par_chunks_mut(columns).enumerate().with_min_len(ROWS).for_each(|(y, to)| {
        let row = |away: isize| {
            let y = (y as isize + away).clamp(0, last as isize - 1) as usize;
            &spare[y * columns..][..columns]
        };
        let [a, b, c, d, e] = [-2, -1, 0, 1, 2].map(row);
        for (k, to) in to.iter_mut().enumerate() {
            *to = mean([a[k], b[k], c[k], d[k], e[k]]);
        }
    });
}

/// What the agents around a place have in common.
struct Place {
    /// Their mean heading, longer than it is where they agree.
    heading: [f32; 2],
    brightness: f32,
    /// How much of the background they hide.
    covered: f32,
}

impl Place {
    /// `None` without agents.
    fn of(sum: f32x4, typical: f32) -> Option<Self> {
        let [x, y, agents, _] = sum.to_array();
        if agents < 1.0e-3 {
            return None;
        }
        let (x, y) = (x / agents, y / agents);
        let order = (x * x + y * y).sqrt().max(f32::MIN_POSITIVE);
        let agreed = ((order - ORDER[0]) / (ORDER[1] - ORDER[0])).clamp(0.0, 1.0);
        let saturation = agreed / order;
        let lightness = (TYPICAL + PER_DOUBLING * log2(agents / typical)).clamp(0.05, 1.2);
        Some(Self {
            heading: [x * saturation, y * saturation],
            brightness: lightness * (DISORDERED + (1.0 - DISORDERED) * agreed),
            covered: agents / (agents + HALF_HIDDEN),
        })
    }

    /// Red, green and blue, as far as they cover what is below, and how far.
    fn color(&self, gain: f32, opacity: f32, palette: &Palette) -> Texel {
        let covered = opacity * self.covered;
        let light = (self.brightness * gain).min(1.0) * covered * 16.0;
        let color = palette.heading_between(self.heading[0], self.heading[1]);
        let channel = |k: usize| (color[k].clamp(0.0, 255.0) * light) as u16;
        [channel(0), channel(1), channel(2), (f32::from(MAX) * covered) as u16]
    }
}

/// The factor that exposes a picture: one fifth of the area with agents is bright, unless hardly
/// any agree.
fn gain(sums: &[f32x4], typical: f32) -> f32 {
    const BINS: usize = 128;
    let mut counts = [0_u32; BINS];
    for sum in sums.iter().step_by(SAMPLED) {
        if let Some(place) = Place::of(*sum, typical) {
            counts[((place.brightness * BINS as f32) as usize).min(BINS - 1)] += 1;
        }
    }
    let bright = counts.iter().sum::<u32>() / 5;
    let mut above = 0;
    let limit = (0..BINS).rev().find(|&bin| {
        above += counts[bin];
        above > bright
    });
    let limit = limit.map_or(BRIGHT, |bin| (bin as f32 + 0.5) / BINS as f32);
    (BRIGHT / limit).clamp(GAINS[0], GAINS[1])
}

fn cover(pixel: &mut Pixel, [red, green, blue, covered]: Texel) {
    for (channel, flow) in pixel[..3].iter_mut().zip([red, green, blue]) {
        let below = (u16::from(*channel) * (256 - covered - (covered >> 7))) >> 8;
        *channel = (below + flow).min(255) as u8;
    }
}

/// The binary logarithm of a positive number, to a hundredth. The same on every machine, unlike the
/// library's.
fn log2(value: f32) -> f32 {
    let bits = value.to_bits();
    let exponent = (bits >> 23) as f32 - 127.0;
    let mantissa = f32::from_bits(bits & 0x007f_ffff | 0x3f80_0000) - 1.0;
    exponent + mantissa * (1.339 - 0.339 * mantissa)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::view::Chunk;
    use crate::raster::palette::BACKGROUND;

    /// A picture of 40 by 20 with an even crowd on its left half.
    fn picture(headings: impl Fn(usize) -> [f32; 2], per_pixel: usize) -> Vec<Pixel> {
        let mut view = View { world: [40.0, 20.0], radii: vec![0.1], ..View::default() };
        for k in 0..20 * 20 * per_pixel {
            let [hx, hy] = headings(k);
            let (at, part) = (k / per_pixel, (k % per_pixel) as f32 / per_pixel as f32);
            view.x.push((at % 20) as f32 + part);
            view.y.push((at / 20) as f32 + 0.5);
            view.hx.push(hx);
            view.hy.push(hy);
        }
        view.chunks = vec![Chunk { slots: 0..view.x.len(), low: [0.0; 2], high: [40.0, 20.0] }];
        let camera = Camera::new([20.0, 10.0], 1.0, [40.0, 20.0]);
        let visible = VisibleChunk::cull(&view, &camera, &[[0.0; 2]], 0.0);
        let exposure = Exposure::of(&view, &camera, &visible);
        let crowd = Crowd {
            view: &view,
            camera: &camera,
            visible: &visible,
            species: &[true],
            exposure: &exposure,
        };
        let mut pixels = vec![BACKGROUND; 40 * 20];
        let mut canvas = Canvas::new(40, &mut pixels);
        Flow::default().draw(&crowd, 1.0, &Palette::new(), &mut canvas);
        pixels
    }

    fn brightness(pixel: Pixel) -> u32 {
        pixel[..3].iter().map(|&channel| u32::from(channel)).sum()
    }

    fn saturation(pixel: Pixel) -> u8 {
        let channels = || pixel[..3].iter().copied();
        channels().max().unwrap() - channels().min().unwrap()
    }

    #[test]
    fn flocks_are_colored_by_their_direction_and_disorder_is_quiet_and_gray() {
        let [right, left] = [1.0, -1.0].map(|hx| picture(|_| [hx, 0.0], 4)[10 * 40 + 8]);
        let disorder = picture(|k| [[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]][k % 4], 4);
        let quiet = disorder[10 * 40 + 8];
        assert!(saturation(right) > 40 && saturation(left) > 40, "{right:?} {left:?}");
        assert!(right[0] > right[2] && left[2] > left[0], "{right:?} {left:?}");
        assert!(saturation(quiet) < 12, "{quiet:?}");
        assert!(brightness(quiet) * 3 < brightness(right) * 2, "{quiet:?} {right:?}");
        assert_eq!(disorder[10 * 40 + 35], BACKGROUND);
    }

    #[test]
    fn the_logarithm_is_close() {
        for k in 1..2_000 {
            let value = k as f32 / 37.0;
            assert!((log2(value) - value.log2()).abs() < 0.01, "{value}");
        }
    }
}
