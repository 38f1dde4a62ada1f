use flockwork::behaviors::{External, Seek, Separation};
use flockwork::{AgentId, AgentOrder, Combine, Locomotion, Number, Scene, Species, World};

use crate::common::variants::Variant;
use crate::slab::slabs::Slabs;

fn drones(agents: usize) -> Scene {
    let drone = Species::new("drone", agents).mass(2.0).max_force(100.0);
    Scene::new(World::torus(500.0, 500.0)).species(drone.behavior(External::default()))
}

#[test]
fn an_agent_accelerates_as_told_until_told_otherwise() {
    for variant in Variant::all() {
        let mut crowd = drones(20).build().unwrap();
        variant.set(&mut crowd);
        let id = crowd.agents().id(4);
        let before = crowd.agent(id).unwrap().velocity;
        let slow = |velocity: [f32; 3]| velocity.map(|v| v * 0.5);
        assert_ne!(slow(before), before);
        crowd.set(Number::Column(External::X), id, -12.0).unwrap();
        let push = [-12.0, 0.0, 0.0];
        let force = crowd.explain(id).unwrap().force;
        assert_eq!(force, push.map(|a| a * 2.0), "acceleration times mass");
        crowd.run(2).unwrap();
        assert_eq!(crowd.explain(id).unwrap().force, force);
        crowd.set(Number::Column(External::X), id, 0.0).unwrap();
        assert_eq!(crowd.explain(id).unwrap().force, [0.0; 3]);
    }
}

#[test]
fn all_agents_can_be_told_at_once_and_force_is_limited() {
    let mut crowd = drones(50).build().unwrap();
    crowd.set_all(Number::Column(External::Y), AgentOrder::Id, &[1.0e6; 50]).unwrap();
    let ids: Vec<AgentId> = crowd.agents().ids().collect();
    for id in ids {
        assert_eq!(crowd.explain(id).unwrap().force, [0.0, 100.0, 0.0]);
    }
}

#[test]
fn a_force_from_outside_takes_its_place_in_the_order() {
    let force_with = |first: bool| {
        let (told, apart) =
            (External::default(), Separation { weight: 1.0e6, ..Separation::default() });
        let species = Species::new("drone", 2).max_force(50.0);
        let species = if first {
            species.behavior(told).behavior(apart)
        } else {
            species.behavior(apart).behavior(told)
        };
        let mut crowd = Scene::new(World::torus(30.0, 30.0)).species(species).build().unwrap();
        let id = crowd.agents().id(0);
        crowd.set(Number::Column(External::X), id, 60.0).unwrap();
        crowd.explain(id).unwrap()
    };
    let first = force_with(true);
    assert_eq!(first.force, [50.0, 0.0, 0.0]);
    assert_eq!(first.unreached, [(1, "separation")]);
    let last = force_with(false);
    assert_ne!(last.force, [50.0, 0.0, 0.0]);
    assert_eq!(last.unreached, [(1, "external")]);
}

const LOCOMOTIONS: [Locomotion; 3] = [
    Locomotion::PointMass,
    Locomotion::ConstantSpeed,
    Locomotion::CarLike { throttle: 400.0, brake: 400.0, steering: 400.0 },
];

/// A force whose square overflowed used to count as no force and to suppress later behaviors.
#[test]
fn a_force_whose_square_overflows_is_refused_by_name_and_changes_nothing() {
    for combine in [Combine::Prioritized, Combine::WeightedSum, Combine::Dithered] {
        for locomotion in LOCOMOTIONS {
            let mut drone = Species::new("drone", 20)
                .combine(combine)
                .locomotion(locomotion)
                .behavior(External::default())
                .behavior(Seek { target: [9.0, 9.0].into(), ..Seek::default() });
            drone.probabilities.insert("external".into(), 1.0);
            let scene = Scene::new(World::torus(500.0, 500.0)).species(drone);
            let mut crowd = scene.build().unwrap();
            let id = AgentId { index: 7, generation: 0 };
            let named = format!("{combine:?}, {locomotion:?}");
            crowd.set(Number::Column(External::X), id, 1.0e19).unwrap();
            let [x, y, _] = crowd.explain(id).unwrap().force;
            assert!((x - 400.0).abs() < 1.0e-3 && y.abs() < 1.0e-9, "{named}: {x}, {y}");
            crowd.step().unwrap();
            crowd.set(Number::Column(External::X), id, 2.0e19).unwrap();
            let expected = "step 1: the force of behavior `external` of agent #7.0 would be inf; \
                            the step was not taken";
            let before = crowd.state_hash();
            for variant in Variant::all() {
                variant.set(&mut crowd);
                assert_eq!(crowd.step().unwrap_err().to_string(), expected, "{named}, {variant:?}");
                assert_eq!(crowd.state_hash(), before, "{named}, {variant:?}");
            }
            let refused = Slabs::of_snapshot(&crowd.snapshot(), 3).step(|_| None).unwrap_err();
            assert_eq!(refused.to_string(), expected, "{named}");
        }
    }
}

/// The square of a force may overflow only once the force is weighted or added to others.
#[test]
fn a_sum_of_forces_whose_square_overflows_is_refused() {
    let crowd = |combine, external: External, acceleration: f32| {
        let mut drone = Species::new("drone", 1)
            .combine(combine)
            .behavior(external)
            .behavior(External { weight: 1.0 });
        drone.probabilities.insert("external".into(), 1.0);
        let scene = Scene::new(World::torus(500.0, 500.0)).species(drone);
        let mut crowd = scene.build().unwrap();
        crowd.set(Number::Column(External::X), crowd.agents().id(0), acceleration).unwrap();
        crowd
    };
    for (combine, weight, largest, too_large) in [
        (Combine::WeightedSum, 1.0, 7.0e18, 1.0e19),
        (Combine::WeightedSum, 1.0e6, 7.0e12, 1.0e13),
        (Combine::Dithered, 1.0e6, 1.0e13, 2.0e13),
        // Each force is clamped before it is added.
        (Combine::Prioritized, 1.0e6, 1.0e19, 2.0e19),
    ] {
        let external = External { weight };
        let mut sound = crowd(combine, external.clone(), largest);
        let id = sound.agents().id(0);
        let [x, y, _] = sound.explain(id).unwrap().force;
        assert!((x - 400.0).abs() < 1.0e-3 && y == 0.0, "{combine:?}: {x}, {y}");
        sound.step().unwrap();
        let error = crowd(combine, external, too_large).step().unwrap_err().to_string();
        assert!(error.contains("the force of behavior `external`"), "{combine:?}: {error}");
    }
}

#[test]
fn a_force_that_overflows_where_no_agent_takes_it_refuses_nothing() {
    let drone = Species::new("drone", 40)
        .behavior(Seek { weight: 1.0e6, target: [9.0, 9.0].into() })
        .behavior(External::default());
    let mut crowd = Scene::new(World::torus(500.0, 500.0)).species(drone).build().unwrap();
    crowd.set_all(Number::Column(External::X), AgentOrder::Id, &[2.0e19; 40]).unwrap();
    for variant in Variant::all() {
        variant.set(&mut crowd);
        crowd.run(2).unwrap();
    }
}
