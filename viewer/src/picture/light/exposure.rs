//! Sets the size and brightness of the marks that represent agents. Marks cover about the same
//! fraction of a picture whether it shows a thousand agents or millions.

use rayon::prelude::*;

use super::super::camera::Camera;
use super::super::culling::VisibleCrowd;
use super::super::roles::{Role, Style};
use super::super::view::CHUNK_SIZE;

/// Approximate maximum number of agents sampled. Larger crowds are sampled with a stride.
const MAX_SAMPLES: usize = 16_384;
const MEAN_PER_CELL: f32 = 8.0;

/// Target coverage of sparse and of dense pictures, as fractions of the picture. Sparse pictures
/// need less: separate bright marks look as bright as an even glow over a much larger area.
const COVERED: [f32; 2] = [0.14, 0.38];
/// Agents per pixel at which a picture is halfway between sparse and dense.
const HALFWAY: f32 = 0.1;
/// Maximum fraction of the occupied cells' area that marks may cover.
const COVERED_OF_CROWD: f32 = 0.28;
const STEPS: usize = 16;
/// Area of a triangular mark with radius 1.
const TRIANGLE_AREA: f32 = 2.4;
/// Small marks are enlarged to at most this radius, in pixels at display scale 1.
pub(crate) const MAX_ENLARGED: f32 = 6.0;
/// Mark radii in pixels: marks are points up to the first radius and triangles from the second.
/// In between, points fade into triangles.
const FADE: [f32; 2] = [1.25, 2.0];
/// In a turned world, marks must be larger to become triangles if more agents than this are
/// visible.
const MANY: f32 = 25_000.0;
const MAX_LATER: f32 = 3.0;

pub(crate) struct Exposure {
    /// Area of a mark, in square pixels, if no other mark overlaps it.
    area: f32,
    /// Factor on [`FADE`]. It exceeds 1 in a turned world with many agents, where so many marks may
    /// overlap that drawing triangles would be slow.
    later: f32,
}

impl Exposure {
    pub(crate) fn of(seen: &VisibleCrowd<'_>) -> Self {
        let VisibleCrowd { view, camera, chunks: visible } = seen;
        let agents: usize = visible.iter().map(|chunk| chunk.slots.len()).sum();
        let stride = agents.div_ceil(MAX_SAMPLES).max(1);
        let sample = |k: usize| {
            let chunk = &visible[k / CHUNK_SIZE];
            let slot = chunk.slots.clone().nth(k % CHUNK_SIZE)?;
            let place = chunk.camera.to_screen([view.x[slot], view.y[slot]]);
            // False for NaN, so agents without a finite position are not counted.
            (0..2).all(|k| place[k] >= 0.0 && place[k] < camera.size[k]).then_some(place)
        };
        let samples = (0..visible.len() * CHUNK_SIZE).into_par_iter().step_by(stride);
        let samples = samples.with_min_len(MAX_SAMPLES / 16);
        let places: Vec<[f32; 2]> = samples.filter_map(sample).collect();
        let cells = (places.len() as f32 / MEAN_PER_CELL).max(1.0);
        let side = (camera.size[0] * camera.size[1] / cells).sqrt();
        let [columns, rows] = camera.size.map(|length| (length / side).round().max(1.0));
        let per_pixel = [columns / camera.size[0], rows / camera.size[1]];
        let mut counts = vec![0_u32; columns as usize * rows as usize];
        for [x, y] in places {
            let column = ((x * per_pixel[0]) as usize).min(columns as usize - 1);
            let row = ((y * per_pixel[1]) as usize).min(rows as usize - 1);
            counts[row * columns as usize + column] += 1;
        }
        let area = area(&counts, stride as f32 * per_pixel[0] * per_pixel[1]);
        let later = (agents as f32 / MANY).sqrt().clamp(1.0, MAX_LATER);
        Self { area, later: if view.projection.is_turned() { later } else { 1.0 } }
    }

    /// `radius` is in world units; `scale` is the display's scale factor.
    pub(crate) fn mark(&self, radius: f32, role: Role, camera: &Camera, scale: f32) -> AgentMark {
        let enlarged = (self.area / TRIANGLE_AREA).sqrt().min(MAX_ENLARGED * scale);
        let radius = (radius * camera.zoom).max(enlarged) * role.enlarged;
        let radius = radius.max(role.min_radius * scale);
        let [from, to] = FADE.map(|radius| radius * self.later);
        let share = ((radius - from) / (to - from)).clamp(0.0, 1.0);
        let triangle = share * share * (3.0 - 2.0 * share);
        let light = TRIANGLE_AREA * radius * radius * (1.0 - triangle);
        AgentMark { radius, triangle, light, style: role.style }
    }
}

/// Returns the area of a mark. `per_agent` is the density that an agent adds to its cell, in agents
/// per pixel.
fn area(counts: &[u32], per_agent: f32) -> f32 {
    let occupied = counts.iter().filter(|&&count| count > 0);
    let densities: Vec<f32> = occupied.map(|&count| count as f32 * per_agent).collect();
    let cells = counts.len() as f32;
    let per_pixel = densities.iter().sum::<f32>() / cells;
    if per_pixel <= 0.0 {
        return 0.0;
    }
    let dense = per_pixel / (per_pixel + HALFWAY);
    let wanted = COVERED[0] + (COVERED[1] - COVERED[0]) * dense;
    let wanted = wanted.min(COVERED_OF_CROWD * densities.len() as f32 / cells);
    // Overlap reduces the covered area, so the area per agent is found by iteration.
    let mut area = wanted / per_pixel;
    for _ in 0..STEPS {
        let covered: f32 = densities.iter().map(|density| covered(area * density)).sum();
        area *= wanted * cells / covered;
    }
    area
}

/// Estimates the fraction of a region that overlapping marks cover. `areas` is the marks' total
/// area, relative to the region's area.
fn covered(areas: f32) -> f32 {
    areas / (1.0 + areas)
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct AgentMark {
    /// Radius of the mark, in pixels.
    pub(crate) radius: f32,
    /// Opacity of triangles, from 0 to 1.
    pub(crate) triangle: f32,
    /// Light per point; 0 for agents that are drawn as triangles.
    pub(crate) light: f32,
    pub(crate) style: Style,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn share_covered(counts: &[u32]) -> f32 {
        let area = area(counts, 0.01);
        let shares = counts.iter().map(|&count| covered(area * count as f32 * 0.01));
        shares.sum::<f32>() / counts.len() as f32
    }

    #[test]
    fn as_much_is_covered_by_even_and_clustered_crowds() {
        let clustered: Vec<u32> =
            (0..900).map(|k| if k % 3 == 0 { 3 * (k % 7) } else { 0 }).collect();
        for counts in [vec![3; 900], clustered] {
            let share = share_covered(&counts);
            let even = counts.iter().sum::<u32>() as f32 / (100.0 * counts.len() as f32);
            let wanted = COVERED[0] + (COVERED[1] - COVERED[0]) * even / (even + HALFWAY);
            let most =
                COVERED_OF_CROWD * counts.iter().filter(|&&count| count > 0).count() as f32 / 900.0;
            assert!((share / wanted.min(most) - 1.0).abs() < 0.01, "{share} {wanted} {most}");
        }
    }

    #[test]
    fn a_crowd_in_one_place_covers_a_part_of_it() {
        let mut counts = vec![0; 900];
        counts[7] = 10_000;
        assert!((share_covered(&counts) * 900.0 - COVERED_OF_CROWD).abs() < 0.01);
        assert_eq!(area(&[0; 9], 0.01), 0.0);
    }

    #[test]
    fn marks_keep_their_size_on_finer_displays() {
        let camera = Camera::new([0.0; 2], 1.0, [400.0, 300.0]);
        let few = Role { style: Style::Solid, enlarged: 1.0, min_radius: 4.0 };
        let radius = |area, role, scale| {
            Exposure { area, later: 1.0 }.mark(0.1, role, &camera, scale).radius
        };
        for scale in [1.0, 1.5, 2.0] {
            assert_eq!(radius(1.0e9, Role::NONE, scale), scale * MAX_ENLARGED);
            assert_eq!(radius(0.0, few, scale), scale * 4.0);
        }
    }

    #[test]
    fn marks_shrink_from_triangles_to_points_without_a_jump() {
        let camera = Camera::new([0.0; 2], 1.0, [400.0, 300.0]);
        let mark = |area: f32| Exposure { area, later: 1.0 }.mark(0.1, Role::NONE, &camera, 1.0);
        assert_eq!(
            mark(1.0e9),
            AgentMark { radius: MAX_ENLARGED, triangle: 1.0, ..AgentMark::default() }
        );
        assert!(mark(0.1).triangle == 0.0 && mark(0.1).light > 0.0);
        let mut area = 100.0;
        while area > 0.01 {
            let (here, next) = (mark(area), mark(area / 1.02));
            assert!(next.radius <= here.radius && next.triangle <= here.triangle);
            assert!(here.triangle - next.triangle < 0.05, "{area}");
            let change = (here.light - next.light).abs() / (TRIANGLE_AREA * here.radius.powi(2));
            assert!(change < 0.026, "{area}: {here:?} {next:?}");
            area /= 1.02;
        }
    }
}
