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
    let whole = "a whole number from 0 to 18446744073709551615";
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
    let text = "[world]\nwidth = 10.0\nheight = 10.0\n\n[[obstacles]]\ncenter = [1, 2]\n";
    let error = Scene::parse(text, "x.toml").unwrap_err().to_string();
    assert_eq!(error, "x.toml:5: obstacles[0]: missing field `radius`");
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
