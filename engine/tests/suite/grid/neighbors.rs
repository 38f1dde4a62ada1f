use std::collections::BTreeSet;

use flockwork::behaviors::{Cohesion, Separation};
use flockwork::cpu::Level;
use flockwork::{AgentId, Method, Partition, Scene, Simulation, Species, Topology, World};
use proptest::prelude::*;

use crate::common::agents::{ids, place};
use crate::common::scenes::variety;
use crate::common::variants::{Variant, hash_after};

fn both(simulation: &mut Simulation, id: AgentId) -> [Vec<AgentId>; 2] {
    [Partition::Cells, Partition::AllPairs].map(|partition| {
        simulation.set_execution(simulation.execution().partition(partition)).unwrap();
        simulation.neighbors(id).unwrap()
    })
}

/// Agents whose minimum-image distance, in f64, is below `view`, and agents for which rounding
/// decides whether it is.
fn brute_force(simulation: &Simulation, id: AgentId, view: f64) -> [BTreeSet<AgentId>; 2] {
    let position = |id| simulation.agent(id).unwrap().position.map(f64::from);
    let size = simulation.world_size().map(f64::from);
    let here = position(id);
    let mut sets = [BTreeSet::new(), BTreeSet::new()];
    for other in ids(simulation).into_iter().filter(|&other| other != id) {
        let there = position(other);
        let offset = [0, 1].map(|axis| {
            let offset = there[axis] - here[axis];
            let turns = (offset / size[axis]).round();
            if simulation.world().topology == Topology::Torus {
                offset - turns * size[axis]
            } else {
                offset
            }
        });
        let distance = offset[0].hypot(offset[1]);
        let scale = here.iter().chain(&there).chain(&size).fold(1.0_f64, |a, b| a.max(b.abs()));
        if (distance - view).abs() < 1.0e-6 * scale {
            sets[1].insert(other);
        } else if distance < view {
            sets[0].insert(other);
        }
    }
    sets
}

fn check(simulation: &mut Simulation, view: f64) -> Result<(), TestCaseError> {
    for id in ids(simulation) {
        let [cells, all_pairs] = both(simulation, id);
        prop_assert_eq!(&cells, &all_pairs, "the same list by cells and by all pairs");
        let found: BTreeSet<AgentId> = cells.iter().copied().collect();
        prop_assert_eq!(found.len(), cells.len(), "none twice");
        prop_assert!(!found.contains(&id), "not itself");
        let [inside, borderline] = brute_force(simulation, id, view);
        prop_assert!(inside.is_subset(&found), "lacks {:?}", &inside - &found);
        let surplus: BTreeSet<_> = &found - &inside;
        prop_assert!(surplus.is_subset(&borderline), "surplus: {surplus:?}");
    }
    Ok(())
}

fn crowd(world: World, agents: usize, view: f32, seed: u64) -> Simulation {
    let species = Species::new("agent", agents).max_speed(1.0).view_distance(view);
    Scene::new(world).species(species).seed(seed).build().unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn cells_and_brute_force_find_the_same_neighbors(
        (topology, width, height) in (0..3, 1.0_f32..500.0, 1.0_f32..500.0),
        agents in 0_usize..120,
        view in 0.01_f32..300.0,
        seed in any::<u64>(),
    ) {
        let world = match topology {
            0 => World::torus(width, height),
            1 => World::bounded(width, height),
            _ => World::open(width, height),
        };
        check(&mut crowd(world, agents, view, seed), f64::from(view))?;
    }

    #[test]
    fn views_near_multiples_of_the_cell_find_the_same_neighbors(
        rows in 1_u32..7,
        columns in 1_u32..7,
        nudge in -1.0e-4_f32..1.0e-4,
        seed in any::<u64>(),
    ) {
        // The world's sides are whole multiples of the view distance, up to rounding.
        let view = 10.0 * (1.0 + nudge);
        let world = World::torus(columns as f32 * 10.0, rows as f32 * 10.0);
        check(&mut crowd(world, 60, view, seed), f64::from(view))?;
    }

    #[test]
    fn crowds_far_from_the_origin_of_an_open_world_find_their_neighbors(
        at in (-1.0e6_f32..1.0e6, -1.0e6_f32..1.0e6),
        seed in any::<u64>(),
    ) {
        let mut simulation = crowd(World::open(10.0, 10.0), 0, 8.0, seed);
        for k in 0..40_u64 {
            let offset = |factor: u64| ((seed ^ (k * factor)) % 64) as f32 * 0.5;
            place(&mut simulation, [at.0 + offset(7_919), at.1 + offset(104_729)]);
        }
        check(&mut simulation, 8.0)?;
    }
}

#[test]
fn agents_see_each_other_across_the_seam() {
    for (width, height) in [(100.0, 100.0), (25.0, 25.0), (1_000.0, 30.0)] {
        let mut simulation = crowd(World::torus(width, height), 0, 8.0, 1);
        let corners =
            [[1.0, 1.0], [width - 1.0, 1.0], [1.0, height - 1.0], [width - 1.0, height - 1.0]];
        let ids = corners.map(|corner| place(&mut simulation, corner));
        for id in ids {
            assert_eq!(simulation.neighbors(id).unwrap().len(), 3, "{width} × {height}");
        }
    }
}

#[test]
fn rounding_errors_larger_than_cells_do_not_lose_neighbors() {
    // At a coordinate of a million, positions are 1/16 apart, but cells are 1/100 high.
    let mut simulation = crowd(World::open(0.1, 0.1), 0, 0.01, 1);
    let ids: Vec<AgentId> =
        (0..40).map(|k| place(&mut simulation, [1.0e6 + (k % 4) as f32, -1.0e6])).collect();
    for id in ids {
        assert_eq!(simulation.neighbors(id).unwrap().len(), 9);
    }
    simulation.run(2).unwrap();
}

#[test]
fn all_agents_in_one_point_see_each_other() {
    let mut simulation = crowd(World::torus(100.0, 100.0), 0, 8.0, 1);
    let ids: Vec<AgentId> = (0..50).map(|_| place(&mut simulation, [50.0, 50.0])).collect();
    for id in ids {
        assert_eq!(simulation.neighbors(id).unwrap().len(), 49);
    }
}

#[test]
fn a_neighbor_exactly_at_the_view_distance_is_not_seen_and_one_just_within_is() {
    // Squared distances are exact. With radii, an agent of radius 8 is seen from up to 42 + 8.
    let offsets =
        [[50.0_f32, 0.0], [-50.0, 0.0], [0.0, 50.0], [0.0, -50.0], [30.0, 40.0], [-48.0, 14.0]];
    for (view, includes_radius) in [(50.0, false), (42.0, true)] {
        let radii = [3.0, 8.0].map(|radius| Species {
            view_includes_radius: includes_radius,
            ..Species::new(radius.to_string(), 0)
                .view_distance(view)
                .radius(radius)
                .behavior(Cohesion { weight: 1.0, ..Cohesion::default() })
        });
        for [x, y] in offsets {
            // `nearer` is the number of times that the larger coordinate moves to the next float
            // toward 0.
            let seen = |nearer: u8| {
                let mut offset = [x, y];
                let axis = usize::from(y.abs() > x.abs());
                for _ in 0..nearer {
                    offset[axis] = offset[axis].abs().next_down().copysign(offset[axis]);
                }
                let mut scene = Scene::new(World::open(10.0, 10.0));
                for species in &radii {
                    scene = scene.species(species.clone());
                }
                let mut simulation = scene.build().unwrap();
                let here = simulation.spawn("3", [0.0, 0.0], [1.0, 0.0]).unwrap();
                let there = simulation.spawn("8", offset, [1.0, 0.0]).unwrap();
                let lists = both(&mut simulation, here);
                assert_eq!(lists[0], lists[1]);
                // Kernels agree with the lists: without neighbors, cohesion gives no force.
                let slot = simulation.slot_of(here).unwrap();
                for variant in Variant::all() {
                    variant.set(&mut simulation);
                    let force = simulation.forces()[slot];
                    assert_eq!(force != [0.0; 3], !lists[0].is_empty(), "{variant:?}");
                }
                lists[0] == [there]
            };
            assert!(!seen(0), "exactly {view}, with radii {includes_radius}, at {x}, {y}");
            assert!(seen(1), "just within {view}, with radii {includes_radius}, at {x}, {y}");
        }
    }
}

#[test]
fn defect_06_switching_the_partition_does_not_change_behavior() {
    for (name, scene) in variety(200) {
        let run = |partition| {
            hash_after(&scene, 30, |s| s.set_execution(s.execution().partition(partition)).unwrap())
        };
        assert_eq!(run(Partition::Cells), run(Partition::AllPairs), "{name}");
    }
}

#[test]
fn defect_06_cells_see_across_the_seam_and_count_the_others_radius() {
    let species = Species {
        view_includes_radius: true,
        ..Species::new("agent", 0).view_distance(50.0).radius(8.0).max_speed(1.0)
    };
    let mut simulation = Scene::new(World::torus(400.0, 400.0)).species(species).build().unwrap();
    let here = place(&mut simulation, [5.0, 200.0]);
    let across_the_seam = place(&mut simulation, [390.0, 200.0]);
    let by_its_radius = place(&mut simulation, [60.0, 200.0]);
    for partition in [Partition::Cells, Partition::AllPairs] {
        simulation.set_execution(simulation.execution().partition(partition)).unwrap();
        let mut seen = simulation.neighbors(here).unwrap();
        seen.sort_unstable();
        assert_eq!(seen, [across_the_seam, by_its_radius], "{partition:?}");
    }
    // The book queries a plain box around the agent, up to the view distance.
    let in_box = |x: f32| (x - 5.0).abs() < 50.0;
    assert!(!in_box(390.0) && !in_box(60.0));
}

#[test]
fn defect_07_a_position_on_the_far_edge_has_a_cell_and_neighbors() {
    for world in [World::torus(100.0, 60.0), World::bounded(100.0, 60.0)] {
        let mut simulation = crowd(world, 0, 8.0, 1);
        let edge = place(&mut simulation, [100.0, 60.0]);
        let near = place(&mut simulation, [97.0, 57.0]);
        assert_eq!(simulation.neighbors(edge).unwrap(), [near]);
        simulation.run(3).unwrap();
        assert_eq!(simulation.neighbors(near).unwrap(), [edge]);
    }
}

#[test]
fn defect_07_the_far_edge_belongs_to_the_row_that_it_is_in() {
    for world in [World::torus(400.0, 400.0), World::bounded(400.0, 400.0)] {
        let species = Species::new("agent", 0).view_distance(50.0).max_speed(1.0);
        let mut simulation = Scene::new(world).species(species).build().unwrap();
        let edge = place(&mut simulation, [400.0, 20.0]);
        let beside = place(&mut simulation, [380.0, 20.0]);
        place(&mut simulation, [50.1, 70.0]);
        assert_eq!(simulation.neighbors(edge).unwrap(), [beside], "{world:?}");
        simulation.step().unwrap();
    }
    // The book's index of a position in 7 × 7 cells.
    let cell = |x: f32, y: f32| (7.0 * x / 400.0) as usize + (7.0 * y / 400.0) as usize * 7;
    assert_eq!(cell(400.0, 20.0), cell(0.0, 70.0));
}

#[test]
fn pairs_grow_with_the_crowd_by_cells_and_with_its_square_by_all_pairs() {
    let pairs = |agents: usize, partition| {
        let mut simulation = Scene::named("stress").unwrap().agents(agents).build().unwrap();
        simulation
            .set_execution(simulation.execution().method(Method::Scalar).partition(partition))
            .unwrap();
        simulation.neighbor_counts().pairs_per_agent
    };
    let growth = |partition| pairs(8_000, partition) / pairs(1_000, partition);
    let (cells, all_pairs) = (growth(Partition::Cells), growth(Partition::AllPairs));
    assert!((0.8..1.25).contains(&cells), "per agent as many, whatever the crowd: {cells}");
    assert!((7.9..8.1).contains(&all_pairs), "{all_pairs}");
}

/// Regression: the height of rows was chosen as if the world were flat, which doubled the pairs.
#[test]
fn one_who_sees_far_in_space_hardly_adds_pairs_for_the_others() {
    let pairs = |sharks| {
        // Fish have 16 neighbors.
        let world = World::torus(508.0, 508.0).depth(508.0);
        let fish = Species::new("fish", 4_000).view_distance(50.0).behavior(Separation::default());
        let shark = Species::new("shark", sharks).view_distance(200.0);
        let scene = Scene::new(world).species(fish).species(shark.behavior(Cohesion::default()));
        let mut simulation = scene.build().unwrap();
        simulation.set_execution(simulation.execution().method(Method::Scalar)).unwrap();
        simulation.neighbor_counts().pairs_per_agent
    };
    let [plain, uneven] = [0, 1].map(pairs);
    assert!(uneven < 1.3 * plain, "{uneven} instead of {plain}");
}

/// Regression: beside a giant that reached around the world, every search read all rows and layers.
#[test]
fn a_giant_as_large_as_the_world_hardly_adds_pairs_for_the_others() {
    let pairs = |giants, world: World| {
        let agent = |name: &str, agents| {
            Species::new(name, agents)
                .view_distance(20.0)
                .view_includes_radius()
                .behavior(Separation::default())
        };
        let scene = Scene::new(world)
            .species(agent("fish", 4_000).radius(0.0))
            .species(agent("giant", giants).radius(500.0));
        let mut simulation = scene.build().unwrap();
        simulation.set_execution(simulation.execution().method(Method::Scalar)).unwrap();
        simulation.neighbor_counts().pairs_per_agent
    };
    for world in [World::torus(700.0, 700.0), World::torus(300.0, 300.0).depth(300.0)] {
        let [plain, uneven] = [0, 1].map(|giants| pairs(giants, world));
        assert!(uneven < 1.3 * plain + 3.0, "{uneven} instead of {plain}");
    }
}

#[test]
fn small_crowds_test_all_pairs_by_themselves() {
    let level = Level::found();
    let pairs = |agents: usize| {
        [Partition::Auto, Partition::Cells, Partition::AllPairs].map(|partition| {
            let scene = Scene::named("stress").unwrap().agents(agents);
            let mut simulation = scene.build().unwrap();
            simulation
                .set_execution(
                    simulation.execution().method(Method::Simd).level(level).partition(partition),
                )
                .unwrap();
            simulation.neighbor_counts().pairs_per_agent
        })
    };
    // A crowd of four batches tests all pairs.
    let [auto, _, all] = pairs(4 * level.lanes());
    assert_eq!(auto, all);
    let [auto, cells, all] = pairs(2_000);
    assert!(auto == cells && cells * 4.0 < all, "{auto}, {cells}, {all}");
}
