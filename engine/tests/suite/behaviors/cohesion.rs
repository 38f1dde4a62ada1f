use flockwork::behaviors::{Cohesion, Separation};
use flockwork::{Behavior, Scene, Species, World};

use crate::common::agents::{force, id, one, strong};
use crate::common::measures::{distance, mean_distance_to_nearest};
use crate::common::scenes::open;

#[test]
fn cohesion_gathers_and_separation_spreads() {
    let crowd = |behavior: Behavior| {
        let species = Species::new("agent", 80).view_distance(120.0).behavior(behavior);
        let scene = Scene::new(World::torus(240.0, 240.0)).species(species);
        let mut simulation = scene.build().unwrap();
        simulation.run(400).unwrap();
        mean_distance_to_nearest(&simulation)
    };
    let gathered = crowd(Cohesion { weight: 200.0, ..Cohesion::default() }.into());
    let spread = crowd(Separation { weight: 2_000.0, ..Separation::default() }.into());
    assert!(spread > 2.0 * gathered, "{spread} against {gathered}");
}

#[test]
fn cohesion_seeks_the_center_of_the_neighbors_as_a_unit_vector_or_as_it_is() {
    for (normalized, length) in [(false, 150.0), (true, 1.0)] {
        let agent =
            strong(Cohesion { weight: 1.0, normalized, ..Cohesion::default() }).view_distance(60.0);
        let lonely = open([agent.clone()]).build().unwrap().forces();
        assert_eq!(lonely, [[0.0; 3]], "without neighbors");
        // The center of the two neighbors is (12, 24); the third agent is too far away.
        let others = [("a", [30.0, 40.0]), ("b", [-6.0, 8.0]), ("far", [-61.0, 0.0])];
        let others = others.map(|(name, at)| one(name, at, 45.0));
        let simulation = open([agent].into_iter().chain(others)).build().unwrap();
        let force = force(&simulation, id(0));
        let expected = [1.0, 2.0].map(|part| part * length / 5.0_f32.sqrt());
        assert!(distance(force, expected) < 1.0e-3, "{force:?}, normalized: {normalized}");
    }
}
