//! Input that makes no sense is refused by name; input that is merely odd works.

mod common;

use common::{hash_after, ids, place};
use flockwork::{
    Alignment, Arrive, Behavior, Cohesion, Error, Flee, FlockRules, Method, Scene, Seek,
    Separation, Species, Value, Wander, World,
};

const NONSENSE: [f32; 4] = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1.0e38];

/// The field that building refuses.
fn refused(scene: &Scene) -> String {
    match scene.build() {
        Err(Error::OutOfRange { field, allowed, .. }) => {
            assert!(!allowed.is_empty());
            field
        }
        Err(other) => panic!("refused for another reason: {other}"),
        Ok(_) => panic!("accepted: {scene:?}"),
    }
}

fn scene(species: Species) -> Scene {
    Scene::new(World::torus(100.0, 100.0)).species(species)
}

#[test]
fn nonsense_in_any_number_is_refused_by_name() {
    type Change = fn(&mut Species, f32);
    let fields: [(&str, Change, &[f32]); 7] = [
        ("view_distance", |s, v| s.view_distance = v, &[0.0, -1.0, 2.0e6]),
        ("field_of_view", |s, v| s.field_of_view = v, &[-1.0, 361.0]),
        ("max_speed", |s, v| s.max_speed = v.into(), &[0.0, -1.0, 2.0e5]),
        ("max_force", |s, v| s.max_force = v.into(), &[-1.0, 2.0e9]),
        ("mass", |s, v| s.mass = v.into(), &[0.0, -1.0, 2.0e6]),
        ("radius", |s, v| s.radius = v.into(), &[-1.0, 2.0e4]),
        ("max_turn_rate", |s, v| s.max_turn_rate = Some(v), &[-1.0, 2.0e4]),
    ];
    for (name, change, values) in fields {
        for &value in values.iter().chain(&NONSENSE) {
            let mut species = Species::new("s", 10);
            change(&mut species, value);
            assert_eq!(refused(&scene(species)), format!("species[0].{name}"), "{value}");
        }
    }
    for value in NONSENSE.into_iter().chain([0.0, -5.0]) {
        let species = || Species::new("s", 10);
        assert_eq!(refused(&scene(species()).steps_per_second(value)), "steps_per_second");
        let world = |world| refused(&Scene::new(world).species(species()));
        assert_eq!(world(World::torus(value, 10.0)), "world.width");
        assert_eq!(world(World::bounded(10.0, value)), "world.height");
        assert_eq!(world(World::with_mean_neighbors(value)), "world.mean_neighbors");
    }
    let half = World { width: Some(10.0), ..World::default() };
    assert_eq!(refused(&Scene::new(half)), "world");
    let range = |range: [f32; 2]| scene(Species::new("s", 1).max_speed(range));
    assert_eq!(refused(&range([20.0, 10.0])), "species[0].max_speed[1]");
    assert_eq!(refused(&range([f32::NAN, 10.0])), "species[0].max_speed[0]");
    assert_eq!(refused(&scene(Species::new("s", usize::MAX))), "species[0].agents");
}

#[test]
fn nonsense_in_any_behavior_is_refused_by_name() {
    for bad in NONSENSE.into_iter().chain([-1.0]) {
        let target = [5.0, 5.0];
        let deceleration = flockwork::Deceleration::Fast;
        let cases: Vec<(&str, Behavior)> = vec![
            ("separation.weight", Separation { weight: bad }.into()),
            ("alignment.weight", Alignment { weight: bad }.into()),
            ("cohesion.weight", Cohesion { weight: bad, normalized: true }.into()),
            ("seek.weight", Seek { weight: bad, target: target.into() }.into()),
            (
                "flee.weight",
                Flee { weight: bad, target: target.into(), panic_distance: None }.into(),
            ),
            (
                "flee.panic_distance",
                Flee { weight: 1.0, target: target.into(), panic_distance: Some(bad) }.into(),
            ),
            ("arrive.weight", Arrive { weight: bad, target: target.into(), deceleration }.into()),
            ("wander.weight", Wander { weight: bad, ..Wander::default() }.into()),
            ("wander.radius", Wander { radius: bad, ..Wander::default() }.into()),
            ("wander.distance", Wander { distance: bad, ..Wander::default() }.into()),
            ("wander.jitter", Wander { jitter: bad, ..Wander::default() }.into()),
            ("flock_rules.weight", FlockRules { weight: bad, ..FlockRules::default() }.into()),
            ("flock_rules.cohesion", FlockRules { cohesion: bad, ..FlockRules::default() }.into()),
        ];
        for (name, behavior) in cases {
            let field = refused(&scene(Species::new("s", 5).steer(behavior)));
            assert_eq!(field, format!("species[0].behaviors[0].{name}"), "{bad}");
        }
    }
    for bad in NONSENSE {
        let seek = Seek { weight: 1.0, target: [5.0, bad].into() };
        let field = refused(&scene(Species::new("s", 5).steer(seek)));
        assert_eq!(field, "species[0].behaviors[0].seek.target[1]");
    }
}

#[test]
fn a_speed_that_crosses_the_torus_in_a_step_is_refused() {
    let field = refused(&scene(Species::new("s", 1).max_speed(6_001.0)));
    assert_eq!(field, "species[0].max_speed");
    assert!(scene(Species::new("s", 1).max_speed(5_999.0)).build().is_ok());
}

#[test]
fn bad_agents_settings_and_ids_are_refused_while_running() {
    let mut simulation = scene(Species::new("fish", 3)).build().unwrap();
    let before = simulation.state_hash();
    for bad in NONSENSE {
        assert!(simulation.spawn("fish", [bad, 5.0], [1.0, 0.0]).is_err());
        assert!(simulation.spawn("fish", [5.0, 5.0], [bad, 0.0]).is_err());
    }
    assert!(simulation.spawn("fish", [-0.1, 5.0], [1.0, 0.0]).is_err());
    assert!(simulation.spawn("fish", [5.0, 5.0], [0.0, 0.0]).is_err());
    let error = simulation.spawn("fihs", [5.0, 5.0], [1.0, 0.0]).unwrap_err().to_string();
    assert!(error.contains("did you mean `fish`"), "{error}");
    assert!(simulation.set_threads(0).is_err());
    assert!(simulation.set_threads(100_000).is_err());
    let mut changed = Species::new("fish", 3);
    changed.max_force = Value::Shared(-1.0);
    assert!(simulation.set_species(&changed).is_err());
    assert!(simulation.set_species(&Species::new("shark", 3)).is_err());
    let nobody = flockwork::AgentId { index: 77, generation: 0 };
    assert!(matches!(simulation.agent(nobody), Err(Error::NoSuchAgent { .. })));
    assert_eq!(simulation.state_hash(), before, "nothing refused leaves a trace");
    simulation.run(3).unwrap();
}

#[test]
fn odd_but_sound_crowds_step_alike_by_kernels_and_reference() {
    let flock = common::flock;
    let target = [50.0, 50.0];
    let arrive =
        Arrive { weight: 1.0, target: target.into(), deceleration: flockwork::Deceleration::Fast };
    let scenes = [
        ("nobody", scene(flock(0))),
        ("one", scene(flock(1))),
        ("no species", Scene::new(World::torus(10.0, 10.0))),
        ("no behavior", scene(Species::new("s", 50))),
        ("view beyond the world", scene(flock(60).view_distance(1.0e6))),
        ("view of nearly nothing", scene(flock(60).view_distance(1.0e-3))),
        (
            "huge world, tiny view",
            Scene::new(World::torus(1.0e7, 1.0e7)).species(flock(99).view_distance(0.01)),
        ),
        (
            "huge open world",
            Scene::new(World::open(1.0e6, 1.0e6)).species(flock(200).view_distance(1.0e5)),
        ),
        ("sliver", Scene::new(World::torus(1.0e6, 2.6)).species(flock(200))),
        ("blind spot everywhere", scene(flock(80).field_of_view(0.0))),
        ("no force", scene(flock(50).max_force(0.0))),
        ("extreme weights", scene(Species::new("s", 80).steer(Separation { weight: 1.0e6 }))),
        (
            "target on the edge",
            scene(Species::new("s", 9).steer(Seek { weight: 1.0, target: [100.0, 0.0].into() })),
        ),
        ("on target", scene(Species::new("s", 40).steer(arrive))),
    ];
    for (name, scene) in scenes {
        let kernels = hash_after(&scene, 20, |_| {});
        let reference = hash_after(&scene, 20, |s| s.set_method(Method::Reference));
        assert_eq!(kernels, reference, "{name}");
        let mut simulation = scene.build().unwrap();
        simulation.run(20).unwrap();
        for id in ids(&simulation) {
            let state = simulation.agent(id).unwrap();
            assert!(state.position.iter().all(|value| value.is_finite()), "{name}: {state:?}");
        }
        simulation.census();
    }
}

#[test]
fn coordinates_at_the_limit_work() {
    let limit = flockwork::COORDINATE_LIMIT;
    let species = common::flock(0).max_speed(1.0);
    let mut simulation = Scene::new(World::open(10.0, 10.0)).species(species).build().unwrap();
    for corner in [[-limit, -limit], [limit, limit], [limit - 5.0, limit - 5.0], [0.0, 0.0]] {
        place(&mut simulation, corner);
    }
    simulation.run(3).unwrap();
    assert!(simulation.spawn("flock", [limit * 1.001, 0.0], [1.0, 0.0]).is_err());
}
