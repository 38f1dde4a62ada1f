//! Draws a crowd into pixels.
//!
//! Small agents are counted into pixels: each adds one to its pixel's count and its heading
//! to the pixel's sum, all in one integer, so that threads may add in any order and the
//! picture is the same. A pixel then shows its agents' mean heading as color and their
//! number as brightness. Large agents are drawn as marks, in `marks.rs`.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use flockwork::{Simulation, Topology};
use rayon::prelude::*;

use crate::camera::Camera;
use crate::canvas::Canvas;
use crate::marks;
use crate::palette::{BACKGROUND, FRAME, Palette, REPETITION, blend};

/// Agents whose bounding radius is at least this many pixels are drawn as marks.
const SMALLEST_MARK: f32 = 2.0;
/// How much of a pixel one agent covers.
const COVERAGE: f32 = 0.62;
/// Agents per unit of parallel work.
const GRAIN: usize = 4_096;

/// Working memory for drawing, kept between frames.
pub(crate) struct Painter {
    palette: Palette,
    /// Per pixel: count (16 bits), Σ hx and Σ hy (24 bits each, headings from 0 to 255).
    sums: Vec<AtomicU64>,
}

/// Further agents on the same pixel would change nothing that can be seen; well below 2¹⁶, so
/// that threads that look at the same time cannot carry the count into overflow.
const MOST_PER_PIXEL: u64 = 60_000;

/// One agent's contribution to its pixel.
fn contribution(hx: f32, hy: f32) -> u64 {
    let part = |h: f32| u64::from(((h + 1.0) * 127.5 + 0.5) as u8);
    1 << 48 | part(hx) << 24 | part(hy)
}

/// Count and mean heading of a pixel's sums.
fn mean(sums: u64) -> (f32, f32, f32) {
    let count = (sums >> 48) as f32;
    let part = |sum: u64| (sum & 0xFF_FFFF) as f32 / (count * 127.5) - 1.0;
    (count, part(sums >> 24), part(sums))
}

impl Painter {
    pub(crate) fn new() -> Self {
        Self { palette: Palette::new(), sums: Vec::new() }
    }

    /// Draws the whole picture.
    pub(crate) fn paint(
        &mut self,
        simulation: &Simulation,
        camera: &Camera,
        canvas: &mut Canvas<'_>,
    ) {
        canvas.clear();
        let world = simulation.world_size();
        let images = images(simulation, camera);
        let radius =
            simulation.scene().species.iter().map(|s| s.radius_range()[1]).fold(0.0, f32::max);
        if radius * camera.zoom >= SMALLEST_MARK {
            marks::draw(simulation, camera, &images, &self.palette, canvas);
        } else {
            self.draw_points(simulation, camera, &images, canvas);
        }
        if simulation.topology() != Topology::Open {
            let (from, to) = (camera.to_screen([0.0, world[1]]), camera.to_screen([world[0], 0.0]));
            canvas.outline(from, to, FRAME);
        }
    }

    fn draw_points(
        &mut self,
        simulation: &Simulation,
        camera: &Camera,
        images: &[[f32; 2]],
        canvas: &mut Canvas<'_>,
    ) {
        let (agents, world) = (simulation.agents(), simulation.world_size());
        let (width, height) = (canvas.width, canvas.height());
        self.sums.resize_with(width * height, AtomicU64::default);
        let sums = &self.sums;
        let count_in = |columns: [&[f32]; 4]| {
            let [x, y, hx, hy] = columns;
            // The crowd is in cell order, row by row: most images of a part are out of sight.
            let (low, high) = extent(y);
            for image in images {
                let [left, top] = camera.to_screen(*image);
                if top - low * camera.zoom < 0.0 || top - high * camera.zoom > height as f32 {
                    continue;
                }
                for ((&x, &y), (&hx, &hy)) in x.iter().zip(y).zip(hx.iter().zip(hy)) {
                    let (px, py) = (left + x * camera.zoom, top - y * camera.zoom);
                    // False for NaN as well.
                    if px >= 0.0 && py >= 0.0 && px < width as f32 && py < height as f32 {
                        let sum = &sums[py as usize * width + px as usize];
                        if sum.load(Relaxed) >> 48 < MOST_PER_PIXEL {
                            sum.fetch_add(contribution(hx, hy), Relaxed);
                        }
                    }
                }
            }
        };
        let parts = agents.x.par_chunks(GRAIN).zip(agents.y.par_chunks(GRAIN));
        let headings = agents.hx.par_chunks(GRAIN).zip(agents.hy.par_chunks(GRAIN));
        parts.zip(headings).for_each(|((x, y), (hx, hy))| count_in([x, y, hx, hy]));

        let palette = &self.palette;
        let [columns_of_world, rows_of_world] = world_on_screen(camera, world);
        let rows = canvas.pixels.par_chunks_mut(width).zip(self.sums.par_chunks_mut(width));
        rows.enumerate().for_each(|(y, (pixels, sums))| {
            let in_rows = rows_of_world.contains(&(y as f32));
            for (x, (pixel, sum)) in pixels.iter_mut().zip(sums).enumerate() {
                let sum = std::mem::take(sum.get_mut());
                if sum != 0 {
                    let (count, hx, hy) = mean(sum);
                    let itself = in_rows && columns_of_world.contains(&(x as f32));
                    let share = covered(count) * if itself { 1.0 } else { REPETITION };
                    *pixel = blend(BACKGROUND, palette.heading(hx, hy), share);
                }
            }
        });
    }
}

/// How much of a pixel is covered by `count` agents that each cover [`COVERAGE`] of it.
fn covered(count: f32) -> f32 {
    1.0 - (1.0 - COVERAGE).powf(count)
}

/// Where the world's origin is drawn: on a torus also the repetitions that the picture shows.
fn images(simulation: &Simulation, camera: &Camera) -> Vec<[f32; 2]> {
    /// More repetitions than this say nothing new and cost a pass over the crowd each.
    const MOST: f32 = 2.0;
    let [width, height] = simulation.world_size();
    if simulation.topology() != Topology::Torus {
        return vec![[0.0, 0.0]];
    }
    let (low, high) =
        (camera.to_world([0.0, camera.size[1]]), camera.to_world([camera.size[0], 0.0]));
    let range = |low: f32, high: f32, size: f32| {
        let from = (low / size).floor().clamp(-MOST, MOST) as i32;
        let to = (high / size).floor().clamp(-MOST, MOST) as i32;
        from..=to
    };
    let (across, up) = (range(low[0], high[0], width), range(low[1], high[1], height));
    up.flat_map(|v| across.clone().map(move |u| [u as f32 * width, v as f32 * height])).collect()
}

/// The part of the picture that shows the world itself: columns and rows of pixels.
fn world_on_screen(camera: &Camera, world: [f32; 2]) -> [Range<f32>; 2] {
    let [left, top] = camera.to_screen([0.0, world[1]]);
    let [right, bottom] = camera.to_screen([world[0], 0.0]);
    [left.floor()..right, top.floor()..bottom]
}

/// The smallest and largest value.
fn extent(values: &[f32]) -> (f32, f32) {
    values.iter().fold((f32::MAX, f32::MIN), |(low, high), &value| {
        (if value < low { value } else { low }, if value > high { value } else { high })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use flockwork::{Scene, Species, World};

    fn picture(simulation: &Simulation, camera: &Camera) -> Vec<crate::palette::Pixel> {
        let (width, height) = (camera.size[0] as usize, camera.size[1] as usize);
        let mut pixels = vec![[0; 4]; width * height];
        Painter::new().paint(simulation, camera, &mut Canvas::new(width, &mut pixels));
        pixels
    }

    fn crowd(agents: usize) -> Simulation {
        let species = Species { radius: 0.5.into(), ..Species::new("dot", agents) };
        Scene::new(World::bounded(200.0, 100.0)).species(species).build().unwrap()
    }

    #[test]
    fn an_agent_lights_the_pixel_it_stands_on() {
        let mut one = crowd(0);
        one.spawn("dot", [150.0, 75.0], [1.0, 0.0]).unwrap();
        let camera = Camera { center: [100.0, 50.0], zoom: 1.0, size: [220.0, 120.0] };
        let pixels = picture(&one, &camera);
        let [x, y] = camera.to_screen([150.0, 75.0]).map(|value| value as usize);
        assert_ne!(pixels[y * 220 + x], BACKGROUND);
        let lit = pixels.iter().filter(|pixel| **pixel != BACKGROUND && **pixel != FRAME).count();
        assert_eq!(lit, 1);
    }

    #[test]
    fn a_large_agent_is_a_mark_that_points_where_it_heads() {
        let mut one = crowd(0);
        one.spawn("dot", [100.0, 50.0], [1.0, 0.0]).unwrap();
        let camera = Camera { center: [100.0, 50.0], zoom: 20.0, size: [100.0, 100.0] };
        let pixels = picture(&one, &camera);
        let lit = |x: usize, y: usize| pixels[y * 100 + x] != BACKGROUND;
        assert!(lit(50, 50) && lit(64, 50), "center and tip");
        assert!(!lit(36, 50) && !lit(50, 30) && !lit(50, 70), "behind and beside");
    }

    #[test]
    fn the_picture_does_not_depend_on_threads() {
        let many = crowd(50_000);
        let camera = Camera::fit([200.0, 100.0], (320, 200));
        let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let [one, three] = [1, 3].map(|threads| pool(threads).install(|| picture(&many, &camera)));
        assert!(one == three);
    }

    #[test]
    fn marks_and_points_draw_at_every_zoom_and_place() {
        let many = crowd(500);
        let mut camera = Camera::fit([200.0, 100.0], (64, 48));
        for factor in [1.0, 8.0, 50.0, 1.0e6, 1.0e-9] {
            camera.zoom_at([3.0, 5.0], factor);
            assert_eq!(picture(&many, &camera).len(), 64 * 48);
        }
        camera.center = [f32::NAN, 1.0e30];
        picture(&many, &camera);
    }

    #[test]
    fn sums_of_a_full_pixel_stay_apart() {
        let full = (0..MOST_PER_PIXEL).map(|_| contribution(1.0, -1.0)).sum();
        let (count, hx, hy) = mean(full);
        assert_eq!(count, MOST_PER_PIXEL as f32);
        assert!((hx - 1.0).abs() < 1.0e-3 && (hy + 1.0).abs() < 1.0e-3);
    }
}
