use flockwork::behaviors::{Cohesion, Seek, Wander};
use flockwork::{ErrorKind, Scene, Species, Target, World};
use proptest::prelude::*;

use crate::common::arbitrary::scene;

const TEXTS: [&str; 4] = [
    include_str!("../../../scenes/flock.toml"),
    include_str!("../../../scenes/stress.toml"),
    include_str!("../../../scenes/birds.toml"),
    include_str!("../../../scenes/flock-rules.toml"),
];

fn read(text: &str) {
    match Scene::parse(text, "fuzz.toml") {
        Ok(scene) => {
            scene.check().unwrap();
            let again = Scene::parse(&scene.to_toml(), "again.toml").unwrap();
            assert_eq!(again, scene);
        }
        Err(error) => {
            let message = error.to_string();
            assert!(message.starts_with("fuzz.toml"), "{message}");
            let rest = &message["fuzz.toml:".len()..];
            let line = rest.split(':').next().and_then(|line| line.parse::<usize>().ok());
            if let Some(line) = line {
                assert!((1..=text.split('\n').count()).contains(&line), "{message}");
            } else {
                assert!(rest.starts_with(' ') && rest.len() > 5, "{message}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_500))]

    #[test]
    fn scene_files_with_one_piece_replaced_never_panic(
        which in 0_usize..4,
        (at, length) in (any::<prop::sample::Index>(), 0_usize..12),
        insert in prop_oneof![
            "[ -~\n]{0,6}",
            "\\PC{0,3}",
            Just("'''".to_owned()),
            Just("[[species]]\n".to_owned()),
            Just("\u{feff}".to_owned()),
            Just("\r\n".to_owned()),
            Just("\0".to_owned()),
            Just("1e400".to_owned()),
            Just("99999999999999999999".to_owned()),
            Just("nan".to_owned()),
            Just("{".repeat(300)),
            Just("[".repeat(300)),
        ],
    ) {
        let text: Vec<char> = TEXTS[which].chars().collect();
        let at = at.index(text.len());
        let end = (at + length).min(text.len());
        let changed: String = text[..at].iter().copied()
            .chain(insert.chars())
            .chain(text[end..].iter().copied())
            .collect();
        read(&changed);
    }

    #[test]
    fn lines_of_scene_files_in_any_order_never_panic(
        which in 0_usize..4,
        order in prop::collection::vec(any::<prop::sample::Index>(), 0..30),
    ) {
        let lines: Vec<&str> = TEXTS[which].lines().collect();
        let text: Vec<&str> = order.iter().map(|index| lines[index.index(lines.len())]).collect();
        read(&text.join("\n"));
    }
}

#[test]
fn odd_texts_are_read_or_refused() {
    for text in [
        "",
        "\n",
        "\u{feff}",
        "=",
        "[",
        "]]",
        "a=",
        "\"",
        "'''",
        "é = 1",
        "\0",
        "world = 1",
        "species = 3",
        "species = [3]",
        "[[species]]\n[[species]]",
        "[[world]]",
        "name = 5",
        "seed = -1",
        "seed = 1e3",
        "\"a`b\" = 1",
        "[\"a`b\"]\nx = 1",
        "species.x = 1",
        "[[species]]\nbehaviors = [{}]",
        "[[species]]\nbehaviors = [{ seek = {} }]",
        "[[species]]\nbehaviors = [{ seek = { target = [1.0] } }]",
        "[[species]]\nbehaviors = [{ separation = {}, cohesion = {} }]",
        "[[species]]\nbehaviors = [\"separation\"]",
        "[[species]]\nmax_speed = [1.0, 2.0, 3.0]",
        "[[species]]\nmax_speed = \"é\"",
        "name = \"é\"\n\n[[species]]\nmax_speed = -1.0 # é",
    ] {
        read(text);
    }
}

fn line(text: &str) -> Option<u32> {
    let error = Scene::parse(text, "x.toml").unwrap_err();
    match error.kind() {
        ErrorKind::OutOfRange { at, .. }
        | ErrorKind::UnknownName { at, .. }
        | ErrorKind::Parse { at, .. } => at.line,
        _ => panic!("{error}"),
    }
}

#[test]
fn the_line_is_right_in_every_layout() {
    let head = "[world]\nwidth = 10.0\nheight = 10.0\n\n";
    let cases = [
        // Covers tables, inline tables, dotted keys, multi-line arrays, CRLF, and a second species.
        ("[[species]]\nname = \"a\"\n\n[[species]]\nname = \"b\"\nmass = 0.0\n", 10),
        ("[[species]]\nmax_speed = [\n  1.0,\n  0.5,\n]\n", 8),
        ("[[species]]\nbehaviors = [\n  { seek = { target = [1.0, 1e9] } },\n]\n", 7),
        (
            "[[species]]\nbehaviors = [\n  { separation = {} },\n  { wander = { radius = -1.0 } },\n]\n",
            8,
        ),
        ("[[species]]\n\n[[species.behaviors]]\n[species.behaviors.wander]\nradius = 0.0\n", 9),
        ("[[species]]\nmass = 1.0\n\n\nview_distnce = 3.0\n", 9),
        ("[[species]]\nbehaviors = [\n  { wnader = {} },\n]\n", 7),
        ("[[species]]\nbehaviors = [\n  { wander = { raduis = 1.0 } },\n]\n", 7),
        (
            "[[species]]\nbehaviors = [\n  { arrive = { target = [0, 0], deceleration = \"quick\" } },\n]\n",
            7,
        ),
        ("[[species]]\nagents = 1\nagents = 2\n", 7),
        ("[[species]]\nname = \"a\n", 6),
    ];
    for (tail, expected) in cases {
        let text = format!("{head}{tail}");
        assert_eq!(line(&text), Some(expected), "{text}");
        assert_eq!(line(&text.replace('\n', "\r\n")), Some(expected), "with CRLF: {text}");
        let commented = text.replacen("[world]", "# größer als früher 🐟\n[world]", 1);
        assert_eq!(line(&commented), Some(expected + 1), "after a comment: {text}");
    }
}

/// Regression: "wanted exactly 1 element" and "floating-point number overflowed" named no field,
/// and types appeared under their Rust names.
#[test]
fn a_value_of_another_kind_names_its_field_its_text_and_what_is_allowed() {
    let head = "[world]\nwidth = 10.0\nheight = 10.0\n\n[[species]]\n";
    let one = "a table with exactly one entry";
    let whole = "a whole number from 0 to 1000000000";
    for (tail, line, field, allowed) in [
        ("behaviors = [{}]", 6, "behaviors[0] = {}", one),
        (
            "behaviors = [\n  { seek = {}, flee = {} },\n]",
            7,
            "behaviors[0] = { seek = {}, flee = {} }",
            one,
        ),
        ("behaviors = [\"separation\"]", 6, "behaviors[0] = \"separation\"", one),
        ("behaviors = [3]", 6, "behaviors[0] = 3", "a string or a table"),
        ("start.place = {}", 6, "start.place = {}", one),
        ("max_speed = [1.0,\n  1e999]", 7, "max_speed[1] = 1e999", "a number within ±1.8e308"),
        ("[species.start]\nheading = -1e999", 7, "start.heading = -1e999", "a number within ±"),
        ("agents = -3", 6, "agents = -3", whole),
        ("agents = 1.5", 6, "agents = 1.5", whole),
        ("name = 3", 6, "name = 3", "a string"),
        (
            "behaviors = [{ wander = { radius = \"x\" } }]",
            6,
            "behaviors[0].wander.radius = \"x\"",
            "a number",
        ),
        ("max_speed = \"fast\"", 6, "max_speed = \"fast\"", "a number, or a range [from, to]"),
    ] {
        let error = Scene::parse(&format!("{head}{tail}\n"), "x.toml").unwrap_err();
        let expected = format!("x.toml:{line}: species[0].{field}: must be {allowed}");
        assert!(error.to_string().starts_with(&expected), "{error}\nexpected {expected}");
        assert!(matches!(error.kind(), ErrorKind::Parse { .. }), "{error:?}");
    }
}

fn message(text: &str) -> String {
    Scene::parse(text, "x.toml").unwrap_err().to_string()
}

/// Regression: messages about omitted fields were about values that nobody had written, such as
/// `world = {}`, `paths[0].points = 0 points` and "unknown path ``", or named no allowed values. A
/// path without a name was even accepted.
#[test]
fn a_missing_field_is_called_missing_and_what_it_must_hold_is_said() {
    let size = "either width and height (and depth), or mean_neighbors (and dimensions)";
    let world = format!("x.toml: world is missing, so it is {{}}: must be {size}");
    assert_eq!(message("[[species]]\nagents = 3\n"), world);
    let head = "[world]\nwidth = 100.0\nheight = 100.0\n\n";
    for (tail, line, expected) in [
        ("[[paths]]\npoints = [[1, 2], [3, 4]]\n", 5, "paths[0].name is missing: must be a string"),
        (
            "[[paths]]\nname = 'a'\n",
            5,
            "paths[0].points is missing, so it is 0 points: must be at least 2 points",
        ),
        (
            "[[walls]]\nclosed = true\n",
            5,
            "walls[0].points is missing, so it is 0 points: must be at least 2 points",
        ),
        (
            "[flow]\ndegrees = [1]\n",
            5,
            "flow.columns is missing, so it is 0.0: must be from 1 to 4096",
        ),
        (
            "[flow]\ncolumns = 2\n",
            5,
            "flow.degrees is missing, so it is 0 directions: must be one or more whole rows of 2",
        ),
        ("[[routes]]\ngoal = [1, 2]\n", 5, "routes[0].name is missing: must be a string"),
        (
            "[[routes]]\nname = 'out'\n",
            5,
            "routes[0].goal is missing: must be a point [x, y], the name of a point, { line = { a, b \
             } }, { box = { low, high } } or a list of these",
        ),
        ("[[obstacles]]\ncenter = [1, 2]\n", 5, "obstacles[0].radius is missing: must be a number"),
        (
            "[[species]]\nstart.place.circle = { radius = 1 }\n",
            6,
            "species[0].start.place.circle.center is missing: must be two or three numbers",
        ),
        (
            "[[species]]\nbehaviors = [\n  { path_following = {} },\n]\n",
            7,
            "species[0].behaviors[0].path_following.path is missing, so it is unset: must be the \
             name of one of the scene's paths",
        ),
        (
            "[[species]]\nbehaviors = [\n  { seek = {} },\n]\n",
            7,
            "species[0].behaviors[0].seek.target is missing, so it is unset: must be a point [x, y]",
        ),
    ] {
        let (error, expected) =
            (message(&format!("{head}{tail}")), format!("x.toml:{line}: {expected}"));
        assert!(error.starts_with(&expected), "{error}\nexpected {expected}");
    }
    // Not missing, although a phrase instead of a path names the value.
    let text = format!("{head}[[species]]\ncolumns = {{ \"\" = 1 }}\n");
    assert!(message(&text).starts_with("x.toml: a name in columns = \"\": must be"), "{text}");
}

/// Regression: whole numbers were allowed up to the largest of their type, whatever the field.
#[test]
fn a_whole_number_outside_its_type_names_the_range_of_its_field() {
    let world = "[world]\nwidth = 100.0\nheight = 100.0\n";
    for (tail, expected) in [
        (
            "[[species]]\nagents = -30\n",
            "species[0].agents = -30: must be a whole number from 0 to 1000000000",
        ),
        (
            "[[species]]\nagents = 1.5\n",
            "species[0].agents = 1.5: must be a whole number from 0 to 1000000000",
        ),
        ("[flow]\ncolumns = -2\n", "flow.columns = -2: must be a whole number from 1 to 4096"),
        (
            "[scatter.walls]\ncount = -2\n",
            "scatter.walls.count = -2: must be a whole number from 0 to 1000000",
        ),
    ] {
        let error = message(&format!("{world}{tail}"));
        assert!(error.ends_with(expected), "{error}\nexpected {expected}");
    }
    for (top, expected) in [
        ("agents = -30\n", "agents = -30: must be a whole number from 0 to 1000000000"),
        ("non_penetration = -3\n", "non_penetration = -3: must be a whole number from 0 to 64"),
        ("seed = -3\n", "seed = -3: must be a whole number from 0 to 18446744073709551615"),
    ] {
        let error = message(&format!("{top}{world}[[species]]\n"));
        assert_eq!(error, format!("x.toml:1: {expected}"));
    }
}

/// Regression: neither the field of an unknown choice nor the table of an unknown field was named.
#[test]
fn an_unknown_name_comes_with_the_field_that_holds_it() {
    let head = "topology = 'x'\n[world]\nwidth = 10.0\nheight = 10.0\n\n[[species]]\n";
    assert!(message(head).starts_with("x.toml:1: unknown field `topology` (known: name,"));
    let head = head.replacen("topology = 'x'", "", 1);
    for (tail, field, expected) in [
        ("combine = 'prioritised'", "combine", "name `prioritised`; did you mean `prioritized`?"),
        ("locomotion = 'cra_like'", "locomotion", "name `cra_like`; did you mean `car_like`?"),
        ("start.place = 'here'", "start.place", "name `here` (known: anywhere, circle, "),
        ("start.place.cicle.radius = 1", "start.place", "name `cicle`; did you mean `circle`?"),
        (
            "behaviors = [{ arrive = { target = [1, 1], deceleration = 'solw' } }]",
            "behaviors[0].arrive.deceleration",
            "name `solw`; did you mean `slow`?",
        ),
        ("behaviors = [{ wnader = {} }]", "behaviors[0]", "name `wnader`; did you mean `wander`?"),
        (
            "behaviors = [{ wander = { raduis = 1 } }]",
            "behaviors[0].wander",
            "field `raduis`; did you mean `radius`?",
        ),
        (
            "behaviors = [{ cohesion = { none = ['distanze'] } }]",
            "behaviors[0].cohesion.none",
            "field `distanze`; did you mean `distance`?",
        ),
        (
            "behaviors = [{ cohesion = { species = ['agnet'] } }]",
            "behaviors[0].cohesion.species",
            "species `agnet`; did you mean `agent`?",
        ),
    ] {
        let error = message(&format!("{head}{tail}\n"));
        let expected = format!("x.toml:7: species[0].{field}: unknown {expected}");
        assert!(error.starts_with(&expected), "{error}\nexpected {expected}");
    }
}

/// Regression: the line was unknown, because only building the simulation found it.
#[test]
fn a_crowded_start_area_is_refused_with_its_line() {
    let text = "solid = true\n[world]\nwidth = 100.0\nheight = 100.0\n\n[[obstacles]]\n\
                center = [50, 50]\nradius = 80.0\n\n[[species]]\nagents = 3\nradius = 4.0\n";
    let room = "must be an area with room for agent #0.0 of radius 4";
    let anywhere =
        format!("x.toml:10: species[0].start.place is missing, so it is anywhere: {room}");
    assert!(message(text).starts_with(&anywhere), "{}", message(text));
    let text = format!("{text}[species.start.place.circle]\ncenter = [50, 50]\nradius = 9\n");
    let crowded = format!("x.toml:13: species[0].start.place = a crowded area: {room}");
    assert!(message(&text).starts_with(&crowded), "{}", message(&text));
}

#[test]
fn a_value_out_of_range_by_default_names_the_table_that_lacks_it() {
    // The default speed is too fast for such a small torus.
    let text = "[world]\nwidth = 1.0\nheight = 1.0\n\n[[species]]\nname = \"a\"\n";
    let error = Scene::parse(text, "x.toml").unwrap_err();
    assert!(error.to_string().contains("species[0].max_speed"), "{error}");
    assert!(matches!(line(text), Some(5 | 6)), "{error}");
}

#[test]
fn a_scene_with_any_seed_can_be_written_and_read() {
    for seed in [0, 1, i64::MAX as u64, i64::MAX as u64 + 1, u64::MAX] {
        let scene = Scene::new(World::torus(10.0, 10.0)).seed(seed);
        let text = std::panic::catch_unwind(|| scene.to_toml());
        let text = text.unwrap_or_else(|_| panic!("seed {seed} cannot be written"));
        assert_eq!(Scene::parse(&text, "x.toml").unwrap(), scene, "{text}");
    }
}

#[test]
fn names_with_odd_characters_survive_toml() {
    for name in ["", "a\"b", "a\\b", "ä 🐟", "'''"] {
        let mut scene = Scene::new(World::torus(1.0e3, 1.0e3)).species(Species::new(name, 3));
        scene.about = format!("{name}\n\u{7f}");
        assert_eq!(Scene::parse(&scene.to_toml(), "x.toml").unwrap(), scene, "{name:?}");
    }
}

#[test]
fn a_point_named_own_is_refused_or_can_be_written() {
    let seek = Seek { weight: 1.0, target: Target::named("own") };
    let mut scene =
        Scene::new(World::torus(1.0e3, 1.0e3)).species(Species::new("s", 1).behavior(seek));
    scene.points.insert("own".into(), [1.0, 2.0].into());
    if scene.check().is_ok() {
        assert_eq!(Scene::parse(&scene.to_toml(), "x.toml").unwrap(), scene);
    }
}

#[test]
fn wrong_references_in_files_name_the_line() {
    let head = "[world]\nwidth = 100.0\nheight = 100.0\n[points]\ncursor = [1, 1]\n";
    for tail in [
        "[[species]]\nbehaviors = [\n  { seek = { target = \"crusor\" } },\n]\n",
        "[[species]]\nbehaviors = [\n  { path_following = { path = \"rivre\" } },\n]\n",
        "[[species]]\nbehaviors = [\n  { evade = { pursuer = { species = \"a\", number = 0 } } },\n]\n",
        "[[species]]\nagents = 3\nown_target = { each_of = \"agnet\" }\n",
        "[[species]]\nagents = 3\nprobabilities = { wnader = 0.5 }\n",
    ] {
        let error = Scene::parse(&format!("{head}{tail}"), "x.toml").unwrap_err();
        let ErrorKind::UnknownName { at, .. } = error.kind() else { panic!("{error}") };
        assert_eq!(at.line, Some(8), "{error}");
    }
}

#[test]
fn a_wrong_reference_is_found_where_it_stands_and_not_where_something_else_has_the_name() {
    let text = "name = \"shark\"\n[world]\nwidth = 100.0\nheight = 100.0\n[[species]]\nbehaviors = [\n\
                { evade = { pursuer = { species = 'shark', number = 0 } } },\n]\n";
    assert_eq!(line(text), Some(7));
    // Regression: the line was that of the first use of the name, here of a point.
    let text = "[world]\nwidth = 100.0\nheight = 100.0\n[points]\nshark = [1, 1]\n[[species]]\n\
                agents = 3\nbehaviors = [\n{ seek = { target = 'shark' } },\n\
                { pursuit = { evader = { species = 'shark', number = 0 } } },\n\
                { separation = { species = ['agent',\n'shark'] } },\n]\n";
    assert_eq!(line(text), Some(10));
    assert_eq!(line(&text.replace("{ species = 'shark'", "{ species = 'agent'")), Some(12));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn scenes_survive_a_round_trip_through_toml(
        agents in 0_usize..1000,
        view in 1.0_f32..1000.0,
        fov in 0.0_f32..=360.0,
        speeds in (1.0_f32..10.0, 10.0_f32..100.0),
        seed in 0..i64::MAX as u64,
        weight in 0.0_f32..1.0e6,
    ) {
        let species = Species::new("s", agents)
            .view_distance(view)
            .field_of_view(fov)
            .max_speed([speeds.0, speeds.1])
            .behavior(Cohesion { weight, normalized: false, ..Cohesion::default() })
            .behavior(Wander { jitter: weight, ..Wander::default() });
        let scene = Scene::new(World::bounded(10.0, 20.0)).species(species).seed(seed);
        let text = scene.to_toml();
        prop_assert_eq!(Scene::parse(&text, "round trip").unwrap(), scene, "{}", text);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(250) })]

    #[test]
    fn any_scene_survives_toml(scene in scene()) {
        let text = scene.to_toml();
        prop_assert_eq!(Scene::parse(&text, "x.toml").unwrap(), scene);
    }
}
