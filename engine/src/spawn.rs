//! Placing agents: at the start of a scene, and one by one while it runs.
//!
//! Everything drawn for an agent comes from a generator seeded by the scene's seed and the
//! agent's index, so adding a species or an agent does not move any other.

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::behavior::Behavior;
use crate::columns::{Motion, Traits};
use crate::error::{Error, Place};
use crate::reference::locomotion::wrapped;
use crate::scene::Scene;
use crate::species::{Species, Value};
use crate::vec2::Vec2;
use crate::world::Space;

/// An agent about to be added.
pub(crate) struct Newcomer {
    pub(crate) kind: usize,
    pub(crate) index: u32,
    pub(crate) position: [f32; 2],
    pub(crate) heading: Vec2<f32>,
}

/// Adds all agents that the scene starts with: uniformly spread, headed anywhere.
pub(crate) fn populate(scene: &Scene, space: &Space, motion: &mut Motion, traits: &mut Traits) {
    let kinds = scene.species.iter().enumerate();
    let members = kinds.flat_map(|(kind, species)| std::iter::repeat_n(kind, species.agents));
    for (index, kind) in (0..).zip(members) {
        let mut draws = Draws::new(scene.seed, index, Purpose::Place);
        let position = [draws.unit() * space.size.x, draws.unit() * space.size.y];
        let heading = draws.direction();
        push(scene, space, (motion, traits), Newcomer { kind, index, position, heading });
    }
}

/// Appends one agent.
pub(crate) fn push(
    scene: &Scene,
    space: &Space,
    (motion, traits): (&mut Motion, &mut Traits),
    newcomer: Newcomer,
) {
    let species = &scene.species[newcomer.kind];
    let needs = Needs::of(scene);
    let nature = Nature::of(scene.seed, newcomer.index);
    let [mut x, mut y] = newcomer.position;
    if space.is_torus() {
        (x, y) = (wrapped(x, space.size.x), wrapped(y, space.size.y));
    }
    let velocity = newcomer.heading * species.max_speed.at(nature.max_speed);
    motion.x.push(x);
    motion.y.push(y);
    motion.vx.push(velocity.x);
    motion.vy.push(velocity.y);
    motion.hx.push(newcomer.heading.x);
    motion.hy.push(newcomer.heading.y);
    if needs.wander {
        let target = nature.wander * wander_radius(species);
        motion.wander_x.push(target.x);
        motion.wander_y.push(target.y);
    }

    traits.index.push(newcomer.index);
    if needs.species {
        traits.species.push(newcomer.kind as u8);
    }
    let add = |needed: bool, column: &mut Vec<f32>, value: Value, fraction: f32| {
        if needed {
            column.push(value.at(fraction));
        }
    };
    add(needs.max_speed, &mut traits.max_speed, species.max_speed, nature.max_speed);
    add(needs.max_force, &mut traits.max_force, species.max_force, nature.max_force);
    add(needs.mass, &mut traits.mass, species.mass, nature.mass);
    add(needs.radius, &mut traits.radius, species.radius, nature.radius);
}

/// Brings the columns of all agents in line with changed parameters: what an agent drew stays
/// what it drew, at another range if the range changed.
pub(crate) fn reshape(scene: &Scene, motion: &mut Motion, traits: &mut Traits) {
    let needs = Needs::of(scene);
    let natures = |indices: &[u32]| -> Vec<Nature> {
        indices.iter().map(|&index| Nature::of(scene.seed, index)).collect()
    };
    let kind = |slot: usize| traits.species.get(slot).map_or(0, |&kind| usize::from(kind));
    let kinds: Vec<usize> = (0..traits.index.len()).map(kind).collect();
    let fill = |needed: bool, column: &mut Vec<f32>, value: fn(&Species, &Nature) -> f32| {
        column.clear();
        if needed {
            let agents = kinds.iter().zip(natures(&traits.index));
            column.extend(agents.map(|(&kind, nature)| value(&scene.species[kind], &nature)));
        }
    };
    fill(needs.max_speed, &mut traits.max_speed, |s, n| s.max_speed.at(n.max_speed));
    fill(needs.max_force, &mut traits.max_force, |s, n| s.max_force.at(n.max_force));
    fill(needs.mass, &mut traits.mass, |s, n| s.mass.at(n.mass));
    fill(needs.radius, &mut traits.radius, |s, n| s.radius.at(n.radius));
    // Unlike these, a wander target that is there has moved since and is kept.
    if !needs.wander || motion.wander_x.is_empty() {
        fill(needs.wander, &mut motion.wander_x, |s, n| n.wander.x * wander_radius(s));
        fill(needs.wander, &mut motion.wander_y, |s, n| n.wander.y * wander_radius(s));
    }
}

/// The optional columns that a scene needs.
struct Needs {
    wander: bool,
    species: bool,
    max_speed: bool,
    max_force: bool,
    mass: bool,
    radius: bool,
}

impl Needs {
    fn of(scene: &Scene) -> Self {
        let species = &scene.species;
        let drawn = |value: fn(&Species) -> Value| species.iter().any(|s| !value(s).is_shared());
        let radii_differ = species.windows(2).any(|pair| pair[0].radius != pair[1].radius);
        let radii_are_seen = species.iter().any(|species| species.view_includes_radius);
        Self {
            wander: species.iter().any(|species| wander_radius(species) > 0.0),
            species: species.len() > 1,
            max_speed: drawn(|species| species.max_speed),
            max_force: drawn(|species| species.max_force),
            mass: drawn(|species| species.mass),
            radius: drawn(|species| species.radius) || (radii_are_seen && radii_differ),
        }
    }
}

/// Whether agents carry their own bounding radius.
pub(crate) fn each_has_a_radius(scene: &Scene) -> bool {
    Needs::of(scene).radius
}

/// The radius of a species' wander circle, zero if it does not wander.
fn wander_radius(species: &Species) -> f32 {
    let radius = species.behaviors.iter().find_map(|behavior| match behavior {
        Behavior::Wander(wander) => Some(wander.radius),
        _ => None,
    });
    radius.unwrap_or(0.0)
}

/// What chance gave an agent: where in each range its values are, and where on its circle its
/// wander target starts. It depends on seed and index alone.
struct Nature {
    max_speed: f32,
    max_force: f32,
    mass: f32,
    radius: f32,
    wander: Vec2<f32>,
}

impl Nature {
    fn of(seed: u64, index: u32) -> Self {
        let mut draws = Draws::new(seed, index, Purpose::Nature);
        Self {
            max_speed: draws.unit(),
            max_force: draws.unit(),
            mass: draws.unit(),
            radius: draws.unit(),
            wander: draws.direction(),
        }
    }
}

/// A heading given by a user, as a unit vector.
pub(crate) fn unit_heading(heading: [f32; 2]) -> Result<Vec2<f32>, Error> {
    let [x, y] = heading.map(f64::from);
    let length = (x * x + y * y).sqrt();
    if (1.0e-15..=1.0e15).contains(&length) {
        return Ok(Vec2::new((x / length) as f32, (y / length) as f32));
    }
    Err(Error::OutOfRange {
        at: Place::default(),
        field: "heading".into(),
        value: format!("[{:?}, {:?}]", heading[0], heading[1]),
        allowed: "a vector of length from 1e-15 to 1e15".into(),
    })
}

/// What a generator is seeded for, so that its numbers are not used twice.
#[derive(Clone, Copy)]
enum Purpose {
    Place = 1,
    Nature = 2,
}

/// Random numbers for one agent and purpose.
struct Draws(Xoshiro256PlusPlus);

impl Draws {
    fn new(seed: u64, index: u32, purpose: Purpose) -> Self {
        let stream = u64::from(index) << 8 | purpose as u64;
        // `seed_from_u64` runs the seed through SplitMix64, which separates neighbors.
        Self(Xoshiro256PlusPlus::seed_from_u64(seed.wrapping_mul(0xD129_0B26_8C68_64DD) ^ stream))
    }

    /// Uniform in [0, 1), 2⁻²⁴ apart.
    fn unit(&mut self) -> f32 {
        (self.0.next_u64() >> 40) as f32 / (1 << 24) as f32
    }

    /// A unit vector, every direction equally likely: points are drawn from a square until
    /// one falls into the circle, which needs no trigonometry.
    fn direction(&mut self) -> Vec2<f32> {
        loop {
            let point = Vec2::new(self.unit() * 2.0 - 1.0, self.unit() * 2.0 - 1.0);
            let length_sq = point.dot(point);
            if length_sq > 0.01 && length_sq <= 1.0 {
                return point.normalized();
            }
        }
    }
}
