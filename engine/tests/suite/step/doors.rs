//! Crowds at doors: causes of jams, and remedies.

use flockwork::behaviors::{PathFollowing, Wander};
use flockwork::{
    Number, Scene, Simulation, Species, SpeciesValue, Start, Wall, WaypointPath, World,
};

/// A room of 300 × 200 whose only door, `door` units wide, is at the middle of its right wall.
fn room(door: f32, species: Species) -> Scene {
    let (low, high) = (100.0 - door / 2.0, 100.0 + door / 2.0);
    let walls =
        [[300.0, high], [300.0, 200.0], [0.0, 200.0], [0.0, 0.0], [300.0, 0.0], [300.0, low]];
    let out =
        PathFollowing { path: "out".into(), waypoint_distance: 4.0, ..PathFollowing::default() };
    let path = WaypointPath::new("out", [[302.0, 100.0], [900.0, 100.0]]);
    Scene::new(World::open(600.0, 200.0))
        .species(species.max_speed([30.0, 30.0]).max_force(400.0).behavior(out))
        .wall(Wall::new(walls).two_sided())
        .path(path)
        .solid(true)
}

fn people(count: usize, radius: impl Into<SpeciesValue>) -> Species {
    let start = Start { speed: Some(0.0), ..Start::in_box([150.0, 20.0], [280.0, 180.0]) };
    Species { start, ..Species::new("person", count) }.radius(radius)
}

fn left_after(mut crowd: Simulation, seconds: f32) -> usize {
    crowd.run((seconds * crowd.scene().steps_per_second) as u64).unwrap();
    crowd.agents().x.iter().filter(|&&x| x < 300.0).count()
}

/// 200 people of radius 3, or with radii up to 10 % smaller or larger, at doors of 3 and 4 radii.
/// Wander was tried as a remedy: it shakes the crowd, but does not break the arch.
#[test]
fn equal_agents_form_an_arch_at_a_door_that_unequal_ones_pass() {
    let left = |radii: f32, species: Species| {
        left_after(room(3.0 * radii, species).non_penetration(8).build().unwrap(), 30.0)
    };
    let wander = Wander { weight: 60.0, ..Wander::default() };
    let [equal, restless] =
        [people(200, 3.0), people(200, 3.0).behavior(wander)].map(|species| left(3.0, species));
    assert!(equal > 20 && restless > 20, "at 3 radii: {equal}, {restless} with wander");
    assert_eq!(left(3.0, people(200, [2.7, 3.3])), 0, "spread radii, at 3 radii");
    assert_eq!(left(4.0, people(200, 3.0)), 0, "at 4 radii");
}

/// Two mirrored agents behave identically, so neither gives way.
#[test]
fn two_mirrored_agents_block_a_door_that_any_difference_opens() {
    for door in [2.2, 3.0, 3.5, 4.2] {
        let left = |radii: [f32; 2], off: f32| {
            let mut crowd = room(3.0 * door, people(0, 3.0)).non_penetration(8).build().unwrap();
            for (y, radius) in [80.0, 120.0 + off].into_iter().zip(radii) {
                let agent = crowd.spawn("person", [280.0, y], [1.0, 0.0]).unwrap();
                crowd.set(Number::Radius, agent, radius).unwrap();
            }
            left_after(crowd, 20.0)
        };
        assert_eq!(left([3.0; 2], 0.0), if door < 4.0 { 2 } else { 0 }, "{door} radii");
        assert_eq!(left([3.0, 3.3], 0.0) + left([3.0; 2], 0.5), 0, "{door} radii");
    }
}

#[test]
fn people_leave_alike_at_all_step_rates_with_passes_per_second() {
    let out = |rate: f32, per_second: bool| {
        let mut scene = room(15.0, people(500, [2.5, 3.5]));
        scene.steps_per_second = rate;
        let scene = if per_second {
            scene.non_penetration_per_second(480.0)
        } else {
            scene.non_penetration(8)
        };
        500 - left_after(scene.build().unwrap(), 12.0)
    };
    let per_step = [20.0, 60.0, 240.0].map(|rate| out(rate, false));
    let per_second = [20.0, 60.0, 240.0].map(|rate| out(rate, true));
    assert_eq!(per_step[1], per_second[1], "8 passes at 60 Hz are 480 per second");
    assert!(per_step[0] > per_step[1] + 50 && per_step[1] > per_step[2] + 50, "{per_step:?}");
    assert!(per_second.iter().all(|out| out.abs_diff(per_second[1]) < 30), "{per_second:?}");
}

#[test]
fn passes_per_second_follow_the_step_rate_and_are_1_to_64_per_step() {
    let scene = room(15.0, people(10, 3.0)).non_penetration_per_second(480.0);
    let mut crowd = scene.build().unwrap();
    assert_eq!(crowd.scene().passes(), 8);
    crowd.edit(|scene| scene.steps_per_second = 100.0).unwrap();
    assert_eq!(crowd.scene().passes(), 5);
    let refused = crowd.edit(|scene| scene.steps_per_second = 500.0).unwrap_err().to_string();
    assert!(refused.contains("non_penetration_per_second = 480.0: must be from 500"), "{refused}");
    let both = Scene { non_penetration: 2, ..scene.clone() }.build().unwrap_err().to_string();
    assert!(both.contains("non_penetration = 2"), "{both}");
    let text = scene.to_toml();
    assert_eq!(Scene::parse(&text, "room").unwrap(), scene);
}
