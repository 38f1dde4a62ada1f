//! Adds agents, at the start and while the crowd runs.
//!
//! Each agent has its own random generator, seeded from the scene's seed and the agent's index.
//! Adding a species or an agent therefore leaves all other agents unchanged.

use std::ops::Range;

use crate::behaviors::Behavior;
use crate::crowd::aim::{Aim, NO_TARGET};
use crate::crowd::columns::{Attributes, Memory, Motion, value};
use crate::crowd::limits::Limit;
use crate::error::Error;
use crate::math::angle::sin_cos;
use crate::math::random::{self, AgentRng, Purpose};
use crate::math::vec3::Vec3;
use crate::scene::Scene;
use crate::scene::species::Species;
use crate::scene::start::OwnTarget;
use crate::scene::value::SpeciesValue;
use crate::simulation::required_columns::RequiredColumns;
use crate::simulation::start::{self, MAX_DRAWS};
use crate::simulation::{Setting, State};
use crate::world::space::Space;

pub(crate) struct NewAgent {
    pub(crate) number: usize,
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
    let members = scene.species.iter().enumerate().flat_map(|(number, species)| {
        let first = scene.first_index(number);
        let indices = first.max(range.start)..(first + species.agents as u32).min(range.end);
        indices.map(move |index| (index, number))
    });
    for axes in [&mut state.motion.position, &mut state.motion.heading] {
        axes.0[..space.axes()].iter_mut().for_each(|column| column.reserve_exact(range.len()));
    }
    state.attributes.index.reserve_exact(range.len());
    state.attributes.species.reserve_exact(if required.species { range.len() } else { 0 });
    let solids = scene.solid.then(|| setting.scenery.shapes(space));
    for (index, number) in members {
        let radius = || limit_of_species(scene, number, index, Limit::Radius);
        let is_free = |at: Vec3<f32>| {
            solids.as_ref().is_none_or(|solids| !solids.overlap(at, radius(), space))
        };
        let drawn = start::drawn(scene, space, number, index, is_free);
        let (position, heading) = drawn.ok_or_else(|| no_room(number, index, radius()))?;
        push(space, required, state, &NewAgent { number, index, position, heading }, index.into());
    }
    fit_columns(scene, required, &[], state, 0, start_speed);
    for slot in 0..state.attributes.target.len() {
        let (number, index) = (state.attributes.species_of(slot), state.attributes.index[slot]);
        state.attributes.set_aim(slot, own_target(scene, number, index));
    }
    Ok(())
}

fn no_room(number: usize, index: u32, radius: f32) -> Error {
    let allowed = format!(
        "an area with room for agent #{index}.0 of radius {radius}: the agent overlaps solid walls \
         or obstacles at each of {MAX_DRAWS} random positions"
    );
    Error::refused(format!("species[{number}].start"), "a crowded area", allowed)
}

fn own_target(scene: &Scene, number: usize, index: u32) -> Aim {
    let first = scene.first_index(number);
    let others = |name: &str| {
        let other = scene.species_index(name).expect("the scene was checked");
        (scene.first_index(other), scene.species[other].agents as u32)
    };
    match &scene.species[number].own_target {
        None => Aim::Nothing,
        Some(OwnTarget::Previous) if index == first => Aim::Nothing,
        Some(OwnTarget::SingleFile(name)) if index == first => match others(name) {
            (_, 0) => Aim::Nothing,
            (leader, _) => Aim::Agent(leader),
        },
        Some(OwnTarget::Previous | OwnTarget::SingleFile(_)) => Aim::Agent(index - 1),
        Some(OwnTarget::EachOf(name)) => match others(name) {
            (_, 0) => Aim::Nothing,
            (start, count) => Aim::Agent(start + (index - first) % count),
        },
    }
}

pub(crate) fn start_speed(species: &Species) -> f32 {
    species.start.speed.unwrap_or(1.0)
}

/// Appends an agent. Call [`fit_columns`] afterwards to fill its remaining columns.
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
        attributes.species.push(agent.number as u8);
    }
    if required.joined {
        attributes.joined.push(joined);
    }
}

/// Adds missing rows to the columns that the scene requires, and empties all other columns.
///
/// Agents from slot `first` on get their species' limits, except for overridden limits.
/// If a range has changed, an agent's limit keeps its relative position in the range.
/// New velocities are `speed` times the maximum speed. `known` names the columns in `motion.own`.
pub(crate) fn fit_columns(
    scene: &Scene,
    required: &RequiredColumns,
    known: &[String],
    state: &mut State,
    first: usize,
    speed: impl Fn(&Species) -> f32,
) {
    let State { motion, attributes, overrides, .. } = state;
    let agents = attributes.index.len();
    let rows = |needed: bool| if needed { agents } else { 0 };
    if required.joined {
        let missing = attributes.index.iter().skip(attributes.joined.len());
        attributes.joined.extend(missing.map(|&index| u64::from(index)));
    } else {
        (attributes.joined, overrides.joined) = (Vec::new(), 0);
    }
    attributes.species.resize(rows(required.species), 0);
    attributes.target.resize(rows(required.target), NO_TARGET);
    let points = rows(required.target_points);
    let axes = scene.world.axes();
    attributes.target_point.0.iter_mut().take(axes).for_each(|column| column.resize(points, 0.0));
    attributes.overridden.resize(rows(required.overridden), 0);
    for limit in Limit::ALL {
        let mut column = std::mem::take(&mut attributes.limits[limit as usize]);
        column.resize(rows(required.has(limit)), 0.0);
        for (slot, value) in column.iter_mut().enumerate().skip(first) {
            if !attributes.is_overridden(limit, slot) {
                let (number, index) = (attributes.species_of(slot), attributes.index[slot]);
                *value = limit_of_species(scene, number, index, limit);
            }
        }
        attributes.limits[limit as usize] = column;
    }
    attributes.view_cos.truncate(first);
    let fields_of_view = attributes.limits[Limit::FieldOfView as usize].iter().skip(first);
    attributes.view_cos.extend(fields_of_view.map(|&degrees| view_cos(degrees)));

    let species = |slot: usize| &scene.species[attributes.species_of(slot)];
    let Motion { heading, velocity, memory, own, .. } = motion;
    let first_speed = |slot: usize| {
        let max_speed: f32 =
            value(attributes.limit(Limit::MaxSpeed), slot, species(slot).max_speed.max());
        max_speed * speed(species(slot))
    };
    for (column, heading) in velocity.0.iter_mut().zip(&heading.0).take(axes) {
        complete(column, rows(required.velocity), |slot| heading[slot] * first_speed(slot));
    }
    for (memory, column) in Memory::ALL.into_iter().zip(memory) {
        let rows = rows(required.memory[memory as usize]);
        complete(column, rows, |slot| first_memory(scene, attributes, memory, slot));
    }
    let mut before = std::mem::take(own);
    for (name, column) in required.columns.iter().zip(own) {
        if let Some(number) = known.iter().position(|known| known == name) {
            *column = std::mem::take(&mut before[number]);
        }
        complete(column, agents, |slot| {
            start_of(name, species(slot), scene.seed_of_start(), attributes.index[slot])
        });
    }
}

pub(crate) fn renew(scene: &Scene, state: &mut State, slot: usize) {
    let State { motion, attributes, .. } = state;
    let (number, index) = (attributes.species_of(slot), attributes.index[slot]);
    for limit in Limit::ALL {
        if attributes.limit(limit).is_empty() || attributes.is_overridden(limit, slot) {
            continue;
        }
        let value = limit_of_species(scene, number, index, limit);
        attributes.limits[limit as usize][slot] = value;
        if limit == Limit::FieldOfView {
            attributes.view_cos[slot] = view_cos(value);
        }
    }
    for (memory, column) in Memory::ALL.into_iter().zip(&mut motion.memory) {
        if let Some(entry) = column.get_mut(slot) {
            *entry = first_memory(scene, attributes, memory, slot);
        }
    }
}

pub(crate) fn limit_of_species(scene: &Scene, number: usize, index: u32, limit: Limit) -> f32 {
    let (shares, _) = individual(scene, index);
    let share = shares.get(limit as usize).copied().unwrap_or(0.0);
    scene.species[number].limit(limit).at(share)
}

fn first_memory(scene: &Scene, attributes: &Attributes, memory: Memory, slot: usize) -> f32 {
    let wander_target = || {
        let (_, direction) = individual(scene, attributes.index[slot]);
        direction * wander_radius(&scene.species[attributes.species_of(slot)])
    };
    match memory {
        Memory::WanderX => wander_target().x,
        Memory::WanderY => wander_target().y,
        Memory::WanderZ => wander_target().z,
        Memory::Waypoint | Memory::Alert | Memory::HunterX | Memory::HunterY | Memory::HunterZ => {
            0.0
        }
    }
}

/// Fills only the missing rows, because steps may have changed the existing rows.
fn complete(column: &mut Vec<f32>, rows: usize, missing: impl Fn(usize) -> f32) {
    column.truncate(rows);
    column.extend((column.len()..rows).map(missing));
}

fn start_of(name: &str, species: &Species, seed: u64, index: u32) -> f32 {
    match species.columns.get(name) {
        None => 0.0,
        Some(SpeciesValue::Shared(value)) => *value,
        Some(range) => {
            range.at(AgentRng::of_column(seed, index, random::hash_bytes(name.as_bytes())).unit())
        }
    }
}

fn wander_radius(species: &Species) -> f32 {
    let radius = species.behaviors.iter().find_map(|behavior| match behavior {
        Behavior::Wander(wander) => Some(wander.radius),
        _ => None,
    });
    radius.unwrap_or(0.0)
}

fn individual(scene: &Scene, index: u32) -> ([f32; 4], Vec3<f32>) {
    let mut draws = AgentRng::new(scene.seed_of_start(), index, Purpose::Individual);
    (std::array::from_fn(|_| draws.unit()), draws.direction(!scene.world.is_deep()))
}

/// cos·|cos| of half the field of view. A full circle gets a value below -1,
/// so that rounding hides no neighbor.
pub(crate) fn view_cos(field_of_view: f32) -> f32 {
    let (_, cos) = sin_cos((field_of_view / 2.0).to_radians());
    if field_of_view < 360.0 { cos * cos.abs() } else { -4.0 }
}

pub(crate) fn unit_heading(heading: Vec3<f32>) -> Result<Vec3<f32>, Error> {
    let exact = Vec3::<f64>::from_f32(heading);
    let length = exact.length();
    if (1.0e-15..=1.0e15).contains(&length) {
        let Vec3 { x, y, z } = exact;
        return Ok(Vec3 { x: x / length, y: y / length, z: z / length }.to_f32());
    }
    let Vec3 { x, y, z } = heading;
    let value = if z == 0.0 { format!("[{x:?}, {y:?}]") } else { format!("[{x:?}, {y:?}, {z:?}]") };
    Err(Error::refused("heading", value, "a vector of length from 1e-15 to 1e15"))
}
