use flockwork::{Scene, Simulation, Species, World};

use crate::common::scenes::{flock, variety};

#[test]
fn a_restored_state_continues_as_the_original_did() {
    for (name, scene) in variety(300) {
        let mut simulation = scene.build().unwrap();
        simulation.run(7).unwrap();
        let kept = simulation.snapshot();
        let at_snapshot = simulation.state_hash();
        simulation.run(9).unwrap();
        let after = simulation.state_hash();
        simulation.restore(&kept);
        assert_eq!(simulation.state_hash(), at_snapshot, "{name}");
        simulation.run(9).unwrap();
        assert_eq!(simulation.state_hash(), after, "{name}");

        let mut other = Scene::named("birds").unwrap().build().unwrap();
        other.restore(&kept);
        other.run(9).unwrap();
        assert_eq!(other.state_hash(), after, "{name}, in another simulation");
    }
}

#[test]
fn a_crowd_restored_to_empty_and_filled_again_behaves_the_same() {
    let species = |name: &str, radius: f32| {
        let species = Species { name: name.into(), view_includes_radius: true, ..flock(0) };
        species.view_distance(10.0).radius(radius)
    };
    let scene = Scene::new(World::torus(400.0, 400.0))
        .species(species("small", 2.0))
        .species(species("large", 40.0));
    let fill = |simulation: &mut Simulation| {
        for k in 0..40 {
            let name = ["small", "large"][k % 2];
            let at = [(k * 37 % 400) as f32, (k * 91 % 400) as f32];
            simulation.spawn(name, at, [1.0, 0.0]).unwrap();
        }
        simulation.run(20).unwrap();
        simulation.state_hash()
    };
    let mut simulation = scene.build().unwrap();
    let empty = simulation.snapshot();
    let first = fill(&mut simulation);
    simulation.restore(&empty);
    assert_eq!(fill(&mut simulation), first);
}
