use flockwork::behaviors::Seek;
use flockwork::{
    ErrorKind, Goal, Obstacle, Route, Scattered, Scene, Snapshot, Species, Target, World,
};

use crate::common::refusals::field_and_allowed;

fn error_of(text: &str) -> String {
    Scene::parse(text, "long.toml").unwrap_err().to_string()
}

#[test]
fn errors_about_long_names_are_short_and_found_at_once() {
    // Comparing such a name with the known names used to take half a minute.
    let long = "n".repeat(400_000);
    let species = format!("[[species]]\nname = \"a\"\n{long} = 1\n");
    let behavior = format!("[[species]]\nbehaviors = [{{ {long} = {{}} }}]\n");
    let path = format!("[[species]]\nbehaviors = [{{ path_following = {{ path = \"{long}\" }} }}]");
    let point = format!("points = {{ {long} = [1e30, 0.0] }}\n");
    let text = format!("steps_per_second = \"{long}\"\n");
    let key = format!("{long} = 1\n");
    for scene in [species, behavior, path, point, text, key] {
        let said = error_of(&scene);
        assert!(said.chars().count() < 3_000, "{} characters", said.chars().count());
        assert!(said.contains("nnnn… (") && said.starts_with("long.toml:"), "{said}");
    }
    let said = Scene::named(&long).unwrap_err().to_string();
    assert!(said.chars().count() < 2_000 && said.contains("known:"), "{said}");
    let said = Scene::from_params_ini(&format!("{long} 1"), "params.ini").unwrap_err().to_string();
    assert!(said.chars().count() < 2_000, "{said}");
}

#[test]
fn errors_list_a_few_of_many_names() {
    let many = (0..500).fold(Scene::new(World::torus(9.0, 9.0)), |scene, k| {
        scene.point(format!("point-{k}"), [0.0, 0.0])
    });
    let seek = Seek { target: Target::named("piont-7"), ..Seek::default() };
    let said =
        many.species(Species::new("fish", 1).behavior(seek)).check().unwrap_err().to_string();
    assert!(said.contains("did you mean `point-") && said.contains(" more)"), "{said}");
    assert!(said.chars().count() < 2_000, "{said}");
}

#[test]
fn a_hundred_thousand_points_and_routes_are_looked_up_at_once() {
    // Regression: each name was compared with all others, which took minutes.
    let mut scene = Scene::new(World::bounded(2.0, 2.0));
    let mut names: Vec<Goal> = Vec::new();
    for k in 0..100_000 {
        let name = format!("a name of which only the end is unlike others {k}");
        scene = scene.point(&name, [1.0, 1.0]).route(Route::new(&name, [1.0, 1.0]).radius(1.0));
        names.push(name.as_str().into());
    }
    scene.check().unwrap();
    scene.route(Route::new("nearest", names).radius(1.0)).check().unwrap();
}

/// Regression: names of files reached the terminal as they were.
#[test]
fn errors_contain_no_control_characters() {
    let name = "\u{1b}[31mred\r\u{7}\n";
    let file = std::env::temp_dir().join(name);
    for error in [
        Scene::named(name.trim_end()).unwrap_err(),
        Scene::parse("agents = -1", name).unwrap_err(),
        Scene::load(&file).unwrap_err(),
        Snapshot::load(&file).unwrap_err(),
    ] {
        let said = error.to_string();
        assert!(!said.contains(char::is_control), "{said:?}");
        assert!(said.contains(r"\u{1b}[31mred\r\u{7}"), "{said}");
    }
}

#[test]
fn a_million_scattered_obstacles_are_the_limit_however_they_are_asked_for() {
    let crowd = |scattered: Scattered| {
        let world = World::torus(1.0e6, 1.0e6);
        Scene::new(world).species(Species::new("fish", 200_000)).scatter_walls(scattered)
    };
    let share = |count: u32, per_thousand_agents: f32| Scattered {
        per_thousand_agents,
        ..Scattered::new(count)
    };
    let (field, allowed) = field_and_allowed(&crowd(share(7, 10_000.0)).check().unwrap_err());
    assert_eq!(field, "scatter.walls.per_thousand_agents");
    assert!(allowed.contains("at most 1000000 in all"), "{allowed}");
    assert!(allowed.contains("make 2000007 for 200000 agents"), "{allowed}");
    crowd(share(0, 5_000.0)).check().unwrap();
    assert!(crowd(share(1, 5_000.0)).check().is_err());
    assert!(crowd(Scattered::new(1_000_001)).check().is_err());
}

#[test]
fn small_obstacles_are_scattered_over_the_largest_world() {
    // Cell numbers used to overflow 32 bits.
    let scattered = Scattered::new(3_000).size([1.0e-4, 5.0e-4]).gap(0.0);
    let scene = Scene::new(World::torus(1.0e7, 1.0e7)).scatter_obstacles(scattered);
    let crowd = scene.build().unwrap();
    let centers: Vec<[f32; 2]> = crowd.obstacles().map(|obstacle| obstacle.center.xy()).collect();
    assert_eq!(centers.len(), 3_000);
    assert!(centers.iter().any(|center| center[0] < 1.0e6));
    assert!(centers.iter().any(|center| center[0] > 9.0e6));
}

#[test]
fn scattered_circles_keep_their_gap_in_any_world() {
    for (side, size, gap) in [
        (0.5_f32, [1.0e-3_f32, 4.0e-3], 1.0e-3_f32),
        (900.0, [2.0, 9.0], 4.0),
        (2.0e5, [0.0, 900.0], 99.0),
    ] {
        let scattered = Scattered::new(300).size(size).gap(gap);
        let scene = Scene::new(World::torus(side, side)).scatter_obstacles(scattered);
        let crowd = scene.build().unwrap();
        let circles: Vec<Obstacle> = crowd.obstacles().collect();
        for (k, a) in circles.iter().enumerate() {
            for b in &circles[..k] {
                let offset = crowd.displacement(a.center, b.center).map(f64::from);
                let least = f64::from(a.radius) + f64::from(b.radius) + f64::from(gap);
                assert!(offset[0].hypot(offset[1]) > least * (1.0 - 1.0e-5), "{a:?} {b:?}");
            }
        }
    }
}

#[test]
fn the_sum_of_agents_over_all_species_is_limited() {
    let crowd = |agents: [usize; 3]| {
        let species = agents.iter().enumerate();
        species.fold(Scene::new(World::torus(100.0, 100.0)), |scene, (k, &agents)| {
            scene.species(Species::new(format!("species {k}"), agents))
        })
    };
    let error = crowd([600_000_000, 500_000_000, 0]).build().unwrap_err();
    let (field, allowed) = field_and_allowed(&error);
    assert_eq!((field.as_str(), allowed.as_str()), ("number of agents", "at most 1000000000"));
    // Sums beyond 64 bits used to overflow.
    let overflowing = crowd([1, usize::MAX, usize::MAX]);
    assert_eq!(overflowing.agents_at_start(), usize::MAX);
    assert!(overflowing.check().is_err());
    let error = overflowing.agents(10).check().unwrap_err();
    assert_eq!(field_and_allowed(&error).0, "agents");
}

#[cfg(unix)]
mod files {
    use std::fs::{self, File};
    use std::path::Path;

    use super::*;

    fn refused(path: &Path) -> String {
        let error = Scene::load(path).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::File { .. }), "{error}");
        error.to_string()
    }

    #[test]
    fn only_regular_files_of_a_sensible_size_are_scenes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("large.toml");
        File::create(&path).unwrap().set_len((64 << 20) + 1).unwrap();
        assert!(refused(&path).ends_with("67108865 bytes: must be at most 67108864"));
        assert!(refused(folder.path()).ends_with("a folder, not a file"));
        assert!(refused(Path::new("/dev/zero")).ends_with("a device or a pipe, not a file"));
        let pipe = folder.path().join("pipe.ini");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.unwrap().success());
        assert!(refused(&pipe).ends_with("a device or a pipe, not a file"), "nobody ever writes");
        fs::write(&path, [0xff, 0xfe]).unwrap();
        assert!(refused(&path).contains("utf-8"));
    }
}
