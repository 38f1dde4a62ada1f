//! Changes copies of the engine: the code on the page about adding a behavior must compile,
//! and tests must catch deliberate mistakes.
//!
//! Most mistakes are in kernels, which compute the same at every level, so only tests
//! that know the correct result can find them. Golden hashes are not among these tests.
//!
//! `cargo test -p flockwork --test mutations -- --ignored --nocapture` makes each mistake of
//! `list.toml` in a copy of the workspace, builds it and runs the tests. This takes hours, mostly
//! for building. `MUTATIONS=wander,hide` selects the mistakes with `wander` or `hide` in the name.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Output};
use std::{env, fs};

use flockwork::Behavior;
use flockwork::cpu::Level;
use serde::Deserialize;

use copies::{check, copy, engine_alone, workspace};

mod adding;
mod copies;

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
}

/// Replaces a text that must occur exactly once in a file in `engine/src`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Change {
    file: String,
    from: String,
    to: String,
}

fn mutations() -> Vec<Mutation> {
    toml::from_str::<List>(include_str!("list.toml")).unwrap().mutation
}

impl Mutation {
    fn make(&self, root: &Path) {
        for Change { file, from, to } in &self.changes {
            let path = root.join("engine/src").join(file);
            let text = fs::read_to_string(&path).unwrap();
            let count = text.matches(from).count();
            assert_eq!(count, 1, "{}: {file} should have this once: {from}", self.name);
            fs::write(path, text.replace(from, to)).unwrap();
        }
    }

    fn undo(&self, root: &Path) {
        for Change { file, .. } in &self.changes {
            let file = Path::new("engine/src").join(file);
            fs::copy(workspace().join(&file), root.join(&file)).unwrap();
        }
    }

    fn area(&self) -> &str {
        self.name.split_once(':').expect("the tests to run first, and a colon").0
    }

    /// True if the mistake is confined to the file of a behavior that no other behavior uses.
    fn is_separable(&self) -> bool {
        let own = format!("{}.rs", self.area());
        Behavior::NAMES.contains(&self.area())
            && !["arrive", "evade", "seek"].contains(&self.area())
            && self.changes.iter().all(|change| change.file.split('/').next_back() == Some(&own))
    }
}

const SUITE: &[&str] = &["-p", "flockwork-suite"];

/// Finds the first failing test in the workspace at `root`: among the tests that `area` selects,
/// then among all tests. The error is the compiler's output if tests do not compile.
fn first_failure(root: &Path, area: &str) -> Result<Option<String>, String> {
    let runs: [(&[&str], &[&str]); 2] = [
        (SUITE, &[area, EACH]),
        (&["--lib", "--test", "suite", "-p", "flockwork", "-p", "flockwork-suite"], &[]),
    ];
    for (selection, filters) in runs {
        let built = cargo(root, &[selection, &["--no-run"]].concat());
        if !built.status.success() {
            return Err(stderr(&built));
        }
        let run = cargo(root, &[selection, &["--no-fail-fast", "--"], filters].concat());
        let output = String::from_utf8_lossy(&run.stdout).into_owned();
        let failed = output.lines().find_map(|line| {
            line.strip_prefix("test ")?.strip_suffix(" ... FAILED").map(str::to_owned)
        });
        if !run.status.success() {
            // If no test failed by name, the whole test run was aborted.
            return Ok(Some(failed.unwrap_or_else(|| stderr(&run))));
        }
    }
    Ok(None)
}

/// Compares each behavior alone with the reference and prints the behaviors that differ.
const EACH: &str = "every_behavior_with_force_to_spare_gives_the_references_force";

/// Makes mistakes in different behaviors at once, since one test tells them apart, and returns
/// the mistakes that it misses.
fn not_caught_together<'a>(round: Vec<&'a Mutation>, root: &Path) -> Vec<&'a Mutation> {
    round.iter().for_each(|mutation| mutation.make(root));
    let run = cargo(root, &[SUITE, &["--", EACH]].concat());
    round.iter().for_each(|mutation| mutation.undo(root));
    let output = String::from_utf8_lossy(&run.stdout).into_owned();
    let off = output.lines().find_map(|line| line.strip_prefix("off: ")).unwrap_or_default();
    let (caught, rest): (Vec<_>, Vec<_>) =
        round.into_iter().partition(|mutation| off.contains(&format!("{:?}", mutation.area())));
    for Mutation { name, .. } in caught {
        println!("caught      {name}, by {EACH}");
    }
    rest
}

/// Groups mistakes into rounds with at most one per behavior, and lists those that run alone.
fn rounds<'a>(all: &[&'a Mutation]) -> (Vec<Vec<&'a Mutation>>, Vec<&'a Mutation>) {
    let (mut rounds, mut alone) = (Vec::<Vec<&Mutation>>::new(), Vec::new());
    for &mutation in all {
        if !mutation.is_separable() {
            alone.push(mutation);
            continue;
        }
        let has_room =
            |round: &&mut Vec<&Mutation>| round.iter().all(|one| one.area() != mutation.area());
        match rounds.iter_mut().find(has_room) {
            Some(round) => round.push(mutation),
            None => rounds.push(vec![mutation]),
        }
    }
    (rounds, alone)
}

fn cargo(root: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO"))
        .arg("test")
        .args(arguments)
        .current_dir(root)
        .env("CARGO_TARGET_DIR", root.with_file_name("build"))
        .env("CARGO_INCREMENTAL", "1")
        .env("CARGO_PROFILE_DEV_DEBUG", "0")
        .env("CARGO_PROFILE_TEST_DEBUG", "0")
        .output()
        .unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Keeps the kernels of a single instruction level in the copy. Every level compiles the same
/// code, and building all levels would take more than twice as long.
fn keep_one_level(root: &Path) {
    let (kept, dropped) = match Level::found() {
        Level::Baseline => return,
        Level::Avx2 => ("Level::Avx2", "Level::Avx512"),
        Level::Avx512 => ("Level::Avx512", "Level::Avx2"),
    };
    let path = root.join("engine/src/math/lanes/dispatch.rs");
    let text = fs::read_to_string(&path).unwrap();
    let line = |line: &str| {
        let line = line.replace("Level::Avx2 | Level::Avx512", "_");
        let is_choice = line.contains("with_type!($lanes = ");
        let is_dropped = line.contains("Level::Baseline") || line.contains(dropped);
        (!(is_choice && is_dropped)).then(|| if is_choice { line.replace(kept, "_") } else { line })
    };
    let lines: Vec<String> = text.lines().filter_map(line).collect();
    assert!(lines.len() < text.lines().count());
    fs::write(path, lines.join("\n")).unwrap();
}

#[test]
fn every_mutation_changes_what_is_there_once() {
    let mutations = mutations();
    assert!(mutations.len() >= 160, "{}", mutations.len());
    let names: BTreeSet<_> = mutations.iter().map(|mutation| &mutation.name).collect();
    assert_eq!(names.len(), mutations.len(), "no name twice");
    for Mutation { name, changes, .. } in &mutations {
        assert!(!changes.is_empty(), "{name}");
        for Change { file, from, to } in changes {
            let text = fs::read_to_string(workspace().join("engine/src").join(file)).unwrap();
            assert_eq!(text.matches(from).count(), 1, "{name}: {file}, {from}");
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
    let is_there = |Change { file, from, .. }: &Change| {
        fs::read_to_string(root.join("engine/src").join(file)).unwrap().matches(from).count() == 1
    };
    all.into_iter().partition(|mutation| {
        let can_be_made = mutation.changes.iter().all(is_there);
        if can_be_made {
            mutation.make(root);
        }
        can_be_made
    })
}

/// Each compiler run checks many changes, because its startup takes far longer than the checks.
#[test]
fn every_mutation_and_the_code_of_the_page_on_adding_a_behavior_compile() {
    let root = engine_alone();
    let mutations = mutations();
    let mut left: Vec<&Mutation> = mutations.iter().collect();
    adding::follow_the_page(&root);
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
    let mut wrong = mutations.into_iter().next().unwrap();
    wrong.changes[0].to = "no_such_name".into();
    wrong.make(&root);
    assert!(check(&root).unwrap_err().contains("no_such_name"), "the check notices mistakes");
}

#[test]
#[ignore = "builds the engine once for each mutation"]
fn every_mutation_is_caught() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mutations");
    let root = folder.join("workspace");
    if root.exists() {
        fs::remove_dir_all(&root).unwrap();
    }
    copy(workspace(), &root);
    keep_one_level(&root);
    assert_eq!(first_failure(&root, EACH), Ok(None), "without a mistake");
    let parts = env::var("MUTATIONS").unwrap_or_default();
    let (mutations, mut missed) = (mutations(), Vec::new());
    let is_asked = |mutation: &&Mutation| parts.split(',').any(|part| mutation.name.contains(part));
    let (equivalent, asked): (Vec<_>, Vec<_>) =
        mutations.iter().filter(is_asked).partition(|mutation| mutation.equivalent.is_some());
    for Mutation { name, equivalent, .. } in equivalent {
        println!("equivalent  {name}: {}", equivalent.as_deref().unwrap_or_default());
    }
    let (rounds, mut alone) = rounds(&asked);
    for round in rounds {
        alone.extend(not_caught_together(round, &root));
    }
    for mutation in alone {
        mutation.make(&root);
        let Mutation { name, .. } = mutation;
        match first_failure(&root, mutation.area()) {
            Ok(Some(test)) => println!("caught      {name}, by {test}"),
            Ok(None) => {
                println!("MISSED      {name}");
                missed.push(name);
            }
            Err(errors) => {
                println!("NOT BUILT   {name}:\n{errors}");
                missed.push(name);
            }
        }
        mutation.undo(&root);
    }
    assert!(missed.is_empty(), "{missed:?}");
}
