//! Crowds of agents smaller than pixels, as a flow: the hue is the direction in which agents around
//! a place move together, the saturation how much they agree, the brightness how many they are.
//!
//! The sums are taken at half the size. Bands of rows are summed by one thread each, in the crowd's
//! order, so the picture does not depend on the number of threads.

use flockwork::internal::accelerated;
use rayon::prelude::*;
use wide::{f32x4, i16x8, i32x4, u8x16, u16x8};

use super::super::camera::Camera;
use super::super::culling::VisibleChunk;
use super::super::view::View;
use super::exposure::Exposure;
use super::half::{HalfPicture, MAX, ROWS, Texel};
use super::places::{Places, Squares};
use crate::raster::canvas::Canvas;
use crate::raster::palette::{Palette, Pixel};

/// Half-size rows per band.
const BAND: usize = 12;
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
/// Of these, a thread takes at least this many at a time.
const SAMPLES_PER_TASK: usize = 2_048;
/// Agents per half-size pixel that hide half of the background.
const HALF_HIDDEN: f32 = 0.2;
/// Agents per half-size pixel that count as none.
const FEWEST: f32 = 1.0e-3;

#[derive(Default)]
pub(crate) struct Flow {
    /// Sums of heading x, heading y and number, blurred.
    sums: Vec<f32x4>,
    /// The same, blurred only across.
    blurred_across: Vec<f32x4>,
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
        self.blurred_across.resize(self.half.texels.len(), f32x4::ZERO);

        let bands = self.blurred_across.par_chunks_mut(columns * BAND).enumerate();
        bands.for_each_init(Vec::new, |sums, (band, blurred)| {
            sums.clear();
            sums.resize(blurred.len(), f32x4::ZERO);
            accelerated(
                #[inline(always)]
                || {
                    add(crowd, band * BAND, columns, sums);
                    let rows = sums.chunks(columns).zip(blurred.chunks_mut(columns));
                    rows.for_each(|(sums, blurred)| blur_across(sums, blurred));
                },
            );
        });
        blur_down(&self.blurred_across, &mut self.sums, columns);

        let typical = (4.0 * crowd.exposure.typical).max(f32::MIN_POSITIVE);
        let gain = gain(&self.sums, typical);
        let rows = self.half.texels.par_chunks_mut(columns).zip(self.sums.par_chunks(columns));
        rows.with_min_len(ROWS).for_each(|(texels, sums)| {
            accelerated(
                #[inline(always)]
                || color(texels, sums, typical, gain, opacity, palette),
            );
        });
        self.half.mix_into(canvas, cover);
    }
}

/// Adds the agents that fall on a band of half-size rows.
#[inline(always)]
fn add(crowd: &Crowd<'_>, first_row: usize, columns: usize, sums: &mut [f32x4]) {
    let (view, camera) = (crowd.view, crowd.camera);
    let end = [columns, sums.len() / columns].map(|length| length as f32);
    let rows = 2.0 * first_row as f32..2.0 * (first_row as f32 + end[1]);
    let every_species = !crowd.species.contains(&false);
    let mut places = Places::new();
    for chunk in crowd.visible.iter().filter(|chunk| chunk.overlaps_rows(&rows, 0.0)) {
        let [left, top] = camera.to_screen(chunk.image).map(|at| at / 2.0);
        let squares = Squares {
            origin: [left, top - first_row as f32],
            scale: camera.zoom / 2.0,
            first: 0.0,
            end,
            stride: columns,
        };
        let slots = chunk.slots.clone();
        let [x, y, hx, hy] =
            [&view.x, &view.y, &view.hx, &view.hy].map(|column| &column[slots.clone()]);
        places.find(x, y, &squares);
        let share = chunk.opacity();
        for (k, square) in places.squares(slots.len()).enumerate() {
            if let Some(square) = square
                && (every_species || crowd.species[view.kind(slots.start + k)])
            {
                sums[square] += f32x4::new([hx[k], hy[k], 1.0, 0.0]) * share;
            }
        }
    }
}

/// Blurs down the columns with the weights 1, 4, 6, 4, 1.
fn blur_down(from: &[f32x4], to: &mut [f32x4], columns: usize) {
    let last = from.len() / columns;
    to.par_chunks_mut(columns).enumerate().with_min_len(ROWS).for_each(|(y, to)| {
        let row = |away: isize| {
            let y = (y as isize + away).clamp(0, last as isize - 1) as usize;
            &from[y * columns..][..columns]
        };
        let five = [-2, -1, 0, 1, 2].map(row);
        accelerated(
            #[inline(always)]
            || {
                for (k, to) in to.iter_mut().enumerate() {
                    *to = mean([five[0][k], five[1][k], five[2][k], five[3][k], five[4][k]]);
                }
            },
        );
    });
}

/// The same across a row.
#[inline(always)]
fn blur_across(from: &[f32x4], to: &mut [f32x4]) {
    let columns = from.len();
    let at = |k: isize| from[k.clamp(0, columns as isize - 1) as usize];
    let inner = 2..columns.saturating_sub(2).max(2);
    for k in (0..columns.min(2)).chain(inner.end.min(columns)..columns) {
        to[k] = mean([-2, -1, 0, 1, 2].map(|away| at(k as isize + away)));
    }
    for (to, from) in to.iter_mut().skip(2).zip(from.windows(5)) {
        *to = mean([from[0], from[1], from[2], from[3], from[4]]);
    }
}

#[inline(always)]
fn mean([a, b, c, d, e]: [f32x4; 5]) -> f32x4 {
    (a + e + (b + d) * 4.0 + c * 6.0) * (1.0 / 16.0)
}

/// Colors a row of places.
#[inline(always)]
fn color(
    texels: &mut [Texel],
    sums: &[f32x4],
    typical: f32,
    gain: f32,
    opacity: f32,
    palette: &Palette,
) {
    // In blocks, so that what needs no table compiles to SIMD instructions.
    const BLOCK: usize = 64;
    let mut places = [Place::default(); BLOCK];
    let sums: &[[f32; 4]] = bytemuck::must_cast_slice(sums);
    for (texels, sums) in texels.chunks_mut(BLOCK).zip(sums.chunks(BLOCK)) {
        for (place, sum) in places.iter_mut().zip(sums) {
            *place = Place::of(*sum, typical);
        }
        for (texel, place) in texels.iter_mut().zip(&places) {
            *texel = place.color(gain, opacity, palette);
        }
    }
}

/// What the agents around a place have in common.
#[derive(Clone, Copy, Default)]
struct Place {
    /// Their mean heading, longer than it is where they agree.
    heading: [f32; 2],
    brightness: f32,
    /// How much of the background they hide. Zero without agents.
    covered: f32,
}

impl Place {
    #[inline(always)]
    fn of([x, y, agents, _]: [f32; 4], typical: f32) -> Self {
        let covered = if agents < FEWEST { 0.0 } else { agents / (agents + HALF_HIDDEN) };
        let agents = agents.max(FEWEST);
        let (x, y) = (x / agents, y / agents);
        let order = (x * x + y * y).sqrt().max(f32::MIN_POSITIVE);
        let agreed = ((order - ORDER[0]) / (ORDER[1] - ORDER[0])).clamp(0.0, 1.0);
        let saturation = agreed / order;
        let lightness = (TYPICAL + PER_DOUBLING * log2(agents / typical)).clamp(0.05, 1.2);
        Self {
            heading: [x * saturation, y * saturation],
            brightness: lightness * (DISORDERED + (1.0 - DISORDERED) * agreed),
            covered,
        }
    }

    /// Red, green and blue, as far as they cover what is below, and how far.
    #[inline(always)]
    fn color(&self, gain: f32, opacity: f32, palette: &Palette) -> Texel {
        let covered = opacity * self.covered;
        let light = (self.brightness * gain).min(1.0) * covered * 16.0;
        let color = palette.heading_between(self.heading[0], self.heading[1]);
        let shown = color.fast_max(f32x4::ZERO).fast_min(f32x4::splat(255.0))
            * f32x4::new([light, light, light, f32::from(MAX) * covered]);
        let whole = shown.fast_trunc_int();
        let [texel, _]: [Texel; 2] =
            bytemuck::must_cast(i16x8::from_i32x8_saturate(bytemuck::must_cast([
                whole,
                i32x4::ZERO,
            ])));
        texel
    }
}

/// The factor that exposes a picture: one fifth of the area with agents is bright, unless hardly
/// any agree.
fn gain(sums: &[f32x4], typical: f32) -> f32 {
    const BINS: usize = 128;
    let count = |mut counts: [u32; BINS], sum: &f32x4| {
        let place = Place::of(sum.to_array(), typical);
        if place.covered > 0.0 {
            counts[((place.brightness * BINS as f32) as usize).min(BINS - 1)] += 1;
        }
        counts
    };
    let sampled = sums.par_iter().step_by(SAMPLED).with_min_len(SAMPLES_PER_TASK);
    let add = |a: [u32; BINS], b: [u32; BINS]| std::array::from_fn(|bin| a[bin] + b[bin]);
    let counts = sampled.fold(|| [0; BINS], count).reduce(|| [0; BINS], add);
    let bright = counts.iter().sum::<u32>() / 5;
    let mut above = 0;
    let limit = (0..BINS).rev().find(|&bin| {
        above += counts[bin];
        above > bright
    });
    let limit = limit.map_or(BRIGHT, |bin| (bin as f32 + 0.5) / BINS as f32);
    (BRIGHT / limit).clamp(GAINS[0], GAINS[1])
}

/// Covers pixels, two per vector.
#[inline(always)]
fn cover(pixels: &mut [Pixel], flow: &[Texel]) {
    let (twos, last) = pixels.as_chunks_mut::<2>();
    let (flow_of_twos, _) = flow.as_chunks::<2>();
    for (pixels, flow) in twos.iter_mut().zip(flow_of_twos) {
        *pixels = covered(*pixels, *flow);
    }
    if let [pixel] = last {
        [*pixel, _] = covered([*pixel; 2], [flow[2 * twos.len()]; 2]);
    }
}

#[inline(always)]
fn covered(pixels: [Pixel; 2], flow: [Texel; 2]) -> [Pixel; 2] {
    // What is kept of each channel, in 256ths. All of alpha.
    let kept = flow.map(|[.., covered]| {
        let kept = 256 - covered - (covered >> 7);
        [kept, kept, kept, 256]
    });
    let kept: u16x8 = bytemuck::must_cast(kept);
    let below = u16x8::new(bytemuck::must_cast::<_, [u8; 8]>(pixels).map(u16::from));
    let colors: u16x8 =
        bytemuck::must_cast(flow.map(|[red, green, blue, _]| [red, green, blue, 0]));
    let sum: i16x8 = bytemuck::must_cast(((below * kept) >> 8) + colors);
    // Clipped to the range of a channel.
    let [pixels, _]: [[Pixel; 2]; 2] = bytemuck::must_cast(u8x16::narrow_i16x8(sum, sum));
    pixels
}

/// The binary logarithm of a positive number, to a hundredth. The same on every machine, unlike the
/// library's.
#[inline(always)]
fn log2(value: f32) -> f32 {
    let bits = value.to_bits();
    let exponent = (bits >> 23) as f32 - 127.0;
    let mantissa = f32::from_bits(bits & 0x007f_ffff | 0x3f80_0000) - 1.0;
    exponent + mantissa * (1.339 - 0.339 * mantissa)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::view::{CHUNK_SIZE, Chunk};
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
        let chunk = |first: usize| Chunk {
            slots: first..view.x.len().min(first + CHUNK_SIZE),
            low: [0.0; 2],
            high: [40.0, 20.0],
        };
        view.chunks = (0..view.x.len()).step_by(CHUNK_SIZE).map(chunk).collect();
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
