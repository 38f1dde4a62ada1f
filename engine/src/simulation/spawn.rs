//! Adds agents, at the start and while the crowd runs.

use std::ops::Range;

use crate::crowd::limits::Limit;
use crate::crowd::stored_target::StoredTarget;
use crate::error::Error;
use crate::math::angle::sin_cos;
use crate::math::lanes::fused::mul_add;
use crate::math::random::{AgentRng, Purpose};
use crate::math::vec3::Vec3;
use crate::scene::Scene;
use crate::scene::species::Species;
use crate::scene::start::{OwnTarget, Start, StartPlace};
use crate::simulation::first_values::{fit_columns, limit_of_species};
use crate::simulation::required_columns::RequiredColumns;
use crate::simulation::{Setting, State};
use crate::world::space::Space;

/// Maximum number of rejection-sampling attempts. In the plane, each attempt succeeds with a
/// probability of at least 1/2.
const MAX_ATTEMPTS: usize = 64;

const MAX_DRAWS: usize = 1_000;

pub(crate) struct NewAgent {
    pub(crate) species: usize,
    pub(crate) index: u32,
    pub(crate) position: Vec3<f32>,
    pub(crate) heading: Vec3<f32>,
}

pub(crate) fn populate(
    setting: &Setting,
    range: Range<u32>,
    state: &mut State,
) -> Result<(), Error> {
    let Setting { scene, space, required, .. } = setting;
    let agents = scene.species.iter().enumerate().flat_map(|(species_index, species)| {
        let first = scene.first_index(species_index);
        let indices = first.max(range.start)..(first + species.agents as u32).min(range.end);
        indices.map(move |index| (index, species_index))
    });
    for axes in [&mut state.motion.position, &mut state.motion.heading] {
        axes.0[..space.axes()].iter_mut().for_each(|column| column.reserve_exact(range.len()));
    }
    state.attributes.index.reserve_exact(range.len());
    state.attributes.species.reserve_exact(if required.species { range.len() } else { 0 });
    let solids = scene.solid.then(|| setting.scenery.shapes(space));
    for (index, species) in agents {
        let radius = || limit_of_species(scene, species, index, Limit::Radius);
        let is_free = |at: Vec3<f32>| {
            solids.as_ref().is_none_or(|solids| !solids.overlap(at, radius(), space))
        };
        let drawn = drawn(scene, space, species, index, is_free);
        let (position, heading) = drawn.ok_or_else(|| {
            let allowed = format!(
                "an area with room for agent #{index}.0 of radius {}: the agent overlaps solid \
                 walls or obstacles at each of {MAX_DRAWS} random positions",
                radius()
            );
            Error::refused(format!("species[{species}].start"), "a crowded area", allowed)
        })?;
        push(space, required, state, &NewAgent { species, index, position, heading }, index.into());
    }
    fit_columns(scene, required, &[], state, 0, start_speed);
    for slot in 0..state.attributes.target.len() {
        let (species, index) = (state.attributes.species_of(slot), state.attributes.index[slot]);
        state.attributes.store_target(slot, own_target(scene, species, index));
    }
    Ok(())
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

fn own_target(scene: &Scene, species: usize, index: u32) -> StoredTarget {
    let first = scene.first_index(species);
    let others = |name: &str| {
        let other = scene.species_index(name).expect("the scene was checked");
        (scene.first_index(other), scene.species[other].agents as u32)
    };
    match &scene.species[species].own_target {
        None => StoredTarget::Nothing,
        Some(OwnTarget::Previous) if index == first => StoredTarget::Nothing,
        Some(OwnTarget::SingleFile(name)) if index == first => match others(name) {
            (_, 0) => StoredTarget::Nothing,
            (leader, _) => StoredTarget::Agent(leader),
        },
        Some(OwnTarget::Previous | OwnTarget::SingleFile(_)) => StoredTarget::Agent(index - 1),
        Some(OwnTarget::EachOf(name)) => match others(name) {
            (_, 0) => StoredTarget::Nothing,
            (start, count) => StoredTarget::Agent(start + (index - first) % count),
        },
    }
}

pub(crate) fn start_speed(species: &Species) -> f32 {
    species.start.speed.unwrap_or(1.0)
}

/// Appends an agent. Call [`fit_columns`](super::first_values::fit_columns) afterwards to fill its
/// remaining columns.
pub(crate) fn push(
    space: &Space,
    required: &RequiredColumns,
    state: &mut State,
    agent: &NewAgent,
    joined: u64,
) {
    let State { motion, attributes, .. } = state;
    motion.position.push(space.wrap_once(agent.position), space.axes());
    motion.heading.push(agent.heading, space.axes());
    attributes.index.push(agent.index);
    if required.species {
        attributes.species.push(agent.species as u8);
    }
    if required.joined {
        attributes.joined.push(joined);
    }
}
