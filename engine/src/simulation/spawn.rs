//! Adds agents: at the start of a scene, and one by one while it runs.
//!
//! All random numbers of an agent come from a generator seeded by the scene's seed and the agent's
//! index, so adding a species or an agent does not move any other.

use std::collections::TryReserveError;
use std::ops::Range;

use crate::behaviors::Behavior;
use crate::crowd::columns::{Limit, Motion, NO_TARGET, Traits, Written, value};
use crate::crowd::shared::Value;
use crate::error::Error;
use crate::math::angle::sin_cos;
use crate::math::fused::mul_add;
use crate::math::random::{self, Draws, Purpose};
use crate::math::vec2::Vec2;
use crate::scene::Scene;
use crate::scene::species::Species;
use crate::scene::start::{OwnTarget, Start, StartPlace};
use crate::simulation::State;
use crate::simulation::needs::Needs;
use crate::world::space::{Space, at_edge, remainder};
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
    let needs = Needs::new(scene, &Written::default());
    let Motion { x, y, vx, vy, hx, hy, wander_x, wander_y, waypoint, alert, own } = motion;
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
    ] {
        column.try_reserve_exact(if needed { agents } else { 0 })?;
    }
    for limit in Limit::ALL.into_iter().filter(|&limit| needs.has(limit)) {
        traits.limit_mut(limit).try_reserve_exact(agents)?;
    }
    own.0.resize_with(needs.columns.len(), Vec::new);
    own.0.iter_mut().try_for_each(|column| column.try_reserve_exact(agents))?;
    traits.index.try_reserve_exact(agents)?;
    traits.species.try_reserve_exact(if needs.species { agents } else { 0 })?;
    traits.target.try_reserve_exact(if needs.target { agents } else { 0 })
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
    let needs = Needs::new(scene, &Written::default());
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
    let individual = Individual::new(scene.seed, agent.index);
    let Vec2 { x, y } = at_edge(space, agent.position.into(), Vec2::ZERO).0;
    let velocity = agent.heading * (individual.limit(species, Limit::MaxSpeed) * agent.speed);
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
    for limit in Limit::ALL.into_iter().filter(|&limit| needs.has(limit)) {
        traits.limit_mut(limit).push(individual.limit(species, limit));
    }
    if needs.has(Limit::FieldOfView) {
        traits.view_cos.push(view_cos(species.field_of_view));
    }
    if needs.written {
        traits.written.push(0);
    }
}

/// Adapts the columns of all agents to changed parameters. Each agent keeps its relative position
/// in every range, even if the range changed, and the limits that were written.
/// `columns` are the names of those columns that the scene defined so far.
pub(crate) fn refit_columns(scene: &Scene, columns: &[String], state: &mut State) {
    let State { motion, traits, written, .. } = state;
    let needs = Needs::new(scene, written);
    let numbers: Vec<usize> = (0..traits.index.len()).map(|slot| traits.species_of(slot)).collect();
    let agents = traits.index.len();
    traits.written.resize(if needs.written { agents } else { 0 }, 0);
    for limit in Limit::ALL {
        let mut column = std::mem::take(traits.limit_mut(limit));
        column.resize(if needs.has(limit) { agents } else { 0 }, 0.0);
        for (slot, value) in column.iter_mut().enumerate() {
            if !traits.is_written(limit, slot) {
                let individual = Individual::new(scene.seed, traits.index[slot]);
                *value = individual.limit(&scene.species[numbers[slot]], limit);
            }
        }
        *traits.limit_mut(limit) = column;
    }
    traits.view_cos.clear();
    traits.view_cos.extend(traits.field_of_view.iter().map(|&degrees| view_cos(degrees)));
    // Existing wander targets are kept, because they have moved since.
    let wander = needs.remembered.wander;
    if !wander || motion.wander_x.is_empty() {
        let agents = numbers.iter().zip(&traits.index).take(if wander { agents } else { 0 });
        let target = |(&number, &index): (&usize, &u32)| {
            Individual::new(scene.seed, index).wander * wander_radius(&scene.species[number])
        };
        (motion.wander_x, motion.wander_y) =
            agents.map(target).map(|target| (target.x, target.y)).unzip();
    }
    // So are existing velocities. Without them, every agent has moved at its maximum speed.
    let velocity = needs.velocity;
    if !velocity || motion.vx.is_empty() {
        let speed = |slot: usize| {
            let species = &scene.species[numbers[slot]];
            value::<f32>(&traits.max_speed, slot, species.max_speed)
        };
        let along = |headings: &[f32]| {
            let agents = headings.iter().enumerate().take(if velocity { agents } else { 0 });
            agents.map(|(slot, heading)| speed(slot) * heading).collect()
        };
        (motion.vx, motion.vy) = (along(&motion.hx), along(&motion.hy));
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
    /// Of those limits that species have ranges of.
    shares: [f32; 4],
    wander: Vec2<f32>,
}

impl Individual {
    fn new(seed: u64, index: u32) -> Self {
        let mut draws = Draws::new(seed, index, Purpose::Individual);
        Self { shares: std::array::from_fn(|_| draws.unit()), wander: draws.direction() }
    }

    fn limit(&self, species: &Species, limit: Limit) -> f32 {
        let share = self.shares.get(limit as usize).copied().unwrap_or(0.0);
        species.limit(limit).at(share)
    }
}

/// cos·|cos| of half a field of view. Of a full circle, so little that rounding hides nothing.
pub(crate) fn view_cos(field_of_view: f32) -> f32 {
    let (_, cos) = sin_cos((field_of_view / 2.0).to_radians());
    if field_of_view < 360.0 { cos * cos.abs() } else { -4.0 }
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
