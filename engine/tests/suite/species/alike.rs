use flockwork::behaviors::{Cohesion, HideInFlock, Seek};
use flockwork::{Combine, Scene, Simulation, Species, Start, World};

use crate::common::scenes::flock;
use crate::common::variants::Variant;

/// Five species that differ only in name, except perhaps the last. With more than four species,
/// none is sorted apart for its population.
fn teams(last: impl Fn(Species) -> Species) -> Scene {
    let team = |name: &str| Species { name: name.into(), ..flock(200) };
    let scene = Scene::new(World::torus(700.0, 500.0)).species(team("a")).species(team("b"));
    scene.species(team("c")).species(team("d")).species(last(team("e")))
}

/// Bits of each agent's position and heading.
fn motion(scene: &Scene, variant: Variant) -> Vec<[u32; 4]> {
    let mut crowd = scene.build().unwrap();
    variant.set(&mut crowd);
    crowd.run(20).unwrap();
    let bits = |id| {
        let agent = crowd.agent(id).unwrap();
        let ([x, y, _], [hx, hy, _]) = (agent.position, agent.heading);
        [x, y, hx, hy].map(f32::to_bits)
    };
    crowd.ids_ascending().map(bits).collect()
}

/// A behavior of weight 0 makes the last species unlike the others, but changes no result.
#[test]
fn species_that_steer_alike_move_as_if_each_was_steered_by_itself() {
    let alike = teams(|last| last);
    let unlike = teams(|last| last.behavior(Seek { weight: 0.0, target: [0.0; 2].into() }));
    for variant in Variant::all() {
        let moved = motion(&alike, variant).into_iter().zip(motion(&unlike, variant));
        moved.enumerate().for_each(|(k, (one, other))| assert_eq!(one, other, "agent {k}"));
    }
}

/// Each crowd has two species that differ in a single thing.
#[test]
fn species_that_differ_in_one_thing_steer_each_in_its_own_way() {
    let seek = Seek { weight: 20.0, target: [0.0, 75.0].into() };
    let cohesion = |normalized| Cohesion { weight: 100.0, normalized, ..Cohesion::default() };
    let red = Species::new("red", 40).max_force(300.0).view_distance(40.0).behavior(seek);
    let red = red.behavior(cohesion(false));
    let blue = || Species { name: "blue".into(), ..red.clone() };
    let mut normalized = blue();
    normalized.behaviors[1] = cohesion(true).into();
    let others = [
        normalized,
        blue().view_distance(90.0),
        blue().field_of_view(120.0),
        blue().combine(Combine::WeightedSum),
    ];
    for blue in others {
        let scene = Scene::new(World::torus(200.0, 150.0)).species(red.clone());
        let crowd = scene.species(blue.clone()).build().unwrap();
        for (slot, force) in crowd.forces().into_iter().enumerate() {
            let reference = crowd.reference_step(crowd.agents().id(slot)).unwrap();
            let [x, y, _] = reference.force;
            let off = (f64::from(force[0]) - x).hypot(f64::from(force[1]) - y);
            assert!(
                reference.margin < 1.0e-5 || off < 1.0e-2,
                "{force:?}, not [{x}, {y}]: {blue:?}"
            );
        }
    }
}

/// To hide in the flock, an agent needs others of its own species, even if another species has the
/// same parameters.
#[test]
fn a_species_of_equal_parameters_is_no_cover() {
    let hider = |name: &str, x: f32| {
        let threat = [100.0, 100.0].into();
        let species =
            Species::new(name, 1).behavior(HideInFlock { threat, ..HideInFlock::default() });
        species.start(Start::in_circle([x, 100.0], 0.0).heading(0.0).speed(0.0))
    };
    let scene = Scene::new(World::open(400.0, 400.0));
    let mut crowd =
        scene.species(hider("red", 180.0)).species(hider("blue", 150.0)).build().unwrap();
    let ids: Vec<_> = crowd.ids_ascending().collect();
    let force = |crowd: &Simulation| crowd.forces()[crowd.slot_of(ids[1]).unwrap()][0];
    assert_eq!(force(&crowd), 0.0);
    crowd.change_species(&ids[..1], "blue").unwrap();
    assert!(force(&crowd) > 0.0);
}
