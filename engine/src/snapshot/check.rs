//! Checks that a snapshot is a state that a simulation can be in.

use std::fmt::Debug;

use super::bytes::{in_snapshot, unsound};
use crate::crowd::columns::{Motion, NO_TARGET, Traits};
use crate::crowd::id_pool::IdPool;
use crate::error::Error;
use crate::math::fixed;
use crate::scene::Scene;
use crate::simulation::needs::Needs;
use crate::world::space::Space;
use crate::world::{COORDINATE_LIMIT, Topology};

/// The relative rounding error allowed in lengths.
const TOLERANCE: f32 = 1.0e-3;
/// The largest maximum speed, in units/s, and the largest wander circle, as in their parameters'
/// ranges.
const FASTEST: f32 = 1.0e5 * (1.0 + TOLERANCE);
const WIDEST_WANDER: f32 = 1.0e4 * (1.0 + TOLERANCE);
/// More steps than any simulation will ever take.
const LAST_TICK: u64 = 1 << 62;

pub(super) fn all(
    scene: &Scene,
    space: &Space,
    tick: u64,
    (motion, traits): (&Motion, &Traits),
    (ids, headings): (&IdPool, &[i32]),
) -> Result<(), Error> {
    part(scene, space, tick, (motion, traits), headings)?;
    let alive = check_ids(scene, ids, traits)?;
    check_targets(traits, &alive)
}

/// What can be checked of some of the agents without the others.
pub(super) fn part(
    scene: &Scene,
    space: &Space,
    tick: u64,
    (motion, traits): (&Motion, &Traits),
    headings: &[i32],
) -> Result<(), Error> {
    scene.check_parameters().map_err(in_snapshot)?;
    check_world(scene, space)?;
    if tick > LAST_TICK {
        return Err(unsound(format!("step {tick}: must be at most {LAST_TICK}, later than any")));
    }
    check_lengths(scene, motion, traits, headings)?;
    check_species(scene, traits)?;
    check_motion(scene, space, motion)?;
    check_headings(headings)
}

/// What can be checked of ids in a part: `given` were given out, and `of` agents have one.
/// `repeated` are pairs of an index and how often it was given out before.
pub(super) fn ids_of_part(
    scene: &Scene,
    (given, of): (usize, usize),
    (repeated, free): (&[u32], &[u32]),
    traits: &Traits,
) -> Result<(), Error> {
    check_given(scene, given)?;
    let (pairs, rest) = repeated.as_chunks::<2>();
    let ascend = pairs.is_sorted_by(|[one, _], [next, _]| one < next);
    let is_known = |&[index, generation]: &[u32; 2]| (index as usize) < given && generation > 0;
    if !rest.is_empty() || !ascend || !pairs.iter().all(is_known) {
        return Err(unsound("repeated indices are not pairs of an index, ascending, and a number"));
    }
    for (name, indices, but) in [
        ("column index", &traits.index[..], None),
        ("free indices", free, None),
        ("column target", &traits.target[..], Some(NO_TARGET)),
    ] {
        let is_beyond = |&index: &u32| index as usize >= given && Some(index) != but;
        if let Some(k) = indices.iter().position(is_beyond) {
            let index = indices[k];
            return Err(unsound(format!("{name}[{k}] = {index}: must be below {given}")));
        }
    }
    let is_repeated =
        |index: u32| pairs.binary_search_by_key(&index, |&[repeated, _]| repeated).is_ok();
    if let Some(index) = free.iter().find(|&&index| !is_repeated(index)) {
        return Err(unsound(format!("free index {index} never was an agent's")));
    }
    let mut taken = [&traits.index[..], free].concat();
    taken.sort_unstable();
    if let Some(twice) = taken.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(unsound(format!("index {} is there twice", twice[0])));
    }
    // Only indices that are used up are nobody's.
    let used_up = pairs.iter().filter(|[_, generation]| *generation == u32::MAX).count();
    match given - of {
        others if (free.len()..=free.len() + used_up).contains(&others) => Ok(()),
        others => Err(unsound(format!("{} indices are free, not {others}", free.len()))),
    }
}

fn check_given(scene: &Scene, given: usize) -> Result<(), Error> {
    let started = scene.agent_count();
    // `NO_TARGET` is not an index.
    if given < started || given > NO_TARGET as usize {
        return Err(unsound(format!(
            "{given} indices were given out, and the scene starts with {started} agents"
        )));
    }
    Ok(())
}

/// Checks the world's size; it cannot be computed again, because the parameters it followed from
/// may have changed.
fn check_world(scene: &Scene, space: &Space) -> Result<(), Error> {
    let [width, height] = [space.size.x, space.size.y];
    Space::check_size(width, height).map_err(in_snapshot)?;
    let world = &scene.world;
    match (world.width, world.height, world.mean_neighbors) {
        (Some(w), Some(h), None) if (w, h) == (width, height) => {}
        (None, None, Some(_)) if width == height => {}
        _ => return Err(unsound(format!("its scene does not have a world of {width} × {height}"))),
    }
    scene.check_fit(space).map_err(in_snapshot)
}

/// Checks that every column has a row for each agent, or none if the scene does not need it.
fn check_lengths(
    scene: &Scene,
    motion: &Motion,
    traits: &Traits,
    headings: &[i32],
) -> Result<(), Error> {
    let agents = traits.index.len();
    if agents > 0 && scene.species.is_empty() {
        return Err(unsound(format!("{agents} agents, but no species")));
    }
    let needs = Needs::of(scene);
    let remembered = needs.remembered;
    let samples = scene.heading_samples.map_or(0, |samples| samples as usize);
    for (name, column) in needs.columns.iter().zip(&motion.own.0) {
        if column.len() != agents {
            let length = column.len();
            return Err(unsound(format!("column {name} has {length} entries, not {agents}")));
        }
        each(name, column, f32::is_finite, "finite")?;
    }
    for (name, length, needed, each) in [
        ("species", traits.species.len(), needs.species, 1),
        ("target", traits.target.len(), needs.target, 1),
        ("x", motion.x.len(), true, 1),
        ("y", motion.y.len(), true, 1),
        ("vx", motion.vx.len(), needs.velocity, 1),
        ("vy", motion.vy.len(), needs.velocity, 1),
        ("hx", motion.hx.len(), true, 1),
        ("hy", motion.hy.len(), true, 1),
        ("wander_x", motion.wander_x.len(), remembered.wander, 1),
        ("wander_y", motion.wander_y.len(), remembered.wander, 1),
        ("waypoint", motion.waypoint.len(), remembered.waypoint, 1),
        ("alert", motion.alert.len(), remembered.alert, 1),
        ("headings", headings.len(), samples > 0, samples * 2),
    ] {
        let expected = if needed { agents as u64 * each as u64 } else { 0 };
        if length as u64 != expected {
            return Err(unsound(format!("column {name} has {length} entries, not {expected}")));
        }
    }
    Ok(())
}

/// Checks that every index is an agent's, free, or used up. Returns which are agents'.
fn check_ids(scene: &Scene, ids: &IdPool, traits: &Traits) -> Result<Vec<bool>, Error> {
    let generations = ids.generations();
    let given = generations.len();
    check_given(scene, given)?;
    let mut alive = vec![false; given];
    let mut taken = vec![false; given];
    for (list, indices) in [("column index", &traits.index[..]), ("free indices", ids.free())] {
        for (k, &index) in indices.iter().enumerate() {
            match taken.get_mut(index as usize) {
                Some(taken) if !*taken => *taken = true,
                Some(_) => return Err(unsound(format!("{list}[{k}] = {index}: there twice"))),
                None => {
                    return Err(unsound(format!("{list}[{k}] = {index}: must be below {given}")));
                }
            }
        }
        if list == "column index" {
            alive.clone_from(&taken);
        }
    }
    if let Some(&index) = ids.free().iter().find(|&&index| generations[index as usize] == 0) {
        return Err(unsound(format!("free index {index} never was an agent's")));
    }
    let is_missing = |&index: &usize| !taken[index] && generations[index] != u32::MAX;
    match (0..given).find(is_missing) {
        Some(index) => Err(unsound(format!("index {index} is neither free nor an agent's"))),
        None => Ok(alive),
    }
}

fn check_species(scene: &Scene, traits: &Traits) -> Result<(), Error> {
    let count = scene.species.len();
    if let Some(slot) = traits.species.iter().position(|&kind| usize::from(kind) >= count) {
        let kind = traits.species[slot];
        return Err(unsound(format!("column species[{slot}] = {kind}: must be below {count}")));
    }
    Ok(())
}

fn check_targets(traits: &Traits, alive: &[bool]) -> Result<(), Error> {
    let is_dangling =
        |&target: &u32| target != NO_TARGET && alive.get(target as usize) != Some(&true);
    match traits.target.iter().position(is_dangling) {
        Some(slot) => {
            let target = traits.target[slot];
            Err(unsound(format!("column target[{slot}] = {target}: there is no such agent")))
        }
        None => Ok(()),
    }
}

fn check_motion(scene: &Scene, space: &Space, motion: &Motion) -> Result<(), Error> {
    let along = |size: f32| {
        move |x: f32| match space.topology {
            Topology::Open => x.abs() <= COORDINATE_LIMIT,
            Topology::Bounded => x >= 0.0 && x <= size,
            Topology::Torus => x >= 0.0 && x < size,
        }
    };
    each("x", &motion.x, along(space.size.x), "inside the world")?;
    each("y", &motion.y, along(space.size.y), "inside the world")?;
    for (name, column) in [("vx", &motion.vx), ("vy", &motion.vy)] {
        each(name, column, |v| v.abs() <= FASTEST, "a possible speed")?;
    }
    for (slot, (hx, hy)) in motion.hx.iter().zip(&motion.hy).enumerate() {
        if !is_one(hx.hypot(*hy)) {
            return Err(unsound(format!(
                "columns hx[{slot}] = {hx:?}, hy[{slot}] = {hy:?}: must be of length 1"
            )));
        }
    }
    for (name, column) in [("wander_x", &motion.wander_x), ("wander_y", &motion.wander_y)] {
        each(name, column, |w| w.abs() <= WIDEST_WANDER, "on a wander circle")?;
    }
    let longest = scene.paths.iter().map(|path| path.points.len()).max().unwrap_or(0);
    let is_waypoint = |w: f32| w >= 0.0 && w < longest as f32 && w.fract() == 0.0;
    each("waypoint", &motion.waypoint, is_waypoint, "the number of a waypoint")?;
    each("alert", &motion.alert, f32::is_finite, "finite")
}

fn check_headings(headings: &[i32]) -> Result<(), Error> {
    let is_unit = |[x, y]: [i32; 2]| is_one((x as f32).hypot(y as f32) / fixed::ONE);
    each("headings", headings.as_chunks().0, is_unit, "of length 2^24")
}

/// Whether a length is 1, but for rounding.
fn is_one(length: f32) -> bool {
    (1.0 - TOLERANCE..=1.0 + TOLERANCE).contains(&length)
}

/// Checks that every entry is sound, which NaN never is.
fn each<T: Copy + Debug>(
    name: &str,
    column: &[T],
    is_sound: impl Fn(T) -> bool,
    must_be: &str,
) -> Result<(), Error> {
    match column.iter().position(|&value| !is_sound(value)) {
        Some(slot) => {
            let value = column[slot];
            Err(unsound(format!("column {name}[{slot}] = {value:?}: must be {must_be}")))
        }
        None => Ok(()),
    }
}
