//! Crowds of agents smaller than pixels, as a flow: the hue is the direction in which agents around
//! a place move on the whole, the brightness how many they are, and how much they agree beside
//! others in the picture. So flocks light up, and before there are any the crowd is not gray.
//!
//! The sums are taken at half the size. Bands of rows are summed by one thread each, in the crowd's
//! order, so the picture does not depend on the number of threads.

use flockwork::internal::accelerated;
use rayon::prelude::*;
use wide::f32x4;

use super::super::culling::Seen;
use super::exposure::covered;
use super::half::{HalfPicture, ROWS};
use super::places::Grid;
use crate::raster::canvas::Canvas;
use crate::raster::palette::heading;

/// Half-size rows per band.
const BAND: usize = 12;
/// The light of an agent in a place without order, and of one with at least twice the mean order.
const LIGHT: [f32; 2] = [0.3, 2.9];
/// One in this many places is looked at to find the mean order.
const SAMPLED: usize = 61;
/// All but alpha.
const COLORS: f32x4 = f32x4::new([1.0, 1.0, 1.0, 0.0]);

#[derive(Default)]
pub(crate) struct Flow {
    /// Sums of heading x, heading y and number; then colors and how much they cover.
    half: HalfPicture,
}

impl Flow {
    /// Draws some species with an opacity; an agent covers an area, in pixels.
    pub(crate) fn draw(
        &mut self,
        seen: &Seen<'_>,
        species: &[bool],
        area: f32,
        opacity: f32,
        canvas: &mut Canvas<'_>,
    ) {
        let view = seen.view;
        let every_species = !species.contains(&false);
        self.half.start(canvas);
        let columns = self.half.columns;
        let bands = self.half.texels.par_chunks_mut(columns * BAND).enumerate();
        bands.for_each(|(band, sums)| {
            let rows = band * BAND..band * BAND + sums.len() / columns;
            let grid = Grid { side: 2.0, columns, rows, margin: 0 };
            accelerated(
                #[inline(always)]
                || {
                    grid.visit(
                        seen,
                        #[inline(always)]
                        |chunk, k, square, _| {
                            let slot = chunk.slots.start + k;
                            if every_species || species[view.kind(slot)] {
                                sums[square] +=
                                    f32x4::new([view.hx[slot], view.hy[slot], 1.0, 0.0]);
                            }
                        },
                    );
                },
            );
        });
        self.half.blur(1);
        self.half.blur(1);
        let samples = self.half.texels.iter().step_by(SAMPLED);
        let [together, agents] = samples.fold([0.0; 2], |[together, agents], sum| {
            let [x, y, here, _] = sum.to_array();
            [together + length(x, y), agents + here]
        });
        let mean_order = together / agents.max(f32::MIN_POSITIVE);
        self.half.texels.par_chunks_mut(columns * ROWS).for_each(|texels| {
            accelerated(
                #[inline(always)]
                || {
                    for texel in texels {
                        *texel = shade(*texel, mean_order, area, opacity);
                    }
                },
            );
        });
        self.half.mix_into(
            canvas,
            #[inline(always)]
            |below, flow| {
                std::array::from_fn(
                    #[inline(always)]
                    |k| {
                        let kept = 1.0 - COLORS * flow[k].as_array()[3];
                        below[k] * kept + flow[k] * COLORS
                    },
                )
            },
        );
    }
}

/// The color of a place from its sums, as far as it covers what is below, and how far.
#[inline(always)]
fn shade(sum: f32x4, mean_order: f32, area: f32, opacity: f32) -> f32x4 {
    let [x, y, agents, _] = sum.to_array();
    let together = length(x, y);
    let relative = together / (2.0 * mean_order * agents).max(f32::MIN_POSITIVE);
    let light = LIGHT[0] + (LIGHT[1] - LIGHT[0]) * relative.min(1.0);
    // An agent covers its area of the four pixels of a place.
    let covered = opacity * covered(agents * area * light / 4.0);
    let color = heading(x / together, y / together);
    color.fast_max(f32x4::ZERO).fast_min(f32x4::splat(255.0)) * covered
}

/// The length of a vector; hardly more than zero at least.
#[inline(always)]
fn length(x: f32, y: f32) -> f32 {
    (x * x + y * y).sqrt().max(f32::MIN_POSITIVE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::camera::Camera;
    use crate::picture::light::exposure::Exposure;
    use crate::picture::view::{CHUNK_SIZE, Chunk, View};
    use crate::raster::palette::{BACKGROUND, Pixel};

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
        let seen = Seen::new(&view, &camera, &[[0.0; 2]], 0.0);
        let area = Exposure::of(&seen).area;
        let mut pixels = vec![BACKGROUND; 40 * 20];
        let mut canvas = Canvas::new(40, &mut pixels);
        Flow::default().draw(&seen, &[true], area, 1.0, &mut canvas);
        pixels
    }

    fn saturation(pixel: Pixel) -> u8 {
        let channels = || pixel[..3].iter().copied();
        channels().max().unwrap() - channels().min().unwrap()
    }

    #[test]
    fn flocks_are_colored_by_their_direction() {
        let [right, left] = [1.0, -1.0].map(|hx| picture(|_| [hx, 0.0], 4)[10 * 40 + 8]);
        assert!(saturation(right) > 40 && saturation(left) > 40, "{right:?} {left:?}");
        assert!(right[0] > right[2] && left[2] > left[0], "{right:?} {left:?}");
        assert_eq!(picture(|_| [1.0, 0.0], 4)[10 * 40 + 35], BACKGROUND);
    }

    /// Millions of agents were gray before flocks formed: their hues averaged out.
    #[test]
    fn a_disordered_crowd_is_colorful() {
        let heading = |k: usize| {
            let mixed = (k as u32).wrapping_mul(0x9e37_79b1);
            let mixed = (mixed ^ (mixed >> 15)).wrapping_mul(0x85eb_ca77) >> 8;
            let (hy, hx) = (mixed as f32).sin_cos();
            [hx, hy]
        };
        let inner = |pixels: &[Pixel]| -> f32 {
            let places = (4..16).flat_map(|y| (4..16).map(move |x| y * 40 + x));
            let sum: f32 = places.map(|at| f32::from(saturation(pixels[at]))).sum();
            sum / 144.0
        };
        let disorder = inner(&picture(heading, 9));
        assert!(disorder > 40.0, "{disorder}");
    }
}
