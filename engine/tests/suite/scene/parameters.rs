use std::collections::BTreeSet;

use flockwork::{
    Behavior, Combine, ErrorKind, FlowField, Locomotion, Obstacle, OwnTarget, Route, Scatter,
    Scattered, Scene, Species, Start, StartPlace, Topology, Wall, WaypointPath, World,
};

const TEXT: &str = include_str!("../../../../docs/parameters.toml");

fn documented() -> Scene {
    Scene::parse(TEXT, "parameters.toml").unwrap_or_else(|error| panic!("{error}"))
}

/// A line `key = value   # allowed. Meaning.`
struct Entry<'a> {
    line: usize,
    table: &'a str,
    key: &'a str,
    value: &'a str,
    allowed: &'a str,
}

fn entries() -> Vec<Entry<'static>> {
    let mut table = "";
    let mut entries = Vec::new();
    for (line, content) in (1..).zip(TEXT.lines()) {
        if let Some(header) = content.strip_prefix('[') {
            table = header.trim_matches(['[', ']']);
        }
        if content.starts_with('#') {
            continue;
        }
        let Some((assignment, comment)) = content.split_once("   # ") else { continue };
        let (key, value) = assignment.split_once(" = ").unwrap();
        let allowed = comment.split_once(". ").map_or(comment, |(allowed, _)| allowed);
        let allowed = allowed.trim_end_matches('.');
        entries.push(Entry { line, table, key, value, allowed });
    }
    entries
}

struct Range {
    whole: bool,
    each: bool,
    low: f32,
    high: f32,
}

/// Parses `0..1e6 world units`, with `whole` or `each` before and `, or left out` or `; default 0`
/// after it.
fn range(allowed: &str) -> Option<Range> {
    let end = allowed.find([',', ';']).unwrap_or(allowed.len());
    let allowed = &allowed[..end];
    let (whole, allowed) = (allowed.starts_with("whole "), allowed.trim_start_matches("whole "));
    let (each, allowed) = (allowed.starts_with("each "), allowed.trim_start_matches("each "));
    let numbers = allowed.split(' ').next()?;
    let (low, high) = numbers.split_once("..")?;
    Some(Range { whole, each, low: low.parse().ok()?, high: high.parse().ok()? })
}

fn with_value(entry: &Entry<'_>, range: &Range, value: f64) -> String {
    let value = if range.whole { format!("{value:.0}") } else { format!("{:?}", value as f32) };
    let value =
        if range.each { entry.value.split(',').map(|_| &*value).collect() } else { vec![&*value] };
    let value = if range.each { format!("[{}]", value.join(", ")) } else { value.concat() };
    let lines = (1..).zip(TEXT.lines()).map(|(line, content)| {
        if line == entry.line {
            format!("{} = {value}\n", entry.key)
        } else if entry.key == "margin"
            && ["width", "height"].iter().any(|side| content.starts_with(side))
        {
            // A containment margin may be at most half the world, so the world grows.
            content.replace("00.0 ", "000000.0 ") + "\n"
        } else {
            format!("{content}\n")
        }
    });
    lines.collect()
}

fn refused_line(text: &str) -> Option<u32> {
    match Scene::parse(text, "parameters.toml") {
        Err(error) => match error.kind() {
            ErrorKind::OutOfRange { at, .. }
            | ErrorKind::Parse { at, .. }
            | ErrorKind::UnknownName { at, .. } => at.line,
            _ => panic!("{error}"),
        },
        Ok(_) => None,
    }
}

#[test]
fn the_documented_scene_runs() {
    let mut crowd = documented().build().unwrap();
    crowd.run(10).unwrap();
    assert_eq!(crowd.tick(), 10);
    assert_eq!(crowd.len(), 63);
}

#[test]
fn every_behavior_is_documented_once() {
    let documented = documented().species.remove(0).behaviors;
    let names: BTreeSet<&str> = documented.iter().map(Behavior::name).collect();
    assert_eq!(names, Behavior::NAMES.iter().copied().collect());
    assert_eq!(documented.len(), Behavior::NAMES.len(), "each once");
}

const BOUNDED: &str = "topology = \"bounded\"";

#[test]
fn limits_are_accepted_and_values_beyond_them_refused_on_their_line() {
    let mut ranges = 0;
    for entry in &entries() {
        let Some(range) = range(entry.allowed) else { continue };
        ranges += 1;
        let (low, high) = (range.low, range.high);
        let beyond = if range.whole {
            [f64::from(low) - 1.0, f64::from(high) + 1.0]
        } else {
            [low.next_down().into(), high.next_up().into()]
        };
        let what = format!("{}.{}", entry.table, entry.key);
        // A bounded world limits start positions.
        let is_place = entry.table == "species.start.place.circle";
        let world = if is_place { "topology = \"open\"" } else { BOUNDED };
        let with_value = |value| with_value(entry, &range, value).replace(BOUNDED, world);
        for value in [low, high] {
            let refused = refused_line(&with_value(value.into()));
            // A limit may make another value invalid, but is itself accepted.
            assert_ne!(refused, Some(entry.line as u32), "{what} = {value}");
        }
        for value in beyond {
            let refused = refused_line(&with_value(value));
            assert_eq!(refused, Some(entry.line as u32), "{what} = {value}");
        }
    }
    assert!(ranges > 100, "{ranges}");
}

#[test]
fn every_key_of_a_scene_is_documented() {
    let text = everything().to_toml();
    let mut expected = BTreeSet::new();
    paths("", &toml::Value::Table(text.parse().unwrap()), &mut expected);
    let mut present = BTreeSet::new();
    paths("", &toml::Value::Table(TEXT.parse().unwrap()), &mut present);
    // These keys are in comments because they exclude other keys, or because this world is flat.
    let in_comments =
        ["world.mean_neighbors", "world.depth", "world.dimensions", "species.max_climb"];
    present.extend(
        in_comments
            .into_iter()
            .chain(["agents", "start_seed", "non_penetration_per_second"])
            .map(str::to_owned),
    );
    let missing: Vec<&String> = expected.difference(&present).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn the_world_can_be_sized_by_density_instead() {
    let sized = |line: &str| !(line.starts_with("width =") || line.starts_with("height ="));
    let text: Vec<&str> = TEXT.lines().filter(|line| sized(line)).collect();
    let text = text.join("\n").replace("# mean_neighbors", "mean_neighbors");
    // Some agents start outside a bounded world of that size.
    let text = text.replace(BOUNDED, "topology = \"open\"");
    assert_eq!(Scene::parse(&text, "dense.toml").unwrap().world.mean_neighbors, Some(16.0));
    assert!(text.contains("mean_neighbors = 16.0   # 1e-3..1e6. "));
    // The points in this file have two coordinates, so its world is flat.
    assert!(text.contains("# dimensions = 3 "));
    let cube = "world = { mean_neighbors = 16.0, dimensions = 3 }";
    assert_eq!(Scene::parse(cube, "cube.toml").unwrap().world.dimensions, Some(3));
}

#[test]
fn the_number_of_all_agents_can_be_given_instead() {
    assert!(TEXT.contains("# agents = 63   # whole 3..1e9."));
    for (agents, fits) in [(2, false), (3, true), (1_000_000_000, true), (1_000_000_001, false)] {
        let text = TEXT.replace("# agents = 63 ", &format!("agents = {agents} "));
        let scene = Scene::parse(&text, "all.toml");
        assert_eq!(scene.map(|scene| scene.agents_at_start()).ok(), fits.then_some(agents));
    }
}

#[test]
fn scene_and_species_values_are_the_defaults() {
    let scene = documented();
    let default = Scene::default();
    assert_eq!(scene.seed, default.seed);
    assert_eq!(scene.steps_per_second, default.steps_per_second);
    assert_eq!(scene.non_penetration, default.non_penetration);
    let (species, default) = (&scene.species[0], Species::default());
    assert_eq!(species.view_distance, default.view_distance);
    assert_eq!(species.field_of_view, default.field_of_view);
    assert_eq!(species.view_includes_radius, default.view_includes_radius);
    assert_eq!(species.max_speed, default.max_speed);
    assert_eq!(species.max_force, default.max_force);
    assert_eq!(species.mass, default.mass);
    assert_eq!(species.radius, default.radius);
    assert_eq!(species.combine, default.combine);
    assert_eq!(species.locomotion, default.locomotion);
    assert_eq!(species.probabilities.len(), Behavior::NAMES.len());
    for (name, &probability) in &species.probabilities {
        assert_eq!(probability, default.probability_of(name), "{name}");
    }
    for choice in ["torus", "bounded", "open", "prioritized", "weighted_sum", "dithered"] {
        assert!(TEXT.contains(&format!("\"{choice}\"")), "{choice}");
    }
    for choice in ["point_mass", "constant_speed", "three", "sweeping", "fast", "normal", "slow"] {
        assert!(TEXT.contains(&format!("\"{choice}\"")), "{choice}");
    }
}

/// Dotted paths of all keys; list items are not numbered.
fn paths(at: &str, value: &toml::Value, found: &mut BTreeSet<String>) {
    match value {
        toml::Value::Table(table) => {
            for (key, value) in table {
                let path = if at.is_empty() { key.clone() } else { format!("{at}.{key}") };
                paths(&path, value, found);
                found.insert(path);
            }
        }
        toml::Value::Array(items) => items.iter().for_each(|item| paths(at, item, found)),
        _ => {}
    }
}

/// Sets every field by name: a new field does not compile until it is added here; then the test
/// fails until the document has it.
fn everything() -> Scene {
    let places = [
        StartPlace::Circle { center: [1.0, 1.0].into(), radius: 1.0 },
        StartPlace::Box { low: [1.0, 1.0].into(), high: [2.0, 2.0].into() },
        StartPlace::Clusters { count: 1, radius: 1.0 },
    ];
    let locomotion = Locomotion::CarLike { throttle: 1.0, brake: 1.0, steering: 1.0 };
    let species = places.into_iter().zip(["a", "b", "c"]).map(|(place, name)| Species {
        name: name.into(),
        agents: 1,
        view_distance: 1.0,
        field_of_view: 1.0,
        view_includes_radius: true,
        max_speed: 1.0.into(),
        max_force: 1.0.into(),
        mass: 1.0.into(),
        radius: 1.0.into(),
        immovable: true,
        max_turn_rate: Some(1.0),
        max_climb: Some(1.0),
        combine: Combine::Dithered,
        locomotion,
        start: Start { place, heading: Some(1.0), speed: Some(1.0) },
        own_target: Some(OwnTarget::EachOf("a".into())),
        probabilities: Behavior::NAMES.iter().map(|&name| (name.to_owned(), 1.0)).collect(),
        columns: [("hunger".to_owned(), 1.0.into())].into(),
        behaviors: Vec::new(),
    });
    let scattered = Scattered { count: 1, per_thousand_agents: 1.0, size: [1.0, 1.0], gap: 1.0 };
    let (points, closed) = (vec![[0.0, 0.0], [1.0, 1.0]], true);
    Scene {
        name: "everything".into(),
        about: "everything".into(),
        seed: 1,
        start_seed: Some(1),
        steps_per_second: 1.0,
        world: World {
            topology: Topology::Open,
            width: Some(1.0),
            height: Some(1.0),
            depth: Some(1.0),
            mean_neighbors: Some(1.0),
            dimensions: Some(2),
        },
        non_penetration: 1,
        non_penetration_per_second: Some(1.0),
        solid: true,
        heading_samples: Some(1),
        cell_size: Some(1.0),
        agents: Some(1),
        points: [("home".to_owned(), [1.0, 1.0].into())].into(),
        obstacles: vec![Obstacle::new([1.0, 1.0], 1.0)].into(),
        walls: vec![Wall { closed, ..Wall::new(points.clone()).two_sided() }].into(),
        paths: vec![WaypointPath { closed, ..WaypointPath::new("round", points) }].into(),
        flow: Some(FlowField { columns: 1, degrees: vec![1.0] }.into()),
        flows: [("wind".to_owned(), FlowField { columns: 1, degrees: vec![1.0] }.into())].into(),
        routes: vec![Route::new("out", [1.0, 1.0]).radius(1.0).cell(0.5)].into(),
        scatter: Some(Scatter { obstacles: Some(scattered.clone()), walls: Some(scattered) }),
        species: species.collect(),
    }
}
