use crate::crowd::columns::{MOTION_COLUMNS, Memory};
use crate::crowd::limits::{Limit, Overrides};
use crate::crowd::target::Target;
use crate::scene::Scene;
use crate::scene::species::{Locomotion, Species};
use crate::world::Topology;

#[derive(Debug)]
pub(crate) struct RequiredColumns {
    /// True if positions and headings have a third component.
    pub(crate) depth: bool,
    pub(crate) velocity: bool,
    pub(crate) memory: [bool; Memory::ALL.len()],
    pub(crate) species: bool,
    pub(crate) target: bool,
    pub(crate) target_points: bool,
    pub(crate) joined: bool,
    pub(super) limits: u8,
    pub(crate) overridden: bool,
    pub(crate) outside: bool,
    pub(crate) columns: Vec<String>,
}

impl RequiredColumns {
    pub(crate) fn new(scene: &Scene, overrides: &Overrides) -> Self {
        let species = &scene.species;
        let radii_differ = species.windows(2).any(|pair| pair[0].radius != pair[1].radius);
        let is_drawn = |limit| species.iter().any(|species| !species.limit(limit).is_shared());
        let drawn = Limit::ALL.into_iter().filter(|&limit| is_drawn(limit));
        let drawn = drawn.fold(0, |bits, limit| bits | limit.bit());
        let has_immovable = scene.passes() > 0
            && (overrides.has(Limit::Immovable) || species.iter().any(|species| species.immovable));
        // To limit compile time, the push kernel for immovable agents always loads radii.
        let immovable = Limit::Immovable.bit() | Limit::Radius.bit();
        let radii_are_read = scene.passes() > 0
            || species.iter().any(|species| species.view_includes_radius)
            || scene.behaviors().any(|behavior| behavior.as_steer().reads_radii());
        let depth = scene.world.is_deep();
        let is_remembered = |memory: Memory| {
            (depth || !memory.is_deep())
                && scene
                    .behaviors()
                    .any(|behavior| behavior.as_steer().remembers().contains(&memory))
        };
        let target = scene.targets().any(|target| target == Target::Own);
        Self {
            depth,
            velocity: needs_velocity(scene),
            memory: Memory::ALL.map(is_remembered),
            target,
            target_points: target && overrides.target_points,
            joined: scene.forms().contains(&true),
            species: species.len() > 1,
            outside: scene.outside().next().is_some(),
            columns: scene.column_names().into_iter().map(str::to_owned).collect(),
            limits: drawn
                | overrides.limits
                | if radii_are_read && radii_differ { Limit::Radius.bit() } else { 0 }
                | if has_immovable { immovable } else { 0 },
            overridden: overrides.limits != 0,
        }
    }
}

impl RequiredColumns {
    /// One flag per column of `Motion`, true if the scene needs it.
    pub(crate) fn motion(&self) -> [bool; MOTION_COLUMNS] {
        let velocity = self.velocity;
        let [a, b, c, d, e, f, wander_z, hunter_z] = self.memory;
        let [z, vz] = [self.depth, self.depth && velocity];
        [true, true, velocity, velocity, true, true, a, b, c, d, e, f, z, vz, z, wander_z, hunter_z]
    }

    pub(crate) fn has(&self, limit: Limit) -> bool {
        self.limits & limit.bit() != 0
    }
}

/// True if velocities cannot be derived from headings, or if deriving them would be too slow.
pub(super) fn needs_velocity(scene: &Scene) -> bool {
    let follows_heading = |species: &Species| {
        species.locomotion == Locomotion::ConstantSpeed
            && species.start.speed.is_none_or(|fraction| fraction == 1.0)
    };
    scene.world.topology == Topology::Bounded
        || !scene.species.iter().all(follows_heading)
        || scene.behaviors().any(|behavior| behavior.as_steer().reads_velocities())
}
