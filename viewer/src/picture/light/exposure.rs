//! How densely the picture is filled, and how large and how bright marks are drawn for it: as much
//! of a picture is bright whether it shows a thousand agents or a million.

use super::super::camera::Camera;
use super::super::culling::VisibleChunk;
use super::super::roles::Role;
use super::super::view::View;

/// At most this many agents are counted: every second, third and so on of a larger crowd.
const MAX_SAMPLES: usize = 16_384;
/// Agents that are counted per cell, on average.
const MEAN_PER_CELL: f32 = 8.0;
/// Cells along each axis, at most.
const MAX_CELLS: f32 = 512.0;
/// The percentile of the density that pictures are exposed for: that of the typical agent.
const PERCENTILE: f32 = 0.5;

/// The share of a picture that marks cover, where agents themselves are smaller.
const COVERED: f32 = 0.15;
/// Area of a triangle in squared radii.
const TRIANGLE_AREA: f32 = 2.4;
/// Agents are enlarged up to this radius, in pixels.
pub(crate) const MAX_ENLARGED: f32 = 6.0;
/// Marks up to the first radius are points, from the second on triangles; in between one fades into
/// the other. In pixels.
const FADE: [f32; 2] = [1.0, 1.8];
/// Light of a point, at most.
const MAX_LIGHT: f32 = 4.0;
/// Light of a pixel at the density that the picture is exposed for.
const EXPOSED_LIGHT: f32 = 0.29;
/// Agents per pixel from which, and up to which, points fade into the flow view: about half a
/// million agents fill a window of 1280 by 720.
const FLOW_FADE: [f32; 2] = [0.4, 0.65];

/// How densely agents fill the picture, in agents per pixel.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Exposure {
    /// Around the typical agent.
    pub(crate) typical: f32,
    /// On average over the area with agents.
    pub(crate) mean: f32,
    /// On average over the picture.
    pub(crate) overall: f32,
}

impl Exposure {
    pub(crate) fn of(view: &View, camera: &Camera, visible: &[VisibleChunk]) -> Self {
        let agents: usize = visible.iter().map(|chunk| chunk.slots.len()).sum();
        let stride = agents.div_ceil(MAX_SAMPLES).max(1);
        let mut places = Vec::with_capacity(agents / stride + visible.len());
        let (mut low, mut high) = ([f32::MAX; 2], [f32::MIN; 2]);
        let mut skipped = 0;
        for chunk in visible {
            // Every so many agents, across chunks.
            for slot in chunk.slots.clone().skip(skipped).step_by(stride) {
                let place = chunk.place(camera, [view.x[slot], view.y[slot]]);
                // False for NaN as well.
                if (0..2).all(|k| place[k] >= 0.0 && place[k] < camera.size[k]) {
                    low = std::array::from_fn(|k| low[k].min(place[k]));
                    high = std::array::from_fn(|k| high[k].max(place[k]));
                    places.push(place);
                }
            }
            let length = chunk.slots.len();
            let taken = length.saturating_sub(skipped).div_ceil(stride) * stride;
            skipped = (skipped + taken).saturating_sub(length);
        }
        if places.is_empty() {
            return Self::default();
        }
        let count = places.len() as f32;
        let size: [f32; 2] = std::array::from_fn(|k| (high[k] - low[k]).max(1.0));
        let side = (MEAN_PER_CELL * size[0] * size[1] / count).sqrt();
        let [columns, rows] = size.map(|length| (length / side).clamp(1.0, MAX_CELLS) as usize);
        let per_pixel = [columns as f32 / size[0], rows as f32 / size[1]];
        let mut counts = vec![0_u32; columns * rows];
        for [x, y] in places {
            let column = (((x - low[0]) * per_pixel[0]) as usize).min(columns - 1);
            let row = (((y - low[1]) * per_pixel[1]) as usize).min(rows - 1);
            counts[row * columns + column] += 1;
        }
        let cells_per_pixel = per_pixel[0] * per_pixel[1] * stride as f32;
        Self {
            // An agent does not crowd itself.
            typical: (percentile(&counts, count) - 1.0).max(0.0) * cells_per_pixel,
            mean: stride as f32 * count / (size[0] * size[1]),
            overall: stride as f32 * count / (camera.size[0] * camera.size[1]),
        }
    }

    /// How the agents of a radius, in world units, and a role are drawn; `scale` is the display's.
    pub(crate) fn mark(&self, radius: f32, role: Role, camera: &Camera, scale: f32) -> Mark {
        let enlarged = (COVERED / (TRIANGLE_AREA * self.typical)).sqrt().min(MAX_ENLARGED * scale);
        let radius = (radius * camera.zoom).max(enlarged) * role.enlarged;
        let radius = radius.max(role.min_radius * scale);
        let triangle = smooth_step(FADE, radius);
        let area = TRIANGLE_AREA * radius * radius;
        let light = (EXPOSED_LIGHT / self.typical).min(MAX_LIGHT).max(area) * (1.0 - triangle);
        Mark { radius, triangle, light }
    }

    /// How much of a crowd of small agents is drawn as the flow view, from 0 to 1.
    pub(crate) fn flow(&self) -> f32 {
        // A few that stand in one place are no crowd.
        smooth_step(FLOW_FADE, self.mean.min(2.0 * self.overall))
    }
}

/// How a species is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Mark {
    /// In pixels.
    pub(crate) radius: f32,
    /// Opacity of its triangles.
    pub(crate) triangle: f32,
    /// Light of its points.
    pub(crate) light: f32,
}

/// The number of agents in the cell of the typical agent, interpolated so that it does not jump.
fn percentile(counts: &[u32], agents: f32) -> f32 {
    let largest = counts.iter().copied().max().unwrap_or(0) as usize;
    let mut agents_in = vec![0.0_f32; largest + 1];
    counts.iter().for_each(|&count| agents_in[count as usize] += count as f32);
    let wanted = PERCENTILE * agents;
    let mut below = 0.0;
    for (count, &inside) in agents_in.iter().enumerate() {
        if below + inside >= wanted && inside > 0.0 {
            return count as f32 - 0.5 + (wanted - below) / inside;
        }
        below += inside;
    }
    largest as f32
}

/// From 0 to 1 between two values, without a corner at either.
fn smooth_step([from, to]: [f32; 2], value: f32) -> f32 {
    let share = ((value - from) / (to - from)).clamp(0.0, 1.0);
    share * share * (3.0 - 2.0 * share)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::view::CHUNK_SIZE;

    /// An even crowd in a picture of 400 by 300, and how densely it fills it.
    fn exposure(agents: usize) -> Exposure {
        let mut view = View { world: [400.0, 300.0], ..View::default() };
        for k in 0..agents {
            // The multiples of two irrational numbers fill a square evenly.
            let part = |factor: f64| ((k + 1) as f64 * factor).fract() as f32;
            view.x.push(400.0 * part(0.754_877_666_246_693));
            view.y.push(300.0 * part(0.569_840_290_998_053));
        }
        let camera = Camera::new([200.0, 150.0], 1.0, [400.0, 300.0]);
        view.chunks = (0..agents)
            .step_by(CHUNK_SIZE)
            .map(|first| crate::picture::view::Chunk {
                slots: first..agents.min(first + CHUNK_SIZE),
                low: [0.0; 2],
                high: [400.0, 300.0],
            })
            .collect();
        let visible = VisibleChunk::cull(&view, &camera, &[[0.0; 2]], 0.0);
        Exposure::of(&view, &camera, &visible)
    }

    #[test]
    fn the_density_of_an_even_crowd_is_found_however_large_it_is() {
        for agents in [300, 3_000, 30_000, 300_000] {
            let found = exposure(agents);
            let expected = agents as f32 / 120_000.0;
            for density in [found.typical, found.mean] {
                assert!((0.75..1.35).contains(&(density / expected)), "{agents}: {found:?}");
            }
        }
        assert_eq!(exposure(0), Exposure::default());
    }

    #[test]
    fn marks_shrink_from_triangles_to_points_without_a_jump() {
        let camera = Camera::new([0.0; 2], 1.0, [400.0, 300.0]);
        let mark = |typical: f32| {
            Exposure { typical, ..Exposure::default() }.mark(0.1, Role::NONE, &camera, 1.0)
        };
        assert_eq!(mark(0.0), Mark { radius: MAX_ENLARGED, triangle: 1.0, light: 0.0 });
        assert!(mark(10.0).triangle == 0.0 && mark(10.0).light > 0.0);
        let mut density = 1.0e-4;
        while density < 10.0 {
            let (here, next) = (mark(density), mark(density * 1.02));
            assert!(next.radius <= here.radius && next.triangle <= here.triangle);
            assert!(here.triangle - next.triangle < 0.05, "{density}");
            assert!((here.light - next.light).abs() < 0.15, "{density}: {here:?} {next:?}");
            density *= 1.02;
        }
    }

    #[test]
    fn half_a_million_agents_in_a_window_are_drawn_as_a_flow() {
        let flow = |agents: f32| {
            let mean = agents / 921_600.0;
            Exposure { typical: mean, mean, overall: mean }.flow()
        };
        assert_eq!((flow(300_000.0), flow(1.0e6)), (0.0, 1.0));
        assert!((0.1..0.9).contains(&flow(500_000.0)));
    }
}
