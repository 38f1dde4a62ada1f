//! Fading trails. Each agent lights the line along which it has moved since the previous picture,
//! so trails are continuous at any frame rate.
//!
//! Light adds up with distance, not with time: an agent at rest leaves no trail.

use rayon::prelude::*;

use super::super::camera::Camera;
use super::super::culling::VisibleCrowd;
use super::super::projection::Projection;
use super::super::view::View;
use super::points::{Fade, Light, Motion};
use super::tone::Tone;
use crate::raster::Canvas;

/// Natural logarithm of 16: trails last until one sixteenth of their light is left.
const DECAY: f32 = 2.772_589;
const OPACITY: f32 = 0.5;
/// Maximum distance between consecutive points of a trail, in pixels, unless that would take more
/// than `MAX_POINTS` points per agent and picture.
const SPACING: f32 = 0.7;
const MAX_POINTS: f32 = 64.0;
/// Minimum of [`Tone::bright`] for trails: the weight of one trail midway between two pixel rows.
const SINGLE: f32 = 0.5;
/// Light below this fraction of the brightest light is dropped.
const FAINT: f32 = 1.0 / 64.0;

#[derive(Default)]
pub(crate) struct Trails {
    light: Light,
    tone: Tone,
    before: Option<Before>,
}

struct Before {
    camera: Camera,
    crowd: u32,
    step: u64,
    /// Agent positions in the picture, indexed by [`AgentId`](flockwork::AgentId) index.
    places: Vec<[f32; 3]>,
    projection: Projection,
}

impl Trails {
    pub(crate) fn draw(&mut self, seen: &VisibleCrowd<'_>, canvas: &mut Canvas<'_>) {
        let VisibleCrowd { view, camera, .. } = seen;
        let seconds = view.look.trails;
        if seconds <= 0.0 {
            *self = Self::default();
            return;
        }
        let fits = |before: &Before| {
            before.camera == **camera
                && before.projection == view.projection
                && before.crowd == view.crowd
                && before.step <= view.step
        };
        let Some(before) = self.before.take().filter(fits) else {
            *self = Self { before: Some(Before::of(view, camera)), ..Self::default() };
            return;
        };
        let displacements = before.displacements(view);
        let pixels_moved = |slot: usize| {
            let [x, y] = [displacements[0][slot], displacements[1][slot]];
            (x * x + y * y).sqrt() * camera.zoom
        };
        let longest = (0..view.x.len()).into_par_iter().map(pixels_moved).reduce(|| 0.0, f32::max);
        let points = (longest / SPACING).ceil().clamp(1.0, MAX_POINTS);
        let passed = (view.step - before.step) as f32 / view.steps_per_second;
        let fade = Fade { kept: kept(passed, seconds), faint: FAINT * self.tone.bright };
        let motion = Motion { displacements: &displacements, points: points as usize, longest };
        let light = |slot| pixels_moved(slot) / points * view.light(slot);
        self.light.gather(seen, light, fade, Some(motion), canvas);
        self.tone = Tone::of_trails(&self.light.0, SINGLE, OPACITY);
        self.light.show(self.tone, canvas);
        self.before = Some(Before::of(view, camera));
    }
}

impl Before {
    fn of(view: &View, camera: &Camera) -> Self {
        let agents = view.index.iter().max().map_or(0, |&last| last as usize + 1);
        let mut places = vec![[f32::NAN; 3]; agents];
        for (slot, &index) in view.index.iter().enumerate() {
            places[index as usize] = view.place(slot);
        }
        let View { crowd, step, projection, .. } = *view;
        Self { camera: *camera, crowd, step, places, projection }
    }

    /// Displacement of each agent since the previous picture, along x and y. Zero for new agents.
    fn displacements(&self, view: &View) -> [Vec<f32>; 2] {
        let displacement = |(slot, &index): (usize, &u32)| {
            let before = self.places.get(index as usize).copied().unwrap_or([f32::NAN; 3]);
            let after = view.place(slot);
            let mut moved = [0, 1, 2].map(|k| after[k] - before[k]);
            if view.is_torus {
                moved = view.minimum_image(moved);
            }
            // The displacement is NaN for new agents and for agents behind an obstacle.
            if moved[0].is_finite() { (moved[0], moved[1]) } else { (0.0, 0.0) }
        };
        view.index.par_iter().enumerate().map(displacement).unzip::<_, _, Vec<_>, Vec<_>>().into()
    }
}

/// Returns the fraction of light left after `passed` seconds. Approximates an exponential using
/// only basic arithmetic, so that the result is the same on every machine.
fn kept(passed: f32, seconds: f32) -> f32 {
    let eighth = 1.0 / (1.0 + DECAY * passed / seconds / 8.0);
    let fourth = eighth * eighth;
    let half = fourth * fourth;
    half * half
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::projection::Angle;
    use crate::picture::view::{Chunk, Look};
    use crate::raster::{BACKGROUND, Pixel};
    use flockwork::{InSpace, Scene, Species, Vector, World};

    const WORLD: [f32; 2] = [100.0, 20.0];
    const CAMERA: Camera = Camera::new([50.0, 10.0], 1.0, WORLD);

    fn draw(trails: &mut Trails, step: u64, at: [f32; 2], camera: &Camera) -> Vec<Pixel> {
        draw_crowd(trails, 0, step, at, camera)
    }

    fn draw_crowd(
        trails: &mut Trails,
        crowd: u32,
        step: u64,
        at: [f32; 2],
        camera: &Camera,
    ) -> Vec<Pixel> {
        let view = View {
            look: Look { trails: 1.0, ..Look::default() },
            crowd,
            step,
            steps_per_second: 60.0,
            world: WORLD,
            is_torus: true,
            x: vec![at[0]],
            y: vec![at[1]],
            hx: vec![1.0],
            hy: vec![0.0],
            index: vec![0],
            chunks: vec![Chunk { slots: 0..1, low: at, high: at }],
            ..View::default()
        };
        let seen = VisibleCrowd::new(&view, camera, &[*camera], 4.0);
        let mut pixels = vec![BACKGROUND; (WORLD[0] * WORLD[1]) as usize];
        trails.draw(&seen, &mut Canvas::new(WORLD[0] as usize, &mut pixels));
        pixels
    }

    fn red(pixels: &[Pixel], x: usize, y: usize) -> u8 {
        pixels[y * WORLD[0] as usize + x][0]
    }

    /// Regression: below ten frames per second, trails were rows of hard-edged dots.
    #[test]
    fn a_trail_is_a_smooth_line_however_far_the_agent_has_come() {
        let mut trails = Trails::default();
        draw(&mut trails, 0, [10.0, 10.0], &CAMERA);
        let pixels = draw(&mut trails, 6, [50.0, 10.0], &CAMERA);
        let middle: Vec<u8> = (12..48).map(|x| red(&pixels, x, 10)).collect();
        let (least, most) = (middle.iter().min().unwrap(), middle.iter().max().unwrap());
        assert!(*least > 100 && most - least < 6, "{middle:?}");
        for x in 12..48 {
            assert!(red(&pixels, x, 9).abs_diff(red(&pixels, x, 10)) < 6);
            assert!(red(&pixels, x, 8) < red(&pixels, x, 9) && red(&pixels, x, 6) == BACKGROUND[0]);
        }
        assert!(red(&pixels, 60, 10) == BACKGROUND[0] && red(&pixels, 5, 10) == BACKGROUND[0]);
    }

    #[test]
    fn trails_fade_and_agents_at_rest_leave_none() {
        let mut trails = Trails::default();
        draw(&mut trails, 0, [10.0, 10.5], &CAMERA);
        let first = red(&draw(&mut trails, 6, [30.0, 10.5], &CAMERA), 20, 9);
        let later = draw(&mut trails, 36, [60.0, 10.5], &CAMERA);
        assert!(BACKGROUND[0] < red(&later, 20, 9) && red(&later, 20, 9) < first);
        let at_rest = draw(&mut trails, 600, [60.0, 10.5], &CAMERA);
        assert!(at_rest.iter().all(|pixel| *pixel == BACKGROUND));
        let again = draw(&mut trails, 600, [60.0, 10.5], &CAMERA);
        assert!(again == at_rest, "a picture of the same step is the same");
    }

    #[test]
    fn in_a_turned_torus_an_agent_that_crosses_a_seam_draws_no_trail_through_the_world() {
        let scene = Scene::new(World::torus(100.0, 80.0).depth(60.0)).species(Species::new("a", 0));
        let mut crowd = scene.build().unwrap();
        let id = crowd.spawn("a", [50.0, 40.0, 58.0], [0.0, 0.0, 1.0]).unwrap();
        let mut view = View::default();
        let mut trails = Trails::default();
        let mut drawn = |z: f32, step: u64| {
            crowd.set(InSpace(Vector::Position), id, [50.0, 40.0, z]).unwrap();
            let angle = Angle { yaw: 20.0, pitch: 40.0 };
            view.update(&crowd, Look { angle, trails: 1.0, ..Look::default() });
            view.step = step;
            let camera = Camera::new([50.0, 40.0], 1.0, [120.0, 120.0]);
            let seen = VisibleCrowd::new(&view, &camera, &[camera], 4.0);
            let mut pixels = vec![BACKGROUND; 120 * 120];
            trails.draw(&seen, &mut Canvas::new(120, &mut pixels));
            pixels.iter().filter(|pixel| **pixel != BACKGROUND).count()
        };
        drawn(58.0, 0);
        let across = drawn(2.0, 6);
        assert!((3..40).contains(&across), "{across} pixels");
        assert!(drawn(30.0, 12) > across + 30, "but a longer trail inside the world");
    }

    #[test]
    fn trails_cross_the_seam_and_begin_anew_with_another_camera_or_an_earlier_step() {
        let mut trails = Trails::default();
        draw(&mut trails, 0, [95.0, 10.5], &CAMERA);
        let pixels = draw(&mut trails, 6, [5.0, 10.5], &CAMERA);
        assert!((10..90).all(|x| red(&pixels, x, 9) == BACKGROUND[0]), "not across the world");
        assert!(red(&pixels, 2, 9) > 100);
        let zoomed = Camera::new([50.0, 10.0], 2.0, WORLD);
        for (step, camera) in [(12, &zoomed), (0, &CAMERA)] {
            let pixels = draw(&mut trails, step, [30.0, 10.5], camera);
            assert!(pixels.iter().all(|pixel| *pixel == BACKGROUND), "{step}");
        }
    }

    /// Regression: after a restart or a return to a kept state, trails led from the old crowd to the
    /// new one.
    #[test]
    fn trails_begin_anew_with_another_crowd() {
        let mut trails = Trails::default();
        draw_crowd(&mut trails, 1, 0, [10.0, 10.5], &CAMERA);
        let pixels = draw_crowd(&mut trails, 2, 6, [50.0, 10.5], &CAMERA);
        assert!(pixels.iter().all(|pixel| *pixel == BACKGROUND));
    }
}
