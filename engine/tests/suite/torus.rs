//! On a torus, it does not matter how many worlds away a point is or a push moves an agent.

use std::sync::Arc;

use flockwork::behaviors::{Arrive, Deceleration, Hide, LeaderFollowing, OffsetPursuit, Pursuit};
use flockwork::{
    Behavior, Obstacle, Partition, Scene, Simulation, Snapshot, Species, Target, World,
};
use proptest::prelude::*;

use crate::common::agents::{id, position};
use crate::common::refusals::refused;
use crate::common::variants::{Variant, assert_variants_agree, hash_after};
use crate::slab::slabs::Slabs;

/// Log-uniform: a number between 1 and 10 is as likely as one between 10 and 100.
fn magnitude(low: f32, high: f32) -> impl Strategy<Value = f32> {
    (low.ln()..=high.ln()).prop_map(move |ln| ln.exp().clamp(low, high))
}

fn side() -> impl Strategy<Value = f32> {
    prop_oneof![1 => Just(1.0e-3_f32), 4 => magnitude(1.0e-3, 1.0e7), 1 => Just(1.0e7_f32)]
}

fn coordinate() -> impl Strategy<Value = f32> {
    prop_oneof![
        1 => Just(0.0_f32),
        2 => -1.0e7_f32..=1.0e7,
        4 => (magnitude(1.0e-6, 1.0e7), any::<bool>()).prop_map(|(x, below)| if below { -x } else { x }),
    ]
}

fn assert_inside(simulation: &Simulation) {
    let ([width, height], agents) = (simulation.world_size(), simulation.agents());
    for (x, y) in agents.x.iter().zip(agents.y) {
        assert!((0.0..width).contains(x) && (0.0..height).contains(y), "({x}, {y})");
    }
}

fn crowd(world: [f32; 2], radius: f32, agents: usize, passes: u32) -> Scene {
    let speed = world[0].min(world[1]).clamp(1.0e-3, 100.0);
    let species = Species::new("agent", agents).radius(radius).max_speed(speed);
    Scene::new(World::torus(world[0], world[1])).species(species).non_penetration(passes)
}

#[test]
fn agents_that_are_pushed_millions_of_worlds_away_end_inside_a_tiny_torus() {
    let scene = crowd([1.0e-3, 1.0e-3], 1.0e4, 40, 4);
    let mut whole = scene.build().unwrap();
    let mut parts = Slabs::new(&scene, 2);
    for step in 0..5 {
        whole.step().unwrap();
        assert_inside(&whole);
        Snapshot::from_bytes(&whole.snapshot().to_bytes()).unwrap();
        parts.step(|_| None).unwrap();
        parts.assert_are(&whole, &format!("step {step}"));
    }
    assert_variants_agree(&scene, 5);
}

#[test]
fn points_and_obstacles_many_worlds_away_are_those_in_the_world() {
    let scene = |away: f32| {
        let at = |x: f32, y: f32| [x + 100.0 * away, y - 100.0 * away];
        let arrive = |target: Target| Arrive { target, ..Arrive::default() };
        let hide = Hide { hunter: at(60.0, 10.0).into(), gap: 5.0, ..Hide::default() };
        let species = Species::new("agent", 30)
            .max_force(5.0e3)
            .behavior(arrive(at(3.0, 64.0).into()))
            .behavior(arrive(Target::named("home")))
            .behavior(hide)
            .behavior(flockwork::behaviors::ObstacleAvoidance::default());
        Scene::new(World::torus(100.0, 100.0))
            .species(species)
            .point("home", at(80.0, 20.0))
            .obstacle(Obstacle::new(at(25.0, 75.0), 6.0))
    };
    for variant in Variant::all() {
        let hash = |away| hash_after(&scene(away), 20, |simulation| variant.set(simulation));
        let expected = hash(0.0);
        for away in [1.0, -3.0, 9.0e4, -9.0e4] {
            assert_eq!(hash(away), expected, "{away} worlds away, {variant:?}");
        }
    }
    let far = scene(9.0e4).build().unwrap();
    let near = scene(0.0).build().unwrap();
    assert!(far.obstacles().eq(near.obstacles()));
}

#[test]
fn the_way_to_a_point_is_the_shortest_however_many_worlds_it_is_away() {
    for (side, x) in [(0.05_f32, 3.5e6_f32), (0.3, 1.0e6), (1.0e-3, 1.0e7), (0.7, -9.9e6)] {
        let simulation = crowd([side, side], 0.0, 1, 0).build().unwrap();
        let [offset, _, _] = simulation.displacement([0.0, 0.0], [x, 0.0]);
        let expected = f64::from(x).rem_euclid(f64::from(side)) as f32;
        let expected = if expected > side / 2.0 { expected - side } else { expected };
        assert!((offset - expected).abs() <= side * 1.0e-6, "{offset}, not {expected}");
    }
}

/// So fast that only distance limits the speed of `arrive`, even across half the world.
fn fastest(world: [f32; 2]) -> f32 {
    (world[0].min(world[1]) * 59.0).clamp(1.0e-3, 1.0e5)
}

/// Desired speed of an agent whose force stays below the maximum.
fn wanted(simulation: &Simulation, index: u32) -> f32 {
    let explained = simulation.explain(id(index)).unwrap().force;
    let velocity = simulation.agent(id(index)).unwrap().velocity;
    (explained[0] + velocity[0]).hypot(explained[1] + velocity[1])
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(300)
    })]

    #[test]
    fn any_crowd_stays_inside_any_torus_and_can_be_saved(
        world in [side(), side()],
        radius in prop_oneof![Just(0.0_f32), magnitude(1.0e-4, 1.0e4), Just(1.0e4_f32)],
        agents in 1..40_usize,
        passes in 0..=64_u32,
    ) {
        let scene = crowd(world, radius, agents, passes);
        prop_assume!(scene.check().is_ok());
        let mut hashes = Vec::new();
        for (variant, partition) in
            Variant::all().flat_map(|m| [(m, Partition::Cells), (m, Partition::AllPairs)])
        {
            let mut simulation = scene.build().unwrap();
            variant.set(&mut simulation);
            simulation.set_execution(simulation.execution().partition(partition)).unwrap();
            simulation.run(2).unwrap();
            assert_inside(&simulation);
            let saved = Snapshot::from_bytes(&simulation.snapshot().to_bytes());
            prop_assert!(saved.is_ok(), "{:?}", saved.err());
            hashes.push(simulation.state_hash());
        }
        prop_assert!(hashes.iter().all(|hash| *hash == hashes[0]), "{hashes:x?}");
    }

    #[test]
    fn any_displacement_on_any_torus_is_the_shortest(
        world in [side(), side()],
        from in [coordinate(), coordinate()],
        to in [coordinate(), coordinate()],
    ) {
        let scene = crowd(world, 0.0, 1, 0);
        prop_assume!(scene.check().is_ok());
        let offset = scene.build().unwrap().displacement(from, to);
        for axis in 0..2 {
            let (offset, size) = (f64::from(offset[axis]), f64::from(world[axis]));
            prop_assert!(offset.abs() <= size * 0.500_001, "{offset}");
            let [from, to] = [from, to].map(|point| f64::from(point[axis]).rem_euclid(size));
            let off = (to - from - offset).rem_euclid(size);
            prop_assert!(off.min(size - off) <= size * 1.0e-6, "{offset} is off by {off}");
        }
    }

    #[test]
    fn arriving_anywhere_on_any_torus_wants_no_more_than_the_shortest_way_takes(
        world in [side(), side()],
        to in [coordinate(), coordinate()],
        kind in 0..3_u32,
    ) {
        let target = if kind == 0 { Target::Point(to.into()) } else { Target::named("home") };
        let arrive = Arrive { weight: 1.0, target, deceleration: Deceleration::Fast, ..Arrive::default() };
        let mut scene = crowd(world, 0.0, 3, 0).point("home", to);
        scene.species[0].behaviors.push(arrive.into());
        let fastest = fastest(world);
        scene.species[0] = scene.species[0].clone().max_force(1.0e9).max_speed(fastest);
        prop_assume!(scene.check().is_ok());
        let mut simulation = scene.build().unwrap();
        if kind == 2 {
            simulation.set_point("home", [0.0, 0.0]).unwrap();
            simulation.set_point("home", to).unwrap();
        }
        for index in 0..3 {
            let [x, y, _] = simulation.displacement(position(&simulation, index), to);
            let expected = (x.hypot(y) / 0.3).min(fastest);
            let wanted = wanted(&simulation, index);
            let furthest = world[0].hypot(world[1]) * 0.500_01;
            prop_assert!(wanted <= furthest / 0.3, "{wanted}: more than {furthest} away");
            let coarse = (world[0] + world[1]) * 1.0e-5;
            prop_assert!((wanted - expected).abs() <= coarse, "{wanted}, not {expected}");
        }
    }

    #[test]
    fn pursuing_an_offset_on_any_torus_wants_no_more_than_the_shortest_way_takes(
        world in [side(), side()],
        offset in [-1.0e6_f32..=1.0e6, -1.0e6_f32..=1.0e6],
        scale in magnitude(1.0e-9, 1.0),
    ) {
        let pursuit = OffsetPursuit {
            weight: 1.0,
            leader: Target::member("agent", 0),
            offset: offset.map(|part| part * scale),
            ..OffsetPursuit::default()
        };
        let mut scene = crowd(world, 0.0, 3, 0);
        scene = scene.species(
            Species::new("follower", 3).max_speed(fastest(world)).max_force(1.0e9).behavior(pursuit),
        );
        prop_assume!(scene.check().is_ok());
        let simulation = scene.build().unwrap();
        for index in 3..6 {
            let wanted = wanted(&simulation, index);
            let furthest = world[0].hypot(world[1]) * 0.52;
            prop_assert!(wanted <= furthest / 0.3, "{wanted}: more than {furthest} away");
        }
    }
}

#[test]
fn behaviors_that_look_too_many_worlds_away_are_refused() {
    let world = World::torus(0.02, 0.05);
    let species = || Species::new("agent", 10).max_speed([1.0e-3, 1.0]);
    let at = || Target::Point([1.0e7, -1.0e7].into());
    let offset = |offset, spacing| OffsetPursuit {
        leader: at(),
        offset: [offset, 0.0],
        abreast: 5,
        spacing,
        above: None,
        weight: 1.0,
    };
    let behind =
        |distance| LeaderFollowing { leader: at(), distance, ..LeaderFollowing::default() };
    let hide = |gap| Hide { hunter: at(), gap, ..Hide::default() };
    let turn = |turnaround| Pursuit { evader: at(), turnaround, weight: 1.0 };
    let cases: [(Behavior, Behavior); 5] = [
        (offset(-1.9e3, 1.0).into(), offset(-2.1e3, 1.0).into()),
        (offset(0.0, 4.0e2).into(), offset(0.0, 5.0e2).into()),
        (behind(1.9e3).into(), behind(2.1e3).into()),
        (hide(1.4e3).into(), hide(1.6e3).into()),
        (turn(100.0).into(), turn(100.0).into()),
    ];
    let scene = |behavior: Behavior, fastest: f32| {
        let others = Species::new("others", 1).max_speed(fastest);
        let scene = Scene::new(world).species(species().behavior(behavior)).species(others);
        scene.steps_per_second(1.0e5).obstacle(Obstacle::new([1.0e7, 0.0], 500.0))
    };
    for (near, far) in cases {
        let name = near.name();
        let fastest = if name == "pursuit" { 20.0 } else { 1.0 };
        scene(near.clone(), 1.0).build().unwrap();
        let (field, allowed) = refused(&scene(far.clone(), fastest));
        assert_eq!(field, format!("species[0].behaviors[0].{name}"));
        assert!(allowed.starts_with("at most 2000, 100000 times the shorter side"), "{allowed}");
        // Worlds of other topologies do not wrap offsets, so they accept these distances.
        let open = Scene { world: World::open(0.02, 0.05), ..scene(far.clone(), fastest) };
        open.build().unwrap();
        let mut simulation = scene(near, 1.0).build().unwrap();
        let (before, hash) = (simulation.scene().clone(), simulation.state_hash());
        let changed = if name == "pursuit" {
            Species::new("others", 1).max_speed(fastest)
        } else {
            species().behavior(far)
        };
        simulation.set_species(&changed).unwrap_err();
        assert_eq!((simulation.scene(), simulation.state_hash()), (&before, hash));
    }
    // Large obstacles can put a hiding place too far away.
    let mut hidden = scene(hide(1.0e3).into(), 1.0).build().unwrap();
    let mut wide = hidden.scene().clone();
    Arc::make_mut(&mut wide.obstacles)[0].radius = 1.1e3;
    assert!(hidden.set_scenery(&wide).unwrap_err().to_string().contains("hide"));
}
