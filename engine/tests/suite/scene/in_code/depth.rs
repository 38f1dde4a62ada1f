use flockwork::behaviors::{
    Alignment, Cohesion, Containment, Cruise, Evade, Flee, Neighborhood, ObstacleAvoidance,
    Pursuit, Separation, WallAvoidance, Wander,
};
use flockwork::{Obstacle, Scene, Species, Target, Wall, World};

use super::flocks::stress;

fn calm_wander() -> Wander {
    Wander { weight: 8.0, radius: 2.0, distance: 4.0, jitter: 40.0, ..Wander::default() }
}

pub(super) fn birds_3d() -> Scene {
    let kind = || Neighborhood::of(["bird"]);
    let bird = Species::new("bird", 2_000)
        .view_distance(70.0)
        .field_of_view(300.0)
        .max_speed([120.0, 140.0])
        .radius(3.5)
        .max_climb(45.0)
        .behavior(Containment { margin: 60.0, ..Containment::default() })
        .behavior(Evade {
            pursuer: Target::nearest("hawk"),
            threat_range: Some(110.0),
            ..Evade::default()
        })
        .behavior(Separation { weight: 500.0, ..Separation::default() })
        .behavior(Alignment { weight: 150.0, neighborhood: kind() })
        .behavior(Cohesion { weight: 120.0, neighborhood: kind(), ..Cohesion::default() })
        .behavior(calm_wander())
        .behavior(Cruise { weight: 8.0, speed: 90.0 });
    let hawk = Species::new("hawk", 1)
        .view_distance(160.0)
        .max_speed(150.0)
        .radius(9.0)
        .max_turn_rate(2.5)
        .max_climb(60.0)
        .behavior(Containment { margin: 40.0, ..Containment::default() })
        .behavior(Pursuit { weight: 20.0, evader: Target::nearest("bird"), ..Pursuit::default() })
        .behavior(Wander::default());
    Scene::new(World::bounded(900.0, 700.0).depth(450.0))
        .name("birds-3d")
        .about("Birds that flock in the sky, in three dimensions; a hawk hunts them.")
        .species(bird)
        .species(hawk)
}

pub(super) fn reef() -> Scene {
    let kind = || Neighborhood::of(["fish"]);
    let fish = Species::new("fish", 1_200)
        .view_distance(35.0)
        .max_speed([60.0, 75.0])
        .max_force(250.0)
        .radius(2.0)
        .max_turn_rate(5.0)
        .max_climb(50.0)
        .behavior(Containment { margin: 25.0, ..Containment::default() })
        .behavior(WallAvoidance::default())
        .behavior(ObstacleAvoidance::default())
        .behavior(Flee {
            target: Target::nearest("shark"),
            panic_distance: Some(90.0),
            ..Flee::default()
        })
        .behavior(Separation { weight: 300.0, ..Separation::default() })
        .behavior(Alignment { weight: 160.0, neighborhood: kind() })
        .behavior(Cohesion { weight: 90.0, neighborhood: kind(), ..Cohesion::default() })
        .behavior(calm_wander())
        .behavior(Cruise { weight: 4.0, speed: 45.0 });
    let shark = Species::new("shark", 1)
        .view_distance(120.0)
        .max_speed(95.0)
        .radius(8.0)
        .max_turn_rate(2.0)
        .max_climb(30.0)
        .behavior(Containment { margin: 30.0, ..Containment::default() })
        .behavior(WallAvoidance::default())
        .behavior(ObstacleAvoidance::default())
        .behavior(Pursuit { evader: Target::nearest("fish"), ..Pursuit::default() })
        .behavior(Wander::default());
    let rocks = [
        ([180.0, 150.0, 20.0], 60.0),
        ([245.0, 190.0, 10.0], 38.0),
        ([430.0, 290.0, 35.0], 80.0),
        ([510.0, 235.0, 5.0], 45.0),
        ([330.0, 90.0, 10.0], 30.0),
        ([110.0, 320.0, 15.0], 42.0),
        ([480.0, 80.0, 0.0], 26.0),
    ];
    let floor =
        Wall::new([[0.0, 0.0, 0.0], [600.0, 0.0, 0.0], [600.0, 400.0, 0.0], [0.0, 400.0, 0.0]]);
    let scene = Scene::new(World::bounded(600.0, 400.0).depth(240.0))
        .name("reef")
        .about("Fish among rocks above a sea floor, in three dimensions; they flee from a shark.")
        .species(fish)
        .species(shark)
        .wall(floor)
        .solid(true);
    rocks
        .into_iter()
        .fold(scene, |scene, (center, radius)| scene.obstacle(Obstacle::new(center, radius)))
}

pub(super) fn stress_3d() -> Scene {
    let scene = stress();
    let world = scene.world.dimensions(3);
    Scene { world, ..scene }.name("stress-3d").about(
        "A massive crowd that flocks in three dimensions: 16 neighbors on average, whatever its \
         size.",
    )
}
