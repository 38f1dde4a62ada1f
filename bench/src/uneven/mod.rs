//! Crowds with a few unusual agents: far-sighted, fled from, large or fast. Ideally, such a crowd
//! costs as much as the same crowd without them, plus the few pairs that they add.

use flockwork::behaviors::{Cohesion, Flee, Neighborhood, Separation};
use flockwork::{Behavior, Scene, Species, Start, Target, Topology};

mod naive;

pub(crate) use naive::NaiveLoop;

/// View distance and speed of the plain crowd's agents, in world units and units/s.
const VIEW: f32 = 50.0;
const SPEED: f32 = 150.0;
/// Maximum speed of agents that start in a dense cluster and must stay there, in units/s.
const SLOW: f32 = 0.01;
/// Radius of an agent that pushes others.
const RADIUS: f32 = VIEW / 10.0;
/// Number of sharks in crowds whose sharks do not increase with the crowd's size.
const FEW: usize = 10;
/// Weak enough that fish have force left for the flock's rules, so that nothing is skipped.
const FLEE_WEIGHT: f32 = 0.5;

pub(crate) const PLAIN: &str = "plain";
const RIMS: &str = "rims";
const PUSHES: &str = "pushes";
const TWICE: &str = "pushes twice";
const OPEN: &str = "open";
pub(crate) const NAIVE_LOOP: &str = "naive loop over 10 sharks";
/// Time per agent-step, in nanoseconds, and mean number of neighbors of the plain crowd when the
/// targets were set.
const PLAIN_NS: f64 = 32.0;
const PLAIN_NEIGHBORS: f64 = 16.0;

/// Crowds that are also measured in worlds with depth. The others would have far more visible
/// agents there, or would need new speeds and positions.
const IN_SPACE: [&str; 11] = [
    PLAIN,
    RIMS,
    PUSHES,
    "flee nearest of 10 within 10 views",
    "flee nearest of 1 % within 3 views",
    "1 sees 10 views",
    "10 % see 3 views",
    "half see 2 views",
    "eight alike species",
    "rims, one giant of 30 views",
    "pushes, one of 100 radii",
];

/// Target time of a crowd, as a multiple of the plain crowd's time.
#[derive(Clone, Copy)]
pub(crate) enum Goal {
    Times(f64),
    /// The plain crowd's time, plus the same again for every 16 neighbors, for crowds with dense
    /// places.
    ByNeighbors,
}

impl Goal {
    pub(crate) fn times(self, mean_neighbors: f64) -> f64 {
        match self {
            Self::Times(times) => times,
            Self::ByNeighbors => 1.0 + mean_neighbors / PLAIN_NEIGHBORS,
        }
    }
}

pub(crate) struct Uneven {
    pub(crate) name: String,
    /// Name of the same crowd without the unusual agents.
    pub(crate) without: &'static str,
    /// `None` for crowds that only serve as ideals.
    pub(crate) goal: Option<Goal>,
    pub(crate) scene: Scene,
}

impl Uneven {
    /// True if the crowd has no unusual agents, so that other crowds are compared with it.
    pub(crate) fn is_ideal(&self) -> bool {
        self.name == self.without
    }

    /// True if the crowd flees, so that its ideal includes a loop over sharks.
    pub(crate) fn flees(&self) -> bool {
        let mut behaviors = self.scene.species.iter().flat_map(|species| &species.behaviors);
        behaviors.any(|behavior| matches!(behavior, Behavior::Flee(_)))
    }
}

/// Returns all crowds, each with `agents` agents in total, starting with the plain crowd. In three
/// dimensions, targets are higher by one plain crowd's time.
pub(crate) fn all(agents: usize, dimensions: u32) -> Vec<Uneven> {
    if dimensions == 2 {
        return flat(agents);
    }
    let mut all = flat(agents);
    all.retain(|crowd| IN_SPACE.contains(&&*crowd.name));
    for crowd in &mut all {
        crowd.scene.world.dimensions = Some(dimensions);
        if let Some(Goal::Times(times)) = &mut crowd.goal {
            *times += 1.0;
        }
    }
    all
}

fn flat(agents: usize) -> Vec<Uneven> {
    // Counts of unusual agents are given for 100,000 agents and scale with the crowd.
    let share = |of_100k: usize| (agents * of_100k / 100_000).clamp(1, agents.div_ceil(2));
    let few = |count: usize| count.min(agents / 2);
    let mut all = Vec::new();
    let mut add = |name: &str, without, goal: Option<Goal>, scene: &Scene| {
        all.push(Uneven { name: name.to_owned(), without, goal, scene: scene.clone() });
    };
    let ns = |target: f64| Some(Goal::Times(target / PLAIN_NS));

    let plain = &plain(agents);
    let [mut rims, mut open] = [plain.clone(), plain.clone()];
    rims.species[0].view_includes_radius = true;
    open.world.topology = Topology::Open;
    let [pushes, twice] = [1, 2].map(|passes| pushing(plain, passes));
    add(PLAIN, PLAIN, None, plain);
    add(RIMS, RIMS, None, &rims);
    add(PUSHES, PUSHES, ns(30.0), &pushes);
    add(TWICE, TWICE, None, &twice);
    add(OPEN, OPEN, None, &open);

    for (count, sharks, targets) in [
        ("10", few(FEW), [45.0, 45.0, 48.0]),
        ("1 %", share(1_000), [55.0; 3]),
        ("10 %", share(10_000), [55.0; 3]),
    ] {
        for (views, target) in [3, 10, 30].into_iter().zip(targets) {
            let name = format!("flee nearest of {count} within {views} views");
            add(&name, PLAIN, ns(target), &fleeing(plain, sharks, views as f32 * VIEW));
        }
    }
    let name = "open, flee nearest of 10 within 10 views";
    add(name, OPEN, ns(48.0), &fleeing(&open, few(FEW), 10.0 * VIEW));

    for (name, count, views, target) in [
        ("1 sees 3 views", few(1), 3, 36.0),
        ("1 sees 10 views", few(1), 10, 36.0),
        ("1 sees 30 views", few(1), 30, 36.0),
        ("0.1 % see 30 views", share(100), 30, 75.0),
        ("10 % see 3 views", share(10_000), 3, 62.0),
        ("10 % see 4 views", share(10_000), 4, 72.0),
        ("10 % see 10 views", share(10_000), 10, 125.0),
        ("10 % see 30 views", share(10_000), 30, 500.0),
        ("half see 2 views", share(50_000), 2, 60.0),
    ] {
        let seers = like(plain, "seer", count).view_distance(views as f32 * VIEW);
        add(name, PLAIN, ns(target), &mixed(plain, seers));
    }
    let mut far = plain.clone();
    for behavior in &mut far.species[0].behaviors {
        if let Behavior::Cohesion(Cohesion { neighborhood, .. }) = behavior {
            *neighborhood = Neighborhood::within(3.0 * VIEW);
        }
    }
    add("cohesion sees 3 views", PLAIN, ns(90.0), &far);
    let mut shy = mixed(plain, like(plain, "giant", few(1)));
    let neighborhood = Neighborhood { distance: Some(30.0 * VIEW), ..Neighborhood::of(["giant"]) };
    shy.species[0].behaviors.push(Separation { neighborhood, ..Separation::default() }.into());
    add("all avoid one giant within 30 views", PLAIN, ns(40.0), &shy);

    for (name, count, target) in [
        ("three alike species", 3, 45.0),
        ("eight alike species", 8, 40.0),
        ("forty alike species", 40, 40.0),
    ] {
        add(name, PLAIN, ns(target), &factions(plain, count));
    }

    let heap = |mut crowd: Scene, radius: f32| {
        let heaped = crowd.species.pop().expect("the plain crowd has a species");
        crowd.species(heaped.start(Start::in_clusters(1, radius)).max_speed(SLOW))
    };
    let by_neighbors = Some(Goal::ByNeighbors);
    let side = VIEW * (agents as f32 * std::f32::consts::PI / 16.0).sqrt();
    let hundredth = side * (0.01 / std::f32::consts::PI).sqrt();
    let heaped = heap(plain.clone(), hundredth);
    add("all in a hundredth of the world", PLAIN, by_neighbors, &heaped);
    let half = mixed(plain, like(plain, "heaped", share(50_000)));
    add("half in one cell", PLAIN, by_neighbors, &heap(half, 0.25 * VIEW));

    let giants = |crowd: &Scene, count: usize, radius: f32| {
        mixed(crowd, like(crowd, "giant", few(count)).radius(radius))
    };
    // Scenes reject agents that can cross a torus in one step, so limit the speed in tiny crowds.
    let speed = (100.0 * SPEED).min(0.5 * side * plain.steps_per_second);
    let fast = mixed(&pushes, like(&pushes, "fast", few(1)).max_speed(speed));
    for (name, without, target, scene) in [
        ("rims, one giant of 30 views", RIMS, 40.0, giants(&rims, 1, 30.0 * VIEW)),
        ("pushes, one of 10 radii", PUSHES, 30.0, giants(&pushes, 1, 10.0 * RADIUS)),
        ("pushes, 20 of 30 radii", PUSHES, 30.0, giants(&pushes, 20, 30.0 * RADIUS)),
        ("pushes, one of 100 radii", PUSHES, 30.0, giants(&pushes, 1, 100.0 * RADIUS)),
        ("pushes, one of 100 speeds", PUSHES, 30.0, fast),
        ("pushes twice, one of 100 radii", TWICE, 45.0, giants(&twice, 1, 100.0 * RADIUS)),
    ] {
        add(name, without, ns(target), &scene);
    }
    all
}

/// Returns the crowd of this name with `agents` agents.
///
/// # Panics
/// If there is no such crowd.
pub fn named(name: &str, agents: usize, dimensions: u32) -> Scene {
    let found = all(agents, dimensions).into_iter().find(|crowd| crowd.name == name);
    found.unwrap_or_else(|| panic!("no uneven crowd is named {name}")).scene
}

/// Returns the scene `stress` with its agents counted by species, so that some can be replaced.
fn plain(agents: usize) -> Scene {
    let mut scene = Scene::named("stress").expect("a known scene");
    scene.species[0].agents = agents;
    scene
}

fn like(scene: &Scene, name: &str, agents: usize) -> Species {
    Species { name: name.to_owned(), agents, ..scene.species[0].clone() }
}

/// Replaces some agents of the first species with those of `unusual`.
fn mixed(scene: &Scene, unusual: Species) -> Scene {
    let mut scene = scene.clone();
    scene.species[0].agents -= unusual.agents;
    scene.species(unusual)
}

fn fleeing(scene: &Scene, sharks: usize, distance: f32) -> Scene {
    let mut scene = mixed(scene, like(scene, "shark", sharks));
    let target = Target::Nearest {
        species: "shark".into(),
        distance: Some(distance),
        field_of_view: None,
        line_of_sight: false,
    };
    let flee = Flee { weight: FLEE_WEIGHT, target, ..Flee::default() };
    scene.species[0].behaviors.insert(0, flee.into());
    scene
}

fn factions(scene: &Scene, count: usize) -> Scene {
    let agents = scene.species[0].agents;
    (1..count.min(agents)).fold(scene.clone(), |scene, k| {
        let faction = like(&scene, &format!("faction {k}"), agents / count);
        mixed(&scene, faction)
    })
}

/// Returns agents that only move and push, so that pushing takes most of the time.
fn pushing(scene: &Scene, passes: u32) -> Scene {
    let mut scene = scene.clone().non_penetration(passes);
    scene.species[0].behaviors.clear();
    scene.species[0].radius = RADIUS.into();
    scene
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_crowd_has_the_asked_number_of_agents_and_an_ideal() {
        for (agents, dimensions) in
            [1, 7, 100, 100_000].into_iter().flat_map(|agents| [(agents, 2), (agents, 3)])
        {
            let all = all(agents, dimensions);
            let names: HashSet<&str> = all.iter().map(|crowd| &*crowd.name).collect();
            assert_eq!(names.len(), all.len());
            for Uneven { name, without, scene, .. } in &all {
                assert_eq!(scene.agents_at_start(), agents, "{name}");
                assert_eq!(scene.world.dimensions.unwrap_or(2), dimensions, "{name}");
                assert!(names.contains(without), "{name}");
                scene.check().unwrap();
            }
        }
    }

    #[test]
    fn every_crowd_that_is_named_in_space_exists() {
        let all = all(1_000, 3);
        let names: Vec<&str> = all.iter().map(|crowd| &*crowd.name).collect();
        assert_eq!(HashSet::from_iter(names), HashSet::from(IN_SPACE));
    }

    #[test]
    fn the_plain_crowd_is_workload_w() {
        let [stress, plain] = [Scene::named("stress").unwrap().agents(100), named(PLAIN, 100, 2)]
            .map(|scene| {
                let mut crowd = scene.build().unwrap();
                crowd.run(3).unwrap();
                crowd.state_hash()
            });
        assert_eq!(stress, plain);
    }
}
