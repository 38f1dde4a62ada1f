//! Initial values of agents' columns: a value of the species, or a random draw, e.g. from a range.
//!
//! Each agent has its own random generator, seeded from the scene's seed and the agent's index.
//! Adding a species or an agent therefore leaves all other agents unchanged.

use crate::behaviors::Behavior;
use crate::crowd::columns::{Attributes, Memory, Motion, value};
use crate::crowd::limits::Limit;
use crate::crowd::stored_target::NO_TARGET;
use crate::math::angle::sin_cos;
use crate::math::random::{self, AgentRng, Purpose};
use crate::scene::Scene;
use crate::scene::draws::{individual, limit_of_species};
use crate::scene::species::Species;
use crate::scene::value::SpeciesValue;
use crate::simulation::State;
use crate::simulation::required_columns::RequiredColumns;

/// Adds missing rows to the columns that the scene requires, and empties all other columns.
///
/// Agents from slot `first` on get their species' limits, except for overridden limits.
/// If a range has changed, an agent's limit keeps its relative position in the range.
/// New velocities are `speed` times the maximum speed. `columns_before` names the columns that
/// `motion.custom` holds when the function is called.
pub(crate) fn fit_columns(
    scene: &Scene,
    required: &RequiredColumns,
    columns_before: &[String],
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
                let (species, index) = (attributes.species_of(slot), attributes.index[slot]);
                *value = limit_of_species(scene, species, index, limit);
            }
        }
        attributes.limits[limit as usize] = column;
    }
    attributes.view_cos.truncate(first);
    let fields_of_view = attributes.limits[Limit::FieldOfView as usize].iter().skip(first);
    attributes.view_cos.extend(fields_of_view.map(|&degrees| view_cos(degrees)));

    let species = |slot: usize| &scene.species[attributes.species_of(slot)];
    let Motion { heading, velocity, memory, custom, .. } = motion;
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
    let mut before = std::mem::take(custom);
    for (name, column) in required.columns.iter().zip(custom) {
        if let Some(index) = columns_before.iter().position(|before| before == name) {
            *column = std::mem::take(&mut before[index]);
        }
        complete(column, agents, |slot| {
            start_of(name, species(slot), scene.seed_of_start(), attributes.index[slot])
        });
    }
}

pub(crate) fn fit_to_species(scene: &Scene, state: &mut State, slot: usize) {
    let State { motion, attributes, .. } = state;
    let (species, index) = (attributes.species_of(slot), attributes.index[slot]);
    for limit in Limit::ALL {
        if attributes.limit(limit).is_empty() || attributes.is_overridden(limit, slot) {
            continue;
        }
        let value = limit_of_species(scene, species, index, limit);
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

/// Gives first values to the memories that a species' behaviors did not use before.
pub(crate) fn start_to_remember(before: &Scene, scene: &Scene, state: &mut State) {
    let State { motion, attributes, .. } = state;
    for memory in Memory::ALL {
        let pairs = before.species.iter().zip(&scene.species);
        let starts: Vec<bool> = pairs.map(|(old, new)| starts(memory, old, new)).collect();
        if !starts.contains(&true) {
            continue;
        }
        for (slot, entry) in motion.memory[memory as usize].iter_mut().enumerate() {
            if starts.get(attributes.species_of(slot)) == Some(&true) {
                *entry = first_memory(scene, attributes, memory, slot);
            }
        }
    }
}

fn starts(memory: Memory, old: &Species, new: &Species) -> bool {
    let uses = |species: &Species, memory: Memory| {
        let mut behaviors = species.behaviors.iter();
        behaviors.any(|behavior| behavior.as_steer().remembers().contains(&memory))
    };
    let is_new = |memory: Memory| uses(new, memory) && !uses(old, memory);
    match memory {
        Memory::WanderX | Memory::WanderY | Memory::WanderZ => {
            is_new(memory) || wander_radius(old) == 0.0 && wander_radius(new) > 0.0
        }
        // Without the hunter's last known position, alert agents would hide from the origin.
        Memory::Alert => is_new(memory) || is_new(Memory::HunterX),
        _ => is_new(memory),
    }
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
            let seed = seed ^ random::hash_bytes(name.as_bytes());
            range.at(AgentRng::new(seed, index, Purpose::Column).unit())
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

/// cos·|cos| of half the field of view; -∞ for a full circle, so that rounding hides no neighbor.
pub(crate) fn view_cos(field_of_view: f32) -> f32 {
    let (_, cos) = sin_cos((field_of_view / 2.0).to_radians());
    if field_of_view < 360.0 { cos * cos.abs() } else { f32::NEG_INFINITY }
}
