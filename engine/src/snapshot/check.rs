use std::fmt::{Debug, Display};

use crate::crowd::columns::{Attributes, MOTION_COLUMNS, Motion};
use crate::crowd::limits::{Limit, Overrides};
use crate::crowd::stored_target::{AT_POINT, StoredTarget};
use crate::error::{Error, ErrorKind, ErrorLocation};
use crate::math::fixed;
use crate::math::vec3::Vec3;
use crate::scene::Scene;
use crate::simulation::State;
use crate::simulation::required_columns::RequiredColumns;
use crate::world::space::Space;
use crate::world::{COORDINATE_LIMIT, Topology};

const TOLERANCE: f32 = 1.0e-3;
/// Above the rounding errors of headings, and low enough that a speed along a heading is not above
/// the maximum by more than steps tolerate.
const UNIT_TOLERANCE: f32 = 5.0e-6;
/// Upper bounds for maximum speeds, in units/s, and for wander radii, in world units.
const MAX_SPEED: f32 = 1.0e5 * (1.0 + TOLERANCE);
const MAX_WANDER_RADIUS: f32 = 1.0e4 * (1.0 + TOLERANCE);
const MAX_TICK: u64 = 1 << 62;
const MAX_JOINED: u64 = 1 << 62;

pub(super) fn unsound(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Snapshot { at: ErrorLocation::default(), message: message.into() })
}

pub(super) fn in_snapshot(error: Error) -> Error {
    unsound(error.to_string())
}

type Rule<'a> = (&'a dyn Fn(f32) -> bool, &'a str);

pub(super) fn step(tick: u64) -> Result<(), Error> {
    if tick > MAX_TICK {
        return Err(unsound(format!("step {tick}: must be at most {MAX_TICK}")));
    }
    Ok(())
}

pub(super) fn whole(
    scene: &Scene,
    space: &Space,
    state: &State,
    headings: &[i32],
) -> Result<(), Error> {
    common(scene, space, state, headings)?;
    let assigned = state.ids.indices();
    check_assigned(scene, assigned)?;
    check_ids(state, state.attributes.index.len())?;
    let mut is_there = vec![false; assigned];
    state.attributes.index.iter().for_each(|&index| is_there[index as usize] = true);
    let is_target = |target| target >= AT_POINT || is_there[target as usize];
    each("column target", &state.attributes.target, is_target, "there is no such agent")
}

/// Upper bound on simulated time, in seconds: more than the time at the largest step count and the
/// lowest step rate, and small enough that products with it remain finite.
const MAX_TIME: f64 = 1.0e19;

pub(super) fn common(
    scene: &Scene,
    space: &Space,
    state: &State,
    headings: &[i32],
) -> Result<(), Error> {
    scene.check_parameters().map_err(in_snapshot)?;
    if scene.agents.is_some() {
        return Err(unsound("its scene has a total number of agents besides those of its species"));
    }
    check_world(scene, space, &state.overrides)?;
    if !state.time_base.is_finite() {
        return Err(unsound(format!("time base {}: must be finite", state.time_base)));
    }
    let time = state.time(scene.dt());
    if !(-1.0..=MAX_TIME).contains(&time) {
        return Err(unsound(format!("a time of {time} s: must be from 0 to {MAX_TIME} s")));
    }
    check_columns(scene, space, state, headings)?;
    let length = |heading: &[i32]| {
        heading.iter().fold(0.0, |length: f32, &along| length.hypot(along as f32)) / fixed::ONE
    };
    let wrong =
        headings.chunks(space.axes()).enumerate().find(|(_, one)| !is_one(length(one), TOLERANCE));
    match wrong {
        Some((k, heading)) => {
            Err(unsound(format!("column headings[{k}] = {heading:?}: must be of length 2^24")))
        }
        None => Ok(()),
    }
}

pub(super) fn repeated<'a>(
    scene: &Scene,
    assigned: usize,
    words: &'a [u32],
) -> Result<&'a [[u32; 2]], Error> {
    check_assigned(scene, assigned)?;
    let (pairs, rest) = words.as_chunks::<2>();
    let ascend = pairs.is_sorted_by(|[one, _], [next, _]| one < next);
    let is_known = |&[index, generation]: &[u32; 2]| (index as usize) < assigned && generation > 0;
    if !rest.is_empty() || !ascend || !pairs.iter().all(is_known) {
        return Err(unsound("repeated indices must be [index, generation], ascending by index"));
    }
    Ok(pairs)
}

pub(super) fn check_ids(State { attributes, ids, .. }: &State, agents: usize) -> Result<(), Error> {
    let (assigned, free) = (ids.indices(), ids.free());
    let must_be = below(assigned);
    let is_target = |target| target >= AT_POINT || (target as usize) < assigned;
    each("column index", &attributes.index, |index| (index as usize) < assigned, &must_be)?;
    each("free indices", free, |index| (index as usize) < assigned, &must_be)?;
    each("column target", &attributes.target, is_target, &must_be)?;
    let mut taken = [&attributes.index[..], free].concat();
    taken.sort_unstable();
    if let Some(twice) = taken.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(unsound(format!("index {} appears twice", twice[0])));
    }
    if let Some(index) = taken.iter().find(|&&index| ids.id(index).generation == u32::MAX) {
        return Err(unsound(format!("index {index} has no generation left")));
    }
    if let Some(index) = free.iter().find(|&&index| ids.id(index).generation == 0) {
        return Err(unsound(format!("free index {index} was never used by an agent")));
    }
    // Every index is free, in use, or retired because its generations are used up.
    let is_used_up = |&(index, generation): &(u32, u32)| {
        generation == u32::MAX && taken.binary_search(&index).is_err()
    };
    let used_up = ids.repeated().filter(is_used_up).count();
    match assigned - agents {
        others if (free.len()..=free.len() + used_up).contains(&others) => Ok(()),
        others => Err(unsound(format!("{} indices are free, not {others}", free.len()))),
    }
}

fn check_assigned(scene: &Scene, assigned: usize) -> Result<(), Error> {
    let started = scene.agents_at_start();
    // Target values of `AT_POINT` and above are not indices. They mean a point or no target.
    if assigned < started || assigned > AT_POINT as usize {
        return Err(unsound(format!(
            "{assigned} indices were assigned: impossible if the scene starts with {started} agents"
        )));
    }
    Ok(())
}

/// Checks the world's stored size, because the parameters that determined it may have changed.
fn check_world(scene: &Scene, space: &Space, overrides: &Overrides) -> Result<(), Error> {
    let Vec3 { x: width, y: height, z } = space.size;
    let depth = (!space.is_flat()).then_some(z);
    Space::check_size(space.size, !space.is_flat()).map_err(in_snapshot)?;
    let world = &scene.world;
    match (world.width, world.height, world.mean_neighbors) {
        (Some(w), Some(h), None) if (w, h, world.depth) == (width, height, depth) => {}
        (None, None, Some(_))
            if width == height
                && world.is_deep() == depth.is_some()
                && depth.is_none_or(|z| z == width) => {}
        _ => {
            let depth = depth.map_or(String::new(), |depth| format!(" × {depth}"));
            let size = format!("{width} × {height}{depth}");
            return Err(unsound(format!("its scene does not have a world of {size}")));
        }
    }
    scene.check_scenery(space).map_err(in_snapshot)?;
    scene.check_fit(space, overrides).map_err(in_snapshot)
}

fn check_columns(
    scene: &Scene,
    space: &Space,
    State { motion, attributes, overrides, .. }: &State,
    headings: &[i32],
) -> Result<(), Error> {
    let agents = attributes.index.len();
    if agents > 0 && scene.species.is_empty() {
        return Err(unsound(format!("{agents} agents, but no species")));
    }
    let required = RequiredColumns::new(scene, overrides);
    let samples = scene.heading_samples.map_or(0, |samples| samples as usize);
    let has_rows = |name: &str, length: usize, needed: bool, each: usize| {
        let expected = if needed { agents as u64 * each as u64 } else { 0 };
        if length as u64 == expected {
            return Ok(());
        }
        Err(unsound(format!("column {name} has {length} entries, not {expected}")))
    };
    has_rows("species", attributes.species.len(), required.species, 1)?;
    has_rows("target", attributes.target.len(), required.target, 1)?;
    has_rows("target_point", attributes.target_point.len(), required.target_points, 1)?;
    has_rows("overridden", attributes.overridden.len(), required.overridden, 1)?;
    has_rows("headings", headings.len(), samples > 0, samples * space.axes())?;

    let along = |x: f32, size: f32| match space.topology {
        Topology::Open => x.abs() <= COORDINATE_LIMIT,
        Topology::Bounded => x >= 0.0 && x <= size,
        Topology::Torus => x >= 0.0 && x < size,
    };
    let is_x = |x| along(x, space.size.x);
    let is_y = |y| along(y, space.size.y);
    let is_z = |z| along(z, space.size.z);
    let inside = "must be inside the world";
    let longest = scene.longest_path() as f32;
    let is_waypoint = |w: f32| w >= 0.0 && w < longest && (2.0 * w).fract() == 0.0;
    let [x, y, z]: [Rule<'_>; 3] = [(&is_x, inside), (&is_y, inside), (&is_z, inside)];
    let heading: Rule<'_> = (&|_| true, "");
    let finite: Rule<'_> = (&|value: f32| value.is_finite(), "must be finite");
    let speed: Rule<'_> = (&|v| v.abs() <= MAX_SPEED, "must be a valid speed");
    let wander: Rule<'_> = (&|w| w.abs() <= MAX_WANDER_RADIUS, "must be on a wander circle");
    let waypoint: Rule<'_> = (&is_waypoint, "must be a waypoint number, or half more");
    let rules: [_; MOTION_COLUMNS] = [
        x, y, speed, speed, heading, heading, wander, wander, waypoint, finite, x, y, z, speed,
        heading, wander, z,
    ];
    let built_in =
        Motion::NAMES.into_iter().zip(required.motion()).zip(rules).zip(motion.columns());
    let built_in =
        built_in.map(|(((name, needed), rule), column)| (name, &column[..], needed, rule));
    let custom = required.columns.iter().zip(&motion.custom);
    let custom = custom.map(|(name, column)| (&name[..], &column[..], true, finite));
    let columns: Vec<_> = built_in.chain(custom).collect();
    let is_known = |bits: u8| bits & !overrides.limits == 0;
    let must_be = "must mark only overridden limits";
    each("column overridden", &attributes.overridden, is_known, must_be)?;
    for limit in Limit::ALL {
        let (name, min, max, _) = limit.range();
        let (usual, largest) = match limit {
            Limit::MaxSpeed => (overrides.usual_speed, overrides.max_speed),
            Limit::Radius => (overrides.usual_radius, overrides.radius),
            _ => (max, max),
        };
        for (value, max) in [(usual, largest), (largest, max)] {
            if !(0.0..=max).contains(&value) {
                let message = format!("the largest {name} override is {value:?}");
                return Err(unsound(format!("{message}: must be from 0 to {max}")));
            }
        }
        let column = attributes.limit(limit);
        // Limits that no agent overrides are recomputed from the scene.
        if overrides.has(limit) {
            has_rows(name, column.len(), true, 1)?;
        }
        let overridden =
            column.iter().enumerate().filter(|(slot, _)| attributes.is_overridden(limit, *slot));
        let overridden: Vec<f32> = overridden.map(|(_, &value)| value).collect();
        let may_be = |value: f32| {
            value >= min && value <= largest && (limit != Limit::Immovable || value.fract() == 0.0)
        };
        each(&format!("overridden {name}"), &overridden, may_be, "must be in range")?;
    }
    for &(name, column, needed, _) in &columns {
        has_rows(name, column.len(), needed, 1)?;
    }
    let count = scene.species.len();
    each("column species", &attributes.species, |one| usize::from(one) < count, &below(count))?;
    for (name, column, _, (may_be, must_be)) in columns {
        each(&format!("column {name}"), column, may_be, must_be)?;
    }
    check_own_points(attributes)?;
    if overrides.joined > 0 {
        has_rows("joined", attributes.joined.len(), required.joined, 1)?;
        check_joined(&attributes.joined, overrides.joined)?;
    }
    check_units(motion)
}

fn check_joined(column: &[u64], next: u64) -> Result<(), Error> {
    if next > MAX_JOINED {
        return Err(unsound(format!("{next} agents joined: must be at most {MAX_JOINED}")));
    }
    each("column joined", column, |joined| joined < next, &below(next))?;
    let mut sorted = column.to_vec();
    sorted.sort_unstable();
    match sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(twice) => Err(unsound(format!("column joined has {} twice", twice[0]))),
        None => Ok(()),
    }
}

fn check_own_points(attributes: &Attributes) -> Result<(), Error> {
    if attributes.target_point.is_empty() {
        let is_none_or_agent = |target| target != AT_POINT;
        return each("column target", &attributes.target, is_none_or_agent, "there are no points");
    }
    let expected = |slot: usize| match attributes.stored_target(slot) {
        StoredTarget::Point(point) => point.map(f32::abs).all_le(Vec3::diagonal(COORDINATE_LIMIT)),
        StoredTarget::Nothing | StoredTarget::Agent(_) => {
            attributes.target_point.at(slot) == Vec3::ZERO
        }
    };
    let mut slots = 0..;
    let may_be = |_| slots.next().is_some_and(expected);
    let points: Vec<[f32; 3]> = attributes.target_point.all().iter().map(Into::into).collect();
    each("column target_point", &points, may_be, "must be a point, or 0 for no point")
}

fn check_units(Motion { heading, .. }: &Motion) -> Result<(), Error> {
    let mut headings = heading.all().iter().enumerate();
    match headings.find(|(_, Vec3 { x, y, z })| !is_one(x.hypot(*y).hypot(*z), UNIT_TOLERANCE)) {
        Some((slot, Vec3 { x, y, z })) => {
            let columns = [("hx", x), ("hy", y), ("hz", z)].into_iter().zip(&heading.0);
            let stored = columns.filter(|(_, column)| !column.is_empty());
            let values = stored.map(|((name, value), _)| format!("{name}[{slot}] = {value:?}"));
            let values = values.collect::<Vec<_>>().join(", ");
            Err(unsound(format!("columns {values}: must be of length 1")))
        }
        None => Ok(()),
    }
}

fn is_one(length: f32, tolerance: f32) -> bool {
    (length - 1.0).abs() <= tolerance
}

fn below(count: impl Display) -> String {
    format!("must be below {count}")
}

fn each<T: Copy + Debug>(
    name: &str,
    column: &[T],
    mut is_sound: impl FnMut(T) -> bool,
    otherwise: &str,
) -> Result<(), Error> {
    match column.iter().position(|&value| !is_sound(value)) {
        Some(slot) => {
            let value = column[slot];
            Err(unsound(format!("{name}[{slot}] = {value:?}: {otherwise}")))
        }
        None => Ok(()),
    }
}
