//! The workloads whose instructions are counted. Each is one step of a small crowd. Together, they
//! cover every behavior, every rule for combining forces, whole scenes, unequal agents, and worlds
//! with depth.

use std::io::{self, Write};

use flockwork::behaviors::{FlowFollowing, Separation};
use flockwork::cpu::Level;
use flockwork::{Behavior, Execution, Method, Partition, Route, Scene, Simulation};
use flockwork_bench::{crowds, uneven};

/// On x86-64, the AVX2 code is counted, because valgrind does not support AVX-512.
pub(crate) const LEVEL: Level =
    if cfg!(target_arch = "x86_64") { Level::Avx2 } else { Level::Baseline };

/// Agents per crowd: more would hardly reduce the share of loop tails and unused lanes.
const AGENTS: usize = 1_000;
/// Enough agents that a flat world is wider than two of the longest searches, and that few searches
/// in a world with depth reach its edges.
const MANY_AGENTS: usize = 20_000;
const WARM_UP_STEPS: u64 = 2;

pub(crate) struct Workload {
    pub(crate) name: String,
    scene: Scene,
    method: Method,
    partition: Partition,
}

impl Workload {
    pub(crate) fn all() -> Vec<Self> {
        let named = |name| Scene::named(name).map(|scene| scene.agents(AGENTS));
        let [stress, heavy] = ["stress", "heavy"].map(|name| named(name).expect("a known scene"));
        let mut all = vec![
            Self::of("stress", stress.clone()),
            Self {
                partition: Partition::AllPairs,
                ..Self::of("stress, all pairs", stress.clone())
            },
            Self { method: Method::Scalar, ..Self::of("stress, scalar", stress.clone()) },
            Self::of("heavy", heavy),
        ];
        all.extend(tests_of_neighbors(&stress));
        // Separation uses up every agent's maximum force, leaving none for the other behaviors.
        let mut dense = with_separation(stress.clone(), |separation| separation.weight = 1.0e5);
        dense.world.mean_neighbors = Some(64.0);
        all.push(Self::of("stress, dense", dense));
        // Separation needs its own sweep over neighbors.
        let half = Some(stress.species[0].view_distance / 2.0);
        let near = with_separation(stress, |separation| separation.neighborhood.distance = half);
        all.push(Self::of("stress, two neighborhoods", near));
        for pushes in [0, 2] {
            let [repelling, solid] = crowds::behind_walls(10, pushes);
            all.push(Self::of(&format!("walls, {pushes} pushes"), repelling));
            all.push(Self::of(&format!("solid walls, {pushes} pushes"), solid));
        }
        let steered = crowds::alone(AGENTS).chain(crowds::combined(AGENTS));
        all.extend(steered.map(|(name, scene)| Self::of(name, scene)));
        let along_route = FlowFollowing { route: Some("out".into()), ..FlowFollowing::default() };
        let routed =
            crowds::steered_by(along_route.into(), AGENTS).route(Route::new("out", "middle"));
        all.push(Self::of("flow_following, route", routed));
        for name in [
            "flee nearest of 10 within 10 views",
            "1 sees 10 views",
            "10 % see 4 views",
            "eight alike species",
            "pushes, one of 100 radii",
        ] {
            all.push(Self::of(&format!("uneven, {name}"), uneven::named(name, MANY_AGENTS, 2)));
        }
        all.extend(in_space());
        all
    }

    fn of(name: &str, scene: Scene) -> Self {
        let (method, partition) = (Method::Simd, Partition::default());
        Self { name: name.to_owned(), scene, method, partition }
    }

    fn crowd(&self) -> Simulation {
        let mut crowd = self.scene.build().expect("the scene is in range");
        let Self { method, partition, .. } = *self;
        let execution = Execution { partition, method, level: LEVEL, threads: 1 };
        crowd.set_execution(execution).expect("main asks whether the level is available");
        crowd.run(WARM_UP_STEPS).expect("a valid step");
        crowd
    }

    pub(crate) fn outcome(&self) -> (usize, u64) {
        let mut crowd = self.crowd();
        counted(&mut crowd);
        (crowd.len(), crowd.state_hash())
    }
}

/// Crowds whose neighbor test also checks the field of view, the agents' radii, or both.
fn tests_of_neighbors(stress: &Scene) -> [Workload; 3] {
    let [mut narrow, mut radii] = [stress.clone(), stress.clone()];
    narrow.species[0].field_of_view = 270.0;
    for species in &mut radii.species {
        species.view_includes_radius = true;
        species.radius = [1.0, 2.0].into();
    }
    let mut all = radii.clone();
    all.species[0].field_of_view = 270.0;
    [
        Workload::of("stress, field of view", narrow),
        Workload::of("stress, radii", radii),
        Workload {
            partition: Partition::AllPairs,
            ..Workload::of("stress, field of view, radii, all pairs", all)
        },
    ]
}

fn with_separation(mut scene: Scene, change: impl Fn(&mut Separation)) -> Scene {
    for behavior in &mut scene.species[0].behaviors {
        if let Behavior::Separation(separation) = behavior {
            change(separation);
        }
    }
    scene
}

/// Crowds in worlds with depth.
fn in_space() -> [Workload; 4] {
    let named = |name, agents| Scene::named(name).expect("a known scene").agents(agents);
    [
        ("stress", named("stress", MANY_AGENTS)),
        // Walls are scattered over the ground, which has no room for the walls of a larger crowd.
        ("heavy", named("heavy", AGENTS)),
        ("pushes", uneven::named("pushes", MANY_AGENTS, 3)),
        ("1 sees 10 views", uneven::named("1 sees 10 views", MANY_AGENTS, 3)),
    ]
    .map(|(name, mut scene)| {
        scene.world.dimensions = Some(3);
        Workload::of(&format!("3D, {name}"), scene)
    })
}

/// Callgrind finds this function by name, so it must not be inlined.
#[inline(never)]
fn counted(crowd: &mut Simulation) {
    crowd.step().expect("a valid step");
}

pub(crate) fn take_steps(out: &mut impl Write) -> io::Result<()> {
    Workload::all().iter().try_for_each(|workload| writeln!(out, "{:016x}", workload.outcome().1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separation_spends_the_whole_force_of_the_dense_crowd() {
        let all = Workload::all();
        let dense = all.iter().find(|known| known.name == "stress, dense");
        let crowd = dense.expect("a dense crowd").crowd();
        assert!(crowd.neighbor_counts().mean_neighbors > 60.0);
        for id in crowd.agents().ids().collect::<Vec<_>>() {
            let explained = crowd.explain(id).expect("an agent");
            assert_eq!(explained.unreached, [(1, "alignment"), (2, "cohesion")]);
            let force = explained.force[0].hypot(explained.force[1]);
            assert!((force - 400.0).abs() < 0.01, "{force}");
        }
    }
}
