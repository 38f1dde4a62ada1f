//! Adds agents: at the start of a scene, and one by one while it runs.
//!
//! All random numbers of an agent come from a generator seeded by the scene's seed and the agent's
//! index, so adding a species or an agent does not move any other.

use std::collections::TryReserveError;
use std::ops::Range;

use crate::behaviors::Behavior;
use crate::crowd::columns::{Motion, NO_TARGET, Traits};
use crate::crowd::shared::Value;
use crate::error::Error;
use crate::math::angle::sin_cos;
use crate::math::fused::mul_add;
use crate::math::random::{self, Draws, Purpose};
use crate::math::vec2::Vec2;
use crate::scene::Scene;
use crate::scene::species::Species;
use crate::scene::start::{OwnTarget, Start, StartPlace};
use crate::simulation::needs::Needs;
use crate::world::space::{Space, remainder, wrapped};
use crate::world::{COORDINATE_LIMIT, Topology};

/// An agent to be added.
pub(crate) struct NewAgent {
    pub(crate) number: usize,
    pub(crate) index: u32,
    pub(crate) position: [f32; 2],
    pub(crate) heading: Vec2<f32>,
    /// As a share of its maximum speed.
    pub(crate) speed: f32,
}

/// Makes room for all agents that the scene starts with, in the columns that it needs.
pub(crate) fn reserve(
    scene: &Scene,
    agents: usize,
    motion: &mut Motion,
    traits: &mut Traits,
) -> Result<(), TryReserveError> {
    let needs = Needs::of(scene);
    let Motion { x, y, vx, vy, hx, hy, wander_x, wander_y, waypoint, alert, own } = motion;
    let Traits { index, species, target, max_speed, max_force, mass, radius } = traits;
    for (needed, column) in [
        (true, x),
        (true, y),
        (needs.velocity, vx),
        (needs.velocity, vy),
        (true, hx),
        (true, hy),
        (needs.remembered.wander, wander_x),
        (needs.remembered.wander, wander_y),
        (needs.remembered.waypoint, waypoint),
        (needs.remembered.alert, alert),
        (needs.max_speed, max_speed),
        (needs.max_force, max_force),
        (needs.mass, mass),
        (needs.radius, radius),
    ] {
        column.try_reserve_exact(if needed { agents } else { 0 })?;
    }
    own.0.resize_with(needs.columns.len(), Vec::new);
    own.0.iter_mut().try_for_each(|column| column.try_reserve_exact(agents))?;
    index.try_reserve_exact(agents)?;
    species.try_reserve_exact(if needs.species { agents } else { 0 })?;
    target.try_reserve_exact(if needs.target { agents } else { 0 })
}

/// Adds those agents that the scene starts with whose indices are in `range`.
pub(crate) fn populate(
    scene: &Scene,
    space: &Space,
    range: Range<u32>,
    (motion, traits): (&mut Motion, &mut Traits),
) {
    let members = scene.species.iter().enumerate().flat_map(|(number, species)| {
        let first = scene.first_index(number);
        let indices = first.max(range.start)..(first + species.agents as u32).min(range.end);
        indices.map(move |index| (index, number))
    });
    let needs = Needs::of(scene);
    for (index, number) in members {
        let start = &scene.species[number].start;
        let mut draws = Draws::new(scene.seed, index, Purpose::Place);
        let position = start_position(start, &mut draws, scene.seed, space);
        let heading = match start.heading {
            Some(degrees) => {
                let (sin, cos) = sin_cos(degrees.to_radians());
                Vec2::new(cos, sin)
            }
            None => draws.direction(),
        };
        let speed = start.speed.unwrap_or(1.0);
        let agent = NewAgent { number, index, position, heading, speed };
        push(scene, space, &needs, (motion, traits), agent);
        if let Some(target) = traits.target.last_mut() {
            *target = own_target(scene, number, index);
        }
    }
}

/// Where an agent starts: inside the world, or in an open world within the coordinate limit.
fn start_position(start: &Start, draws: &mut Draws, seed: u64, space: &Space) -> [f32; 2] {
    let position = match start.place {
        StartPlace::Anywhere => {
            return [draws.unit() * space.size.x, draws.unit() * space.size.y];
        }
        StartPlace::Circle { center, radius } => draws.in_circle(center.into(), radius),
        StartPlace::Box { low, high } => {
            let between = |unit: f32, axis: usize| mul_add(unit, high[axis] - low[axis], low[axis]);
            Vec2::new(between(draws.unit(), 0), between(draws.unit(), 1))
        }
        StartPlace::Clusters { count, radius } => {
            let cluster = (draws.unit() * count as f32) as u32;
            let mut of_cluster = Draws::new(seed, cluster, Purpose::Clusters);
            let center =
                Vec2::new(of_cluster.unit() * space.size.x, of_cluster.unit() * space.size.y);
            draws.in_circle(center, radius)
        }
    };
    let inside = |x: f32, size: f32| match space.topology {
        Topology::Open => x.clamp(-COORDINATE_LIMIT, COORDINATE_LIMIT),
        Topology::Bounded => x.clamp(0.0, size),
        Topology::Torus => remainder(x, size),
    };
    [inside(position.x, space.size.x), inside(position.y, space.size.y)]
}

/// The own target that a species defines for the agent of this index, which starts in it.
fn own_target(scene: &Scene, number: usize, index: u32) -> u32 {
    let first = scene.first_index(number);
    let others = |name: &str| {
        let other = scene.species_index(name).expect("the scene was checked");
        (scene.first_index(other), scene.species[other].agents as u32)
    };
    match &scene.species[number].own_target {
        None => NO_TARGET,
        Some(OwnTarget::Previous) if index == first => NO_TARGET,
        Some(OwnTarget::SingleFile(name)) if index == first => match others(name) {
            (_, 0) => NO_TARGET,
            (leader, _) => leader,
        },
        Some(OwnTarget::Previous | OwnTarget::SingleFile(_)) => index - 1,
        Some(OwnTarget::EachOf(name)) => match others(name) {
            (_, 0) => NO_TARGET,
            (start, count) => start + (index - first) % count,
        },
    }
}

/// Appends one agent.
pub(crate) fn push(
    scene: &Scene,
    space: &Space,
    needs: &Needs,
    (motion, traits): (&mut Motion, &mut Traits),
    agent: NewAgent,
) {
    let species = &scene.species[agent.number];
    let individual = Individual::of(scene.seed, agent.index);
    let [mut x, mut y] = agent.position;
    if space.is_torus() {
        (x, y) = (wrapped(x, space.size.x), wrapped(y, space.size.y));
    }
    let velocity = agent.heading * (species.max_speed.at(individual.max_speed) * agent.speed);
    motion.x.push(x);
    motion.y.push(y);
    if needs.velocity {
        motion.vx.push(velocity.x);
        motion.vy.push(velocity.y);
    }
    motion.hx.push(agent.heading.x);
    motion.hy.push(agent.heading.y);
    if needs.remembered.wander {
        let target = individual.wander * wander_radius(species);
        motion.wander_x.push(target.x);
        motion.wander_y.push(target.y);
    }
    if needs.remembered.waypoint {
        motion.waypoint.push(0.0);
    }
    if needs.remembered.alert {
        motion.alert.push(0.0);
    }

    for (name, column) in needs.columns.iter().zip(&mut motion.own.0) {
        column.push(start_of(name, species, scene.seed, agent.index));
    }

    traits.index.push(agent.index);
    if needs.species {
        traits.species.push(agent.number as u8);
    }
    if needs.target {
        traits.target.push(NO_TARGET);
    }
    let add = |needed: bool, column: &mut Vec<f32>, value: Value, fraction: f32| {
        if needed {
            column.push(value.at(fraction));
        }
    };
    add(needs.max_speed, &mut traits.max_speed, species.max_speed, individual.max_speed);
    add(needs.max_force, &mut traits.max_force, species.max_force, individual.max_force);
    add(needs.mass, &mut traits.mass, species.mass, individual.mass);
    add(needs.radius, &mut traits.radius, species.radius, individual.radius);
}

/// Adapts the columns of all agents to changed parameters. Each agent keeps its relative position
/// in every range, even if the range changed.
/// `columns` are the names of those columns that the scene defined so far.
pub(crate) fn refit_columns(
    scene: &Scene,
    columns: &[String],
    motion: &mut Motion,
    traits: &mut Traits,
) {
    let needs = Needs::of(scene);
    let individuals = |indices: &[u32]| -> Vec<Individual> {
        indices.iter().map(|&index| Individual::of(scene.seed, index)).collect()
    };
    let numbers: Vec<usize> = (0..traits.index.len()).map(|slot| traits.species_of(slot)).collect();
    let fill = |needed: bool, column: &mut Vec<f32>, value: fn(&Species, &Individual) -> f32| {
        column.clear();
        if needed {
            let agents = numbers.iter().zip(individuals(&traits.index));
            column.extend(agents.map(|(&number, i)| value(&scene.species[number], &i)));
        }
    };
    fill(needs.max_speed, &mut traits.max_speed, |s, i| s.max_speed.at(i.max_speed));
    fill(needs.max_force, &mut traits.max_force, |s, i| s.max_force.at(i.max_force));
    fill(needs.mass, &mut traits.mass, |s, i| s.mass.at(i.mass));
    fill(needs.radius, &mut traits.radius, |s, i| s.radius.at(i.radius));
    // Existing wander targets are kept, because they have moved since.
    let wander = needs.remembered.wander;
    if !wander || motion.wander_x.is_empty() {
        fill(wander, &mut motion.wander_x, |s, i| i.wander.x * wander_radius(s));
        fill(wander, &mut motion.wander_y, |s, i| i.wander.y * wander_radius(s));
    }
    // So are existing velocities. Without them, every agent has moved at its maximum speed.
    let velocity = needs.velocity;
    if !velocity || motion.vx.is_empty() {
        fill(velocity, &mut motion.vx, |s, i| s.max_speed.at(i.max_speed));
        fill(velocity, &mut motion.vy, |s, i| s.max_speed.at(i.max_speed));
        motion.vx.iter_mut().zip(&motion.hx).for_each(|(speed, heading)| *speed *= heading);
        motion.vy.iter_mut().zip(&motion.hy).for_each(|(speed, heading)| *speed *= heading);
    }
    let mut known = std::mem::take(&mut motion.own.0);
    motion.own.0.extend(needs.columns.iter().map(|name| {
        let start = |(&number, &index): (&usize, &u32)| {
            start_of(name, &scene.species[number], scene.seed, index)
        };
        match columns.iter().position(|column| column == name) {
            Some(number) => std::mem::take(&mut known[number]),
            None => numbers.iter().zip(&traits.index).map(start).collect(),
        }
    }));
    let agents = traits.index.len();
    motion.waypoint.resize(if needs.remembered.waypoint { agents } else { 0 }, 0.0);
    motion.alert.resize(if needs.remembered.alert { agents } else { 0 }, 0.0);
    traits.target.resize(if needs.target { agents } else { 0 }, NO_TARGET);
}

/// What an agent's column of this name holds at the start.
fn start_of(name: &str, species: &Species, seed: u64, index: u32) -> f32 {
    match species.columns.get(name) {
        None => 0.0,
        Some(Value::Shared(value)) => *value,
        Some(range) => {
            range.at(Draws::of_column(seed, index, random::hash_bytes(name.as_bytes())).unit())
        }
    }
}

/// The radius of a species' wander circle; 0 if it does not wander.
fn wander_radius(species: &Species) -> f32 {
    let radius = species.behaviors.iter().find_map(|behavior| match behavior {
        Behavior::Wander(wander) => Some(wander.radius),
        _ => None,
    });
    radius.unwrap_or(0.0)
}

/// An agent's random properties: where in each range its values are, and where on its circle its
/// wander target starts. They depend on seed and index alone.
struct Individual {
    max_speed: f32,
    max_force: f32,
    mass: f32,
    radius: f32,
    wander: Vec2<f32>,
}

impl Individual {
    fn of(seed: u64, index: u32) -> Self {
        let mut draws = Draws::new(seed, index, Purpose::Individual);
        Self {
            max_speed: draws.unit(),
            max_force: draws.unit(),
            mass: draws.unit(),
            radius: draws.unit(),
            wander: draws.direction(),
        }
    }
}

/// A heading set by the caller, as a unit vector.
pub(crate) fn unit_heading(heading: [f32; 2]) -> Result<Vec2<f32>, Error> {
    let [x, y] = heading.map(f64::from);
    let length = (x * x + y * y).sqrt();
    if (1.0e-15..=1.0e15).contains(&length) {
        return Ok(Vec2::new((x / length) as f32, (y / length) as f32));
    }
    Err(Error::refused(
        "heading",
        format!("[{:?}, {:?}]", heading[0], heading[1]),
        "a vector of length from 1e-15 to 1e15",
    ))
}
