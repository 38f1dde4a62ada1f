//! Adds agents, at the start and while the crowd runs.

use std::ops::Range;

use crate::crowd::stored_target::StoredTarget;
use crate::error::Error;
use crate::math::vec3::Vec3;
use crate::scene::species::Species;
use crate::scene::start::OwnTarget;
use crate::scene::{Scene, draws};
use crate::simulation::first_values::fit_columns;
use crate::simulation::required_columns::RequiredColumns;
use crate::simulation::{Setting, State};
use crate::world::space::Space;

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
    let solids = scene.solid.then(|| &**setting.scenery.shapes(space));
    for (index, species) in agents {
        let (position, heading) = draws::start_of(scene, space, solids, species, index)?;
        push(space, required, state, &NewAgent { species, index, position, heading }, index.into());
    }
    fit_columns(scene, required, &[], state, 0, start_speed);
    for slot in 0..state.attributes.target.len() {
        let (species, index) = (state.attributes.species_of(slot), state.attributes.index[slot]);
        state.attributes.store_target(slot, own_target(scene, species, index));
    }
    Ok(())
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
