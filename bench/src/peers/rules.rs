//! The parameters of workload W, for a flock that does not use the engine.

use std::sync::LazyLock;

use flockwork::{Behavior, Scene, Simulation, Species, SpeciesValue, Topology};

use super::vector::Vector;

/// Added to squared distances, so that coincident agents do not cause a division by zero.
pub(super) const SOFTENING: f32 = 1.0e-12;
/// The force budget counts as spent when at most this fraction of the maximum force remains.
pub(super) const SPENT: f32 = 1.0e-6;

static WORKLOAD_W: LazyLock<Species> =
    LazyLock::new(|| Scene::named("stress").expect("a known scene").species.remove(0));

#[derive(Clone, Copy, Debug)]
pub(super) struct Rules<const D: usize> {
    pub(super) size: Vector<D>,
    pub(super) view: f32,
    pub(super) max_speed: f32,
    pub(super) max_force: f32,
    pub(super) mass: f32,
    /// Weights of separation, alignment and cohesion.
    pub(super) weights: [f32; 3],
    pub(super) dt: f32,
}

impl<const D: usize> Rules<D> {
    /// Returns `None` for crowds other than workload W, and for worlds of other dimensions.
    pub(super) fn of(crowd: &Simulation) -> Option<Self> {
        let scene = crowd.scene();
        let [species] = &scene.species[..] else { return None };
        let [
            Behavior::Separation(separation),
            Behavior::Alignment(alignment),
            Behavior::Cohesion(cohesion),
        ] = &species.behaviors[..]
        else {
            return None;
        };
        let shared = |value| match value {
            SpeciesValue::Shared(value) => Some(value),
            _ => None,
        };
        let [max_speed, max_force, mass] =
            [shared(species.max_speed)?, shared(species.max_force)?, shared(species.mass)?];
        let plain = Species { agents: species.agents, ..WORKLOAD_W.clone() };
        let known = *species == plain
            && crowd.world().topology == Topology::Torus
            && crowd.world().depth.is_some() == (D == 3)
            && scene.non_penetration == 0
            && scene.heading_samples.is_none();
        known.then(|| Self {
            size: world_size(crowd),
            view: species.view_distance,
            max_speed,
            max_force,
            mass,
            weights: [separation.weight, alignment.weight, cohesion.weight],
            dt: 1.0 / scene.steps_per_second,
        })
    }
}

pub(crate) fn world_size<const D: usize>(crowd: &Simulation) -> Vector<D> {
    let [width, height] = crowd.world_size();
    let size = [width, height, crowd.world().depth.unwrap_or_default()];
    Vector(std::array::from_fn(|axis| size[axis]))
}

pub(super) fn wrapped(x: f32, size: f32) -> f32 {
    let x = if x < 0.0 { x + size } else { x };
    let x = if x >= size { x - size } else { x };
    if x >= size { 0.0 } else { x }
}
