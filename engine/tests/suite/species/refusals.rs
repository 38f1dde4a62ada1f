use flockwork::{Scene, Species, World};

use crate::common::refusals::{NONSENSE, refused};

fn scene(species: Species) -> Scene {
    Scene::new(World::torus(100.0, 100.0)).species(species)
}

fn field(scene: &Scene) -> String {
    refused(scene).0
}

#[test]
fn nonsense_in_numbers_of_species_and_worlds_is_refused_by_name() {
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
            assert_eq!(field(&scene(species)), format!("species[0].{name}"), "{value}");
        }
    }
    for value in NONSENSE.into_iter().chain([0.0, -5.0]) {
        let species = || Species::new("s", 10);
        assert_eq!(field(&scene(species()).steps_per_second(value)), "steps_per_second");
        let world = |world| field(&Scene::new(world).species(species()));
        assert_eq!(world(World::torus(value, 10.0)), "world.width");
        assert_eq!(world(World::bounded(10.0, value)), "world.height");
        assert_eq!(world(World::with_mean_neighbors(value)), "world.mean_neighbors");
    }
    let half = World { width: Some(10.0), ..World::default() };
    assert_eq!(field(&Scene::new(half)), "world");
    let range = |range: [f32; 2]| scene(Species::new("s", 1).max_speed(range));
    assert_eq!(field(&range([20.0, 10.0])), "species[0].max_speed[1]");
    assert_eq!(field(&range([f32::NAN, 10.0])), "species[0].max_speed[0]");
    assert_eq!(field(&scene(Species::new("s", usize::MAX))), "species[0].agents");
}

#[test]
fn a_speed_that_crosses_the_torus_in_a_step_is_refused() {
    let field = field(&scene(Species::new("s", 1).max_speed(6_001.0)));
    assert_eq!(field, "species[0].max_speed");
    assert!(scene(Species::new("s", 1).max_speed(5_999.0)).build().is_ok());
}

#[test]
fn a_speed_that_crosses_the_torus_in_a_step_is_refused_while_running() {
    let species = |view: f32, speed: f32| {
        Species::new("s", 10).view_distance(view).max_speed(speed).max_force(1.0e9).mass(1.0e-3)
    };
    // The world is 22 units wide from the start; a longer view does not change that.
    let scene = Scene::new(World::with_mean_neighbors(16.0)).species(species(10.0, 10.0));
    let mut simulation = scene.build().unwrap();
    assert!(simulation.world_size()[0] < 30.0);
    assert!(simulation.set_species(&species(10.0, 9.0e4)).is_err());
    assert!(simulation.set_species(&species(1.0e5, 9.0e4)).is_err());
}
