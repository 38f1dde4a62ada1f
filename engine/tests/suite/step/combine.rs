use flockwork::behaviors::{
    Arrive, Flee, Seek, Separation, VelocityMatching, WallAvoidance, Wander,
};
use flockwork::{AgentId, Combine, Method, Scene, Simulation, Species, Start, Wall, World};

use crate::common::agents::{flat, force, id, one, place, position};
use crate::common::measures::{assert_forces_within_maximum, distance, velocities};
use crate::common::scenes::{flock, open};
use crate::common::variants::Variant;

const TARGET: [f32; 2] = [500.0, 400.0];

/// 500 agents with three behaviors that push left, right and up, in order of priority.
fn torn(combine: Combine, probabilities: [f32; 3]) -> Simulation {
    let names = ["seek", "flee", "arrive"];
    let species = Species {
        probabilities: names.iter().map(|&name| name.to_owned()).zip(probabilities).collect(),
        ..Species::new("agent", 0)
    };
    let arrive = Arrive { target: [0.0, 1.0e4].into(), ..Default::default() };
    let flee = Flee { weight: 1.0, target: [-1.0e4, 0.0].into(), panic_distance: None };
    let species = species
        .combine(combine)
        .max_force(1.0e9)
        .behavior(Seek { weight: 1.0, target: [-1.0e4, 0.0].into() })
        .behavior(flee)
        .behavior(Arrive { weight: 1.0, ..arrive });
    let mut simulation = Scene::new(World::open(10.0, 10.0)).species(species).build().unwrap();
    for _ in 0..500 {
        place(&mut simulation, [0.0, 0.0]);
    }
    simulation
}

#[test]
fn dithering_tries_each_behavior_as_often_as_its_probability_says() {
    let probabilities = [0.3, 0.5, 0.8];
    let mut simulation = torn(Combine::Dithered, probabilities);
    let mut acted = [0_u32; 4];
    for _ in 0..20 {
        for agent in 0..500 {
            let contributions = simulation.explain(id(agent)).unwrap().contributions;
            let acting = contributions.last().map(|last| last.behavior);
            let names = ["seek", "flee", "arrive"];
            let which = names.iter().position(|&name| acting == Some(name)).unwrap_or(3);
            acted[which] += 1;
        }
        simulation.step().unwrap();
    }
    // Probability of each behavior, times the probability that no earlier behavior acted.
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
    // Beyond its panic distance, flee is tried but gives no force.
    let flee = Flee { weight: 1.0, target: [9.0e3, 0.0].into(), panic_distance: Some(10.0) };
    let seek = Seek { weight: 2.0, target: [0.0, 1.0e4].into() };
    let never = Seek { weight: 1.0, target: [1.0e4, 0.0].into() };
    let species = Species::new("agent", 1)
        .combine(Combine::Dithered)
        .max_force(1.0e9)
        .behavior(flee)
        .behavior(seek.clone())
        .behavior(never);
    let probabilities = [("flee".to_owned(), 1.0), ("seek".to_owned(), 1.0)];
    let with = |probabilities| {
        let species = Species { probabilities, ..species.clone() };
        let simulation = Scene::new(World::open(10.0, 10.0)).species(species).build().unwrap();
        simulation.explain(id(0)).unwrap()
    };
    let all = with(probabilities.into());
    let names: Vec<_> = all.contributions.iter().map(|one| one.behavior).collect();
    assert_eq!(names, ["flee", "seek"], "the third is not tried");
    assert_eq!(all.force, all.contributions[1].force);

    // A behavior that is tried half as often pushes twice as hard.
    let halves = (0..40).map(|seed| {
        let species = Species::new("agent", 1)
            .combine(Combine::Dithered)
            .max_force(1.0e9)
            .behavior(seek.clone());
        let probabilities = [("seek".to_owned(), 0.5)].into();
        let start = Start { heading: Some(0.0), ..Start::default() };
        let species = Species { probabilities, start, ..species };
        let scene = Scene::new(World::open(1.0e-3, 1.0e-3)).species(species).seed(seed);
        scene.build().unwrap().explain(id(0)).unwrap().force
    });
    let forces: Vec<[f32; 3]> = halves.collect();
    let acting: Vec<_> = forces.iter().filter(|force| **force != [0.0; 3]).collect();
    assert!((8..=32).contains(&acting.len()), "{} of 40 act", acting.len());
    // Expected: 2/0.5 times the difference from (150, 0) to (0, 150).
    for force in acting {
        assert!(distance(flat(*force), [-600.0, 600.0]) < 0.1, "{force:?}");
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
        assert!(distance(flat(force), [0.0, 0.0]) <= 50.0 * (1.0 + 1.0e-6));
    }
}

#[test]
fn defect_03_dithering_acts_as_often_as_its_probability_says() {
    let species = Species {
        probabilities: [("seek".to_owned(), 0.9)].into(),
        ..Species::new("agent", 1_000).combine(Combine::Dithered)
    };
    let species = species.behavior(Seek { weight: 1.0, target: [1.0e5, 0.0].into() });
    let simulation = open([species]).build().unwrap();
    let acts = (0..1_000).filter(|&agent| simulation.explain(id(agent)).unwrap().force != [0.0; 3]);
    let share = acts.count();
    // Expected: 900, within five standard deviations of 9.5; the inverse test would give 100.
    assert!((850..950).contains(&share), "{share} of 1000");
}

#[test]
fn the_weighted_sum_adds_all_and_the_prioritized_sum_the_first() {
    let force = |combine, max_force: f32| {
        let species = Species {
            start: Start { speed: Some(0.0), ..Start::default() },
            ..Species::new("agent", 1)
        }
        .combine(combine)
        .max_force(max_force)
        .behavior(Seek { weight: 2.0, target: [1.0e6, 0.0].into() })
        .behavior(Seek { weight: 1.0, target: [0.0, 1.0e6].into() });
        let scene = Scene::new(World::open(1.0e-3, 1.0e-3)).species(species);
        force(&scene.build().unwrap(), id(0))
    };
    let close = |force: [f32; 2], expected| {
        assert!(distance(force, expected) < 1.0e-2, "{force:?}, expected {expected:?}");
    };
    // At rest, the forces are 2 × 150 to the right and 150 up.
    close(force(Combine::WeightedSum, 1.0e6), [300.0, 150.0]);
    close(force(Combine::Prioritized, 1.0e6), [300.0, 150.0]);
    let shrunk = 100.0 / 300.0_f32.hypot(150.0);
    close(force(Combine::WeightedSum, 100.0), [300.0 * shrunk, 150.0 * shrunk]);
    close(force(Combine::Prioritized, 100.0), [100.0, 0.0]);
    close(force(Combine::Prioritized, 340.0), [300.0, 40.0]);
}

#[test]
fn a_more_important_behavior_that_takes_all_force_leaves_none_for_wander() {
    let seek = || Seek { weight: 1.0e6, target: TARGET.into() };
    let run = |species: Species| {
        let scene = Scene::new(World::torus(1000.0, 800.0)).species(species);
        let mut simulation = scene.build().unwrap();
        simulation.run(1).unwrap();
        let at = |id| simulation.agent(id).unwrap().velocity;
        (0..20).map(|index| at(AgentId { index, generation: 0 })).collect::<Vec<_>>()
    };
    let alone = run(Species::new("a", 20).behavior(seek()));
    let with_wander = run(Species::new("a", 20).behavior(seek()).behavior(Wander::default()));
    let wander_first = run(Species::new("a", 20).behavior(Wander::default()).behavior(seek()));
    assert_eq!(alone, with_wander);
    assert_ne!(alone, wander_first);
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

#[test]
fn dithering_does_not_choose_a_force_whose_square_underflows() {
    let seek = Seek { weight: 1.0e-25, target: [50.0, 90.0].into() };
    let agent = one("agent", [50.0, 50.0], 0.0);
    let agent = agent.combine(Combine::Dithered).probability("seek", 1.0).behavior(seek);
    let scene = Scene::new(World::open(100.0, 100.0)).species(agent);
    let velocity = |variant: Variant| {
        let mut simulation = scene.build().unwrap();
        variant.set(&mut simulation);
        simulation.step().unwrap();
        simulation.agent(id(0)).unwrap().velocity
    };
    for variant in Variant::all() {
        assert_eq!(velocity(variant), [150.0, 0.0, 0.0], "{variant:?}");
    }
}

#[test]
fn priority_keeps_a_crowd_in_its_room_where_a_sum_lets_neighbors_push_through_the_wall() {
    let outside = |combine| {
        let species = Species {
            start: Start::in_box([20.0, 20.0], [100.0, 100.0]),
            ..Species::new("agent", 120).max_speed(60.0).combine(combine)
        };
        let species = species
            .behavior(WallAvoidance {
                weight: 200.0,
                feeler_length: 20.0,
                ..WallAvoidance::default()
            })
            .behavior(Separation { weight: 20_000.0, ..Separation::default() })
            .behavior(Wander { weight: 20.0, ..Wander::default() });
        let corners = [[0.0, 0.0], [120.0, 0.0], [120.0, 120.0], [0.0, 120.0]];
        let room = Wall::new(corners).closed();
        let mut simulation = open([species]).wall(room).build().unwrap();
        simulation.run(600).unwrap();
        let is_out = |at: &[f32; 2]| at.iter().any(|part| !(0.0..120.0).contains(part));
        (0..120).map(|agent| position(&simulation, agent)).filter(is_out).count()
    };
    let [sum, priority] = [Combine::WeightedSum, Combine::Prioritized].map(outside);
    assert!(
        sum > 50 && priority * 20 < sum,
        "{priority} of 120 are out, {sum} by the weighted sum"
    );
}

/// Figures from `docs/model.md`.
#[test]
fn without_maximum_force_nothing_pushes_but_a_sum_whose_square_underflows() {
    let seeks = |combine, max_force: f32, weight: f32| {
        let species = Species {
            start: Start { speed: Some(0.0), ..Start::in_circle([0.0, 0.0], 0.0) },
            ..Species::new("agent", 1).combine(combine).max_force(max_force)
        };
        let seek = Seek { weight, target: [0.0, 1.0e6].into() };
        let species = species.probability("seek", 1.0).behavior(seek);
        open([species]).build().unwrap().explain(id(0)).unwrap()
    };
    // The force is 150 times the weight; below 2⁻⁷⁵, or 2.65e-23, its square underflows.
    let (tiny, small) = (1.7e-25, 1.8e-25);
    assert_eq!(seeks(Combine::Dithered, 400.0, tiny).force, [0.0; 3], "it counts as none");
    assert_ne!(seeks(Combine::Dithered, 400.0, small).force, [0.0; 3]);
    for combine in [Combine::Prioritized, Combine::WeightedSum, Combine::Dithered] {
        for weight in [small, 1.0, 1.0e6] {
            let why = seeks(combine, 0.0, weight);
            assert_eq!(why.force, [0.0; 3], "{combine:?}, {weight}");
            // Only the prioritized sum skips the evaluation of behaviors.
            assert_eq!(why.unreached.len() == 1, combine == Combine::Prioritized, "{combine:?}");
        }
    }
    assert_eq!(seeks(Combine::Prioritized, 0.0, tiny).force, [0.0; 3]);
    assert_ne!(seeks(Combine::WeightedSum, 0.0, tiny).force, [0.0; 3], "it is not cut");
}

/// A debug assertion used to fail when the square of the maximum underflows.
#[test]
fn forces_stay_within_the_smallest_maximum_forces() {
    // Four forces of 4e-23, times the weight, over the smallest probability.
    const UNTRUNCATED: f64 = 4.0 * 4.0e-23 * 1.0e6 / 1.0e-3;
    let behaviors = |species: Species| {
        species
            .behavior(Wander { weight: 1.0e6, ..Wander::default() })
            .behavior(Separation { weight: 1.0e6, ..Separation::default() })
            .behavior(VelocityMatching {
                weight: 1.0e6,
                time_constant: 1.0e-3,
                ..VelocityMatching::default()
            })
            .behavior(Seek { weight: 1.0e6, target: TARGET.into() })
    };
    for exponent in -46..=9 {
        for combine in [Combine::Prioritized, Combine::WeightedSum, Combine::Dithered] {
            let max_force = 10.0_f64.powi(exponent);
            let range = [max_force as f32, (8.0 * max_force).min(1.0e9) as f32];
            let species = Species::new("agent", 60).combine(combine).max_force(range);
            let scene = Scene::new(World::torus(200.0, 200.0)).species(behaviors(species));
            let hashes = [Method::Simd, Method::Scalar].map(|method| {
                let mut crowd = scene.build().unwrap();
                crowd.set_execution(crowd.execution().method(method)).unwrap();
                for _ in 0..3 {
                    let what = format!("{combine:?}, {max_force:e}");
                    assert_forces_within_maximum(&crowd, UNTRUNCATED, &what);
                    crowd.step().unwrap();
                }
                crowd.state_hash()
            });
            assert_eq!(hashes[0], hashes[1], "{combine:?}, {max_force:e}");
        }
    }
}
