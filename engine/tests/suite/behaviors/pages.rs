//! `docs/model.md` has a section for every behavior. Its tables and the lines of
//! `docs/parameters.toml` are generated from the declarations.

use std::collections::{BTreeMap, BTreeSet};

use flockwork::behaviors::{Field, FieldValue};
use flockwork::{Behavior, Scene};

use crate::common::at;

const TEXT: &str = include_str!("../../../../docs/model.md");
const PARAMETERS: &str = include_str!("../../../../docs/parameters.toml");

fn section(name: &str) -> &'static str {
    let heading = format!("\n### {name}\n");
    assert_eq!(TEXT.matches(&heading).count(), 1, "one heading `### {name}`");
    let (_, rest) = TEXT.split_once(&heading).unwrap();
    rest.split_once("\n##").map_or(rest, |(section, _)| section)
}

/// Uses scientific notation from 1000 up and below 0.1, e.g. `1e6`, `1e-3`, `5`.
fn number(value: f32) -> String {
    let plain = value == 0.0 || (0.1..1.0e3).contains(&value.abs());
    if plain { value.to_string() } else { format!("{value:e}") }
}

fn snake(choice: &impl std::fmt::Debug) -> String {
    format!("{choice:?}").to_lowercase()
}

fn range_and_default(field: &Field) -> (String, String) {
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
        FieldValue::Target(_) => ("a target".into(), "required".into()),
        FieldValue::Path(_) => ("a path".into(), "required".into()),
        FieldValue::Name(_) => ("a name".into(), "none".into()),
        FieldValue::Vector([x, y]) => {
            (format!("±{} each", number(field.max)), format!("[{x}, {y}]"))
        }
        FieldValue::Deceleration(value) => {
            ("`fast`, `normal`, `slow`".into(), format!("`{}`", snake(value)))
        }
        FieldValue::Feelers(value) => ("`three`, `sweeping`".into(), format!("`{}`", snake(value))),
        FieldValue::Species(_) => ("names of species".into(), "[]".into()),
        other => panic!("model.md has no form for {other:?}"),
    }
}

fn meaning(field: &Field) -> String {
    let words: Vec<&str> = field.about.split_whitespace().collect();
    assert!(!words.is_empty(), "{} has no documentation", field.name);
    words.join(" ")
}

/// Meaning of the parameter `weight`, explained once, in "Reading the behavior sections".
const WEIGHT: &str = "Multiplier applied to the force; 0 disables the behavior.";

/// Parameters that the section "Neighbors" explains for all behaviors.
const NEIGHBORHOOD: [&str; 3] = ["distance", "field_of_view", "species"];

fn rows(behavior: &Behavior) -> String {
    let row = |field: &Field| {
        let (range, default) = range_and_default(field);
        let meaning = meaning(field).replace('|', "\\|");
        let cells = [&format!("`{}`", field.name), &meaning, field.unit, &range, &default];
        format!("| {} |\n", cells.join(" | ").replace("|  |", "| |"))
    };
    let mut fields = behavior.fields();
    fields.retain(|field| meaning(field) != WEIGHT);
    let is_neighborhood =
        |three: &[Field]| NEIGHBORHOOD.iter().eq(three.iter().map(|one| &one.name));
    let Some(start) = fields.windows(3).position(is_neighborhood) else {
        return fields.iter().map(row).collect();
    };
    let neighborhood = "| `distance`, `field_of_view`, `species` | Its own [neighborhood](#neighbors). | | | none |\n";
    let (before, after) = (&fields[..start], &fields[start + 3..]);
    before.iter().map(row).chain([neighborhood.into()]).chain(after.iter().map(row)).collect()
}

fn model() -> String {
    let mut text = TEXT.to_owned();
    for behavior in Behavior::all() {
        let section = section(behavior.name());
        let header = section.find("| parameter |").expect("a table");
        let table = section[header..].lines().take_while(|line| line.starts_with('|')).skip(2);
        let old: String = table.map(|row| format!("{row}\n")).collect();
        text = text.replace(section, &section.replace(&old, &rows(&behavior)));
    }
    text
}

fn comment(field: &Field) -> String {
    let numbers = format!("{}..{}", number(field.min), number(field.max));
    let unit = if field.unit.is_empty() { "" } else { " " };
    let range = format!("{numbers}{unit}{}", field.unit);
    let allowed = match &field.value {
        FieldValue::Number(_) => range,
        FieldValue::Optional(_) => format!("{range}, or left out"),
        FieldValue::Whole(_) => format!("whole {}..{}", field.min, field.max),
        FieldValue::Flag(_) => "true or false".into(),
        FieldValue::Target(_) => "a target".into(),
        FieldValue::Path(_) => "a path's name".into(),
        FieldValue::Name(_) => "a name, or left out".into(),
        FieldValue::Vector(_) => format!("each {range}"),
        FieldValue::Deceleration(_) => "\"fast\", \"normal\" or \"slow\"".into(),
        FieldValue::Feelers(_) => "\"three\" or \"sweeping\"".into(),
        FieldValue::Species(_) => "names of species, or left out".into(),
        other => panic!("parameters.toml has no form for {other:?}"),
    };
    format!("{allowed}. {}", meaning(field))
}

/// Default as a scene file writes it; `None` for names and for absent defaults.
fn default(field: &Field) -> Option<String> {
    match &field.value {
        FieldValue::Number(value) => Some(format!("{value:?}")),
        FieldValue::Whole(value) => Some(value.to_string()),
        FieldValue::Flag(value) => Some(value.to_string()),
        FieldValue::Vector(value) => Some(format!("{value:?}")),
        FieldValue::Deceleration(value) => Some(format!("\"{}\"", snake(value))),
        FieldValue::Feelers(value) => Some(format!("\"{}\"", snake(value))),
        _ => None,
    }
}

/// `docs/parameters.toml` with its lines regenerated. Parameters without a default keep their
/// value.
fn parameters() -> String {
    let mut text = String::new();
    let mut lines = PARAMETERS.lines().peekable();
    while let Some(line) = lines.next() {
        text += &format!("{line}\n");
        let name = line.strip_prefix("[species.behaviors.").and_then(|rest| rest.strip_suffix(']'));
        let Some(name) = name else { continue };
        let mut old = BTreeMap::new();
        while let Some((key, rest)) = lines.peek().and_then(|line| line.split_once(" = ")) {
            old.insert(key, rest.split("   # ").next().unwrap());
            lines.next();
        }
        let behavior = Behavior::all().into_iter().find(|one| one.name() == name).unwrap();
        for field in behavior.fields() {
            // A parameter that excludes another parameter is commented out.
            let excluded = format!("# {}", field.name);
            let key = if old.contains_key(&*excluded) { &excluded } else { field.name };
            let value = default(&field).unwrap_or_else(|| old[key].to_owned());
            text += &format!("{key} = {value}   # {}\n", comment(&field));
        }
    }
    text
}

/// Compares a page with its generated text; with `UPDATE_PAGES=1`, writes the page instead.
fn check_generated(name: &str, committed: &str, generated: &str) {
    if std::env::var_os("UPDATE_PAGES").is_some() {
        return std::fs::write(at("docs").join(name), generated).unwrap();
    }
    for (committed, generated) in committed.lines().zip(generated.lines()) {
        assert_eq!(committed, generated, "docs/{name} is stale: {REGENERATE}");
    }
    assert_eq!(committed, generated, "docs/{name} is stale: {REGENERATE}");
}

const REGENERATE: &str = "UPDATE_PAGES=1 cargo test -p flockwork-suite pages";

#[test]
fn the_tables_of_parameters_are_those_that_the_declarations_give() {
    check_generated("model.md", TEXT, &model());
    check_generated("parameters.toml", PARAMETERS, &parameters());
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

fn links() -> BTreeSet<&'static str> {
    TEXT.split("](").skip(1).map(|rest| rest.split_once(')').expect("a closed link").0).collect()
}

#[test]
fn every_picture_is_of_a_scene_that_the_script_renders() {
    let docs = at("docs");
    let script = std::fs::read_to_string(docs.join("pictures/render.sh")).unwrap();
    let rendered: BTreeSet<&str> = script
        .lines()
        .filter_map(|line| {
            let varied = line.split_once("--png docs/pictures/").filter(|_| !line.contains('$'));
            let varied = varied.and_then(|(_, file)| file.strip_suffix(".png"));
            varied.or_else(|| line.strip_prefix("picture ")?.split(' ').next())
        })
        .collect();
    let linked: BTreeSet<&str> = links()
        .into_iter()
        .filter_map(|link| link.strip_prefix("pictures/")?.strip_suffix(".png"))
        .collect();
    assert_eq!(linked, rendered);
    for scene in linked {
        let original = scene.strip_suffix("-one-radius").unwrap_or(scene);
        assert!(Scene::named(original).is_ok(), "{scene} is of a scene");
        let bytes = docs.join(format!("pictures/{scene}.png")).metadata().unwrap().len();
        assert!(bytes < 240_000, "{scene}.png has {bytes} bytes");
    }
}
