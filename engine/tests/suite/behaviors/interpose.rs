use flockwork::behaviors::{Arrive, Interpose};
use flockwork::{Scene, Simulation, Target, World};

use crate::common::agents::{CALM, id, one, position, resting, speed};
use crate::common::measures::distance;
use crate::common::scenes::open;

#[test]
fn interpose_gets_and_stays_between_two_moving_agents_and_ends_midway() {
    let guest = |name, from, to: [f32; 2]| {
        let arrive = Arrive { weight: CALM, target: to.into(), ..Arrive::default() };
        one(name, from, 0.0).max_speed(60.0).behavior(arrive)
    };
    let between = Interpose { weight: CALM, a: Target::member("a", 0), b: Target::member("b", 0) };
    let mut simulation = open([
        one("guard", [0.0, 300.0], 0.0).behavior(between),
        guest("a", [0.0, 0.0], [600.0, 100.0]),
        guest("b", [100.0, 150.0], [700.0, 400.0]),
    ])
    .build()
    .unwrap();
    let off_middle = |s: &Simulation| {
        let ([ax, ay], [bx, by]) = (position(s, 1), position(s, 2));
        distance(position(s, 0), [(ax + bx) / 2.0, (ay + by) / 2.0])
    };
    simulation.run(240).unwrap();
    for _ in 0..240 {
        simulation.step().unwrap();
        // The desired speed of `arrive` is distance / 0.3 s, so the guard lags by at most 0.3 s.
        assert!(off_middle(&simulation) < 60.0 * 0.3, "{}", off_middle(&simulation));
    }
    simulation.run(1_200).unwrap();
    assert!(off_middle(&simulation) < 0.1, "{}", off_middle(&simulation));
    assert!(speed(&simulation, 0) < 0.1);
}

#[test]
fn interpose_takes_a_fixed_point_as_well() {
    let between = Interpose { weight: CALM, a: Target::member("a", 0), b: [100.0, 300.0].into() };
    let mut simulation =
        open([one("guard", [0.0, 0.0], 0.0).behavior(between), resting("a", [300.0, 100.0], 0.0)])
            .build()
            .unwrap();
    simulation.run(1_200).unwrap();
    assert!(distance(position(&simulation, 0), [200.0, 200.0]) < 0.1);
}

#[test]
fn a_target_that_is_gone_leaves_interpose_without_force() {
    for gone in [1, 2] {
        let (a, b) = (Target::member("a", 0), Target::member("b", 0));
        let guard = one("guard", [0.0, 0.0], 0.0).behavior(Interpose { weight: 1.0, a, b });
        let guests = [one("a", [50.0, 0.0], 0.0), one("b", [50.0, 90.0], 0.0)];
        let scene = Scene::new(World::open(100.0, 100.0)).species(guard);
        let mut simulation = guests.into_iter().fold(scene, Scene::species).build().unwrap();
        assert_ne!(simulation.explain(id(0)).unwrap().force, [0.0; 3]);
        simulation.remove(id(gone)).unwrap();
        assert_eq!(simulation.explain(id(0)).unwrap().force, [0.0; 3], "{gone}");
    }
}

#[test]
fn interpose_takes_the_middle_of_the_shortest_way_across_the_seam() {
    let between = Interpose { weight: 1.0, a: Target::named("a"), b: Target::named("b") };
    let guard = resting("guard", [70.0, 50.0], 0.0).max_force(1.0e6).behavior(between);
    let scene = Scene::new(World::torus(100.0, 100.0)).species(guard);
    let scene = scene.point("a", [10.0, 50.0]).point("b", [30.0, 50.0]);
    // The middle, (20, 50), is 50 units away in both directions.
    let [x, y, _] = scene.build().unwrap().forces()[0];
    assert!((x.abs() - 150.0).abs() < 1.0e-3 && y.abs() < 1.0e-3, "{x} {y}");
    let scene = scene.point("a", [95.0, 50.0]).point("b", [5.0, 50.0]);
    let [x, y, _] = scene.build().unwrap().forces()[0];
    assert!((x - 30.0 / 0.3).abs() < 1.0e-3 && y.abs() < 1.0e-3, "{x} {y}");
}
