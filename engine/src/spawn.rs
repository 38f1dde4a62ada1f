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
    let mut draws = Draws::new(scene.seed, newcomer.index, Purpose::Traits);
    let fraction = draws.unit();
    let [mut x, mut y] = newcomer.position;
    if space.is_torus() {
        (x, y) = (wrapped(x, space.size.x), wrapped(y, space.size.y));
    }
    let velocity = newcomer.heading * species.max_speed.at(fraction);
    motion.x.push(x);
    motion.y.push(y);
    motion.vx.push(velocity.x);
    motion.vy.push(velocity.y);
    motion.hx.push(newcomer.heading.x);
    motion.hy.push(newcomer.heading.y);
    if scene.species.iter().any(wanders) {
        let target = draws.direction() * wander_radius(species);
        motion.wander_x.push(target.x);
        motion.wander_y.push(target.y);
    }

    traits.index.push(newcomer.index);
    if scene.species.len() > 1 {
        traits.species.push(newcomer.kind as u8);
    }
    let ranged = |pick: fn(&Species) -> Value| scene.species.iter().any(|s| !pick(s).is_shared());
    let add = |column: &mut Vec<f32>, pick: fn(&Species) -> Value, fraction: f32| {
        if ranged(pick) {
            column.push(pick(species).at(fraction));
        }
    };
    add(&mut traits.max_speed, |species| species.max_speed, fraction);
    add(&mut traits.max_force, |species| species.max_force, draws.unit());
    add(&mut traits.mass, |species| species.mass, draws.unit());
    if needs_radius_column(scene) {
        traits.radius.push(species.radius.at(draws.unit()));
    }
}

/// Each agent carries its own radius if radii are drawn, or if species whose agents see each
/// other's radius differ in it.
fn needs_radius_column(scene: &Scene) -> bool {
    let radii_differ = scene.species.windows(2).any(|pair| pair[0].radius != pair[1].radius);
    let seen = scene.species.iter().any(|species| species.view_includes_radius);
    scene.species.iter().any(|species| !species.radius.is_shared()) || (seen && radii_differ)
}

/// Refuses parameters that would need columns that the crowd was not built with.
pub(crate) fn check_columns(scene: &Scene, motion: &Motion, traits: &Traits) -> Result<(), Error> {
    let refuse = |field: &str, what: &str| {
        Err(Error::OutOfRange {
            at: Place::default(),
            field: field.into(),
            value: what.into(),
            allowed: "built in from the start: build a new simulation from the changed scene"
                .into(),
        })
    };
    if motion.x.is_empty() {
        return Ok(());
    }
    if scene.species.iter().any(wanders) && motion.wander_x.is_empty() {
        return refuse("behaviors", "wander, in a scene where nobody wandered");
    }
    if needs_radius_column(scene) && traits.radius.is_empty() {
        return refuse("view_includes_radius", "different radii, in a scene where all were equal");
    }
    if !traits.radius.is_empty() && !needs_radius_column(scene) {
        return refuse("radius", "shared radii, in a scene where each agent has its own");
    }
    Ok(())
}

fn wanders(species: &Species) -> bool {
    species.behaviors.iter().any(|behavior| matches!(behavior, Behavior::Wander(_)))
}

fn wander_radius(species: &Species) -> f32 {
    let radius = species.behaviors.iter().find_map(|behavior| match behavior {
        Behavior::Wander(wander) => Some(wander.radius),
        _ => None,
    });
    radius.unwrap_or(0.0)
}

/// A heading given by a user, as a unit vector.
pub(crate) fn unit_heading(heading: [f32; 2]) -> Result<Vec2<f32>, Error> {
    let vector = Vec2::from(heading);
    let unit = vector.normalized();
    let length = unit.length();
    if vector.x.is_finite() && vector.y.is_finite() && (length - 1.0).abs() < 1.0e-3 {
        return Ok(unit);
    }
    Err(Error::OutOfRange {
        at: Place::default(),
        field: "heading".into(),
        value: format!("[{:?}, {:?}]", heading[0], heading[1]),
        allowed: "a finite vector with a direction, of length from 1e-15 to 1e15".into(),
    })
}

/// What a generator is seeded for, so that its numbers are not used twice.
#[derive(Clone, Copy)]
enum Purpose {
    Place = 1,
    Traits = 2,
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
