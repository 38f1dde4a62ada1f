//! Group behaviors reach their purpose, and forces combine as they say.

mod common;

use common::{distance, flock, id, place, position};
use flockwork::{
    Alignment, CollisionAvoidance, Combine, Flee, Scene, Seek, Separation, Simulation, Species,
    Start, StartPlace, VelocityMatching, Wander, World,
};

fn velocities(simulation: &Simulation) -> Vec<[f32; 2]> {
    (0..simulation.len()).map(|slot| simulation.velocity_at(slot)).collect()
}

/// The root mean square deviation from the mean velocity.
fn spread(simulation: &Simulation) -> f32 {
    let all = velocities(simulation);
    let count = all.len() as f32;
    let mean = [0, 1].map(|axis| all.iter().map(|v| v[axis]).sum::<f32>() / count);
    (all.iter().map(|&v| distance(v, mean).powi(2)).sum::<f32>() / count).sqrt()
}

#[test]
fn velocity_matching_converges_in_speed_and_direction() {
    let species = Species::new("agents", 100)
        .view_distance(100.0)
        .max_speed([50.0, 150.0])
        .steer(VelocityMatching::default());
    let mut simulation = Scene::new(World::torus(300.0, 300.0)).species(species).build().unwrap();
    let before = spread(&simulation);
    assert!(before > 50.0, "{before}");
    simulation.run(1_200).unwrap();
    let after = spread(&simulation);
    assert!(after < before / 50.0, "from {before} to {after}");
    let first = simulation.agent(id(0)).unwrap().velocity;
    let all = velocities(&simulation);
    assert!(all.iter().all(|&v| distance(v, first) < 5.0), "no one is left out");
}

#[test]
fn velocity_matching_takes_its_time_constant() {
    // Two agents whose difference vanishes with time constant τ/2: each approaches the other.
    let matching = VelocityMatching { weight: 1.0, time_constant: 2.0 };
    let species = Species::new("agents", 0).view_distance(1_000.0).steer(matching);
    let scene = Scene::new(World::open(100.0, 100.0)).species(species);
    let mut simulation = scene.steps_per_second(600.0).build().unwrap();
    simulation.spawn("agents", [0.0, 0.0], [1.0, 0.0]).unwrap();
    simulation.spawn("agents", [0.0, 50.0], [0.0, 1.0]).unwrap();
    let before = spread(&simulation);
    simulation.run(600).unwrap();
    // e^(−2·1 s/2 s), within the error of Euler steps of 1/600 s.
    let left = spread(&simulation) / before;
    assert!((left - (-1.0_f32).exp()).abs() < 2.0e-3, "{left}");
}

/// Overlaps, counted over all steps, between a stream that goes right and one that starts in a
/// box of its own and goes elsewhere.
fn overlaps(avoidance: Option<CollisionAvoidance>, other: ([[f32; 2]; 2], f32, [f32; 2])) -> usize {
    let stream = |name: &str, ([low, high], heading, target): ([[f32; 2]; 2], f32, [f32; 2])| {
        let place = StartPlace::Box { low, high };
        let mut species = Species {
            start: Start { place, heading: Some(heading), speed: None },
            ..Species::new(name, 40).max_speed(60.0).view_distance(120.0)
        };
        species.behaviors.extend(avoidance.clone().map(Into::into));
        species.steer(Seek { weight: 1.0, target: target.into() })
    };
    let right = stream("right", ([[0.0, 350.0], [350.0, 450.0]], 0.0, [1.0e5, 400.0]));
    let scene = Scene::new(World::open(800.0, 800.0)).species(right);
    let mut simulation = scene.species(stream("other", other)).build().unwrap();
    let mut count = 0;
    for _ in 0..900 {
        simulation.step().unwrap();
        // Only those of different streams: within one, all go the same way.
        for a in 0..40 {
            let at = position(&simulation, a);
            count += (40..80).filter(|&b| distance(at, position(&simulation, b)) < 6.0).count();
        }
    }
    count
}

#[test]
fn collision_avoidance_makes_streams_that_meet_overlap_far_less() {
    let up = ([[350.0, 0.0], [450.0, 350.0]], 90.0, [400.0, 1.0e5]);
    let left = ([[450.0, 350.0], [800.0, 450.0]], 180.0, [-1.0e5, 400.0]);
    for other in [up, left] {
        let with = overlaps(Some(CollisionAvoidance::default()), other);
        let without = overlaps(None, other);
        assert!(without > 200, "the streams meet: {without}");
        // 5 and 0 here, against 437 and 854.
        assert!(with * 20 < without, "{with} against {without}");
    }
}

#[test]
fn alignment_rises_and_stays_in_a_flock_that_wanders_a_little() {
    let species = Species::new("birds", 200)
        .view_distance(80.0)
        .steer(Separation { weight: 100.0 })
        .steer(Alignment { weight: 200.0 })
        .steer(Wander { weight: 5.0, ..Wander::default() });
    let mut simulation = Scene::new(World::torus(500.0, 500.0)).species(species).build().unwrap();
    assert!(simulation.alignment_order() < 0.3);
    simulation.run(1_200).unwrap();
    for _ in 0..20 {
        simulation.run(30).unwrap();
        assert!(simulation.alignment_order() > 0.9, "{}", simulation.alignment_order());
    }
}

/// One agent whose behaviors all give a force: left, right, up in order of priority.
fn torn(combine: Combine, probabilities: [f32; 3]) -> Simulation {
    let names = ["seek", "flee", "arrive"];
    let species = Species {
        probabilities: names.iter().map(|&name| name.to_owned()).zip(probabilities).collect(),
        ..Species::new("agent", 0)
    };
    let arrive = flockwork::Arrive { target: [0.0, 1.0e4].into(), ..Default::default() };
    let flee = Flee { weight: 1.0, target: [-1.0e4, 0.0].into(), panic_distance: None };
    let species = species
        .combine(combine)
        .max_force(1.0e9)
        .steer(Seek { weight: 1.0, target: [-1.0e4, 0.0].into() })
        .steer(flee)
        .steer(flockwork::Arrive { weight: 1.0, ..arrive });
    let mut simulation = Scene::new(World::open(10.0, 10.0)).species(species).build().unwrap();
    for _ in 0..500 {
        place(&mut simulation, [0.0, 0.0]);
    }
    simulation
}

#[test]
fn dithering_gives_each_behavior_its_turn_as_often_as_its_probability_says() {
    let probabilities = [0.3, 0.5, 0.8];
    let mut simulation = torn(Combine::Dithered, probabilities);
    let mut acted = [0_u32; 4];
    for _ in 0..20 {
        for agent in 0..500 {
            let contributions = simulation.explain(id(agent)).unwrap().contributions;
            let acting = contributions.last().map(|part| part.behavior);
            let names = ["seek", "flee", "arrive"];
            let which = names.iter().position(|&name| acting == Some(name)).unwrap_or(3);
            acted[which] += 1;
        }
        simulation.step().unwrap();
    }
    // The chance of each, times that no one before it acted.
    let expected = [0.3, 0.7 * 0.5, 0.7 * 0.5 * 0.8, 0.7 * 0.5 * 0.2];
    for (acted, expected) in acted.iter().zip(expected) {
        let share = f64::from(*acted) / 10_000.0;
        // Four standard deviations of 10,000 draws.
        let tolerance = 4.0 * (expected * (1.0 - expected) / 10_000.0_f64).sqrt();
        assert!((share - expected).abs() < tolerance, "{share}, expected {expected}");
    }
}

#[test]
fn dithering_takes_the_first_force_that_is_not_zero_over_its_probability() {
    // Flee, beyond its panic distance, has its turn and gives nothing.
    let flee = Flee { weight: 1.0, target: [9.0e3, 0.0].into(), panic_distance: Some(10.0) };
    let seek = Seek { weight: 2.0, target: [0.0, 1.0e4].into() };
    let never = Seek { weight: 1.0, target: [1.0e4, 0.0].into() };
    let species = Species::new("agent", 1)
        .combine(Combine::Dithered)
        .max_force(1.0e9)
        .steer(flee)
        .steer(seek.clone())
        .steer(never);
    let probabilities = [("flee".to_owned(), 1.0), ("seek".to_owned(), 1.0)];
    let with = |probabilities| {
        let species = Species { probabilities, ..species.clone() };
        let mut simulation = Scene::new(World::open(10.0, 10.0)).species(species).build().unwrap();
        simulation.explain(id(0)).unwrap()
    };
    let all = with(probabilities.into());
    let names: Vec<_> = all.contributions.iter().map(|part| part.behavior).collect();
    assert_eq!(names, ["flee", "seek"], "the third has no turn");
    assert_eq!(all.force, all.contributions[1].force);

    // A behavior that has its turn half as often pushes twice as hard.
    let halves = (0..40).map(|seed| {
        let species = Species::new("agent", 1)
            .combine(Combine::Dithered)
            .max_force(1.0e9)
            .steer(seek.clone());
        let probabilities = [("seek".to_owned(), 0.5)].into();
        let start = Start { heading: Some(0.0), ..Start::default() };
        let species = Species { probabilities, start, ..species };
        let scene = Scene::new(World::open(1.0e-3, 1.0e-3)).species(species).seed(seed);
        scene.build().unwrap().explain(id(0)).unwrap().force
    });
    let forces: Vec<[f32; 2]> = halves.collect();
    let acting: Vec<_> = forces.iter().filter(|force| **force != [0.0, 0.0]).collect();
    assert!((8..=32).contains(&acting.len()), "{} of 40 act", acting.len());
    // 2/0.5 times the way from (150, 0) to (0, 150).
    for force in acting {
        assert!(distance(*force, [-600.0, 600.0]) < 0.1, "{force:?}");
    }
}

#[test]
fn dithering_truncates_to_the_maximum_force() {
    let mut simulation = torn(Combine::Dithered, [0.3, 0.5, 0.8]);
    let mut species = simulation.scene().species[0].clone();
    species.max_force = 50.0.into();
    simulation.set_species(&species).unwrap();
    for agent in 0..500 {
        let force = simulation.explain(id(agent)).unwrap().force;
        assert!(distance(force, [0.0, 0.0]) <= 50.0 * (1.0 + 1.0e-6));
    }
}

#[test]
fn the_weighted_sum_adds_all_and_the_prioritized_sum_serves_the_first() {
    let force = |combine, max_force: f32| {
        let species = Species {
            start: Start { speed: Some(0.0), ..Start::default() },
            ..Species::new("agent", 1)
        }
        .combine(combine)
        .max_force(max_force)
        .steer(Seek { weight: 2.0, target: [1.0e6, 0.0].into() })
        .steer(Seek { weight: 1.0, target: [0.0, 1.0e6].into() });
        let scene = Scene::new(World::open(1.0e-3, 1.0e-3)).species(species);
        scene.build().unwrap().explain(id(0)).unwrap().force
    };
    let close = |force: [f32; 2], expected| {
        assert!(distance(force, expected) < 1.0e-2, "{force:?}, expected {expected:?}");
    };
    // At rest: 2 × 150 to the right and 150 up.
    close(force(Combine::WeightedSum, 1.0e6), [300.0, 150.0]);
    close(force(Combine::Prioritized, 1.0e6), [300.0, 150.0]);
    let shrunk = 100.0 / 300.0_f32.hypot(150.0);
    close(force(Combine::WeightedSum, 100.0), [300.0 * shrunk, 150.0 * shrunk]);
    close(force(Combine::Prioritized, 100.0), [100.0, 0.0]);
    close(force(Combine::Prioritized, 340.0), [300.0, 40.0]);
}

#[test]
fn each_way_to_combine_keeps_a_shoal_moving() {
    for combine in [Combine::Prioritized, Combine::WeightedSum, Combine::Dithered] {
        let species = flock(300).combine(combine);
        let mut simulation =
            Scene::new(World::torus(600.0, 500.0)).species(species).build().unwrap();
        simulation.run(600).unwrap();
        let speeds = velocities(&simulation).into_iter().map(|v| distance(v, [0.0, 0.0]));
        let mean = speeds.sum::<f32>() / 300.0;
        assert!(mean > 50.0, "{combine:?}: {mean} units/s");
    }
}
