use flockwork::behaviors::{
    CollisionAvoidance, LookAhead, ObstacleAvoidance, OffsetPursuit, Seek, Separation, StayOnPath,
    WallAvoidance, Wander,
};
use flockwork::{Locomotion, Obstacle, Scene, Simulation, Species, Target, WaypointPath, World};

use crate::common::agents::ids;

fn length([x, y, z]: [f32; 3]) -> f32 {
    x.hypot(y).hypot(z)
}

/// Fliers whose behaviors use every direction derived from a heading: left, above and across.
fn fliers(locomotion: Locomotion, climb: Option<f32>, turn: Option<f32>) -> Species {
    let species = Species {
        locomotion,
        max_climb: climb,
        max_turn_rate: turn,
        ..Species::new("flier", 0).view_distance(15.0)
    };
    species
        .behavior(ObstacleAvoidance::default())
        .behavior(WallAvoidance::default())
        .behavior(LookAhead::default())
        .behavior(CollisionAvoidance::default())
        .behavior(StayOnPath { path: "up".into(), weight: 0.3, ..StayOnPath::default() })
        .behavior(OffsetPursuit {
            weight: 0.3,
            leader: Target::member("leader", 0),
            abreast: 3,
            ..OffsetPursuit::default()
        })
        .behavior(Separation::default())
        .behavior(Wander::default())
}

fn sky(species: Species) -> Simulation {
    let leader = Species::new("leader", 1).behavior(Wander::default());
    let mut scene = Scene::new(World::torus(120.0, 90.0).depth(80.0)).species(species);
    scene.obstacles = vec![Obstacle::new([60.0, 45.0, 40.0], 12.0)].into();
    scene.paths = vec![WaypointPath::new("up", [[30.0, 30.0, 5.0], [30.0, 30.0, 75.0]])].into();
    scene.species(leader).build().unwrap()
}

/// Headings at growing angles from the vertical, starting at 0, both upward and downward.
fn headings() -> impl Iterator<Item = [f32; 3]> {
    let off = [0.0, 1.0e-10, 1.0e-7, 5.0e-7, 1.0e-6, 2.0e-6, 1.0e-4, 0.01, 0.1, 0.5, 1.0, 1.57];
    let angles = off.into_iter().flat_map(|angle| [angle, std::f32::consts::PI - angle]);
    angles.flat_map(|angle| {
        (0..5).map(move |k| {
            let (sin, cos) = angle.sin_cos();
            let around = k as f32 * 1.3;
            [sin * around.cos(), sin * around.sin(), cos]
        })
    })
}

#[test]
fn agents_with_vertical_headings_step_as_the_reference_does() {
    let locomotions = [
        Locomotion::PointMass,
        Locomotion::ConstantSpeed,
        Locomotion::CarLike { throttle: 90.0, brake: 50.0, steering: 70.0 },
    ];
    let (mut compared, mut left_out) = (0, 0);
    for locomotion in locomotions {
        for (climb, turn) in
            [(None, None), (Some(30.0), None), (None, Some(2.0)), (Some(80.0), Some(2.0))]
        {
            let mut sky = sky(fliers(locomotion, climb, turn));
            for (k, heading) in headings().enumerate() {
                let k = k as f32;
                let at = [(k * 7.3) % 120.0, (k * 5.1) % 90.0, (k * 3.7) % 80.0];
                sky.spawn("flier", at, heading).unwrap();
            }
            for _ in 0..3 {
                let ids = ids(&sky);
                let expected: Vec<_> =
                    ids.iter().map(|&id| sky.reference_step(id).unwrap()).collect();
                sky.step().unwrap();
                for (&id, expected) in ids.iter().zip(expected) {
                    let state = sky.agent(id).unwrap();
                    assert!((length(state.heading) - 1.0).abs() < 1.0e-6, "{state:?}");
                    if expected.margin < 1.0e-5 {
                        left_out += 1;
                        continue;
                    }
                    compared += 1;
                    let off = [0, 1, 2]
                        .map(|k| (f64::from(state.velocity[k]) - expected.velocity[k]).abs());
                    let off = off.into_iter().fold(0.0, f64::max);
                    assert!(
                        off < 0.02,
                        "{locomotion:?} {climb:?} {turn:?}: {state:?}, {expected:?}"
                    );
                }
            }
        }
    }
    assert!(compared > 3_000 && left_out * 4 < compared, "{compared}, {left_out} left out");
}

#[test]
fn no_agent_climbs_more_steeply_than_it_may() {
    for (degrees, speed) in [(0.0_f32, 150.0), (20.0, 150.0), (60.0, 20.0), (89.0, 150.0)] {
        for locomotion in [Locomotion::PointMass, Locomotion::ConstantSpeed] {
            let species = fliers(locomotion, Some(degrees), None).max_speed(speed);
            // The target is 11 units below the starting height, across the seam.
            let high: Target = [60.0, 45.0, 79.0].into();
            let mut sky = sky(species.behavior(Seek { weight: 2.0, target: high }));
            for (k, heading) in headings().enumerate() {
                sky.spawn("flier", [60.0, 45.0 + 0.3 * k as f32, 10.0], heading).unwrap();
            }
            let steepest = degrees.to_radians().sin();
            let mut reached = 0;
            for _ in 0..100 {
                sky.step().unwrap();
                let fliers = ids(&sky).into_iter().map(|id| sky.agent(id).unwrap());
                for state in fliers.filter(|state| state.species == 0) {
                    let climb = state.heading[2].abs();
                    assert!(climb <= steepest + 1.0e-6, "{degrees}°: {state:?}");
                    assert!((length(state.heading) - 1.0).abs() < 1.0e-6, "{state:?}");
                    reached += u32::from(climb > steepest - 1.0e-6);
                }
            }
            assert!(reached > 20, "{degrees}°: {reached} agent-steps at the limit");
        }
    }
}

/// Wanderers spread along every axis, including the vertical, but drift along none.
#[test]
fn wanderers_spread_in_space_without_drifting() {
    const AGENTS: usize = 4_000;
    for wander in [
        Wander::default(),
        Wander { noise: Some(2.0), ..Wander::default() },
        Wander { jitter_per_step: true, jitter: 1.0, scaled: false, ..Wander::default() },
    ] {
        let species = Species::new("flier", AGENTS).behavior(wander.clone());
        let world = World::open(100.0, 100.0).depth(100.0);
        let mut sky = Scene::new(world).species(species).seed(3).build().unwrap();
        let all: Vec<_> = sky.ids_ascending().collect();
        let place = |sky: &Simulation| -> Vec<[f32; 3]> {
            all.iter().map(|&id| sky.agent(id).unwrap().position).collect()
        };
        let before = place(&sky);
        sky.run(200).unwrap();
        let after = place(&sky);
        let mut squares = [0.0; 3];
        for (axis, square) in squares.iter_mut().enumerate() {
            let moved = before.iter().zip(&after).map(|(a, b)| f64::from(b[axis] - a[axis]));
            let (sum, sum_sq) = moved.fold((0.0, 0.0), |(sum, sq), x| (sum + x, sq + x * x));
            let (mean, mean_sq) = (sum / AGENTS as f64, sum_sq / AGENTS as f64);
            // Four standard errors of the mean.
            let allowed = 4.0 * (mean_sq / AGENTS as f64).sqrt();
            assert!(mean.abs() < allowed, "axis {axis}: {mean}, allowed {allowed}; {wander:?}");
            *square = mean_sq;
        }
        println!("{squares:?}");
        let [x, y, z] = squares;
        assert!((x / y - 1.0).abs() < 0.1, "{squares:?}; {wander:?}");
        assert!((0.5..2.0).contains(&(z / x)), "{squares:?}; {wander:?}");
    }
}
