//! Mistakes made on purpose, in kernel and twin together: comparing the two cannot find them, only
//! tests that know what is right can. Golden hashes do not take part.
//!
//! `cargo test -p flockwork --test mutations -- --ignored --nocapture` makes each mistake of
//! `list.toml` in a copy of the workspace, builds it and runs the tests: hours, mostly building.
//! `MUTATIONS=wander,hide` makes only those with `wander` or `hide` in their name.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Output};
use std::{env, fs};

use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    mutation: Vec<Mutation>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Mutation {
    /// What is wrong, after the words that select the tests to run first.
    name: String,
    changes: Vec<Change>,
    /// Why no test can notice, if so.
    equivalent: Option<String>,
}

/// Replaces a text that occurs once in a file of `engine/src`.
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
    /// Makes the mistake in the workspace at `root`.
    fn make(&self, root: &Path) {
        for Change { file, from, to } in &self.changes {
            let path = root.join("engine/src").join(file);
            let text = fs::read_to_string(&path).unwrap();
            let count = text.matches(from).count();
            assert_eq!(count, 1, "{}: {file} should have this once: {from}", self.name);
            fs::write(path, text.replace(from, to)).unwrap();
        }
    }

    /// Makes its files in `root` those of the workspace again.
    fn undo(&self, root: &Path) {
        for Change { file, .. } in &self.changes {
            let file = Path::new("engine/src").join(file);
            fs::copy(workspace().join(&file), root.join(&file)).unwrap();
        }
    }

    /// The first test that fails with the mistake.
    fn caught_by(&self, root: &Path) -> Option<String> {
        let built = cargo(root, &["--test", "suite", "--no-run"]);
        assert!(built.status.success(), "{} does not compile:\n{}", self.name, stderr(&built));
        let (area, _) = self.name.split_once(':').expect("the tests to run first, and a colon");
        let first = ["--test", "suite", "--", area, "each_behavior"];
        let runs: [&[&str]; 2] = [&first, &["--lib", "--test", "suite", "--no-fail-fast"]];
        runs.into_iter().find_map(|arguments| {
            let run = cargo(root, arguments);
            let output = String::from_utf8_lossy(&run.stdout).into_owned();
            let failed = output.lines().find_map(|line| {
                line.strip_prefix("test ")?.strip_suffix(" ... FAILED").map(str::to_owned)
            });
            // Without a failed test, the tests as a whole were aborted.
            (!run.status.success()).then(|| failed.unwrap_or_else(|| stderr(&run)))
        })
    }
}

fn workspace() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

fn cargo(root: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO"))
        .args(["test", "-p", "flockwork"])
        .args(arguments)
        .current_dir(root)
        .env("CARGO_TARGET_DIR", root.with_file_name("build"))
        .env("CARGO_INCREMENTAL", "1")
        .output()
        .unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Copies a folder without build outputs and history.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let (path, name) = (entry.path(), entry.file_name());
        if path.is_file() {
            fs::copy(path, to.join(name)).unwrap();
        } else if name != "target" && name != ".git" {
            copy(&path, &to.join(name));
        }
    }
}

#[test]
fn every_mutation_changes_what_is_there_once() {
    let mutations = mutations();
    assert!(mutations.len() >= 60, "{}", mutations.len());
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

#[test]
#[ignore = "builds the engine once for each mutation"]
fn every_mutation_is_caught() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mutations");
    let root = folder.join("workspace");
    if root.exists() {
        fs::remove_dir_all(&root).unwrap();
    }
    copy(workspace(), &root);
    let parts = env::var("MUTATIONS").unwrap_or_default();
    let (mutations, mut missed) = (mutations(), Vec::new());
    for mutation in mutations
        .iter()
        .filter(|mutation| parts.split(',').any(|part| mutation.name.contains(part)))
    {
        if let Some(reason) = &mutation.equivalent {
            println!("equivalent  {}: {reason}", mutation.name);
            continue;
        }
        mutation.make(&root);
        match mutation.caught_by(&root) {
            Some(test) => println!("caught      {}, by {test}", mutation.name),
            None => {
                println!("MISSED      {}", mutation.name);
                missed.push(&mutation.name);
            }
        }
        mutation.undo(&root);
    }
    assert!(missed.is_empty(), "{missed:?}");
}
