use flockwork::behaviors::{CollisionAvoidance, Seek};
use flockwork::{Scene, Species, Start, StartPlace, World};

use crate::common::agents::{force, place, position};
use crate::common::measures::distance;

/// Counts overlaps between agents of a stream to the right and of another stream, in all steps.
fn overlaps(avoidance: Option<CollisionAvoidance>, other: ([[f32; 2]; 2], f32, [f32; 2])) -> usize {
    let stream = |name: &str, ([low, high], heading, target): ([[f32; 2]; 2], f32, [f32; 2])| {
        let place = StartPlace::Box { low: low.into(), high: high.into() };
        let mut species = Species {
            start: Start { place, heading: Some(heading), speed: None },
            ..Species::new(name, 40).max_speed(60.0).view_distance(120.0)
        };
        species.behaviors.extend(avoidance.clone().map(Into::into));
        species.behavior(Seek { weight: 1.0, target: target.into() })
    };
    let right = stream("right", ([[0.0, 350.0], [350.0, 450.0]], 0.0, [1.0e5, 400.0]));
    let scene = Scene::new(World::open(800.0, 800.0)).species(right);
    let mut simulation = scene.species(stream("other", other)).build().unwrap();
    let mut count = 0;
    for _ in 0..900 {
        simulation.step().unwrap();
        // Agents of the same stream all go the same way, so only pairs across streams count.
        for a in 0..40 {
            let at = position(&simulation, a);
            count += (40..80).filter(|&b| distance(at, position(&simulation, b)) < 6.0).count();
        }
    }
    count
}

#[test]
fn collision_avoidance_makes_streams_that_meet_overlap_far_less() {
    let up = ([[350.0, 0.0], [450.0, 350.0]], 90.0, [400.0, 1.0e5]);
    let left = ([[450.0, 350.0], [800.0, 450.0]], 180.0, [-1.0e5, 400.0]);
    for other in [up, left] {
        let with = overlaps(Some(CollisionAvoidance::default()), other);
        let without = overlaps(None, other);
        assert!(without > 200, "the streams meet: {without}");
        // Measured: 5 and 0 overlaps with avoidance, against 437 and 854 without.
        assert!(with * 20 < without, "{with} against {without}");
    }
}

/// Force on an agent at (0, 0) heading right, with others at (50, 0) that have these headings.
fn force_among(headings: &[[f32; 2]]) -> [f32; 2] {
    let avoidance = CollisionAvoidance {
        weight: 1.0,
        horizon: 1.0,
        margin: 30.0,
        ..CollisionAvoidance::default()
    };
    let species = Species::new("s", 0).max_speed(60.0).max_force(1.0e6).view_distance(120.0);
    let scene = Scene::new(World::open(800.0, 800.0)).species(species.behavior(avoidance));
    let mut simulation = scene.build().unwrap();
    let agent = place(&mut simulation, [0.0, 0.0]);
    for &heading in headings {
        simulation.spawn("s", [50.0, 0.0], heading).unwrap();
    }
    force(&simulation, agent)
}

#[test]
fn of_two_equally_early_threats_the_first_counts() {
    let [left, right] = [[-0.6, 0.8], [-0.6, -0.8]];
    assert_eq!(force_among(&[left, right]), [0.0, -60.0], "behind the first");
    assert_eq!(force_among(&[right, left]), [0.0, 60.0]);
}

#[test]
fn an_agent_that_comes_exactly_head_on_is_passed_on_the_left() {
    assert_eq!(force_among(&[[-1.0, 0.0]]), [0.0, 60.0]);
}
