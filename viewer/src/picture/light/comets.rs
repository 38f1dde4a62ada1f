//! Fading trails of all agents: what was lit stays lit for a while. Costs one pass over the pixels,
//! however many agents there are.

use rayon::prelude::*;

use super::super::camera::Camera;
use super::super::view::View;
use crate::raster::canvas::Canvas;
use crate::raster::palette::{Pixel, agents_share};

/// Light at the end of a trail's length, as a share of what it began with: one sixteenth. This is
/// the natural logarithm of 16.
const DECAY: f32 = 2.772_589;
/// Brightness of trails beside that of agents, in 256ths.
const STRENGTH: u32 = 200;
/// Pixels that a thread takes at a time.
const PIXELS: usize = 16_384;

/// The light of the last moments.
#[derive(Default)]
pub(crate) struct Comets {
    /// Red, green and blue of each pixel, each up to 255 times 255.
    light: Vec<[u16; 4]>,
    seen: Option<Seen>,
}

/// What the light is of. It stays where agents were while time passes and the camera pans.
struct Seen {
    camera: Camera,
    step: u64,
}

impl Comets {
    /// Draws trails of about this many simulated seconds into a picture, and adds its agents to
    /// them. Without a length there are none.
    pub(crate) fn draw(
        &mut self,
        view: &View,
        camera: &Camera,
        seconds: f32,
        canvas: &mut Canvas<'_>,
    ) {
        if seconds <= 0.0 {
            *self = Self::default();
            return;
        }
        let mut now = Seen { camera: *camera, step: view.step };
        let before = self.seen.take().filter(|before| {
            before.step <= now.step
                && before.camera.zoom == camera.zoom
                && before.camera.size == camera.size
                && self.light.len() == canvas.pixels.len()
        });
        let mut steps = 0;
        if let Some(before) = before {
            let moved = before.camera.to_screen(camera.center);
            let [right, down] = [0, 1].map(|k| (moved[k] - camera.size[k] / 2.0).round());
            // What is less than a pixel is left for later.
            now.camera = before.camera;
            now.camera.pan([-right, -down]);
            shift(&mut self.light, canvas.width, [right, down].map(|pixels| pixels as isize));
            steps = now.step - before.step;
        } else {
            self.light.clear();
            self.light.resize(canvas.pixels.len(), [0; 4]);
        }
        self.seen = Some(now);
        let passed = steps as f32 / view.steps_per_second;
        let kept = kept(passed, seconds);
        let pixels = canvas.pixels.par_chunks_mut(PIXELS).zip(self.light.par_chunks_mut(PIXELS));
        pixels.for_each(|(pixels, light)| {
            for (pixel, light) in pixels.iter_mut().zip(light) {
                fade(pixel, light, kept);
            }
        });
    }
}

/// Moves light to the left and up by these numbers of pixels.
fn shift(light: &mut Vec<[u16; 4]>, width: usize, [right, down]: [isize; 2]) {
    if right == 0 && down == 0 {
        return;
    }
    let before = std::mem::take(light);
    let (columns, rows) = (width as isize, (before.len() / width) as isize);
    light.extend((0..rows * columns).map(|at| {
        let (x, y) = ((at % columns).saturating_add(right), (at / columns).saturating_add(down));
        let inside = (0..columns).contains(&x) && (0..rows).contains(&y);
        if inside { before[(y * columns + x) as usize] } else { [0; 4] }
    }));
}

/// The share of light that is kept after a time, in 65,536ths. Of sums, products and quotients, so
/// it is the same on every machine.
fn kept(passed: f32, seconds: f32) -> u32 {
    let eighth = 1.0 / (1.0 + DECAY * passed / seconds / 8.0);
    let fourth = eighth * eighth;
    let half = fourth * fourth;
    (half * half * 65_536.0) as u32
}

fn fade(pixel: &mut Pixel, light: &mut [u16; 4], kept: u32) {
    let agents = u16::from(agents_share(*pixel));
    for k in 0..3 {
        let faded = ((u32::from(light[k]) * kept) >> 16) as u16;
        light[k] = faded.max(u16::from(pixel[k]) * agents);
        let shown = ((u32::from(light[k]) * STRENGTH) >> 16) as u8;
        pixel[k] = pixel[k].max(shown);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::raster::palette::{BACKGROUND, blend_light};

    const CAMERA: Camera = Camera::new([5.0, 5.0], 1.0, [10.0, 1.0]);

    /// A picture of ten pixels with an agent at one of them.
    fn draw(comets: &mut Comets, step: u64, agent: usize, camera: &Camera) -> Vec<u8> {
        let view = View { step, steps_per_second: 60.0, ..View::default() };
        let mut pixels = vec![BACKGROUND; 10];
        pixels[agent] = blend_light(BACKGROUND, [240.0; 3], 1.0);
        comets.draw(&view, camera, 1.0, &mut Canvas::new(10, &mut pixels));
        pixels.iter().map(|pixel| pixel[0]).collect()
    }

    #[test]
    fn agents_leave_light_that_fades() {
        let mut comets = Comets::default();
        for step in 0..4 {
            draw(&mut comets, step, step as usize, &CAMERA);
        }
        let row = draw(&mut comets, 4, 4, &CAMERA);
        assert_eq!(row[4], 240);
        assert!(row[..4].is_sorted() && row[0] > 100 && row[3] < 240, "{row:?}");
        assert!(row[5..].iter().all(|&red| red == BACKGROUND[0]));
        let later = draw(&mut comets, 64, 9, &CAMERA);
        assert!((10..25).contains(&later[4]), "a sixteenth is left: {later:?}");
        assert_eq!(
            draw(&mut comets, 64, 9, &CAMERA),
            later,
            "a picture of the same step is the same"
        );
    }

    #[test]
    fn trails_move_along_with_the_camera() {
        let mut comets = Comets::default();
        draw(&mut comets, 1, 4, &CAMERA);
        // Six tenths of a pixel count as one; two more change nothing.
        for (step, center) in [(2, 5.6), (3, 6.2)] {
            let row = draw(&mut comets, step, 9, &Camera::new([center, 5.0], 1.0, [10.0, 1.0]));
            assert!(row[3] > 100 && row[4] == BACKGROUND[0], "{row:?}");
        }
        let far = draw(&mut comets, 4, 9, &Camera::new([1.0e30, 5.0], 1.0, [10.0, 1.0]));
        assert!(far[..9].iter().all(|&red| red == BACKGROUND[0]), "{far:?}");
    }

    #[test]
    fn trails_end_where_the_camera_zooms_or_time_goes_back() {
        let zoomed = Camera::new([5.0, 5.0], 2.0, [10.0, 1.0]);
        for (step, camera) in [(1, &zoomed), (0, &CAMERA)] {
            let mut comets = Comets::default();
            draw(&mut comets, 1, 2, &CAMERA);
            let row = draw(&mut comets, step, 7, camera);
            assert_eq!(row[2], BACKGROUND[0], "{step}");
        }
    }
}
