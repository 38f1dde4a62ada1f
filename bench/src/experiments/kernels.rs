//! The cost of every behavior alone, SIMD against scalar, and of one as another crate writes it; the cost of scenery; and where the time
//! of the heavy scene goes, by leaving out one part at a time.

use flockwork::{Behavior, Scene, Separation, Species};

use crate::crowds;
use crate::experiments::group::{Case, Group, Timed, point_of_size};
use crate::experiments::request::Request;
use crate::failure::Failure;
use crate::method::Method;
use crate::repulsion::{Repulsion, SharedRepulsion, anew};

pub(crate) const NAME: &str = "kernels";
pub(crate) const SCENERY: &str = "scenery";
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
    let heavy = request.heavy;
    let mut groups = Vec::new();
    let sizes = request.sizes(&[5_000], &[20_000]);
    for &n in &sizes {
        groups.extend(behaviors(n, sizes.len() > 1, request.seed));
    }
    let mut sizes = vec![(heavy / 100).max(1), heavy];
    sizes.dedup();
    for n in sizes {
        groups.extend(scenery(n, request.seed));
    }
    groups.extend(parts_of_heavy(heavy, request.seed)?);
    Ok(groups)
}

fn behaviors(n: usize, several_sizes: bool, seed: u64) -> Vec<Group> {
    let cases = [Method::CellsSimd, Method::CellsScalar].map(|method| Case::of(method, 1));
    let group = |name: &str, scene: Scene| {
        let point = point_of_size(name, n, several_sizes);
        let group = Group::new(NAME, point, n as f64, scene.seed(seed), cases.to_vec());
        Group { timed: Timed::Steer, ..group }
    };
    let idle = group(IDLE, idle(n));
    let steered = |behavior: Behavior| {
        let name = behavior.name();
        group(name, crowds::steered_by(behavior, n))
    };
    let separation = crowds::steered_by(Separation::default().into(), n);
    let outside = [
        ("separation, outside", anew(separation.clone(), |weight| Repulsion { weight }.into())),
        (
            "separation, outside, shared sums",
            anew(separation, |weight| SharedRepulsion { weight }.into()),
        ),
    ];
    let outside = outside.map(|(name, scene)| group(name, scene));
    std::iter::once(idle).chain(Behavior::all().into_iter().map(steered)).chain(outside).collect()
}

fn idle(agents: usize) -> Scene {
    crowds::flock_of(Species::new("agent", agents))
}

/// Obstacles and walls in a world of `n` agents, at the same local density.
fn scenery(n: usize, seed: u64) -> Vec<Group> {
    let group = |name: &str, scene: Scene| {
        let case = Case { method: name.to_owned(), ..Case::of(Method::CellsSimd, 1) };
        let group = Group::new(SCENERY, n, n as f64, scene.seed(seed), vec![case]);
        Group { timed: Timed::Steer, ..group }
    };
    let needs_scenery =
        |behavior: &Behavior| ["obstacle_avoidance", "wall_avoidance"].contains(&behavior.name());
    let steered = |behavior: Behavior| {
        let name = behavior.name();
        group(name, crowds::steered_by(behavior, n))
    };
    let steered = Behavior::all().into_iter().filter(needs_scenery).map(steered);
    std::iter::once(group(IDLE, idle(n))).chain(steered).collect()
}

fn parts_of_heavy(n: usize, seed: u64) -> Result<Vec<Group>, Failure> {
    let scene = |name| Ok::<_, Failure>(Scene::named(name)?.seed(seed).agents(n)?);
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
