//! `docs/model.md` has a section for every behavior, and its tables match the definitions.

use std::collections::BTreeSet;
use std::fmt::LowerExp;
use std::path::Path;

use flockwork::{Behavior, Field, FieldValue, Scene, Target};

const TEXT: &str = include_str!("../../../../docs/model.md");

/// The text below a heading of the third level, up to the next heading.
fn section(name: &str) -> &'static str {
    let heading = format!("\n### {name}\n");
    assert_eq!(TEXT.matches(&heading).count(), 1, "one heading `### {name}`");
    let (_, rest) = TEXT.split_once(&heading).unwrap();
    rest.split_once("\n##").map_or(rest, |(section, _)| section)
}

/// The cells of a section's table of parameters, without its header.
fn rows(section: &str) -> Vec<Vec<&str>> {
    let lines = section.lines().skip_while(|line| !line.starts_with("| parameter |")).skip(2);
    lines
        .take_while(|line| line.starts_with('|'))
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .collect()
}

/// An exponent from a thousand on and below a tenth, else plain: `1e6`, `1e-3`, `5`.
fn number(value: f32) -> String {
    let plain = value == 0.0 || (0.1..1.0e3).contains(&value.abs());
    if plain { value.to_string() } else { exponent(value) }
}

fn exponent(value: impl LowerExp) -> String {
    format!("{value:e}")
}

/// What the table says about a field: its range and its default.
fn documented(field: &Field<FieldValue<'_>>) -> (String, String) {
    let range = format!("{}–{}", number(field.min), number(field.max));
    match &field.value {
        FieldValue::Number(value) => (range, value.to_string()),
        FieldValue::Optional(value) => {
            let default = value.map_or_else(|| "none".into(), |value| value.to_string());
            (format!("{range}, or none"), default)
        }
        FieldValue::Whole(value) => {
            (format!("{}–{}, whole", field.min, field.max), value.to_string())
        }
        FieldValue::Flag(value) => ("true, false".into(), value.to_string()),
        FieldValue::Target(value) => {
            assert_eq!(*value, &Target::Unset, "{}: a default", field.name);
            ("a target".into(), "required".into())
        }
        FieldValue::Path(value) => {
            assert!(value.is_empty(), "{}: a default", field.name);
            ("a path".into(), "required".into())
        }
        FieldValue::Vector([x, y]) => {
            (format!("±{} each", exponent(field.max)), format!("[{x}, {y}]"))
        }
        FieldValue::Deceleration(value) => {
            ("`fast`, `normal`, `slow`".into(), format!("`{}`", snake(value)))
        }
        FieldValue::Feelers(value) => ("`three`, `sweeping`".into(), format!("`{}`", snake(value))),
        other => panic!("model.md has no form for {other:?}"),
    }
}

/// A choice as in scene files.
fn snake(choice: &impl std::fmt::Debug) -> String {
    format!("{choice:?}").to_lowercase()
}

#[test]
fn every_behavior_has_a_section_that_the_contents_link() {
    for name in Behavior::NAMES {
        let section = section(name);
        assert!(TEXT.contains(&format!("[{name}](#{name})")), "{name} is in the contents");
        assert!(section.contains("```text\n"), "{name} has a formula");
        assert!(section.contains("\nSource: "), "{name} has a source");
    }
}

#[test]
fn every_field_of_every_behavior_is_documented_with_its_unit_range_and_default() {
    for behavior in Behavior::all() {
        let name = behavior.name();
        let rows = rows(section(name));
        let fields = behavior.fields();
        assert_eq!(rows.len(), fields.len(), "{name}: a row for each field");
        for (field, row) in fields.iter().zip(&rows) {
            let what = format!("{name}.{}: {row:?}", field.name);
            let [parameter, meaning, unit, range, default] = row[..] else {
                panic!("{what} has {} cells", row.len())
            };
            assert_eq!(parameter, format!("`{}`", field.name), "{what}");
            assert!(!meaning.is_empty(), "{what}");
            assert!(field.unit.is_empty() || unit == field.unit, "{what}: {}", field.unit);
            assert_eq!((range.into(), default.into()), documented(field), "{what}");
        }
    }
}

/// The targets of links, `[…](here)`.
fn links() -> BTreeSet<&'static str> {
    TEXT.split("](").skip(1).map(|rest| rest.split_once(')').expect("a closed link").0).collect()
}

#[test]
fn every_linked_file_and_heading_exists() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs");
    let anchor = |line: &str| line.trim_start_matches(['#', ' ']).to_lowercase().replace(' ', "-");
    let anchors: BTreeSet<String> =
        TEXT.lines().filter(|line| line.starts_with('#')).map(anchor).collect();
    for link in links() {
        match link.strip_prefix('#') {
            Some(heading) => assert!(anchors.contains(heading), "no heading for #{heading}"),
            None => assert!(docs.join(link).is_file(), "no file docs/{link}"),
        }
    }
}

#[test]
fn every_picture_is_of_a_scene_that_the_script_renders() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs");
    let script = std::fs::read_to_string(docs.join("pictures/render.sh")).unwrap();
    let rendered: BTreeSet<&str> = script
        .lines()
        .filter_map(|line| line.strip_prefix("picture "))
        .filter_map(|line| line.split(' ').next())
        .collect();
    let linked: BTreeSet<&str> = links()
        .into_iter()
        .filter_map(|link| link.strip_prefix("pictures/")?.strip_suffix(".png"))
        .collect();
    assert_eq!(linked, rendered);
    for scene in linked {
        assert!(Scene::named(scene).is_ok(), "{scene} is a scene");
        let bytes = docs.join(format!("pictures/{scene}.png")).metadata().unwrap().len();
        assert!(bytes < 240_000, "{scene}.png has {bytes} bytes");
    }
}
