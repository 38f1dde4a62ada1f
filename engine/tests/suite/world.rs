use flockwork::behaviors::Seek;
use flockwork::{COORDINATE_LIMIT, Locomotion, Scene, Species, World};

use crate::common::agents::{one, place, position};
use crate::common::scenes::{flock, open};
use crate::common::{at, read};

#[test]
fn defect_07_wrapping_keeps_the_overshoot() {
    let species = Species::new("agent", 0).max_speed(60.0);
    let mut simulation = Scene::new(World::torus(100.0, 100.0)).species(species).build().unwrap();
    let id = place(&mut simulation, [99.75, 50.0]);
    simulation.step().unwrap();
    assert_eq!(simulation.agent(id).unwrap().position, [0.75, 50.0, 0.0]);
}

#[test]
fn positions_just_below_zero_wrap_into_the_torus() {
    // At x = −ε, adding the width rounds to the width itself, which is outside.
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
        let seek = |target: [f32; 2]| {
            species.clone().behavior(Seek { weight: 10.0, target: target.into() })
        };
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

/// Each row of the page's table has a coordinate, the gap between adjacent `f32` numbers there, and
/// the slowest speeds at which rounded steps are accurate to 1 % at 60 and 240 steps/s.
#[test]
fn far_from_the_origin_agents_are_as_exact_as_the_page_says() {
    let page = read(at("docs/guarantees.md"));
    for coordinate in [1.0e3_f32, 1.0e4, 1.0e5, 1.0e6, 1.0e7] {
        let gap = coordinate - coordinate.next_down();
        let slowest = [60.0, 240.0].map(|rate: f32| 50.0 * gap * rate);
        let shown = |speed: f32| match speed {
            ..10.0 => format!("{speed:.2}"),
            10.0..100.0 => format!("{speed:.1}"),
            _ => format!("{speed:.0}"),
        };
        let [at_60, at_240] = slowest.map(shown);
        let row = format!("| {coordinate:e} | {gap:.2e} | {at_60} | {at_240} |");
        assert!(page.contains(&row), "docs/guarantees.md has no row {row}");

        for (rate, slowest) in [60.0, 240.0].into_iter().zip(slowest) {
            // Error in an agent's speed as it moves toward the origin, relative to that speed.
            let error = |steps_in_gaps: f32| {
                let speed = steps_in_gaps / 50.0 * slowest;
                let agent = one("agent", [coordinate, 0.0], 180.0).max_speed(speed);
                let mut crowd = open([agent]).steps_per_second(rate).build().unwrap();
                crowd.run(rate as u64).unwrap();
                ((coordinate - position(&crowd, 0)[0]) / speed - 1.0).abs()
            };
            for steps_in_gaps in [50.4, 50.6, 51.4, 99.6, 300.4] {
                let error = error(steps_in_gaps);
                assert!(error < 0.01, "{coordinate}, {rate}/s, {steps_in_gaps}: {error}");
            }
            assert!(error(49.45) > 0.009, "{coordinate}, {rate}/s: the limit could be lower");
            assert_eq!(error(0.45), 1.0, "a step below half a gap is none");
        }
    }
}
