//! The embedded scenes built in code: builders can express everything that scene files can.

use flockwork::{Scene, Target, World};

mod depth;
mod flocks;
mod scenery;
mod targets;

#[test]
fn every_embedded_scene_can_be_built_in_code() {
    for name in Scene::names() {
        let built = in_code(name);
        assert_eq!(built, Scene::named(name).unwrap(), "{name}");
    }
}

#[test]
fn every_embedded_scene_survives_toml() {
    for name in Scene::names() {
        let scene = Scene::named(name).unwrap();
        assert_eq!(Scene::parse(&scene.to_toml(), "x.toml").unwrap(), scene, "{name}");
    }
}

fn in_code(name: &str) -> Scene {
    match name {
        "another-big-shoal" => flocks::another_big_shoal(),
        "arrive" => targets::arrive(),
        "big-shoal" => flocks::big_shoal(),
        "birds" => flocks::birds(),
        "birds-3d" => depth::birds_3d(),
        "boids" => flocks::boids(),
        "collision-avoidance" => scenery::collision_avoidance(),
        "containment" => scenery::containment(),
        "evacuation" => scenery::evacuation(),
        "evade" => targets::evade(),
        "flee" => targets::flee(),
        "flock" => flocks::flock(),
        "flock-rules" => flocks::flock_rules(),
        "flow-field" => scenery::flow_field(),
        "heavy" => flocks::heavy(),
        "hide" => targets::hide(),
        "interpose" => targets::interpose(),
        "leader" => targets::leader(),
        "leader-following" => targets::leader_following(),
        "look-ahead" => scenery::look_ahead(),
        "non-penetration" => flocks::non_penetration(),
        "obstacle-avoidance" => scenery::obstacle_avoidance(),
        "offset-pursuit" => targets::offset_pursuit(),
        "path-following" => scenery::path_following(),
        "pursuit" => targets::pursuit(),
        "reef" => depth::reef(),
        "routes" => scenery::routes(),
        "seek" => targets::seek(),
        "sharks" => targets::sharks(),
        "sheepdog" => targets::sheepdog(),
        "stay-on-path" => scenery::stay_on_path(),
        "stress" => flocks::stress(),
        "stress-3d" => depth::stress_3d(),
        "stress-clustered" => flocks::stress_clustered(),
        "velocity-matching" => flocks::velocity_matching(),
        "wall-avoidance" => scenery::wall_avoidance(),
        "wander" => flocks::wander(),
        "zombies" => targets::zombies(),
        _ => panic!("the embedded scene `{name}` has no function here that builds it in code"),
    }
}

fn torus(name: &str, about: &str) -> Scene {
    Scene::new(World::torus(1000.0, 600.0)).name(name).about(about)
}

fn bounded(name: &str, about: &str) -> Scene {
    Scene::new(World::bounded(1000.0, 600.0)).name(name).about(about)
}

fn first(species: &str) -> Target {
    Target::member(species, 0)
}
