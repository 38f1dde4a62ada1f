use std::sync::Arc;

use flockwork::behaviors::{
    Alignment, Cohesion, Evade, ObstacleAvoidance, PathFollowing, Seek, Separation, WallAvoidance,
    Wander,
};
use flockwork::{
    Combine, Number, Obstacle, Scatter, Scattered, Scene, Simulation, Species, Start, Target, Wall,
    WaypointPath, World,
};

use crate::common::agents::{id, ids, position, speed};
use crate::common::measures::distance;
use crate::common::scenes::flock;

fn apart(simulation: &Simulation, a: u32, b: u32) -> f32 {
    let [x, y, _] = simulation.displacement(position(simulation, a), position(simulation, b));
    x.hypot(y)
}

#[test]
fn a_fish_apart_from_its_shoal_wanders_on() {
    let moved = |with_wander: bool| {
        let mut fish = flock(1);
        fish.start = Start { speed: Some(0.0), ..Start::in_circle([50.0, 50.0], 0.0) };
        if !with_wander {
            fish.behaviors.truncate(3);
        }
        let mut simulation = Scene::new(World::open(100.0, 100.0)).species(fish).build().unwrap();
        simulation.run(300).unwrap();
        (distance(position(&simulation, 0), [50.0, 50.0]), speed(&simulation, 0))
    };
    assert_eq!(moved(false), (0.0, 0.0), "flocking alone leaves it where it is");
    let (away, speed) = moved(true);
    assert!(away > 50.0 && speed > 50.0, "{away} units away at {speed} units/s");
}

/// Buckland's example makes a sheep from these six behaviors, which are switched on one by one.
#[test]
fn sheep_flock_wander_keep_out_of_trees_and_scatter_from_the_dog() {
    let run = |avoids: bool, evades: bool| {
        let mut sheep = Species {
            start: Start::in_circle([300.0, 300.0], 100.0),
            ..Species::new("sheep", 20).max_speed([70.0, 90.0]).view_distance(80.0)
        };
        let dog_is_near =
            Evade { weight: 4.0, pursuer: Target::member("dog", 0), threat_range: Some(150.0) };
        sheep.behaviors.extend(avoids.then(|| ObstacleAvoidance::default().into()));
        sheep.behaviors.extend(evades.then(|| dog_is_near.into()));
        let sheep = sheep
            .behavior(Separation { weight: 600.0, ..Separation::default() })
            .behavior(Alignment { weight: 60.0, ..Alignment::default() })
            .behavior(Cohesion { weight: 30.0, ..Cohesion::default() })
            .behavior(Wander { weight: 6.0, ..Wander::default() });
        let dog = Species::new("dog", 1)
            .max_speed(60.0)
            .behavior(Seek { weight: 4.0, target: Target::nearest("sheep") })
            .view_distance(500.0);
        let trees = Scattered { count: 12, size: [10.0, 25.0], gap: 40.0, ..Scattered::default() };
        let scatter = Some(Scatter { obstacles: Some(trees), walls: None });
        let scene = Scene::new(World::torus(600.0, 600.0)).species(sheep).species(dog);
        let mut simulation = Scene { scatter, ..scene }.build().unwrap();
        let trees: Vec<Obstacle> = simulation.obstacles().collect();
        simulation.run(300).unwrap();
        let (mut inside, mut near) = (0, 0);
        for _ in 0..900 {
            simulation.step().unwrap();
            for sheep in 0..20 {
                let at = position(&simulation, sheep);
                inside += usize::from(trees.iter().any(|o| distance(o.center.xy(), at) < o.radius));
                near += usize::from(apart(&simulation, sheep, 20) < 50.0);
            }
        }
        (inside, near)
    };
    let (inside, near) = run(true, true);
    let (careless, _) = run(false, true);
    let (_, tame) = run(true, false);
    assert!(careless > 200 && inside * 10 < careless, "in trees: {inside}, else {careless}");
    assert!(tame > 500 && near * 3 < tame, "near the dog: {near}, else {tame}");
}

/// Buckland's bots follow a path, keep apart from each other and avoid walls.
#[test]
fn bots_go_from_one_place_to_another_between_walls_and_apart() {
    let bots = Species {
        start: Start { heading: Some(0.0), ..Start::in_box([20.0, 120.0], [120.0, 180.0]) },
        ..Species::new("bot", 12).max_speed(60.0).radius(4.0)
    };
    let bots = bots
        .behavior(WallAvoidance { feeler_length: 30.0, ..WallAvoidance::default() })
        .behavior(Separation { weight: 400.0, ..Separation::default() })
        .behavior(PathFollowing { weight: 10.0, path: "route".into(), waypoint_distance: 30.0 });
    let wall = |y: f32| Wall { two_sided: true, ..Wall::new([[-100.0, y], [900.0, y]]) };
    let scene = Scene::new(World::open(800.0, 300.0)).species(bots);
    let scene = scene.wall(wall(90.0)).wall(wall(210.0));
    let scene = scene.path(WaypointPath::new("route", [[300.0, 150.0], [700.0, 150.0]]));
    let mut simulation = scene.build().unwrap();
    for _ in 0..1_500 {
        simulation.step().unwrap();
        for bot in 0..12 {
            let [_, y] = position(&simulation, bot);
            assert!((90.0..210.0).contains(&y), "bot {bot} is in the corridor: {y}");
        }
    }
    for bot in 0..12 {
        assert!(distance(position(&simulation, bot), [700.0, 150.0]) < 60.0, "it has arrived");
        let others = (0..12).filter(|&other| other != bot);
        let nearest = others.map(|other| apart(&simulation, bot, other)).fold(f32::MAX, f32::min);
        assert!(nearest > 4.0, "{nearest} from the next");
    }
}

#[test]
fn fish_of_the_big_shoal_are_wary_of_the_wandering_shark() {
    let near_the_shark = |wary: bool| {
        let mut scene = Scene::named("big-shoal").unwrap();
        assert_eq!(scene.species.iter().map(|one| one.agents).collect::<Vec<_>>(), [299, 1]);
        if !wary {
            scene.species[0].behaviors.retain(|behavior| behavior.name() != "evade");
        }
        let mut simulation = scene.build().unwrap();
        let mut near = 0;
        for _ in 0..1_800 {
            simulation.step().unwrap();
            near += (0..299).filter(|&fish| apart(&simulation, fish, 299) < 60.0).count();
        }
        near
    };
    let [wary, tame] = [true, false].map(near_the_shark);
    assert!(tame > 1_000 && wary * 3 < tame * 2, "{wary} against {tame}");
}

#[test]
fn the_big_shoal_changes_how_it_combines_and_what_is_in_its_way_while_it_runs() {
    let scene = Scene::named("big-shoal").unwrap();
    let mut simulation = scene.build().unwrap();
    let bare = Scene { walls: Arc::default(), scatter: None, ..scene.clone() };
    for combine in [Combine::WeightedSum, Combine::Dithered, Combine::Prioritized] {
        for scenery in [&bare, &scene] {
            let fish = scene.species[0].clone().combine(combine);
            simulation.set_species(&fish).unwrap();
            simulation.set_scenery(scenery).unwrap();
            simulation.run(60).unwrap();
            assert_eq!(simulation.walls().len() > 0, !scenery.walls.is_empty());
            assert_eq!(simulation.obstacles().len() == 7, scenery.scatter.is_some());
            let mut unreached = 0;
            for fish in ids(&simulation).into_iter().filter(|fish| *fish != id(299)) {
                unreached += simulation.explain(fish).unwrap().unreached.len();
            }
            assert_eq!(unreached == 0, combine == Combine::WeightedSum, "{combine:?}: {unreached}");
        }
    }
}

#[test]
fn zombies_of_different_speeds_gather_at_the_cursor_around_obstacles() {
    let mut simulation = Scene::named("zombies").unwrap().build().unwrap();
    let cursor = simulation.scene().points["cursor"];
    let crowd = simulation.len() as u32;
    let speeds: Vec<f32> =
        (0..crowd).map(|zombie| simulation.get(Number::MaxSpeed, id(zombie)).unwrap()).collect();
    let [slowest, fastest] =
        [speeds.iter().fold(f32::MAX, |a, b| a.min(*b)), speeds.iter().fold(0.0, |a, b| b.max(a))];
    assert!(fastest > 2.0 * slowest, "{slowest} to {fastest} units/s");
    let obstacles: Vec<Obstacle> = simulation.obstacles().collect();
    assert!(obstacles.len() > 5);
    let mean = |s: &Simulation| {
        (0..crowd).map(|zombie| distance(position(s, zombie), cursor.xy())).sum::<f32>()
            / crowd as f32
    };
    let before = mean(&simulation);
    let mut inside = 0;
    for _ in 0..1_500 {
        simulation.step().unwrap();
        let in_one =
            |at: [f32; 2]| obstacles.iter().any(|o| distance(o.center.xy(), at) < 0.9 * o.radius);
        inside += (0..crowd).filter(|&zombie| in_one(position(&simulation, zombie))).count();
    }
    let after = mean(&simulation);
    assert!(after < before / 4.0, "from {before} to {after}");
    let share = inside as f64 / (1_500.0 * f64::from(crowd));
    assert!(share < 0.03, "{share} inside obstacles");
}
