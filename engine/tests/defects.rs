//! The sources' defects, numbered as in `docs/errata.md`, are not repeated.
//!
//! Where it is easy, what the sources compute is computed next to what flockwork does.

mod common;

use common::{distance, hash_after, id, ids, one, place, resting};
use flockwork::{
    Arrive, Behavior, Combine, Deceleration, Evade, Hide, Obstacle, ObstacleAvoidance,
    OffsetPursuit, Partition, Scene, Seek, Shape, Simulation, Species, Target, Wall, WallAvoidance,
    Wander, What, World,
};

/// An agent at rest at (0, 0), headed right, free to take any force.
fn agent(behavior: impl Into<Behavior>) -> Species {
    resting("agent", [0.0, 0.0], 0.0).max_force(1.0e6).radius(3.0).steer(behavior)
}

fn open(species: Species, obstacles: &[Obstacle]) -> Simulation {
    let scene = Scene::new(World::open(1_000.0, 1_000.0)).species(species);
    Scene { obstacles: obstacles.to_vec(), ..scene }.build().unwrap()
}

fn force(simulation: &mut Simulation) -> [f32; 2] {
    simulation.explain(id(0)).unwrap().force
}

fn detection_box() -> ObstacleAvoidance {
    ObstacleAvoidance { weight: 1.0, box_length: 40.0 }
}

#[test]
fn defect_01_the_obstacle_that_the_box_meets_first_is_avoided() {
    // The large one's rim is nearer, the small one's center is.
    let large = Obstacle { center: [55.0, 0.0], radius: 40.0 };
    let small = Obstacle { center: [40.0, 1.0], radius: 5.0 };
    let mut simulation = open(agent(detection_box()), &[small, large]);
    let contributions = simulation.explain(id(0)).unwrap().contributions;
    let threat = contributions[0].marks.iter().find(|mark| mark.what == What::Threat).unwrap();
    let expected = Shape::Circle { center: large.center, radius: large.radius };
    assert_eq!(threat.shape, expected);
    // `ip = A - sqrt(...)`, or `A + sqrt(...)` if that is not positive: with the A that the
    // source never sets, the small one would win.
    let source = |a: f32, o: &Obstacle| {
        let half_chord = ((o.radius + 3.0).powi(2) - o.center[1].powi(2)).sqrt();
        if a - half_chord > 0.0 { a - half_chord } else { a + half_chord }
    };
    assert!(source(0.0, &small) < source(0.0, &large));
    assert!(source(large.center[0], &large) < source(small.center[0], &small));
}

#[test]
fn defect_02_detection_box_never_steers_towards_the_obstacle() {
    let (mut towards, mut forward) = (0, 0);
    for radius in [5.0, 20.0, 60.0] {
        for x in [0.0_f32, 0.5, 5.0, 15.0, 30.0, 50.0] {
            for y in [-0.99_f32, -0.5, -0.1, 0.0, 0.1, 0.5, 0.99].map(|share| share * radius) {
                let obstacle = Obstacle { center: [x, y], radius };
                if x.hypot(y) > 40.0 + radius {
                    continue;
                }
                let [along, across] = force(&mut open(agent(detection_box()), &[obstacle]));
                let case = format!("({along}, {across}) from {obstacle:?}");
                assert!(across * y < 0.0 || (y == 0.0 && across != 0.0), "away: {case}");
                // Never less than the overlap of obstacle and box.
                assert!(across.abs() > (radius + 3.0 - y.abs()) * 0.999, "{case}");
                assert!(along <= 0.0, "never forward: {case}");

                let multiplier = 1.0 + (40.0 - x) / 40.0;
                towards += u32::from((radius - y) * multiplier * y > 0.0);
                forward += u32::from((radius - x) * 0.2 > 0.0);
            }
        }
    }
    assert!(towards > 10, "the source steers towards it in {towards} of these cases");
    assert!(forward > 10, "and accelerates in {forward}");
}

#[test]
fn an_obstacle_larger_than_the_box_does_not_attract() {
    // Its center is further than twice the box' length, where 1 + (L − x)/L turns negative.
    let obstacle = Obstacle { center: [200.0, 30.0], radius: 190.0 };
    let (length, expanded) = (40.0, 193.0);
    let [_, across] = force(&mut open(agent(detection_box()), &[obstacle]));
    assert!((across + (expanded - 30.0)).abs() < 1.0e-3, "the overlap itself: {across}");
    let source = -(expanded - 30.0) * (1.0 + (length - 200.0) / length);
    assert!(source > 0.0, "the formula alone would steer towards it: {source}");
}

#[test]
fn defect_03_dithering_acts_as_often_as_its_probability_says() {
    let species = Species {
        probabilities: [("seek".to_owned(), 0.9)].into(),
        ..Species::new("agent", 1_000).combine(Combine::Dithered)
    };
    let species = species.steer(Seek { weight: 1.0, target: [1.0e5, 0.0].into() });
    let mut simulation = open(species, &[]);
    let acts =
        (0..1_000).filter(|&agent| simulation.explain(id(agent)).unwrap().force != [0.0, 0.0]);
    let share = acts.count();
    // 900 expected, five standard deviations of 9.5; the other comparison would give 100.
    assert!((850..950).contains(&share), "{share} of 1000");
}

#[test]
fn defect_04_wander_jitter_does_not_grow_with_the_step_rate() {
    const AGENTS: u32 = 1_000;
    let headings = |rate: f32, jitter: f32, jitter_per_step: bool| -> Vec<[f32; 2]> {
        let wander = Wander { jitter, jitter_per_step, weight: 20.0, ..Wander::default() };
        let species = Species::new("agent", AGENTS as usize).view_distance(0.01).steer(wander);
        let scene = Scene::new(World::open(1000.0, 1000.0)).species(species);
        let mut simulation = scene.steps_per_second(rate).build().unwrap();
        simulation.run(rate as u64).unwrap();
        let ids = (0..AGENTS).map(|index| flockwork::AgentId { index, generation: 0 });
        ids.map(|id| simulation.agent(id).unwrap().heading).collect()
    };
    // How far, in radians, a second of jitter turns agents off their unjittered course.
    let effect = |rate: f32, jitter: f32, per_step: bool| {
        let pairs = headings(rate, jitter, per_step).into_iter().zip(headings(rate, 0.0, per_step));
        let squares = pairs.map(|(a, b)| {
            f64::from((a[0] * b[1] - a[1] * b[0]).atan2(a[0] * b[0] + a[1] * b[1])).powi(2)
        });
        (squares.sum::<f64>() / f64::from(AGENTS)).sqrt()
    };
    // Independent jitters add up like a random walk. Per second, four times as many and four
    // times smaller ones have half the effect; per step, equally large ones have twice it.
    let per_second = effect(120.0, 1.5, false) / effect(30.0, 1.5, false);
    assert!((0.35..0.7).contains(&per_second), "per second: {per_second}");
    let per_step = effect(120.0, 0.05, true) / effect(30.0, 0.05, true);
    assert!((1.5..2.8).contains(&per_step), "per step: {per_step}");
}

/// The mean distance to the nearest other agent.
fn nearest_neighbors(simulation: &Simulation) -> f32 {
    let places: Vec<[f32; 2]> =
        ids(simulation).iter().map(|&id| simulation.agent(id).unwrap().position).collect();
    let nearest = |k: usize| {
        let others = places.iter().enumerate().filter(|(other, _)| *other != k);
        others.map(|(_, &other)| distance(places[k], other)).fold(f32::MAX, f32::min)
    };
    (0..places.len()).map(nearest).sum::<f32>() / places.len() as f32
}

#[test]
fn defect_05_coincident_agents_separate_finitely_and_repeatably() {
    let run = || {
        let species = common::flock(0);
        let scene = Scene::new(World::torus(200.0, 200.0)).species(species);
        let mut simulation = scene.build().unwrap();
        for _ in 0..40 {
            place(&mut simulation, [100.0, 100.0]);
        }
        simulation.run(120).unwrap();
        for id in ids(&simulation) {
            let state = simulation.agent(id).unwrap();
            let numbers = [state.position, state.velocity, state.heading].concat();
            assert!(numbers.iter().all(|value| value.is_finite()), "{state:?}");
        }
        assert!(nearest_neighbors(&simulation) > 0.1, "wander and separation pull them apart");
        simulation.state_hash()
    };
    assert_eq!(run(), run());
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
        // Nearly touching: 4 apart.
        assert!(nearest_neighbors(&simulation) > 3.9, "{}", nearest_neighbors(&simulation));
        simulation.state_hash()
    };
    assert_eq!(run(), run());
    let to: f32 = 0.0;
    assert!((to / to.abs()).is_nan(), "the source divides by the distance");
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
        simulation.set_partition(partition);
        let mut seen = simulation.neighbors(here).unwrap();
        seen.sort_unstable();
        assert_eq!(seen, [across_the_seam, by_its_radius], "{partition:?}");
    }
    // The source's query: a plain box of the view distance around the agent.
    let in_box = |x: f32| (x - 5.0).abs() < 50.0;
    assert!(!in_box(390.0) && !in_box(60.0));
}

#[test]
fn defect_07_wrapping_keeps_the_overshoot() {
    let species = Species::new("agent", 0).max_speed(60.0);
    let mut simulation = Scene::new(World::torus(100.0, 100.0)).species(species).build().unwrap();
    let id = place(&mut simulation, [99.75, 50.0]);
    simulation.step().unwrap();
    assert_eq!(simulation.agent(id).unwrap().position, [0.75, 50.0]);
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
    // The source's index of a place in 7 × 7 cells.
    let cell = |x: f32, y: f32| (7.0 * x / 400.0) as usize + (7.0 * y / 400.0) as usize * 7;
    assert_eq!(cell(400.0, 20.0), cell(0.0, 70.0));
}

#[test]
fn defect_08_the_feeler_that_touches_the_wall_gives_the_force() {
    // The wall is 10 ahead, so the feeler ahead, of 40, reaches 30 into it; the feelers aside
    // touch it later.
    let mut scene = Scene::new(World::open(1_000.0, 1_000.0))
        .species(agent(WallAvoidance { weight: 1.0, ..WallAvoidance::default() }));
    let points = vec![[10.0, -100.0], [10.0, 100.0]];
    scene.walls.push(Wall { points, ..Wall::default() });
    let [along, across] = force(&mut scene.build().unwrap());
    assert!((along + 30.0).abs() < 1.0e-4 && across == 0.0, "{along}, {across}");
    // The source measures from the last feeler's tip to the first one's hit.
    let part = 20.0 * std::f32::consts::FRAC_1_SQRT_2;
    let source = distance([part, -part], [10.0, 0.0]);
    assert!(source < 15.0, "{source}");
}

#[test]
fn defect_09_arrive_brakes_on_the_target_instead_of_drifting() {
    let arrive =
        Arrive { weight: 1.0, target: [200.0, 200.0].into(), deceleration: Deceleration::Normal };
    let mut simulation = open(one("agent", [200.0, 200.0], 0.0).steer(arrive), &[]);
    let id = id(0);
    let [vx, vy] = simulation.agent(id).unwrap().velocity;
    let force = simulation.oracle_step(id).unwrap().force;
    assert_eq!(force, [-f64::from(vx), -f64::from(vy)]);
    let before = vx.hypot(vy);
    simulation.step().unwrap();
    let [vx, vy] = simulation.agent(id).unwrap().velocity;
    assert!(vx.hypot(vy) < before);
}

#[test]
fn defect_10_runs_repeat() {
    for name in Scene::names() {
        let scene = Scene::named(name).and_then(|scene| scene.agents(500)).unwrap();
        assert_eq!(hash_after(&scene, 40, |_| {}), hash_after(&scene, 40, |_| {}), "{name}");
    }
}

#[test]
fn defect_11_hide_without_an_obstacle_evades() {
    let hunter = || one("hunter", [60.0, 20.0], 170.0);
    let with = |behavior: Behavior, obstacles: &[Obstacle]| {
        let scene = Scene::new(World::open(1_000.0, 1_000.0)).species(agent(behavior));
        let scene = Scene { obstacles: obstacles.to_vec(), ..scene.species(hunter()) };
        force(&mut scene.build().unwrap())
    };
    let target = Target::member("hunter", 0);
    let hide = || Hide { hunter: target.clone(), ..Hide::default() }.into();
    let evade = Evade { pursuer: target.clone(), ..Evade::default() }.into();
    let evasion = with(evade, &[]);
    assert_ne!(evasion, [0.0, 0.0]);
    assert_eq!(with(hide(), &[]), evasion);
    let obstacle = Obstacle { center: [0.0, 100.0], radius: 20.0 };
    assert_ne!(with(hide(), &[obstacle]), evasion, "with an obstacle it hides");
    // The source starts from the largest double and asks whether it is the largest float.
    assert_ne!(f64::MAX, f64::from(f32::MAX));
}

#[test]
fn defect_12_offset_pursuit_counts_its_weight_in_every_sum() {
    for combine in [Combine::Prioritized, Combine::WeightedSum] {
        let with = |weight: f32| {
            let leader = Target::member("leader", 0);
            let pursuit = OffsetPursuit { weight, leader, ..OffsetPursuit::default() };
            let scene = Scene::new(World::open(1_000.0, 1_000.0));
            let scene = scene.species(agent(pursuit).combine(combine));
            let leader = one("leader", [300.0, 40.0], 90.0);
            force(&mut scene.species(leader).build().unwrap())
        };
        let ([x, y], [x_thrice, y_thrice]) = (with(1.0), with(3.0));
        assert!(x != 0.0 && y != 0.0);
        assert!((x_thrice - 3.0 * x).abs() < 1.0e-3 && (y_thrice - 3.0 * y).abs() < 1.0e-3);
    }
}
