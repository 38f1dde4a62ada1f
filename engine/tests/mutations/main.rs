//! Changes copies of the workspace: the code on the page about adding a behavior must compile,
//! and tests must catch deliberate mistakes.
//!
//! Most mistakes are in kernels, which give the same results at every level, so only tests that
//! know the correct result can find them. Golden hashes are not among these tests.
//!
//! `cargo test -p flockwork --test mutations -- --ignored --nocapture` builds all mistakes of
//! `list.toml` into a copy of the workspace, switched off. It then switches on one mistake at a
//! time and runs the tests until one fails. Mistakes that cannot be switched are built one by one.
//! `MUTATIONS=wander,hide` selects the mistakes with `wander` or `hide` in the name.
//!
//! `target/tmp/mutations/results` keeps the results. An interrupted run continues where it stopped,
//! and a mistake is tried again only if its text, the engine or the tests have changed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Instant;
use std::{env, fs};

use flockwork::cpu::Level;
use serde::Deserialize;

use copies::{check, engine_alone, workspace};
use results::Results;
use runs::Runs;
use switches::switched;

mod adding;
mod copies;
mod results;
mod runs;
mod switches;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    mutation: Vec<Mutation>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Mutation {
    /// Words that select the tests to run first, a colon, and a description of the mistake.
    name: String,
    changes: Vec<Change>,
    /// Reason why no test can notice the mistake.
    equivalent: Option<String>,
    /// Name of the only level that runs the changed code.
    level: Option<String>,
}

/// Replaces a text that must occur exactly once in a file.
#[derive(Deserialize, Hash)]
#[serde(deny_unknown_fields)]
struct Change {
    /// Path from `engine/src`, or from the top folder if it begins with `bench/` or `viewer/`.
    file: String,
    from: String,
    to: String,
}

fn mutations() -> Vec<Mutation> {
    toml::from_str::<List>(include_str!("list.toml")).unwrap().mutation
}

impl Change {
    fn package(&self) -> &str {
        let folder = self.file.split('/').next().unwrap_or_default();
        if ["bench", "viewer"].contains(&folder) { folder } else { "engine" }
    }

    fn path(&self) -> String {
        let folder = if self.package() == "engine" { "engine/src/" } else { "" };
        format!("{folder}{}", self.file)
    }
}

impl Mutation {
    fn make(&self, root: &Path) {
        for change in &self.changes {
            let path = root.join(change.path());
            let text = fs::read_to_string(&path).unwrap();
            let count = text.matches(&change.from).count();
            assert_eq!(
                count, 1,
                "{}: {} should have this once: {}",
                self.name, change.file, change.from
            );
            fs::write(path, text.replace(&change.from, &change.to)).unwrap();
        }
    }

    fn undo(&self, root: &Path) {
        for path in self.changes.iter().map(Change::path) {
            fs::copy(workspace().join(&path), root.join(&path)).unwrap();
        }
    }

    fn area(&self) -> &str {
        self.name.split_once(':').expect("the tests to run first, and a colon").0
    }

    fn package(&self) -> &str {
        self.changes[0].package()
    }
}

fn text(file: &str) -> String {
    fs::read_to_string(workspace().join(file)).unwrap()
}

const DISPATCH: &str = "engine/src/math/lanes/dispatch.rs";

/// Returns the text of a file, reduced to the kernels of a single instruction level. Every level
/// compiles the same code, and building all levels would take more than twice as long.
fn with_one_level(file: &str) -> String {
    let text = text(file);
    let (kept, dropped) = match Level::used_or_found() {
        Level::Avx2 if file == DISPATCH => ("Level::Avx2", "Level::Avx512"),
        Level::Avx512 if file == DISPATCH => ("Level::Avx512", "Level::Avx2"),
        _ => return text,
    };
    let line = |line: &str| {
        let line = line.replace("Level::Avx2 | Level::Avx512", "_");
        let is_choice = line.contains("with_type!($lanes = ");
        let is_dropped = line.contains("Level::Baseline") || line.contains(dropped);
        (!(is_choice && is_dropped)).then(|| if is_choice { line.replace(kept, "_") } else { line })
    };
    let lines: Vec<String> = text.lines().filter_map(line).collect();
    assert!(lines.len() < text.lines().count());
    lines.join("\n")
}

#[test]
fn every_mutation_changes_what_is_there_once() {
    let mutations = mutations();
    assert!(mutations.len() >= 160, "{}", mutations.len());
    let names: BTreeSet<_> = mutations.iter().map(|mutation| &mutation.name).collect();
    assert_eq!(names.len(), mutations.len(), "no name twice");
    for Mutation { name, changes, .. } in &mutations {
        assert!(!changes.is_empty(), "{name}");
        for change @ Change { file, from, to } in changes {
            assert_eq!(text(&change.path()).matches(from).count(), 1, "{name}: {file}, {from}");
            assert_eq!(change.package(), changes[0].package(), "{name}");
            assert_ne!(from, to, "{name}");
        }
    }
}

/// Makes as many mistakes as possible that change different texts. Returns the mistakes made and
/// the remaining ones.
fn made_together<'a>(
    all: Vec<&'a Mutation>,
    root: &Path,
) -> (Vec<&'a Mutation>, Vec<&'a Mutation>) {
    let is_there = |change: &Change| {
        let text = fs::read_to_string(root.join(change.path())).unwrap();
        text.matches(&change.from).count() == 1
    };
    all.into_iter().partition(|mutation| {
        let can_be_made = mutation.changes.iter().all(is_there);
        if can_be_made {
            mutation.make(root);
        }
        can_be_made
    })
}

/// One compiler run checks all mistakes that can be switched, and each further run checks many of
/// the others, because the compiler's startup takes far longer than the checks.
#[test]
fn every_mutation_of_the_engine_and_the_code_of_the_page_on_adding_a_behavior_compile() {
    let root = engine_alone();
    let mutations = mutations();
    let of_engine = || mutations.iter().filter(|mutation| mutation.package() == "engine");
    adding::follow_the_page(&root);
    let read = |file: &str| fs::read_to_string(root.join(file)).unwrap();
    let (texts, mut left) = switched(of_engine().enumerate(), read);
    assert!(left.len() * 10 < mutations.len(), "{} mistakes need builds of their own", left.len());
    let plain: BTreeMap<&String, String> = texts.keys().map(|file| (file, read(file))).collect();
    texts.iter().for_each(|(file, text)| fs::write(root.join(file), text).unwrap());
    check(&root).unwrap();
    plain.iter().for_each(|(file, text)| fs::write(root.join(file), text).unwrap());
    while !left.is_empty() {
        let (made, others) = made_together(left, &root);
        assert!(!made.is_empty(), "cannot be made: {}", others[0].name);
        if let Err(errors) = check(&root) {
            let is_named = |change: &Change| errors.contains(&format!("src/{}", change.file));
            let names = made.iter().filter(|mutation| mutation.changes.iter().any(is_named));
            let names: Vec<&str> = names.map(|mutation| &mutation.name[..]).collect();
            panic!("{errors}\nin the page or one of these: {names:#?}");
        }
        made.iter().for_each(|mutation| mutation.undo(&root));
        left = others;
    }
    let mut wrong = self::mutations().into_iter().next().unwrap();
    wrong.changes[0].to = "no_such_name".into();
    wrong.make(&root);
    assert!(check(&root).unwrap_err().contains("no_such_name"), "the check notices mistakes");
}

#[test]
#[ignore = "takes an hour or two"]
fn every_mutation_is_caught() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mutations");
    fs::create_dir_all(&folder).unwrap();
    let mut results = Results::open(&folder.join("results"));
    let parts = env::var("MUTATIONS").unwrap_or_default();
    let mutations = mutations();
    let is_asked = |mutation: &&Mutation| parts.split(',').any(|part| mutation.name.contains(part));
    let (equivalent, asked): (Vec<_>, Vec<_>) =
        mutations.iter().filter(is_asked).partition(|mutation| mutation.equivalent.is_some());
    for Mutation { name, equivalent, .. } in equivalent {
        println!("equivalent  {name}: {}", equivalent.as_deref().unwrap_or_default());
    }
    let level = Level::used_or_found().name();
    let (asked, elsewhere): (Vec<_>, Vec<_>) =
        asked.into_iter().partition(|one| one.level.as_deref().is_none_or(|only| only == level));
    for Mutation { name, level, .. } in elsewhere {
        let level = level.as_deref().unwrap_or_default();
        println!("not at this level  {name}: set FLOCKWORK_LEVEL={level}");
    }
    let (texts, alone) = switched(asked.iter().copied().enumerate(), with_one_level);
    let one_level = (DISPATCH.to_owned(), with_one_level(DISPATCH));
    let texts = [one_level.clone()].into_iter().chain(texts).collect();
    let mut switched = Runs::of(&folder.join("switched"), &texts);
    for (number, &mutation) in asked.iter().enumerate() {
        if results.get(mutation).is_some() {
            continue;
        }
        let start = Instant::now();
        let earlier = results.earlier(mutation);
        let test = if alone.iter().any(|one| one.name == mutation.name) {
            let root = folder.join("alone");
            let mut alone = Runs::of(&root, &[one_level.clone()].into());
            mutation.make(&root);
            alone.first_failure(None, mutation, earlier)
        } else {
            switched.first_failure(Some(number), mutation, earlier)
        };
        let outcome = test.as_ref().map_or("MISSED".to_owned(), |test| format!("caught by {test}"));
        let (place, seconds) =
            (format!("{}/{}", number + 1, asked.len()), start.elapsed().as_secs());
        println!("{place}  {}: {outcome} ({seconds} s)", mutation.name);
        results.add(mutation, test);
    }
    let missed = asked.iter().filter(|mutation| results.get(mutation) == Some(&None));
    let missed: Vec<&str> = missed.map(|mutation| &mutation.name[..]).collect();
    println!("{} mistakes, {} missed", asked.len(), missed.len());
    assert!(missed.is_empty(), "{missed:#?}");
}
