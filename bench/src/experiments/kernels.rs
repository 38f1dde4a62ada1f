//! Measures the cost of each behavior alone, with SIMD and in scalar code, including a separation
//! behavior written outside the engine. Also measures the cost of each part of the heavy scene, by
//! leaving out one part at a time.

use flockwork::{Scene, Species};

use super::group::{Group, point_of_size};
use crate::crowds;
use crate::experiment::{Experiment, IDLE};
use crate::failure::Failure;
use crate::options::Request;
use crate::variant::Variant;

/// Parts left out of the heavy scene, one at a time. Behaviors separated by commas are
/// left out together.
const PARTS: [&str; 7] = [
    "wall_avoidance",
    "obstacle_avoidance",
    "evade",
    "separation, alignment, cohesion",
    "wander",
    "non-penetration",
    "smoothed headings",
];

pub(super) fn groups(request: &Request, sizes: &[usize]) -> Result<Vec<Group>, Failure> {
    let behaviors = sizes.iter().flat_map(|&n| behaviors(request, n, sizes));
    Ok(behaviors.chain(parts_of_heavy(request)?).collect())
}

fn behaviors(request: &Request, n: usize, sizes: &[usize]) -> Vec<Group> {
    let group = |(name, scene): (&str, Scene)| {
        let (point, scene) = (point_of_size(name, n, sizes), scene.seed(request.seed));
        let variants = [Variant::CellsSimd, Variant::CellsScalar];
        Group::new(Experiment::Kernels, point, n, scene, &variants)
    };
    let idle = (IDLE, crowds::flock_of(Species::new("agent", n)));
    [idle].into_iter().chain(crowds::alone(n)).map(group).collect()
}

fn parts_of_heavy(request: &Request) -> Result<Vec<Group>, Failure> {
    let n = request.heavy.unwrap_or(if request.quick { 50_000 } else { 300_000 });
    let scene = |name| Ok::<_, Failure>(Scene::named(name)?.seed(request.seed).agents(n));
    let group = |point: String, scene| {
        Group::new(Experiment::Heavy, point, n, scene, &[Variant::CellsSimd])
    };
    let heavy = scene("heavy")?;
    let whole = [
        group("stress, the plain flock".into(), scene("stress")?),
        group("heavy".into(), heavy.clone()),
    ];
    let parts = PARTS.map(|part| group(format!("without {part}"), without(heavy.clone(), part)));
    Ok(whole.into_iter().chain(parts).collect())
}

fn without(mut scene: Scene, part: &str) -> Scene {
    match part {
        "non-penetration" => scene.non_penetration = 0,
        "smoothed headings" => scene.heading_samples = None,
        names => {
            for species in &mut scene.species {
                let left_out = |name: &str| names.split(", ").any(|part| part == name);
                species.behaviors.retain(|behavior| !left_out(behavior.name()));
            }
        }
    }
    scene
}
