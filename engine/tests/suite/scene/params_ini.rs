use std::fmt::Write as _;

use flockwork::behaviors::FieldValue;
use flockwork::{Behavior, Scene, Species, SpeciesValue, Topology};
use proptest::prelude::*;

const BOOK: [(&str, &str); 41] = [
    ("NumAgents", "300"),
    ("NumObstacles", "7"),
    ("MinObstacleRadius", "10"),
    ("MaxObstacleRadius", "30"),
    ("NumCellsX", "7"),
    ("NumCellsY", "7"),
    ("NumSamplesForSmoothing", "10"),
    ("SteeringForceTweaker", "200.0"),
    ("MaxSteeringForce", "2.0"),
    ("MaxSpeed", "150.0"),
    ("VehicleMass", "1.0"),
    ("VehicleScale", "3.0"),
    ("SeparationWeight", "1.0"),
    ("AlignmentWeight", "1.0"),
    ("CohesionWeight", "2.0"),
    ("ObstacleAvoidanceWeight", "10.0"),
    ("WallAvoidanceWeight", "10.0"),
    ("WanderWeight", "1.0"),
    ("SeekWeight", "1.0"),
    ("FleeWeight", "1.0"),
    ("ArriveWeight", "1.0"),
    ("PursuitWeight", "1.0"),
    ("OffsetPursuitWeight", "1.0"),
    ("InterposeWeight", "1.0"),
    ("HideWeight", "1.0"),
    ("EvadeWeight", "0.01"),
    ("FollowPathWeight", "0.05"),
    ("ViewDistance", "50.0"),
    ("MinDetectionBoxLength", "40.0"),
    ("WallDetectionFeelerLength", "40.0"),
    ("prWallAvoidance", "0.5"),
    ("prObstacleAvoidance", "0.5"),
    ("prSeparation", "0.2"),
    ("prAlignment", "0.3"),
    ("prCohesion", "0.6"),
    ("prWander", "0.8"),
    ("prSeek", "0.8"),
    ("prFlee", "0.6"),
    ("prEvade", "1.0"),
    ("prHide", "0.8"),
    ("prArrive", "0.5"),
];

fn keyed(separator: &str, end: &str) -> String {
    BOOK.iter().map(|(key, value)| format!("{key}{separator}{value}{end}")).collect()
}

fn positional(separator: &str) -> String {
    BOOK.map(|(_, value)| value).join(separator)
}

fn scene(text: &str) -> Scene {
    Scene::from_params_ini(text, "params.ini").unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn message(text: &str) -> String {
    Scene::from_params_ini(text, "params.ini").unwrap_err().to_string()
}

fn number(species: &Species, behavior: &str, field: &str) -> f32 {
    let found = species.behaviors.iter().find(|one| one.name() == behavior);
    let behavior = found.unwrap_or_else(|| panic!("no {behavior}"));
    let field = behavior.fields().into_iter().find(|one| one.name == field).unwrap();
    match field.value {
        FieldValue::Number(value) => value,
        other => panic!("{other:?}"),
    }
}

#[test]
fn every_way_to_write_the_books_file_gives_the_same_scene() {
    let book = scene("");
    let commented =
        BOOK.iter().fold(String::from("\u{feff}// The book\r\n\r\n"), |mut text, line| {
            let (key, value) = line;
            write!(text, "# {key}\r\n\t{key}\t=  {value} // {key} 1\r\n ; {key} 2\r\n").unwrap();
            text
        });
    // The book's own file uses this name for the force and contains this typo.
    let as_printed = keyed("    ", "\n")
        .replace("MaxSteeringForce", "SteeringForce")
        .replace("prWallAvoidance", "float prWallAvoidance");
    let mut backwards: Vec<String> =
        BOOK.iter().map(|(key, value)| format!("{key} {value}\n")).collect();
    backwards.reverse();
    for text in [
        keyed(" ", "\n"),
        keyed("=", "\n"),
        keyed("\t= ", "\r\n"),
        positional("\n"),
        positional(" "),
        positional(" // a number\r\n\r\n# the next\r\n"),
        commented,
        as_printed,
        backwards.concat(),
    ] {
        assert_eq!(scene(&text), book, "{text}");
    }
}

#[test]
fn the_books_values_are_the_big_shoal() {
    let shoal = scene("");
    assert_eq!(shoal.name, "big-shoal");
    assert_eq!(shoal.agents_at_start(), 300);
    assert_eq!(shoal.heading_samples, Some(10));
    assert_eq!(shoal.world.topology, Topology::Torus);
    let obstacles = shoal.scatter.as_ref().unwrap().obstacles.as_ref().unwrap();
    assert_eq!((obstacles.count, obstacles.size), (7, [10.0, 30.0]));
    assert!(shoal.walls.is_empty());
    let [fish, shark] = &shoal.species[..] else { panic!("fish and a shark") };
    assert_eq!((fish.agents, shark.agents), (299, 1));
    let names =
        |species: &Species| -> Vec<&str> { species.behaviors.iter().map(Behavior::name).collect() };
    assert_eq!(
        names(fish),
        [
            "wall_avoidance",
            "obstacle_avoidance",
            "evade",
            "separation",
            "alignment",
            "cohesion",
            "wander"
        ]
    );
    assert_eq!(names(shark), ["wall_avoidance", "obstacle_avoidance", "wander"]);
    assert_eq!(
        (shark.max_speed, shark.radius),
        (SpeciesValue::Shared(70.0), SpeciesValue::Shared(10.0))
    );
    for (behavior, weight) in [
        ("wall_avoidance", 2_000.0),
        ("obstacle_avoidance", 2_000.0),
        ("evade", 2.0),
        ("separation", 200.0),
        ("alignment", 200.0),
        ("cohesion", 400.0),
        ("wander", 200.0),
    ] {
        assert_eq!(number(fish, behavior, "weight"), weight, "{behavior}");
    }
    // The engine's defaults are the book's values.
    let default = Species::default();
    assert_eq!(fish.max_speed, default.max_speed);
    assert_eq!(fish.max_force, default.max_force);
    assert_eq!(fish.mass, default.mass);
    assert_eq!(fish.radius, default.radius);
    assert_eq!(fish.view_distance, default.view_distance);
    for name in Behavior::NAMES {
        assert_eq!(fish.probability_of(name), default.probability_of(name), "{name}");
    }
    let mut crowd = shoal.build().unwrap();
    crowd.run(60).unwrap();
    assert_eq!(crowd.len(), 300);
}

fn unlike_the_book() -> Species {
    let mut species = Species {
        radius: 7.0.into(),
        field_of_view: 270.0,
        max_turn_rate: Some(2.0),
        ..Species::new("other", 30)
    };
    species = species.view_distance(20.0).max_speed([5.0, 6.0]).max_force(1.0).mass([2.0, 3.0]);
    species.probabilities.insert("wander".into(), 0.9);
    species.behaviors = Behavior::all();
    for behavior in &mut species.behaviors {
        let mut fields = behavior.fields();
        for field in &mut fields {
            if let FieldValue::Number(value) = &mut field.value {
                *value = (field.min + 0.25).min(field.max);
            }
        }
        behavior.set_fields(fields);
    }
    species
}

#[test]
fn a_species_takes_the_books_values_and_keeps_the_rest() {
    let other = unlike_the_book();
    let book = other.clone().with_book_values();
    let fish = &scene("").species[0];
    assert_eq!(book.max_speed, fish.max_speed);
    assert_eq!(book.max_force, fish.max_force);
    assert_eq!(book.mass, fish.mass);
    assert_eq!(book.view_distance, fish.view_distance);

    let weights = BOOK.iter().filter_map(|(key, value)| Some((key.strip_suffix("Weight")?, value)));
    let weights = weights.map(|(key, value)| {
        let snake = key.chars().fold(String::new(), |name, letter| match letter {
            'A'..='Z' if !name.is_empty() => format!("{name}_{}", letter.to_ascii_lowercase()),
            _ => format!("{name}{}", letter.to_ascii_lowercase()),
        });
        let name = if snake == "follow_path" { "path_following".into() } else { snake };
        (name, "weight", 200.0 * value.parse::<f32>().unwrap())
    });
    let lengths = [("obstacle_avoidance", "box_length"), ("wall_avoidance", "feeler_length")];
    let lengths = lengths.map(|(behavior, field)| (behavior.to_owned(), field, 40.0));
    let set: Vec<(String, &str, f32)> = weights.chain(lengths).collect();
    assert_eq!(set.len(), 17);
    for (behavior, field, value) in &set {
        assert_eq!(number(&book, behavior, field), *value, "{behavior}.{field}");
    }

    // Once these values are restored, nothing else differs.
    let mut back = Species {
        max_speed: other.max_speed,
        max_force: other.max_force,
        mass: other.mass,
        view_distance: other.view_distance,
        ..book
    };
    for behavior in &mut back.behaviors {
        let name = behavior.name();
        let mut fields = behavior.fields();
        for field in &mut fields {
            if let FieldValue::Number(value) = &mut field.value
                && set.iter().any(|(of, what, _)| *of == name && *what == field.name)
            {
                *value = number(&other, name, field.name);
            }
        }
        behavior.set_fields(fields);
    }
    assert_eq!(back, other);
}

#[test]
fn the_big_shoals_fish_have_the_books_values() {
    let tuned = scene("SteeringForceTweaker 3\nMaxSpeed 9\nWanderWeight 4\nViewDistance 8\n");
    let [tuned, fish] = [tuned, scene("")].map(|shoal| shoal.species[0].clone());
    assert_ne!(tuned, fish);
    assert_eq!(tuned.with_book_values(), fish);
    assert_eq!(fish.clone().with_book_values(), fish);
}

#[test]
fn every_key_sets_its_parameter() {
    let text: String = BOOK
        .iter()
        .map(|(key, _)| match *key {
            "NumAgents" => "NumAgents 21\n".to_owned(),
            "NumObstacles" => "NumObstacles 3\n".to_owned(),
            "MinObstacleRadius" => "MinObstacleRadius 4.5\n".to_owned(),
            "MaxObstacleRadius" => "MaxObstacleRadius 5.5\n".to_owned(),
            "NumSamplesForSmoothing" => "NumSamplesForSmoothing 4\n".to_owned(),
            "SteeringForceTweaker" => "SteeringForceTweaker 10\n".to_owned(),
            "MaxSteeringForce" => "MaxSteeringForce 7\n".to_owned(),
            "MaxSpeed" => "MaxSpeed 99\n".to_owned(),
            "VehicleMass" => "VehicleMass 2.5\n".to_owned(),
            "VehicleScale" => "VehicleScale 6\n".to_owned(),
            "ViewDistance" => "ViewDistance 33\n".to_owned(),
            "MinDetectionBoxLength" => "MinDetectionBoxLength 41\n".to_owned(),
            "WallDetectionFeelerLength" => "WallDetectionFeelerLength 42\n".to_owned(),
            _ => String::new(),
        })
        .collect();
    let weights = ["WallAvoidance", "ObstacleAvoidance", "Evade", "Separation", "Alignment"];
    let weights = weights.iter().chain(&["Cohesion", "Wander"]);
    let weights: String = (1..)
        .zip(weights)
        .fold(String::new(), |text, (k, name)| format!("{text}{name}Weight {k}\npr{name} 0.{k}\n"));
    let shoal = scene(&(text + &weights));
    let [fish, shark] = &shoal.species[..] else { panic!("fish and a shark") };
    assert_eq!((fish.agents, shark.agents), (20, 1));
    let obstacles = shoal.scatter.as_ref().unwrap().obstacles.as_ref().unwrap();
    assert_eq!((obstacles.count, obstacles.size), (3, [4.5, 5.5]));
    assert_eq!(shoal.heading_samples, Some(4));
    assert_eq!((fish.max_speed, shark.max_speed), (99.0.into(), 70.0.into()));
    assert_eq!((fish.radius, shark.radius), (6.0.into(), 10.0.into()));
    for species in [fish, shark] {
        assert_eq!(species.max_force, 70.0.into());
        assert_eq!(species.mass, 2.5.into());
        assert_eq!(species.view_distance, 33.0);
        assert_eq!(number(species, "obstacle_avoidance", "box_length"), 41.0);
        assert_eq!(number(species, "wall_avoidance", "feeler_length"), 42.0);
    }
    for (k, behavior) in (1_u8..).zip(&fish.behaviors) {
        assert_eq!(behavior.weight(), f32::from(k) * 10.0, "{}", behavior.name());
        let probability = fish.probability_of(behavior.name());
        assert!((probability - f32::from(k) / 10.0).abs() < 1.0e-6, "{}", behavior.name());
    }
    assert_eq!(number(shark, "wander", "weight"), 70.0);
    shoal.build().unwrap();
}

#[test]
fn probabilities_of_behaviors_that_the_shoal_lacks_are_kept_and_weights_are_not() {
    let shoal = scene("prSeek 0.11\nprFlee 0.12\nprHide 0.13\nprArrive 0.14\n");
    for (name, probability) in [("seek", 0.11), ("flee", 0.12), ("hide", 0.13), ("arrive", 0.14)] {
        assert_eq!(shoal.species[0].probability_of(name), probability, "{name}");
    }
    let unused = ["Seek", "Flee", "Arrive", "Pursuit", "OffsetPursuit", "Interpose", "Hide"];
    for name in unused.into_iter().chain(["FollowPath"]) {
        assert_eq!(scene(&format!("{name}Weight 9")), scene(""), "{name}");
        assert!(message(&format!("{name}Weight -1")).contains("must be"), "{name}");
    }
    assert_eq!(scene("NumCellsX 50\nNumCellsY 1"), scene(""));
}

#[test]
fn mistakes_are_refused_with_line_key_value_and_range() {
    for (text, words) in [
        ("\nMaxSpeeed 1", "params.ini:2: unknown parameter `MaxSpeeed`; did you mean `MaxSpeed`?"),
        ("maxspeed 1", "did you mean `MaxSpeed`?"),
        ("[shoal]", "params.ini:1: unknown parameter `[shoal]`"),
        ("= 3", "unknown parameter ``"),
        ("MaxSpeed", "MaxSpeed = : must be a number from 0.001 to 36000 units/s"),
        ("MaxSpeed =", "must be a number"),
        ("MaxSpeed fast", "params.ini:1: MaxSpeed = fast: must be a number from"),
        ("MaxSpeed 1,5", "MaxSpeed = 1,5: must be"),
        ("MaxSpeed 1 2", "MaxSpeed = 1 2: must be"),
        ("MaxSpeed = = 2", "MaxSpeed = = 2: must be"),
        ("MaxSpeed 0", "MaxSpeed = 0: must be"),
        ("MaxSpeed nan", "MaxSpeed = nan: must be"),
        ("MaxSpeed inf", "MaxSpeed = inf: must be"),
        ("MaxSpeed 1e400", "MaxSpeed = 1e400: must be"),
        ("NumAgents 0", "NumAgents = 0: must be a whole number from 1 to 1000000000"),
        ("NumAgents 2.5", "NumAgents = 2.5: must be a whole number"),
        ("NumAgents -3", "must be a whole number"),
        ("# one\n\nNumObstacles many", "params.ini:3: NumObstacles = many"),
        ("NumCellsX 0", "NumCellsX = 0: must be a whole number from 1"),
        ("NumCellsY 1.5", "NumCellsY = 1.5: must be a whole number from 1"),
        ("NumSamplesForSmoothing 101", "a whole number from 1 to 100"),
        ("ViewDistance 0", "a number from 0.001 to 1000000 world units"),
        ("prWander 1.5", "prWander = 1.5: must be a number from 0.001 to 1"),
        ("SeparationWeight -1", "SeparationWeight = -1: must be a number from 0 to 1000"),
        ("MaxSpeed 1\n\nMaxSpeed 1", "params.ini:3: MaxSpeed = 1: must be given only once; it is"),
        ("SteeringForce 1\nMaxSteeringForce 1", "must be given only once; it is"),
        // Regression: errors called the printed key by the name of the book's code.
        ("SteeringForce -1", "params.ini:1: SteeringForce = -1: must be a number from 0"),
        ("SteeringForc 2", "unknown parameter `SteeringForc`; did you mean `SteeringForce`?"),
        ("SteeringForce 1\nSteeringForce 2", "SteeringForce = 2: must be given only once; it is"),
        (
            "MinObstacleRadius 9\nMaxObstacleRadius 8",
            "params.ini:2: MaxObstacleRadius = 8: must be at least 9, the MinObstacleRadius",
        ),
        ("\nMinObstacleRadius 31", "params.ini:2: MinObstacleRadius = 31: must be at most 30"),
        ("MaxObstacleRadius 9", "params.ini:1: MaxObstacleRadius = 9: must be at least 10"),
        ("1 2\n3", "params.ini:2: numbers without keys = 3: must be 41 numbers"),
        (
            &format!("{}\n5", positional("\n")),
            "params.ini:42: numbers without keys = 42: must be 41 numbers",
        ),
        (&positional("\n").replacen('7', "x", 1), "params.ini:2: NumObstacles = x: must be"),
        ("NumAgents 3\n7", "params.ini:2: unknown parameter `7`"),
    ] {
        let message = message(text);
        assert!(message.contains(words), "{text:?}: {message}");
        assert!(message.starts_with("params.ini:"), "{text:?}: {message}");
    }
}

#[test]
fn every_key_accepts_its_limits_and_nothing_beyond() {
    for (key, _) in BOOK {
        let refused = message(&format!("{key} -1"));
        let (_, range) = refused.rsplit_once("from ").unwrap();
        let mut words = range.split_whitespace();
        let (low, high) = (words.next().unwrap(), words.nth(1).unwrap());
        let high: f64 = high.parse().unwrap();
        for accepted in [low.to_owned(), high.to_string()] {
            let text = match (key, accepted.as_str()) {
                ("MinObstacleRadius", _) => format!("{key} {accepted}\nMaxObstacleRadius {high}"),
                ("MaxObstacleRadius", _) => format!("MinObstacleRadius 0\n{key} {accepted}"),
                _ => format!("{key} {accepted}"),
            };
            // Products with the largest factor stay within the engine's ranges.
            for tweaker in ["", "\nSteeringForceTweaker 1000"] {
                let tweaker = if key == "SteeringForceTweaker" { "" } else { tweaker };
                scene(&format!("{text}{tweaker}")).check().unwrap();
            }
        }
        let beyond = high.mul_add(1.001, 1.0);
        assert!(message(&format!("{key} {beyond}")).contains("must be"), "{key}");
    }
}

#[test]
fn files_are_recognized_by_their_extension() {
    let path = std::env::temp_dir().join(format!("flockwork-{}.ini", std::process::id()));
    std::fs::write(&path, "NumAgents 5\n").unwrap();
    let name = path.to_str().unwrap();
    assert_eq!(Scene::load(&path).unwrap(), scene("NumAgents 5"));
    assert_eq!(Scene::find(name).unwrap(), scene("NumAgents 5"));
    std::fs::write(&path, "NumAgent 5\n").unwrap();
    let refused = Scene::find(name).unwrap_err().to_string();
    assert!(refused.starts_with(&format!("{name}:1: unknown parameter")), "{refused}");
    std::fs::remove_file(&path).unwrap();
    assert_eq!(Scene::find("nowhere.ini").unwrap_err().code(), "file");
}

#[test]
fn the_scene_can_be_written_as_toml() {
    let shoal = scene("NumAgents 50");
    assert_eq!(Scene::parse(&shoal.to_toml(), "shoal.toml").unwrap(), shoal);
}

fn read(text: &str) {
    match Scene::from_params_ini(text, "fuzz.ini") {
        Ok(scene) => scene.check().unwrap(),
        Err(error) => {
            let message = error.to_string();
            let line = message.strip_prefix("fuzz.ini:").and_then(|rest| rest.split(':').next());
            let line: usize = line.unwrap().parse().unwrap_or_else(|_| panic!("{message}"));
            assert!((1..=text.split('\n').count()).contains(&line), "{message}");
        }
    }
}

fn some_number() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<f64>().prop_map(|value| value.to_string()),
        (-2.0e3..2.0e3).prop_map(|value: f64| value.to_string()),
        (0_u32..400).prop_map(|value| value.to_string()),
        "[-+.0-9eE]{0,8}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn any_text_is_read_or_refused(text in "\\PC{0,40}(\n\\PC{0,40}){0,4}") {
        read(&text);
    }

    #[test]
    fn any_keys_with_any_numbers_are_read_or_refused(
        lines in prop::collection::vec((0_usize..41, "[ =\t]{1,3}", some_number()), 0..8),
    ) {
        let line = |(key, separator, value): &(usize, String, String)| {
            format!("{}{separator}{value}\n", BOOK[*key].0)
        };
        read(&lines.iter().map(line).collect::<String>());
    }

    #[test]
    fn any_41_numbers_are_read_or_refused(
        changes in prop::collection::vec((0_usize..41, some_number()), 0..4),
        separator in "[ \t\n]",
    ) {
        let mut values = BOOK.map(|(_, value)| value.to_owned());
        for (at, value) in changes {
            values[at] = value;
        }
        read(&values.join(&separator));
    }
}
