use flockwork::{COORDINATE_LIMIT, Locomotion, Scene, Seek, Species, World};

use crate::common::agents::place;
use crate::common::scenes::flock;

#[test]
fn defect_07_wrapping_keeps_the_overshoot() {
    let species = Species::new("agent", 0).max_speed(60.0);
    let mut simulation = Scene::new(World::torus(100.0, 100.0)).species(species).build().unwrap();
    let id = place(&mut simulation, [99.75, 50.0]);
    simulation.step().unwrap();
    assert_eq!(simulation.agent(id).unwrap().position, [0.75, 50.0]);
}

#[test]
fn positions_just_below_zero_wrap_into_the_torus() {
    // At x = −ε, adding the width rounds to the width itself, which wraps to 0.
    for width in [100.0_f32, 33.3, 1.0e7, 1.0e-3] {
        let speed = width.min(60.0) * 1.0e-3_f32.max(1.0e-3 / width);
        let species = Species::new("agent", 0).max_speed(speed.max(1.0e-3)).view_distance(1.0e-3);
        let scene = Scene::new(World::torus(width, width)).species(species);
        let mut simulation = scene.build().unwrap();
        for start in [0.0, f32::MIN_POSITIVE, width / 2.0, width] {
            simulation.spawn("agent", [start, start], [-1.0, -1.0e-7]).unwrap();
        }
        for _ in 0..50 {
            simulation.step().unwrap();
            for (&x, &y) in simulation.agents().x.iter().zip(simulation.agents().y) {
                assert!((0.0..width).contains(&x) && (0.0..width).contains(&y), "{x} {y} {width}");
            }
        }
    }
}

#[test]
fn agents_stop_at_the_walls_of_a_bounded_world_and_can_leave_them() {
    for locomotion in [Locomotion::PointMass, Locomotion::ConstantSpeed] {
        let species = Species { locomotion, ..Species::new("agent", 0) };
        let seek =
            |target: [f32; 2]| species.clone().steer(Seek { weight: 10.0, target: target.into() });
        let scene = Scene::new(World::bounded(100.0, 80.0)).species(seek([500.0, 40.0]));
        let mut simulation = scene.build().unwrap();
        let id = place(&mut simulation, [50.0, 40.0]);
        simulation.run(200).unwrap();
        assert_eq!(simulation.agent(id).unwrap().position[0], 100.0);
        simulation.set_species(&seek([10.0, 40.0])).unwrap();
        simulation.run(100).unwrap();
        assert!(simulation.agent(id).unwrap().position[0] < 60.0, "{locomotion:?}");
    }
}

#[test]
fn coordinates_at_the_limit_work() {
    let limit = COORDINATE_LIMIT;
    let species = flock(0).max_speed(1.0);
    let mut simulation = Scene::new(World::open(10.0, 10.0)).species(species).build().unwrap();
    for corner in [[-limit, -limit], [limit, limit], [limit - 5.0, limit - 5.0], [0.0, 0.0]] {
        place(&mut simulation, corner);
    }
    simulation.run(3).unwrap();
    assert!(simulation.spawn("flock", [limit * 1.001, 0.0], [1.0, 0.0]).is_err());
}
