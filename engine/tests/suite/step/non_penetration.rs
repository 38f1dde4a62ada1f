use flockwork::behaviors::{Seek, Wander};
use flockwork::{
    ErrorKind, Method, Number, Partition, Scene, Simulation, Snapshot, Species, Start, Topology,
    Vector, World,
};

use crate::common::agents::{flat, id, ids, place, position};
use crate::common::measures::{distance, mean_distance_to_nearest};
use crate::common::variants::{Variant, assert_agree, assert_variants_agree, hash_after};

/// Nearly motionless agents that are pushed apart `iterations` times per step.
fn world(world: World, iterations: u32, radius: f32) -> Scene {
    let species = Species::new("agent", 0).max_speed(1.0e-3).radius(radius).view_distance(1.0);
    Scene { non_penetration: iterations, ..Scene::new(world).species(species) }
}

/// Offset between two positions, across the seam of a torus of this size.
fn offset(from: [f32; 2], to: [f32; 2], size: Option<[f32; 2]>) -> [f64; 2] {
    [0, 1].map(|axis| {
        let offset = f64::from(to[axis]) - f64::from(from[axis]);
        size.map_or(offset, |size| {
            offset - (offset / f64::from(size[axis])).round() * f64::from(size[axis])
        })
    })
}

fn length([x, y]: [f64; 2]) -> f64 {
    x.hypot(y)
}

fn overlaps(simulation: &Simulation, radius: f64, size: Option<[f32; 2]>) -> f64 {
    let count = simulation.len() as u32;
    let places: Vec<[f32; 2]> = (0..count).map(|agent| position(simulation, agent)).collect();
    let mut sum = 0.0;
    for (k, &a) in places.iter().enumerate() {
        for &b in &places[..k] {
            sum += (2.0 * radius - length(offset(a, b, size))).max(0.0);
        }
    }
    sum
}

const WORLDS: [fn(f32, f32) -> World; 3] = [World::torus, World::bounded, World::open];

#[test]
fn isolated_pairs_touch_after_one_step_and_their_middle_stays() {
    for make in WORLDS {
        let torus = make(1.0, 1.0) == World::torus(1.0, 1.0);
        let size = [200.0, 150.0];
        let mut simulation = world(make(200.0, 150.0), 1, 5.0).build().unwrap();
        let mut pairs: Vec<[[f32; 2]; 2]> = vec![
            [[100.0, 75.0], [104.0, 75.0]],
            [[50.0, 50.0], [50.5, 50.25]],
            [[50.0, 100.0], [47.0, 92.0]],
            [[150.0, 40.0], [150.0, 49.9]],
        ];
        if torus {
            pairs.push([[199.0, 75.0], [2.0, 77.0]]);
            pairs.push([[100.0, 149.5], [103.0, 1.0]]);
            pairs.push([[199.0, 149.0], [1.5, 0.5]]);
        }
        for at in pairs.iter().flatten() {
            simulation.spawn("agent", *at, [1.0, 0.0]).unwrap();
        }
        simulation.step().unwrap();
        for (first, [a, b]) in (0..).step_by(2).zip(&pairs) {
            let (now_a, now_b) = (position(&simulation, first), position(&simulation, first + 1));
            let size = torus.then_some(size);
            let apart = offset(now_a, now_b, size);
            // Coordinates up to 200 are 1.5e-5 apart; agents move at most 2e-5 on their own.
            assert!((length(apart) - 10.0).abs() < 1.0e-4, "{} apart", length(apart));
            let before = offset(*a, *b, size);
            let same_line = (apart[0] * before[1] - apart[1] * before[0]) / length(before);
            assert!(same_line.abs() < 1.0e-3, "along the line of centers: {apart:?}");
            let (moved_a, moved_b) = (offset(*a, now_a, size), offset(*b, now_b, size));
            for axis in 0..2 {
                let middle = moved_a[axis] + moved_b[axis];
                assert!(middle.abs() < 1.5e-4, "the middle moved by {middle}");
            }
        }
        assert!(overlaps(&simulation, 5.0, torus.then_some(size)) < 1.0e-3);
    }
}

#[test]
fn agents_that_do_not_overlap_stay_where_they_are() {
    for make in WORLDS {
        let run = |iterations| {
            let mut simulation = world(make(200.0, 150.0), iterations, 5.0).build().unwrap();
            for at in [[20.0, 20.0], [30.1, 20.0], [5.1, 75.0], [194.8, 75.0]] {
                simulation.spawn("agent", at, [1.0, 0.0]).unwrap();
            }
            simulation.step().unwrap();
            simulation.state_hash()
        };
        assert_eq!(run(0), run(3));
    }
}

#[test]
fn unequal_agents_are_pushed_apart_by_the_sum_of_their_radii() {
    let mut scene = world(World::open(200.0, 150.0), 1, 5.0);
    let whale = Species::new("whale", 0).max_speed(1.0e-3).radius(20.0);
    scene = scene.species(whale);
    let mut simulation = scene.build().unwrap();
    simulation.spawn("agent", [100.0, 75.0], [1.0, 0.0]).unwrap();
    simulation.spawn("whale", [110.0, 75.0], [1.0, 0.0]).unwrap();
    simulation.step().unwrap();
    let apart = length(offset(position(&simulation, 0), position(&simulation, 1), None));
    assert!((apart - 25.0).abs() < 1.0e-4, "{apart}");
}

#[test]
fn the_order_of_spawning_does_not_matter() {
    let places: Vec<[f32; 2]> = (0..60_u8)
        .map(|k| [40.0 + f32::from(k % 8) * 3.1, 40.0 + f32::from(k / 8) * 2.7])
        .collect();
    let run = |order: &mut dyn Iterator<Item = usize>| {
        let mut simulation = world(World::torus(100.0, 100.0), 4, 3.0).build().unwrap();
        for k in order {
            simulation.spawn("agent", places[k], [1.0, 0.0]).unwrap();
        }
        simulation.step().unwrap();
        (0..60).map(|agent| position(&simulation, agent)).collect::<Vec<_>>()
    };
    let (there, back) = (run(&mut (0..60)), run(&mut (0..60).rev()));
    // Sums in another order round differently, and four iterations amplify that.
    for (a, b) in there.iter().zip(back.iter().rev()) {
        assert!(length(offset(*a, *b, None)) < 1.0e-3, "{a:?} and {b:?}");
    }
}

#[test]
fn coincident_agents_are_pushed_apart_repeatably_in_their_own_direction() {
    let pushed = |seed: u64, older: u32| {
        let scene = world(World::torus(100.0, 100.0), 1, 4.0).seed(seed);
        let mut simulation = scene.build().unwrap();
        for _ in 0..older {
            simulation.spawn("agent", [10.0, 10.0], [1.0, 0.0]).unwrap();
        }
        for _ in 0..2 {
            simulation.spawn("agent", [60.0, 60.0], [1.0, 0.0]).unwrap();
        }
        simulation.step().unwrap();
        let (a, b) = (position(&simulation, older), position(&simulation, older + 1));
        let apart = offset(a, b, None);
        assert!((length(apart) - 8.0).abs() < 1.0e-4, "they touch: {}", length(apart));
        let middle = [a[0] + b[0] - 120.0, a[1] + b[1] - 120.0];
        assert!(middle.iter().all(|off| off.abs() < 1.0e-4), "opposite directions: {middle:?}");
        apart
    };
    assert_eq!(pushed(1, 0), pushed(1, 0));
    assert_ne!(pushed(1, 0), pushed(1, 1), "other ids, another direction");
    assert_ne!(pushed(1, 0), pushed(2, 0), "another seed, another direction");
}

#[test]
fn coincident_agents_of_different_radii_are_pushed_equally_far() {
    let whale = Species::new("whale", 0).max_speed(1.0e-3).radius(20.0);
    let scene = world(World::open(200.0, 150.0), 1, 5.0).species(whale);
    let mut simulation = scene.build().unwrap();
    for name in ["agent", "whale"] {
        simulation.spawn(name, [100.0, 75.0], [1.0, 0.0]).unwrap();
    }
    simulation.step().unwrap();
    for agent in 0..2 {
        let pushed = length(offset([100.0, 75.0], position(&simulation, agent), None));
        assert!((pushed - 12.5).abs() < 1.0e-3, "{pushed}");
    }
}

#[test]
fn many_coincident_agents_are_all_pushed_apart() {
    let mut simulation = world(World::bounded(100.0, 100.0), 8, 2.0).build().unwrap();
    for _ in 0..30 {
        simulation.spawn("agent", [50.0, 50.0], [1.0, 0.0]).unwrap();
    }
    simulation.run(60).unwrap();
    let left = overlaps(&simulation, 2.0, None);
    // At first, 435 pairs overlap by 4 units each.
    assert!(left < 0.1, "{left}");
}

#[test]
fn a_dense_packs_overlap_falls_with_every_iteration() {
    for make in WORLDS {
        let torus = make(1.0, 1.0) == World::torus(1.0, 1.0);
        let residual = |iterations: u32| {
            let mut simulation = world(make(120.0, 120.0), iterations, 3.0).build().unwrap();
            for k in 0..100_u16 {
                // Jitter keeps pushes from canceling by symmetry.
                let at = [f32::from(k % 10) * 4.1, f32::from(k / 10) * 4.3];
                let off = f32::from(k * 37 % 11) * 0.1;
                simulation
                    .spawn("agent", [at[0] + off + 30.0, at[1] - off + 30.0], [1.0, 0.0])
                    .unwrap();
            }
            simulation.step().unwrap();
            overlaps(&simulation, 3.0, torus.then_some([120.0, 120.0]))
        };
        let left = [0, 1, 2, 4, 8, 16, 32].map(residual);
        assert!(left.is_sorted_by(|a, b| a > b), "{left:?}");
        assert!(left[6] < left[0] / 8.0, "{left:?}");
    }
}

#[test]
fn pushes_are_the_same_by_every_method_partition_and_thread_count() {
    for make in WORLDS {
        let species = Species::new("agent", 600)
            .view_distance(20.0)
            .radius([1.0, 6.0])
            .max_speed(80.0)
            .behavior(Wander::default());
        let scene = Scene { non_penetration: 3, ..Scene::new(make(150.0, 130.0)).species(species) };
        let partitions = [Partition::Cells, Partition::AllPairs];
        let context = format!("{:?}", scene.world);
        assert_agree(&scene, 30, Variant::vectors(), &partitions, &context);
        let large = Scene { world: make(900.0, 800.0), ..scene.clone() }.agents(17_000);
        let one = hash_after(&large, 2, |s| s.set_execution(s.execution().threads(1)).unwrap());
        assert_eq!(
            hash_after(&large, 2, |s| s.set_execution(s.execution().threads(3)).unwrap()),
            one
        );
    }
}

/// A giant pushes some agents much farther than other agents push each other, but later passes
/// search a grid that was filled before these pushes.
#[test]
fn later_passes_find_agents_that_a_giant_has_pushed_far() {
    let giants = |count: usize| Species::new("giant", count).radius(60.0).max_speed(30.0);
    for (make, giants) in WORLDS.into_iter().flat_map(|make| [(make, giants(1)), (make, giants(4))])
    {
        let small = Species::new("small", 3_000).radius(2.5).max_speed(30.0);
        let scene = Scene::new(make(700.0, 600.0)).non_penetration(4);
        let scene = scene.species(small).species(giants).steps_per_second(30.0);
        let context = format!("{:?}", scene.world);
        assert_agree(&scene, 4, Variant::vectors(), &[Partition::Cells], &context);
        let hash = |partition, threads| {
            hash_after(&scene, 4, |crowd| {
                let execution = crowd.execution().partition(partition).threads(threads);
                crowd.set_execution(execution).unwrap();
            })
        };
        let expected = hash(Partition::AllPairs, 1);
        assert_eq!(hash(Partition::Cells, 1), expected, "{context}");
        assert_eq!(hash(Partition::Cells, 3), expected, "{context}");
    }
}

/// The giant pushes one fish across the seam, into the other fish.
#[test]
fn after_a_restore_strays_are_where_they_are_in_the_restored_world() {
    let giant = Species::new("giant", 1).radius(200.0).immovable().max_speed(1.0e-3);
    let fish = Species::new("fish", 2).radius(5.0).max_speed(1.0e-3);
    let scene = Scene::new(World::torus(1_500.0, 1_500.0)).non_penetration(2);
    let mut start = scene.species(giant).species(fish).build().unwrap();
    for (index, x) in [(0, 1_400.0), (1, 1_470.0), (2, 108.0)] {
        start.set(Vector::Position, id(index), [x, 750.0]).unwrap();
    }
    let start = start.snapshot();
    let other = Scene::new(World::torus(1_000.0, 1_000.0)).non_penetration(2);
    let mut other = other.species(Species::new("agent", 1)).build().unwrap();
    other.step().unwrap();
    for mut crowd in [start.build().unwrap(), other] {
        crowd.restore(&start);
        let execution = crowd.execution().method(Method::Scalar).partition(Partition::Cells);
        crowd.set_execution(execution).unwrap();
        crowd.step().unwrap();
        assert!(position(&crowd, 2)[0] > 110.0, "{:?}", position(&crowd, 2));
    }
}

/// Rows and columns of an open world's cells repeat, so packs far apart share rows.
#[test]
fn packs_that_share_rows_of_cells_in_an_open_world_are_pushed_alike_with_and_without_a_grid() {
    let packed = |apart: f32, method: Method, partition: Partition| {
        let mut simulation = world(World::open(900.0, 800.0), 4, 5.0).build().unwrap();
        let execution = simulation.execution().method(method).partition(partition);
        simulation.set_execution(execution).unwrap();
        for k in 0..300 {
            let (pack, k) = (k % 3, k / 3);
            let [right, up] = [k % 20, k / 20].map(|step| step as f32 * 7.0 + (k % 7) as f32);
            place(&mut simulation, [10.0 + right + pack as f32 * apart, 10.0 + up]);
        }
        simulation.run(3).unwrap();
        simulation.state_hash()
    };
    // The table is 16 or 32 mean spacings wide.
    let spacing = (900.0_f32 * 800.0 / 300.0).sqrt();
    for apart in [4.0, 8.0, 16.0, 32.0, 64.0].map(|spacings| spacings * spacing) {
        let expected = packed(apart, Method::Scalar, Partition::AllPairs);
        for method in Method::ALL {
            assert_eq!(packed(apart, method, Partition::Cells), expected, "{apart}, {method:?}");
        }
    }
}

#[test]
fn agents_pushed_over_an_edge_follow_the_topology() {
    for make in WORLDS {
        let mut simulation = world(make(60.0, 60.0), 5, 4.0).build().unwrap();
        for k in 0..40_u8 {
            let at = [f32::from(k) * 0.1, 59.0 + f32::from(k % 7) * 0.1];
            simulation.spawn("agent", at, [1.0, 0.0]).unwrap();
        }
        simulation.run(5).unwrap();
        let places = (0..40).map(|agent| position(&simulation, agent));
        let inside = places.flatten().all(|x| (0.0..=60.0).contains(&x));
        assert_eq!(inside, simulation.world().topology != Topology::Open);
    }
}

#[test]
fn a_push_that_an_edge_stops_goes_on_in_the_next_pass() {
    // At each edge of a 100 × 100 box, one agent is on the edge and one a unit away from it.
    let pairs = [
        [[0.0, 50.0], [1.0, 50.0]],
        [[100.0, 50.0], [99.0, 50.0]],
        [[50.0, 0.0], [50.0, 1.0]],
        [[50.0, 100.0], [50.0, 99.0]],
    ];
    for pair in pairs {
        let left = |passes: u32| {
            let mut simulation = world(World::bounded(100.0, 100.0), passes, 3.0).build().unwrap();
            for at in pair {
                simulation.spawn("agent", at, [1.0, 0.0]).unwrap();
            }
            simulation.step().unwrap();
            overlaps(&simulation, 3.0, None)
        };
        // Each pass should move both agents by half the overlap, but the edge stops one of them.
        for (passes, expected) in [(0, 5.0), (1, 2.5), (2, 1.25), (8, 5.0 / 256.0), (64, 0.0)] {
            let left = left(passes);
            assert!((left - expected).abs() < 1.0e-4, "{left} after {passes} passes, {pair:?}");
        }
    }
}

#[test]
fn a_pack_in_a_corner_loses_overlap_with_every_pass() {
    let residual = |passes: u32| {
        let mut simulation = world(World::bounded(120.0, 120.0), passes, 3.0).build().unwrap();
        for k in 0..100_u16 {
            let at = [f32::from(k % 10) * 4.1, f32::from(k / 10) * 4.3];
            let off = f32::from(k * 37 % 11) * 0.1;
            simulation.spawn("agent", [at[0] + off, at[1] + off], [1.0, 0.0]).unwrap();
        }
        simulation.step().unwrap();
        overlaps(&simulation, 3.0, None)
    };
    let left = [0, 1, 2, 4, 8, 16, 32, 64].map(residual);
    assert!(left.is_sorted_by(|a, b| a > b), "{left:?}");
    assert!(left[7] < left[0] / 3.0, "{left:?}");
}

#[test]
fn defect_05_coincident_agents_are_pushed_apart_finitely_and_repeatably() {
    let run = || {
        let species = Species::new("agent", 0).max_speed(1.0).radius(2.0);
        let scene = Scene::new(World::torus(200.0, 200.0)).species(species);
        let mut simulation = Scene { non_penetration: 2, ..scene }.build().unwrap();
        for _ in 0..40 {
            place(&mut simulation, [100.0, 100.0]);
        }
        simulation.run(300).unwrap();
        for id in ids(&simulation) {
            assert!(simulation.agent(id).unwrap().position.iter().all(|x| x.is_finite()));
        }
        // Agents that touch are 4 units apart.
        assert!(
            mean_distance_to_nearest(&simulation) > 3.9,
            "{}",
            mean_distance_to_nearest(&simulation)
        );
        simulation.state_hash()
    };
    assert_eq!(run(), run());
    let to: f32 = 0.0;
    assert!((to / to.abs()).is_nan(), "the source divides by the distance");
}

#[test]
fn agents_too_large_for_their_world_stay_in_it_and_agree() {
    for world in [World::torus(20.0, 15.0), World::bounded(20.0, 15.0)] {
        let species = Species::new("whales", 9)
            .radius([5.0, 30.0])
            .max_speed(5.0)
            .view_distance(10.0)
            .behavior(Wander::default());
        let scene = Scene { non_penetration: 5, ..Scene::new(world).species(species) };
        assert_variants_agree(&scene, 50);
        let mut simulation = scene.build().unwrap();
        simulation.run(50).unwrap();
        for agent in 0..9 {
            let [x, y] = position(&simulation, agent);
            assert!((0.0..=20.0).contains(&x) && (0.0..=15.0).contains(&y), "{x}, {y}");
        }
    }
}

/// Regression: the search for a giant spans more rows of tiny cells than an `i32` can count.
#[test]
fn a_giant_in_a_tiny_world_of_many_cells_pushes_alike_by_every_method() {
    let mut giant = Species::new("giant", 1).radius(1.0e4).max_speed(1.0e-3);
    giant.start = Start::in_circle([5.0e-4; 2], 0.0);
    let dots = Species::new("dots", 65_536).radius(0.0).max_speed(1.0e-3);
    let scene = Scene {
        steps_per_second: 1.0e5,
        non_penetration: 1,
        ..Scene::new(World::bounded(1.0e-3, 1.0e-3)).species(dots).species(giant)
    };
    let hashes: Vec<u64> =
        Variant::all().map(|variant| hash_after(&scene, 1, |crowd| variant.set(crowd))).collect();
    assert!(hashes.windows(2).all(|pair| pair[0] == pair[1]), "{hashes:?}");
}

#[test]
fn others_make_way_for_an_immovable_agent_by_the_whole_overlap() {
    for make in WORLDS {
        for is_species in [true, false] {
            let mut scene = world(make(200.0, 150.0), 1, 5.0);
            let rock = Species { immovable: is_species, ..scene.species[0].clone() };
            scene = scene.species(Species { name: "rock".into(), ..rock });
            let mut crowd = scene.build().unwrap();
            // The agents at the last two places coincide; those at the two places before are rocks.
            let places = [
                [100.0, 75.0],
                [104.0, 75.0],
                [50.0, 50.0],
                [47.0, 46.0],
                [150.0, 100.0],
                [150.0, 100.0],
            ];
            let names = ["rock", "agent", "rock", "rock", "rock", "agent"];
            for (name, at) in names.into_iter().zip(places) {
                let id = crowd.spawn(name, at, [1.0, 0.0]).unwrap();
                if name == "rock" && !is_species {
                    crowd.set(Number::Immovable, id, 1.0).unwrap();
                }
            }
            let mut restored =
                Snapshot::from_bytes(&crowd.snapshot().to_bytes()).unwrap().build().unwrap();
            for crowd in [&mut crowd, &mut restored] {
                crowd.step().unwrap();
                let moved = |agent: u32| distance(position(crowd, agent), places[agent as usize]);
                for rock in [0, 2, 3, 4] {
                    assert!(moved(rock) < 2.0e-5, "rock {rock} moved by {}", moved(rock));
                }
                // No agent is pushed by more than the largest radius in one pass.
                assert!((moved(1) - 5.0).abs() < 1.0e-4, "{}", moved(1));
                assert!((moved(5) - 5.0).abs() < 1.0e-4, "{}", moved(5));
                crowd.step().unwrap();
                let apart = |a, b| distance(position(crowd, a), position(crowd, b));
                assert!((apart(0, 1) - 10.0).abs() < 1.0e-4 && (apart(4, 5) - 10.0).abs() < 1.0e-4);
                assert!(apart(2, 3) < 5.1, "two rocks may overlap");
            }
            assert_eq!(crowd.state_hash(), restored.state_hash());
        }
    }
}

/// Regression: a crowd pushed an agent of mass 1e6 into a corner.
#[test]
fn a_crowd_that_walks_into_a_rock_does_not_move_it_and_goes_around() {
    let goal = Seek { weight: 20.0, target: [5.0, 5.0].into() };
    let walkers = Species::new("walker", 300).max_speed(30.0).radius(1.0).behavior(goal);
    let rock = Species::new("rock", 0).max_speed(1.0e-3).radius(8.0).immovable();
    let scene = Scene::new(World::bounded(120.0, 120.0)).species(walkers).species(rock);
    let mut crowd = scene.non_penetration(8).build().unwrap();
    let rock = crowd.spawn("rock", [30.0, 30.0], [1.0, 0.0]).unwrap();
    crowd.run(600).unwrap();
    assert!(distance(flat(crowd.agent(rock).unwrap().position), [30.0, 30.0]) < 2.0e-2);
    let others = ids(&crowd).into_iter().filter(|&id| id != rock);
    let deepest =
        others.map(|id| 9.0 - distance(flat(crowd.agent(id).unwrap().position), [30.0, 30.0]));
    let deepest = deepest.fold(0.0, f32::max);
    assert!(deepest < 0.2, "{deepest}");
}

/// A row of cars sweeps a crowd. Each car is put 0.5 units farther before every step.
#[test]
fn nobody_is_inside_a_car_that_drives_through_a_crowd() {
    let size = 400.0_f32;
    let walkers = Species::new("walker", 5_000)
        .max_speed(15.0)
        .radius([0.8, 1.2])
        .behavior(Wander { weight: 30.0, ..Wander::default() });
    let cars = Species::new("car", 50).max_speed(1.0e-3).radius(4.0).immovable();
    let scene = Scene::new(World::torus(size, size)).species(walkers).species(cars);
    let mut crowd = scene.non_penetration(8).build().unwrap();
    let cars: Vec<_> = ids(&crowd).into_iter().filter(|id| id.index >= 5_000).collect();
    let mut deepest = 0.0_f32;
    for step in 0..240_u16 {
        let places: Vec<[f32; 2]> = (0..50_u8)
            .map(|k| {
                let along = f32::from(k % 10) * 40.0 + f32::from(step) * 0.5;
                [along.rem_euclid(size), f32::from(k / 10) * 80.0 + 20.0]
            })
            .collect();
        crowd.set_many(Vector::Position, &cars, &places).unwrap();
        crowd.step().unwrap();
        if step < 30 {
            // Walkers start inside the cars.
            continue;
        }
        for (&car, place) in cars.iter().zip(places) {
            let center = flat(crowd.agent(car).unwrap().position);
            let [x, y, _] = crowd.displacement(center, place);
            assert!(x.hypot(y) < 1.0e-3, "a car is where it was put");
            for id in crowd.agents_within(center, 5.2, Some("walker")).unwrap() {
                let room = 4.0 + crowd.get(Number::Radius, id).unwrap();
                let at = flat(crowd.agent(id).unwrap().position);
                let [x, y, _] = crowd.displacement(center, at);
                deepest = deepest.max(room - x.hypot(y));
            }
        }
    }
    assert!(deepest < 0.5, "{deepest}");
}

#[test]
fn agents_are_immovable_or_not() {
    let mut crowd = world(World::torus(200.0, 150.0), 1, 5.0).build().unwrap();
    let id = place(&mut crowd, [100.0, 75.0]);
    let refused = crowd.set(Number::Immovable, id, 0.5).unwrap_err();
    assert!(matches!(refused.kind(), ErrorKind::OutOfRange { .. }), "{refused:?}");
    assert!(
        refused.to_string().contains("immovable of agent #0.0 = 0.5: must be 0 or 1"),
        "{refused}"
    );
    assert_eq!(crowd.get(Number::Immovable, id), Ok(0.0));
}

#[test]
fn agents_above_each_other_are_pushed_apart_along_z() {
    let ball = Species::new("ball", 0).radius(5.0).max_speed(1.0e-3);
    let world = World::open(100.0, 100.0).depth(100.0);
    // With the scalar method, each agent is a batch of its own, with its own box of candidates.
    for method in Method::ALL {
        let scene = Scene::new(world).species(ball.clone()).non_penetration(1);
        let mut crowd = scene.build().unwrap();
        crowd.set_execution(crowd.execution().method(method)).unwrap();
        let [low, high] =
            [47.0, 53.0].map(|z| crowd.spawn("ball", [50.0, 50.0, z], [1.0, 0.0, 0.0]).unwrap());
        crowd.step().unwrap();
        for (ball, expected) in [(low, 45.0), (high, 55.0)] {
            let [x, y, z] = crowd.agent(ball).unwrap().position;
            assert!((z - expected).abs() < 1.0e-3 && (x - 50.0).abs() < 1.0e-3 && y == 50.0, "{z}");
        }
    }
}
