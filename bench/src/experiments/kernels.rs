//! The cost of every behavior alone, SIMD against scalar, and of one as another crate writes it; and
//! where the time of the heavy scene goes, by leaving out one part at a time.

use flockwork::{Behavior, Scene, Separation, Species};

use super::KERNELS;
use super::group::{Case, Group, Timed, point_of_size};
use crate::crowds;
use crate::failure::Failure;
use crate::method::Method;
use crate::options::Request;
use crate::repulsion::{Repulsion, SharedRepulsion, anew};

pub(crate) const HEAVY: &str = "heavy";

/// The series of the crowd that nothing steers.
pub(crate) const IDLE: &str = "(none)";

/// The parts that can be left out of the heavy scene.
const PARTS: [&str; 7] = [
    "wall_avoidance",
    "obstacle_avoidance",
    "evade",
    "separation, alignment, cohesion",
    "wander",
    "non-penetration",
    "smoothed headings",
];

pub(crate) fn groups(request: &Request) -> Result<Vec<Group>, Failure> {
    let mut groups = Vec::new();
    let sizes = request.sizes(&[5_000], &[20_000]);
    for &n in &sizes {
        groups.extend(behaviors(n, sizes.len() > 1, request.seed));
    }
    groups.extend(parts_of_heavy(request.heavy(), request.seed)?);
    Ok(groups)
}

fn behaviors(n: usize, several_sizes: bool, seed: u64) -> Vec<Group> {
    let cases = [Method::CellsSimd, Method::CellsScalar].map(|method| Case::of(method, 1));
    let separation = crowds::steered_by(Separation::default().into(), n);
    let own_sweep = anew(separation.clone(), |weight| Repulsion { weight }.into());
    let shared_sums = anew(separation, |weight| SharedRepulsion { weight }.into());
    let outside =
        [("separation, outside", own_sweep), ("separation, outside, shared sums", shared_sums)];
    let group = |(name, scene): (&str, Scene)| {
        let point = point_of_size(name, n, several_sizes);
        let group = Group::new(KERNELS, point, n as f64, scene.seed(seed), cases.to_vec());
        // A crowd that nothing steers is no behavior.
        let questions = if name == IDLE { Vec::new() } else { group.questions.clone() };
        Group { timed: Timed::Steer, questions, ..group }
    };
    let idle = (IDLE, crowds::flock_of(Species::new("agent", n)));
    let alone = |behavior: Behavior| (behavior.name(), crowds::steered_by(behavior, n));
    let alone = Behavior::all().into_iter().map(alone);
    [idle].into_iter().chain(alone).chain(outside).map(group).collect()
}

fn parts_of_heavy(n: usize, seed: u64) -> Result<Vec<Group>, Failure> {
    let scene = |name| Ok::<_, Failure>(Scene::named(name)?.seed(seed).agents(n));
    let group = |point: String, scene| {
        Group::new(HEAVY, point, n as f64, scene, vec![Case::of(Method::CellsSimd, 1)])
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
