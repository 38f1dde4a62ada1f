//! `docs/sources.md` maps every statement of five sources to a place in flockwork and a test. All
//! files, parameters, scenes, members and tests that the page names must exist.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use flockwork::{Behavior, Scene};

use crate::common::at;

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files = entries.flat_map(|path| match path.is_dir() {
        true => rust_files(&path),
        false => vec![path],
    });
    files.filter(|path| path.extension().is_some_and(|end| end == "rs")).collect()
}

fn code(root: &Path, folders: &[&str]) -> String {
    let files = folders.iter().flat_map(|folder| rust_files(&root.join(folder)));
    files.map(|file| std::fs::read_to_string(file).unwrap()).collect()
}

fn tests(code: &str) -> BTreeSet<&str> {
    let below = code.split("#[test]\n").skip(1).map(|rest| rest.trim_start());
    below.filter_map(|rest| rest.strip_prefix("fn ")?.split('(').next()).collect()
}

fn quoted(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}

/// True for an existing file or folder, `scene:name`, behavior, `behavior.parameter`, or
/// `Type::member` of the engine.
fn is_place(name: &str, root: &Path, engine: &str) -> bool {
    if let Some(scene) = name.strip_prefix("scene:") {
        return Scene::named(scene).is_ok();
    }
    if let Some((kind, member)) = name.split_once("::") {
        let kinds = ["struct", "enum"]
            .map(|word| [" ", "<"].map(|next| format!("pub {word} {kind}{next}")))
            .concat();
        let members = [
            format!("pub fn {member}("),
            format!("pub {member}:"),
            format!("    {member},\n"),
            format!("    {member} {{"),
        ];
        let declared = |one: &String| engine.contains(one.as_str());
        return kinds.iter().any(declared) && members.iter().any(declared);
    }
    if name.contains('/') {
        return root.join(name).exists();
    }
    let (behavior, parameter) = name.split_once('.').unwrap_or((name, "weight"));
    let all = Behavior::all();
    let fields = all.iter().find(|one| one.name() == behavior).map(Behavior::fields);
    fields.is_some_and(|fields| fields.iter().any(|field| field.name == parameter))
}

#[test]
fn every_row_of_the_sources_has_a_place_and_a_test_that_exist() {
    let root = at("");
    let page = std::fs::read_to_string(root.join("docs/sources.md")).unwrap();
    let engine = code(&root, &["engine/src"]);
    let tested =
        ["engine/src", "engine/tests", "viewer/src", "viewer/tests", "bench/src", "bench/tests"];
    let tested = code(&root, &tested);
    let tests = tests(&tested);
    let (mut tables, mut rows, mut wrong) = (0, 0, Vec::new());
    for line in page.lines().filter(|line| line.starts_with('|')) {
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        let [row, places, named] = cells[..] else {
            wrong.push(format!("not three cells: {line}"));
            continue;
        };
        if row == "what the source says" {
            tables += 1;
            continue;
        }
        if row.starts_with("---") {
            continue;
        }
        rows += 1;
        let places = quoted(places).filter(|place| !is_place(place, &root, &engine));
        wrong.extend(places.map(|place| format!("{row}: no place `{place}`")));
        let missing = quoted(named).filter(|test| !tests.contains(test));
        wrong.extend(missing.map(|test| format!("{row}: no test `{test}`")));
        if quoted(named).next().is_none() || quoted(cells[1]).next().is_none() {
            wrong.push(format!("{row}: no place or no test"));
        }
        if row.split_whitespace().count() > 15 {
            wrong.push(format!("{row}: more than 15 words"));
        }
    }
    println!("{rows} rows");
    assert!(wrong.is_empty(), "{} in docs/sources.md:\n{}", wrong.len(), wrong.join("\n"));
    assert!(tables == 5 && rows >= 80, "{rows} rows in {tables} tables");
}
