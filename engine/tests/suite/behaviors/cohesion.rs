//! Cohesion gathers a crowd.

use flockwork::{Behavior, Cohesion, Scene, Separation, Species, World};

use crate::common::measures::mean_distance_to_nearest;

#[test]
fn cohesion_gathers_and_separation_spreads() {
    let crowd = |behavior: Behavior| {
        let species = Species::new("agent", 80).view_distance(120.0).steer(behavior);
        let scene = Scene::new(World::torus(240.0, 240.0)).species(species);
        let mut simulation = scene.build().unwrap();
        simulation.run(400).unwrap();
        mean_distance_to_nearest(&simulation)
    };
    let gathered = crowd(Cohesion { weight: 200.0, normalized: true }.into());
    let spread = crowd(Separation { weight: 2_000.0 }.into());
    assert!(spread > 2.0 * gathered, "{spread} against {gathered}");
}
