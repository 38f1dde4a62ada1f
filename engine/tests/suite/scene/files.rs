use std::io;

use flockwork::{ErrorKind, Scene, Species};

const SCENE: &str = r#"name = "test"
steps_per_second = 60

[world]
topology = "torus"
width = 100.0
height = 100.0

[[species]]
name = "fish"
agents = 10
max_speed = 50.0
behaviors = [
    { separation = { weight = 200.0 } },
    { wander = { jitter = 40.0 } },
]
"#;

fn message(from: &str, to: &str) -> String {
    let text = SCENE.replace(from, to);
    assert_ne!(text, SCENE, "{from} is in the scene");
    Scene::parse(&text, "test.toml").unwrap_err().to_string()
}

#[test]
fn embedded_scenes_build_and_are_found_by_name() {
    for name in Scene::names() {
        let scene = Scene::find(name).unwrap();
        assert_eq!(scene.name, name);
        assert!(!scene.about.is_empty());
        let mut simulation = scene.agents(200).build().unwrap();
        simulation.run(2).unwrap();
        assert_eq!(simulation.len(), 200);
    }
    assert_eq!(Scene::named("stress").unwrap().agents_at_start(), 100_000);
}

#[test]
fn the_unchanged_test_scene_is_accepted() {
    let scene = Scene::parse(SCENE, "test.toml").unwrap();
    assert_eq!(scene.species[0].behaviors.len(), 2);
    scene.build().unwrap();
}

#[test]
fn an_unknown_scene_is_refused_with_the_nearest() {
    let error = Scene::named("strss").unwrap_err().to_string();
    assert!(error.contains("`strss`") && error.contains("did you mean `stress`?"), "{error}");
    // Regression: names unlike this one were suggested.
    let error = Scene::named("nope").unwrap_err().to_string();
    assert!(error.contains("`nope`") && !error.contains("did you mean"), "{error}");
    let error = Scene::load("/nowhere/x.toml").unwrap_err();
    assert_eq!(error.code(), "file");
    assert!(matches!(error.kind(), ErrorKind::File { kind: io::ErrorKind::NotFound, .. }));
    assert_eq!(Scene::find("nowhere.toml").unwrap_err().code(), "file");
}

#[test]
fn values_out_of_range_are_refused_with_their_line() {
    for (from, to, line, words) in [
        ("max_speed = 50.0", "max_speed = -2.5", 12, ["species[0].max_speed = -2.5", "0.001"]),
        ("height = 100.0", "height = nan", 7, ["world.height = NaN", "10000000"]),
        ("agents = 10", "agents = 9000000000", 11, ["species[0].agents", "1000000000"]),
        ("jitter = 40.0", "jitter = 1e30", 15, ["behaviors[1].wander.jitter = 1e30", "1000000"]),
        ("steps_per_second = 60", "steps_per_second = 0", 2, ["steps_per_second = 0.0", "100000"]),
    ] {
        let text = message(from, to);
        assert!(text.starts_with(&format!("test.toml:{line}: ")), "{text}");
        assert!(words.iter().all(|word| text.contains(word)), "{text}");
    }
}

#[test]
fn unknown_names_are_refused_with_their_line_and_the_nearest_name() {
    for (from, to, line, nearest) in [
        ("max_speed", "max_sped", 12, "max_speed"),
        ("topology", "topolgy", 5, "topology"),
        ("jitter", "jiter", 15, "jitter"),
        ("separation =", "seperation =", 14, "separation"),
        ("\"torus\"", "\"torrus\"", 5, "torus"),
    ] {
        let text = message(from, to);
        assert!(text.starts_with(&format!("test.toml:{line}: ")), "{text}");
        assert!(text.contains(&format!("did you mean `{nearest}`?")), "{text}");
    }
}

#[test]
fn wrong_types_and_syntax_are_refused_with_their_line() {
    for (from, to, line) in [
        ("agents = 10", "agents = \"ten\"", 11),
        ("max_speed = 50.0", "max_speed = true", 12),
        ("[world]", "[world", 4),
        ("agents = 10", "agents = -1", 11),
    ] {
        let text = message(from, to);
        assert!(text.starts_with(&format!("test.toml:{line}: ")), "{to}: {text}");
    }
}

#[test]
fn ranges_draw_a_value_for_each_agent() {
    let text = SCENE.replace("max_speed = 50.0", "max_speed = [20.0, 50.0]");
    let mut simulation = Scene::parse(&text, "test.toml").unwrap().build().unwrap();
    simulation.run(1).unwrap();
    let speeds: Vec<f32> = (0..10)
        .map(|slot| simulation.agents().velocity(slot))
        .map(|[vx, vy, _]| vx.hypot(vy))
        .collect();
    assert!(speeds.iter().any(|speed| (speed - speeds[0]).abs() > 1.0), "{speeds:?}");
}

#[test]
fn changing_the_number_of_agents_changes_the_first_species() {
    let scene = Scene::parse(SCENE, "test.toml").unwrap();
    assert_eq!(scene.clone().agents(77).agents_at_start(), 77);
    let both = scene.species(Species::new("shark", 5));
    let crowd = both.clone().agents(77).build().unwrap();
    assert_eq!((crowd.len(), crowd.scene().species[0].agents), (77, 72));
    assert_eq!(crowd.scene(), &Scene { agents: None, ..crowd.scene().clone() });
    let before = Scene { species: Vec::new(), ..both.clone() }.agents(77);
    let before = both.species.iter().cloned().fold(before, Scene::species);
    assert_eq!(before.build().unwrap().state_hash(), crowd.state_hash(), "in any order");
    let text = before.to_toml();
    assert!(text.contains("agents = 77"), "{text}");
    assert_eq!(Scene::parse(&text, "test.toml").unwrap(), before);
    for (refused, said) in [
        (both.clone().agents(4), "agents = 4: must be from 5 to 1000000000"),
        (both.agents(1_000_000_001), "agents = 1000000001: must be from 5 to 1000000000"),
        (Scene::default().agents(1), "agents = 1: must be 0, because there are no species"),
    ] {
        assert_eq!(refused.build().unwrap_err().to_string(), said);
        assert_eq!(refused.check().unwrap_err().to_string(), said);
    }
    let error = Scene::parse(&text.replace("agents = 77", "agents = 3"), "test.toml").unwrap_err();
    assert!(error.to_string().contains(": agents = 3: must be from 5"), "{error}");
}

#[test]
fn two_species_of_the_same_name_are_refused() {
    let twice = SCENE.to_owned() + "\n[[species]]\nname = \"fish\"\n";
    let error = Scene::parse(&twice, "test.toml").unwrap_err().to_string();
    assert!(error.starts_with("test.toml:19: species[1].name = fish"), "{error}");
}
