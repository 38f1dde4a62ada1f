use flockwork::behaviors::Seek;
use flockwork::{Obstacle, Partition, Scene, Species, Start, Target, Wall, World};

use crate::common::agents::{force, id};

/// Sign of the force along x on a seeker in the middle of a 400 × 300 world, which seeks the
/// nearest fish in sight.
fn seeks(world: World, scenery: impl Fn(Scene) -> Scene, fish: &[[f32; 2]]) -> f32 {
    let target = Target::nearest("fish").line_of_sight();
    let start = Start { speed: Some(0.0), ..Start::in_circle([200.0, 150.0], 0.0) };
    let seeker = Species { start, ..Species::new("seeker", 1) }.view_distance(190.0);
    let seeker = seeker.max_force(1.0e6).behavior(Seek { weight: 1.0, target });
    let scene = scenery(Scene::new(world).species(seeker).species(Species::new("fish", 0)));
    let mut sea = scene.build().unwrap();
    for &at in fish {
        sea.spawn("fish", at, [1.0, 0.0]).unwrap();
    }
    let forces = [Partition::Cells, Partition::AllPairs].map(|partition| {
        sea.set_execution(sea.execution().partition(partition)).unwrap();
        force(&sea, id(0))[0]
    });
    assert_eq!(forces[0], forces[1]);
    forces[0].signum() * f32::from(u8::from(forces[0] != 0.0))
}

fn flat() -> World {
    World::bounded(400.0, 300.0)
}

#[test]
fn walls_and_obstacles_hide_agents_and_the_nearest_one_in_sight_is_found_behind_many_hidden() {
    let wall = |scene: Scene| scene.wall(Wall::new([[210.0, 100.0], [210.0, 200.0]]));
    let back = |scene: Scene| scene.wall(Wall::new([[210.0, 200.0], [210.0, 100.0]]));
    let disk = |scene: Scene| scene.obstacle(Obstacle::new([215.0, 150.0], 4.0));
    let near = [220.0, 150.0];
    assert_eq!(seeks(flat(), |scene| scene, &[near]), 1.0);
    for hidden in [wall, back, disk] {
        assert_eq!(seeks(flat(), hidden, &[near]), 0.0);
        let fish = [near, [221.0, 150.0], [220.0, 150.5], [222.0, 150.0], [230.0, 150.0]];
        assert_eq!(seeks(flat(), hidden, &[&fish[..], &[[30.0, 150.0]]].concat()), -1.0);
    }
    // Fish are visible beside the disk's shadow, in front of the wall, and past its end.
    assert_eq!(seeks(flat(), disk, &[[220.0, 156.0]]), 1.0);
    assert_eq!(seeks(flat(), wall, &[[209.0, 150.0], [30.0, 150.0]]), 1.0);
    assert_eq!(seeks(flat(), wall, &[[220.0, 280.0]]), 1.0);
}

/// The shortest line to the upper fish crosses the seam, where scenery must hide the fish too.
#[test]
fn scenery_hides_across_the_seam_of_a_torus() {
    let torus = World::torus(400.0, 300.0);
    let fish = [[200.0, 20.0], [60.0, 150.0]];
    let wall = |x: f32| move |scene: Scene| scene.wall(Wall::new([[x, 270.0], [x + 60.0, 270.0]]));
    let seeker_at = |scene: Scene| {
        let mut scene = scene;
        scene.species[0].start.place = Start::in_circle([200.0, 250.0], 0.0).place;
        scene
    };
    let plain = seeks(torus, seeker_at, &[fish[0], [150.0, 250.0]]);
    assert_eq!(plain, -1.0, "the fish at the left is nearer");
    let far = seeks(torus, |scene| wall(170.0)(seeker_at(scene)), &[fish[0], [90.0, 250.0]]);
    assert_eq!(far, -1.0, "the fish above is hidden");
    let beside = seeks(torus, |scene| wall(230.0)(seeker_at(scene)), &[fish[0], [90.0, 250.0]]);
    assert_eq!(beside, 0.0, "the fish straight above is seen");
}

#[test]
fn scene_files_name_the_line_of_sight() {
    let text = Scene::new(flat())
        .species(
            Species::new("fish", 1)
                .behavior(Seek { weight: 1.0, target: Target::nearest("fish").line_of_sight() }),
        )
        .to_toml();
    assert!(text.contains("line_of_sight = true"), "{text}");
    let parsed = Scene::parse(&text, "sea").unwrap();
    assert_eq!(parsed.to_toml(), text);
    let plain = text.replace("line_of_sight = true", "line_of_sight = false");
    assert!(!Scene::parse(&plain, "sea").unwrap().to_toml().contains("line_of_sight"));
}
