//! A copy of a crowd for the painter, so that the next step can run while the copy is drawn.

use std::ops::Range;

use clap::ValueEnum;
use flockwork::inspect::Cells;
use flockwork::internal::memory;
use flockwork::{Simulation, Species, SpeciesValue, Topology};
use rayon::prelude::*;
use wide::f32x8;

use super::camera::Camera;
use super::explanation::Explained;
use super::projection::{Angle, Projection};
use super::roles::{Role, roles};
use super::scenery::Scenery;
use crate::raster::{self, WeightedColor, weighted};

pub(crate) const CHUNK_SIZE: usize = 256;
const CHUNKS_PER_TASK: usize = 64;

/// Light of the farthest agent, relative to the nearest.
const FARTHEST_LIGHT: f32 = 0.3;
/// Size of the farthest and of the nearest agent, relative to an agent of a flat world.
const SIZES: [f32; 2] = [0.7, MAX_SIZE];
pub(crate) const MAX_SIZE: f32 = 1.4;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorBy {
    /// Heading: a hue for each direction
    #[default]
    Heading,
    /// Speed, as a share of the species' largest max speed
    Speed,
    /// Species
    Species,
}

impl ColorBy {
    pub(crate) const ALL: [(&str, Self); 3] =
        [("heading", Self::Heading), ("speed", Self::Speed), ("species", Self::Species)];
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Look {
    pub(crate) color_by: ColorBy,
    /// Direction from which a world with depth is seen.
    pub(crate) angle: Angle,
    /// Length of trails in simulated seconds; 0 for no trails.
    pub(crate) trails: f32,
    /// True if the grid's cells are drawn.
    pub(crate) grid: bool,
}

#[derive(Default)]
pub(crate) struct View {
    pub(crate) look: Look,
    /// A number that changes when another crowd or state replaces this one. Set by the session.
    pub(crate) crowd: u32,
    pub(crate) step: u64,
    pub(crate) steps_per_second: f32,
    pub(crate) world: [f32; 2],
    pub(crate) projection: Projection,
    pub(crate) is_torus: bool,
    pub(crate) depth: Option<f32>,
    pub(crate) framed: bool,
    /// Largest bounding radius of each species, in world units.
    pub(crate) radii: Vec<f32>,
    pub(crate) x: Vec<f32>,
    pub(crate) y: Vec<f32>,
    /// Positions along the line of sight, toward the viewer. Empty unless the projection is turned.
    /// If it is turned, `x`, `y` and `z` are picture coordinates, and `x` is NaN behind an
    /// obstacle.
    pub(crate) z: Vec<f32>,
    /// Headings, smoothed if the scene asks for smoothing. Unit vectors in a flat world.
    pub(crate) hx: Vec<f32>,
    pub(crate) hy: Vec<f32>,
    pub(crate) index: Vec<u32>,
    /// Each agent's speed divided by its species' top speed. Empty unless colors show speed.
    pub(crate) speeds: Vec<f32>,
    pub(crate) species: Vec<u8>,
    /// Consecutive agents with their bounding box. After the first step, the crowd is in cell
    /// order, so each chunk covers a small area and can be culled when zoomed in.
    pub(crate) chunks: Vec<Chunk>,
    pub(crate) scenery: Scenery,
    pub(crate) cells: Vec<Cells>,
    pub(crate) roles: Vec<Role>,
    pub(crate) explained: Vec<Explained>,
}

pub(crate) struct Chunk {
    pub(crate) slots: Range<usize>,
    pub(crate) low: [f32; 2],
    pub(crate) high: [f32; 2],
}

/// Bytes per agent for two frames and the trails' displacements, with the column `z`.
const BYTES_PER_AGENT: u64 = 78;
/// Bytes per pixel for the picture, its light and trails, and the encoder's buffers.
const BYTES_PER_PIXEL: u64 = 48;

/// Fails unless there is enough memory to step the crowd and draw pictures of `pixels` pixels.
pub(crate) fn check_memory(simulation: &Simulation, pixels: u64) -> Result<(), flockwork::Error> {
    let drawn = BYTES_PER_AGENT * simulation.len() as u64 + BYTES_PER_PIXEL * pixels;
    memory::check(simulation.estimated_bytes() / 2 + drawn)
}

impl View {
    #[cfg(test)]
    pub(crate) fn of(simulation: &Simulation, color_by: ColorBy) -> Self {
        let mut view = Self::default();
        view.update(simulation, Look { color_by, ..Look::default() });
        view
    }

    pub(crate) fn update(&mut self, simulation: &Simulation, look: Look) {
        self.look = look;
        self.step = simulation.tick();
        self.steps_per_second = simulation.scene().steps_per_second;
        self.world = simulation.world_size();
        self.projection = Projection::of(simulation, look.angle);
        self.depth = simulation.world().depth;
        self.is_torus = simulation.world().topology == Topology::Torus;
        self.framed = simulation.world().topology != Topology::Open;
        self.scenery = Scenery::of(simulation, self.projection);
        self.radii.clear();
        self.radii.extend(simulation.scene().species.iter().map(|kind| kind.radius_range()[1]));

        self.copy_agents(simulation);
        let agents = simulation.agents();
        copy(agents.index, &mut self.index);
        copy(agents.species, &mut self.species);
        self.speeds.clear();
        if look.color_by == ColorBy::Speed {
            let fastest = |kind: &Species| match kind.max_speed {
                SpeciesValue::Shared(speed) | SpeciesValue::Between([_, speed]) => speed,
            };
            let fastest: Vec<f32> = simulation.scene().species.iter().map(fastest).collect();
            for (slot, [vx, vy, vz]) in agents.velocities().enumerate() {
                let speed = (vx * vx + vy * vy + vz * vz).sqrt();
                self.speeds.push(speed / fastest[self.kind(slot)]);
            }
        }
        self.cells = if look.grid { simulation.grid_cells() } else { Vec::new() };

        let mut counts = vec![0; self.radii.len()];
        match &mut counts[..] {
            [only] => *only = self.x.len(),
            several => self.species.iter().for_each(|&kind| several[usize::from(kind)] += 1),
        }
        self.roles = roles(&counts);
    }

    /// Copies positions and headings, as seen in the picture, and computes each chunk's bounds while
    /// its positions are still in cache.
    fn copy_agents(&mut self, simulation: &Simulation) {
        let agents = simulation.agents();
        let smooths = simulation.scene().heading_samples.is_some();
        let Self { x, y, z, hx, hy, projection, scenery, .. } = self;
        for column in [&mut *x, y, hx, hy] {
            column.resize(agents.x.len(), 0.0);
        }
        z.resize(if projection.is_turned() { agents.x.len() } else { 0 }, 0.0);
        let places = x.par_chunks_mut(CHUNK_SIZE).zip(y.par_chunks_mut(CHUNK_SIZE));
        let headings = hx.par_chunks_mut(CHUNK_SIZE).zip(hy.par_chunks_mut(CHUNK_SIZE));
        let without_depth = (0..headings.len() - z.len().div_ceil(CHUNK_SIZE)).into_par_iter();
        let depths =
            z.par_chunks_mut(CHUNK_SIZE).chain(without_depth.map(|_| <&mut [f32]>::default()));
        let all = places.zip(depths).zip(headings).enumerate();
        let chunks = all.map(|(number, (((x, y), z), (hx, hy)))| {
            let first = number * CHUNK_SIZE;
            let slots = first..first + x.len();
            x.copy_from_slice(&agents.x[slots.clone()]);
            y.copy_from_slice(&agents.y[slots.clone()]);
            hx.copy_from_slice(&agents.hx[slots.clone()]);
            hy.copy_from_slice(&agents.hy[slots.clone()]);
            // Opposite headings have no mean direction, so the agent keeps its latest heading.
            if !z.is_empty() {
                for (k, slot) in slots.clone().enumerate() {
                    [x[k], y[k], z[k]] = projection.place([x[k], y[k], agents.z[slot]]);
                    let own = [hx[k], hy[k], agents.hz[slot]];
                    let smoothed = smooths.then(|| agents.smoothed_heading(slot)).flatten();
                    let heading = smoothed.and_then(normalized).unwrap_or(own);
                    [hx[k], hy[k], _] = projection.direction(heading);
                }
            } else if smooths {
                for (k, slot) in slots.clone().enumerate() {
                    let flat = agents.smoothed_heading(slot).map(|[x, y, _]| [x, y, 0.0]);
                    [hx[k], hy[k], _] = flat.and_then(normalized).unwrap_or([hx[k], hy[k], 0.0]);
                }
            }
            let ((left, right), (bottom, top)) = (extent(x), extent(y));
            let (low, high) = ([left, bottom], [right, top]);
            if !z.is_empty() {
                scenery.hide_agents([low, high], [x, y, z]);
            }
            Chunk { slots, low, high }
        });
        self.chunks = chunks.with_min_len(CHUNKS_PER_TASK).collect();
    }

    /// True on a torus that is seen from straight above.
    pub(crate) fn repeats(&self) -> bool {
        self.is_torus && !self.projection.is_turned()
    }

    /// Returns an agent's position in the coordinates of the picture.
    #[inline(always)]
    pub(crate) fn place(&self, slot: usize) -> [f32; 3] {
        [self.x[slot], self.y[slot], self.z.get(slot).copied().unwrap_or(0.0)]
    }

    /// Shortens a displacement in the picture to that of the nearest periodic image.
    pub(crate) fn minimum_image(&self, displacement: [f32; 3]) -> [f32; 3] {
        let moved = self.projection.direction_in_world(displacement);
        let sides = [self.world[0], self.world[1], self.depth.unwrap_or(f32::MAX)];
        let moved = [0, 1, 2].map(|k| moved[k] - sides[k] * (moved[k] / sides[k]).round());
        self.projection.direction(moved)
    }

    /// Light of an agent's mark, which fades with the distance from the viewer; 1 in a flat world.
    #[inline(always)]
    pub(crate) fn light(&self, slot: usize) -> f32 {
        let faded = |&z| FARTHEST_LIGHT + (1.0 - FARTHEST_LIGHT) * self.projection.nearness(z);
        self.z.get(slot).map_or(1.0, faded)
    }

    /// Factor for the size of an agent's mark, at most [`MAX_SIZE`]; 1 in a flat world.
    #[inline(always)]
    pub(crate) fn size(&self, slot: usize) -> f32 {
        let [far, near] = SIZES;
        self.z.get(slot).map_or(1.0, |&z| far + (near - far) * self.projection.nearness(z))
    }

    /// Returns a camera that shows the whole world. A torus fills the picture, because its images
    /// continue past its edges. Any other world gets a border.
    pub(crate) fn fit(&self, size: (u32, u32)) -> Camera {
        let extent = self.projection.extent().unwrap_or(self.world);
        let mut camera = Camera::fit(extent, if self.repeats() { 1.0 } else { 0.98 }, size);
        camera.center = self.world.map(|side| side / 2.0);
        camera
    }

    /// Returns a camera for the world and one for each periodic image in the picture. Only a torus
    /// has periodic images.
    pub(crate) fn cameras(&self, camera: &Camera) -> Vec<Camera> {
        /// Maximum distance of a periodic image from the image at the camera's center, in world
        /// sizes. Images farther away show nothing new, and each image costs a pass over the crowd.
        const MAX_IMAGES: f32 = 2.0;
        /// Limits the camera's center, so that image numbers fit in an `i32`.
        const MAX_CENTER: f32 = 1.0e9;
        if !self.repeats() {
            return vec![*camera];
        }
        let [width, height] = camera.size;
        let (low, high) = (camera.to_world([0.0, height]), camera.to_world([width, 0.0]));
        let range = |k: usize| {
            let number = |at: f32| (at / self.world[k]).floor();
            let center = number(camera.center[k]).clamp(-MAX_CENTER, MAX_CENTER);
            let [from, to] = [low[k], high[k]]
                .map(|end| number(end).clamp(center - MAX_IMAGES, center + MAX_IMAGES) as i32);
            from..=to
        };
        let image = |v, u| camera.at_image([u as f32 * self.world[0], v as f32 * self.world[1]]);
        range(1).flat_map(|v| range(0).map(move |u| image(v, u))).collect()
    }

    /// Fills `to` with agents' colors. Computing them is faster than reading them from memory.
    #[inline(always)]
    pub(crate) fn colors(&self, slots: Range<usize>, to: &mut [WeightedColor]) {
        // No closures: they would be compiled without the features of `accelerated`.
        match self.look.color_by {
            ColorBy::Heading => {
                let headings = self.hx[slots.clone()].iter().zip(&self.hy[slots]);
                for (to, (&x, &y)) in to.iter_mut().zip(headings) {
                    *to = raster::heading(x, y);
                }
            }
            ColorBy::Speed => {
                for (to, &speed) in to.iter_mut().zip(&self.speeds[slots]) {
                    *to = weighted(raster::share(speed));
                }
            }
            ColorBy::Species => {
                for (to, slot) in to.iter_mut().zip(slots) {
                    *to = weighted(raster::species(self.kind(slot)));
                }
            }
        }
    }

    #[inline(always)]
    pub(crate) fn kind(&self, slot: usize) -> usize {
        self.species.get(slot).map_or(0, |&kind| usize::from(kind))
    }
}

fn copy<T: Copy + Default + Send + Sync>(from: &[T], to: &mut Vec<T>) {
    const PER_TASK: usize = CHUNKS_PER_TASK * CHUNK_SIZE;
    to.resize(from.len(), T::default());
    let pieces = to.par_chunks_mut(PER_TASK).zip(from.par_chunks(PER_TASK));
    pieces.for_each(|(to, from)| to.copy_from_slice(from));
}

fn normalized([x, y, z]: [f32; 3]) -> Option<[f32; 3]> {
    let length = (x * x + y * y + z * z).sqrt();
    (length > 0.0).then(|| [x / length, y / length, z / length])
}

fn extent(values: &[f32]) -> (f32, f32) {
    // Uses SIMD: with a single running minimum, each comparison would wait for the one before it.
    let (batches, rest) = values.as_chunks();
    let (mut low, mut high) = (f32x8::splat(f32::MAX), f32x8::splat(f32::MIN));
    for batch in batches {
        let batch = f32x8::new(*batch);
        (low, high) = (low.min(batch), high.max(batch));
    }
    let low = low.to_array().iter().chain(rest).copied().fold(f32::MAX, f32::min);
    let high = high.to_array().iter().chain(rest).copied().fold(f32::MIN, f32::max);
    (low, high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agents_point_along_smoothed_headings_while_the_scene_smooths() {
        let mut crowd = flockwork::Scene::named("big-shoal").unwrap().build().unwrap();
        crowd.run(20).unwrap();
        let mut view = View::of(&crowd, ColorBy::Heading);
        assert_ne!(view.hx, crowd.agents().hx, "this scene smooths headings");
        for slot in 0..crowd.len() {
            let [x, y, _] = crowd.agents().smoothed_heading(slot).unwrap();
            let (hx, hy) = (view.hx[slot], view.hy[slot]);
            assert!((hx.hypot(hy) - 1.0).abs() < 1.0e-6 && (hx * y - hy * x).abs() < 1.0e-6);
            assert!(hx * x + hy * y > 0.0);
        }
        crowd.edit(|scene| scene.heading_samples = None).unwrap();
        view.update(&crowd, Look::default());
        assert_eq!(view.hx, crowd.agents().hx);
    }

    /// Regression: a torus vanished where the camera was three worlds away.
    #[test]
    fn a_torus_repeats_however_far_away_the_camera_is() {
        let crowd = flockwork::Scene::named("flock").unwrap().build().unwrap();
        let view = View::of(&crowd, ColorBy::Heading);
        let camera = view.fit((640, 480));
        let near = view.cameras(&camera);
        for [u, v] in [[3.0, -4.0], [-1000.0, 8.0]] {
            let far = camera.at_image([u * view.world[0], v * view.world[1]]);
            let far = view.cameras(&far);
            assert_eq!(far.len(), near.len());
            for (far, near) in far.iter().zip(&near) {
                assert!((0..2).all(|k| (far.center[k] - near.center[k]).abs() < 0.1), "{u} {v}");
            }
        }
        let farthest = camera.at_image([f32::MAX, f32::MIN]);
        assert!(view.cameras(&farthest).len() <= 25);
    }

    #[test]
    fn chunks_hold_every_agent_once_and_inside_their_box() {
        let mut crowd = flockwork::Scene::named("stress").unwrap().agents(5_000).build().unwrap();
        let mut view = View::of(&crowd, ColorBy::Heading);
        crowd.step().unwrap();
        view.update(&crowd, Look { color_by: ColorBy::Speed, ..Look::default() });
        assert_eq!(view.x, crowd.agents().x);
        assert!(view.speeds.len() == 5_000 && view.speeds.iter().all(|&share| share <= 1.001));
        let slots: Vec<usize> = view.chunks.iter().flat_map(|chunk| chunk.slots.clone()).collect();
        assert_eq!(slots, (0..5_000).collect::<Vec<_>>());
        for chunk in &view.chunks {
            for slot in chunk.slots.clone() {
                let (x, y) = (view.x[slot], view.y[slot]);
                assert!((chunk.low[0]..=chunk.high[0]).contains(&x));
                assert!((chunk.low[1]..=chunk.high[1]).contains(&y));
            }
        }
    }
}
