//! Measures the cost of each behavior alone, SIMD against scalar, including separation written
//! outside the engine. Also measures the cost of each part of the heavy scene, by leaving out one
//! part at a time.

use flockwork::{Behavior, Scene, Separation, Species};

use super::group::{Group, point_of_size};
use crate::crowds::{self, Repulsion, SharedRepulsion, replace_separation};
use crate::experiment::{Experiment, IDLE};
use crate::failure::Failure;
use crate::method::Method;
use crate::options::Request;

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

pub(super) fn groups(request: &Request) -> Result<Vec<Group>, Failure> {
    let mut groups = Vec::new();
    let sizes = request.sizes(&[5_000], &[20_000]);
    for &n in &sizes {
        groups.extend(behaviors(request, n, sizes.len() > 1));
    }
    groups.extend(parts_of_heavy(request)?);
    Ok(groups)
}

fn behaviors(request: &Request, n: usize, several_sizes: bool) -> Vec<Group> {
    let methods = [Method::CellsSimd, Method::CellsScalar];
    let separation = crowds::steered_by(Separation::default().into(), n);
    let own_sweep = replace_separation(separation.clone(), |weight| Repulsion { weight }.into());
    let shared_sums = replace_separation(separation, |weight| SharedRepulsion { weight }.into());
    let outside =
        [("separation, outside", own_sweep), ("separation, outside, shared sums", shared_sums)];
    let group = |(name, scene): (&str, Scene)| {
        let point = point_of_size(name, n, several_sizes);
        let scene = scene.seed(request.seed);
        Group::new(request, Experiment::Kernels, point, n as f64, scene, &methods)
    };
    let idle = (IDLE, crowds::flock_of(Species::new("agent", n)));
    let alone = |behavior: Behavior| (behavior.name(), crowds::steered_by(behavior, n));
    let alone = Behavior::all().into_iter().map(alone);
    [idle].into_iter().chain(alone).chain(outside).map(group).collect()
}

fn parts_of_heavy(request: &Request) -> Result<Vec<Group>, Failure> {
    let n = request.heavy();
    let scene = |name| Ok::<_, Failure>(Scene::named(name)?.seed(request.seed).agents(n));
    let group = |point: String, scene| {
        Group::new(request, Experiment::Heavy, point, n as f64, scene, &[Method::CellsSimd])
    };
    let heavy = scene("heavy")?;
    let mut groups = vec![
        group("stress, the plain flock".into(), scene("stress")?),
        group("heavy".into(), heavy.clone()),
    ];
    for part in PARTS {
        groups.push(group(format!("without {part}"), without(heavy.clone(), part)));
    }
    Ok(groups)
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
