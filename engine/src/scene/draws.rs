//! Random draws of each agent: its limits, and its position and heading at the start.

use crate::crowd::limits::Limit;
use crate::error::Error;
use crate::math::angle::sin_cos;
use crate::math::lanes::fused::mul_add;
use crate::math::random::{AgentRng, Purpose};
use crate::math::vec3::Vec3;
use crate::scene::Scene;
use crate::scene::start::{Start, StartPlace};
use crate::scenery::solid::Solids;
use crate::world::space::Space;

/// Maximum number of rejection-sampling attempts. In the plane, each attempt succeeds with a
/// probability of at least 1/2.
const MAX_ATTEMPTS: usize = 64;

const MAX_DRAWS: usize = 1_000;

pub(crate) fn limit_of_species(scene: &Scene, species: usize, index: u32, limit: Limit) -> f32 {
    let (fractions, _) = individual(scene, index);
    let fraction = fractions.get(limit as usize).copied().unwrap_or(0.0);
    scene.species[species].limit(limit).at(fraction)
}

pub(crate) fn individual(scene: &Scene, index: u32) -> ([f32; 4], Vec3<f32>) {
    let mut draws = AgentRng::new(scene.seed_of_start(), index, Purpose::Individual);
    (std::array::from_fn(|_| draws.unit()), draws.direction(!scene.world.is_deep()))
}

/// Returns the position and heading at which an agent starts, clear of all solids.
pub(crate) fn start_of(
    scene: &Scene,
    space: &Space,
    solids: Option<&Solids>,
    species: usize,
    index: u32,
) -> Result<(Vec3<f32>, Vec3<f32>), Error> {
    let radius = || limit_of_species(scene, species, index, Limit::Radius);
    let is_free = |at: Vec3<f32>| solids.is_none_or(|solids| !solids.overlap(at, radius(), space));
    drawn(scene, space, species, index, is_free).ok_or_else(|| {
        let area = match scene.species[species].start.place {
            StartPlace::Anywhere => "anywhere",
            _ => "a crowded area",
        };
        let allowed = format!(
            "an area with room for agent #{index}.0 of radius {}: the agent overlaps solid \
             walls or obstacles at each of {MAX_DRAWS} random positions",
            radius()
        );
        Error::refused(format!("species[{species}].start.place"), area, allowed)
    })
}

/// Checks that the first agents of each species have room to start. Building a simulation places
/// all agents, but by then the line in the scene file is unknown.
pub(crate) fn check_room(
    scene: &Scene,
    space: &Space,
    solids: Option<&Solids>,
) -> Result<(), Error> {
    (0..scene.species.len()).try_for_each(|species| {
        let first = scene.first_index(species);
        let agents = first..first + scene.species[species].agents as u32;
        let mut agents = agents.take(MAX_DRAWS);
        agents.try_for_each(|index| start_of(scene, space, solids, species, index).map(drop))
    })
}

pub(crate) fn drawn(
    scene: &Scene,
    space: &Space,
    species: usize,
    index: u32,
    is_free: impl Fn(Vec3<f32>) -> bool,
) -> Option<(Vec3<f32>, Vec3<f32>)> {
    let (start, seed) = (&scene.species[species].start, scene.seed_of_start());
    let mut draws = AgentRng::new(seed, index, Purpose::Place);
    let mut positions = (0..MAX_DRAWS).map(|_| position(start, &mut draws, seed, space));
    let position = positions.find(|&at| is_free(at))?;
    let heading = match start.heading {
        Some(degrees) => {
            let (sin, cos) = sin_cos(degrees.to_radians());
            Vec3::flat(cos, sin)
        }
        None => draws.direction(space.is_flat()),
    };
    let heading = match scene.species[species].max_climb {
        Some(degrees) => heading.climbing(heading, sin_cos(degrees.to_radians())).0,
        None => heading,
    };
    Some((position, heading))
}

fn position(start: &Start, draws: &mut AgentRng, seed: u64, space: &Space) -> Vec3<f32> {
    let position = match start.place {
        StartPlace::Anywhere => return draws.point(space.size),
        StartPlace::Circle { center, radius } => in_circle(draws, center.into(), radius, space),
        StartPlace::Box { low, high } => {
            let (mut low, mut high) = (Vec3::from(low), Vec3::from(high));
            if let Some([least, most]) = space.bounds() {
                low = low.zip(least.into(), f32::max);
                high = high.zip(most.into(), f32::min);
            }
            let mut between = |from: f32, to: f32| mul_add(draws.unit(), to - from, from);
            let (x, y) = (between(low.x, high.x), between(low.y, high.y));
            Vec3 { x, y, z: if space.is_flat() { 0.0 } else { between(low.z, high.z) } }
        }
        StartPlace::Clusters { count, radius } => {
            let cluster = (draws.unit() * count as f32) as u32;
            let mut of_cluster = AgentRng::new(seed, cluster, Purpose::Clusters);
            in_circle(draws, of_cluster.point(space.size), radius, space)
        }
    };
    // Clamps and wraps, because rounding may move a point across the edge of the world.
    space.wrap_any(space.clamped(position))
}

/// Draws a point uniformly from the intersection of a circle (or sphere) and the world, by
/// rejection sampling from the bounding box of the intersection. The intersection is convex, so in
/// the plane, it covers at least half of the box.
fn in_circle(draws: &mut AgentRng, center: Vec3<f32>, radius: f32, space: &Space) -> Vec3<f32> {
    let (middle, radius_f64) = (<[f32; 3]>::from(center).map(f64::from), f64::from(radius));
    let bounds = space.bounds().map(|corners| corners.map(|corner| corner.map(f64::from)));
    let axes = 0..space.axes();
    let leads_out = |[low, high]: &[[f64; 3]; 2]| {
        axes.clone().any(|axis| {
            middle[axis] - radius_f64 < low[axis] || middle[axis] + radius_f64 > high[axis]
        })
    };
    let Some([low, high]) = bounds.filter(leads_out) else {
        return draws.in_circle(center, radius, space.is_flat());
    };
    let nearest: [f64; 3] = std::array::from_fn(|axis| middle[axis].clamp(low[axis], high[axis]));
    let away_sq: [f64; 3] = std::array::from_fn(|axis| (middle[axis] - nearest[axis]).powi(2));
    let sides: [[f64; 2]; 3] = std::array::from_fn(|axis| {
        let others: f64 = (0..3).filter(|other| *other != axis).map(|other| away_sq[other]).sum();
        let half = (radius_f64 * radius_f64 - others).max(0.0).sqrt();
        [(middle[axis] - half).max(low[axis]), (middle[axis] + half).min(high[axis])]
    });
    for _ in 0..MAX_ATTEMPTS {
        let mut point = nearest;
        for axis in axes.clone() {
            let [from, to] = sides[axis];
            point[axis] = from + f64::from(draws.unit()) * (to - from);
        }
        let distance_sq: f64 = (0..3).map(|axis| (point[axis] - middle[axis]).powi(2)).sum();
        if distance_sq <= radius_f64 * radius_f64 {
            return point.map(|coordinate| coordinate as f32).into();
        }
    }
    nearest.map(|coordinate| coordinate as f32).into()
}
