//! Checks the repository's pages: links resolve, code compiles, commands run in CI or are listed as
//! exceptions, and command-line options exist.

use std::fs;
use std::path::PathBuf;

use crate::common::{at, read};

const PROGRAMS: [(&str, &str); 2] = [
    ("flockwork-viewer", "viewer/src/options.rs"),
    ("flockwork-cluster", "engine/cluster/src/options.rs"),
];
/// Prefixes of commands that `.ci/run` does not run as shown. Its Python step runs `pip`, `pytest`
/// and `python` in a virtual environment; the others take too long or need what CI lacks.
const NOT_IN_CI: [&str; 15] = [
    ".ci/run",
    "pip install ./engine/python/examples/own_wheel",
    "pip install './engine/python[test]'",
    "pytest engine/python",
    "python engine/python/",
    "cargo run --release",
    "cargo build --release -p flockwork-cluster",
    "cargo bench",
    "cargo test -p flockwork --test mutations",
    "cargo test -p flockwork-suite fifty_million",
    "engine/fuzz/run",
    "flockwork-viewer",
    "mpirun",
    "srun",
    "sudo apt install",
];
const MEASUREMENT: &str = "bench/src/options.rs";

fn pages() -> Vec<(PathBuf, String)> {
    let top = ["README.md", "CHANGELOG.md", ".github/CONTRIBUTING.md"].map(at);
    let docs = fs::read_dir(at("docs")).unwrap().map(|entry| entry.unwrap().path());
    let pages = top.into_iter().chain(docs).filter(|path| path.extension() == Some("md".as_ref()));
    pages.map(|path| (path.clone(), read(path))).collect()
}

/// Splits a page into its code blocks, as (info string, text), and the prose around them.
fn parts(page: &str) -> (Vec<(&str, &str)>, String) {
    let pieces: Vec<&str> = page.split("\n```").collect();
    assert!(pieces.len() % 2 == 1, "a block is not closed");
    let blocks = pieces.iter().skip(1).step_by(2).map(|block| block.split_once('\n').unwrap());
    (blocks.collect(), pieces.iter().step_by(2).copied().collect::<Vec<_>>().join("\n"))
}

fn anchor(heading: &str) -> String {
    let heading = heading.trim_start_matches('#').trim().to_lowercase();
    heading.replace(|c: char| !c.is_alphanumeric() && !" -_".contains(c), "").replace(' ', "-")
}

#[test]
fn every_link_leads_to_a_file_and_a_heading() {
    for (path, page) in pages() {
        let (_, prose) = parts(&page);
        for link in prose.split("](").skip(1).map(|rest| rest.split(')').next().unwrap()) {
            if link.starts_with("https://") {
                continue;
            }
            let (file, heading) = link.split_once('#').unwrap_or((link, ""));
            let file = if file.is_empty() { path.clone() } else { path.with_file_name(file) };
            assert!(file.exists(), "{}: no file for {link}", path.display());
            if !heading.is_empty() {
                let (_, prose) = parts(&read(&file));
                let mut headings = prose.lines().filter(|line| line.starts_with('#'));
                let found = headings.any(|line| anchor(line) == heading);
                assert!(found, "{}: no heading for {link}", path.display());
            }
        }
    }
}

/// Skips blocks that name a file: a test in `mutations` compiles them in that file.
#[test]
fn every_block_of_rust_is_compiled() {
    let trimmed = |text: &str| {
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        lines.fold("\n".to_owned(), |all, line| all + line + "\n")
    };
    let examples = fs::read_dir(at("engine/examples")).unwrap();
    let examples: Vec<_> = examples.map(|file| trimmed(&read(file.unwrap().path()))).collect();
    let crates = ["engine", "engine/cluster", "bench"];
    let crates = crates.map(|path| read(at(path).join("src/lib.rs")));
    for (path, page) in pages() {
        let included = format!("/{}\")]", path.file_name().unwrap().display());
        let is_doctest = crates.iter().any(|text| text.contains(&included));
        for (_, text) in parts(&page).0.into_iter().filter(|(language, _)| *language == "rust") {
            let is_shown = examples.iter().any(|example| example.contains(&trimmed(text)));
            assert!(is_doctest || is_shown, "{included}: compiled nowhere:\n{text}");
        }
    }
}

fn commands(block: &str) -> Vec<String> {
    let joined = block.replace("\\\n", " ").replace("|\n", "| ");
    let lines = joined.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let commands = lines.map(|line| line.split_once(" #").unwrap_or((line, "")).0);
    commands.map(|command| command.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

#[test]
fn every_command_runs_in_ci_or_is_known_not_to() {
    let ci = commands(&read(at(".ci/run")));
    let mut used = NOT_IN_CI.map(|start| (start, false));
    for (path, page) in pages() {
        for (_, block) in parts(&page).0.into_iter().filter(|(language, _)| *language == "sh") {
            for command in commands(block) {
                let known = used.iter_mut().find(|(start, _)| command.starts_with(start));
                assert!(
                    ci.contains(&command) || known.is_some(),
                    "{}: `{command}` is not run in CI",
                    path.display()
                );
                known.into_iter().for_each(|(_, is_used)| *is_used = true);
            }
        }
    }
    let unused: Vec<&str> =
        used.iter().filter(|(_, is_used)| !is_used).map(|known| known.0).collect();
    assert!(unused.is_empty(), "no page shows {unused:?}");
}

/// A command's arguments to a program of this repository, and the file that declares its options.
fn arguments(command: &str) -> Option<(&str, &'static str)> {
    let command = command.split(" | ").next().unwrap();
    let program = PROGRAMS.iter().find(|(name, _)| command.contains(name));
    if command.starts_with("cargo run") {
        let is_other = program.is_none() && command.contains(" -p ");
        let (_, arguments) = command.split_once(" -- ").filter(|_| !is_other)?;
        return Some((arguments, program.map_or(MEASUREMENT, |(_, options)| options)));
    }
    let (name, options) = program.filter(|_| !command.starts_with("cargo"))?;
    Some((command.split_once(name)?.1, options))
}

#[test]
fn every_option_and_every_measurement_exists() {
    let mut checked = 0;
    for (path, page) in pages() {
        let (blocks, prose) = parts(&page);
        let shown = blocks.into_iter().filter(|(language, _)| *language == "sh");
        let shown = shown.flat_map(|(_, block)| commands(block));
        let quoted = prose.split('`').skip(1).step_by(2).map(str::to_owned);
        for command in shown.chain(quoted) {
            let Some((arguments, options)) = arguments(&command) else { continue };
            let declared = read(at(options));
            let words: Vec<&str> = arguments.split_whitespace().collect();
            for option in words.iter().filter_map(|word| word.strip_prefix("--")) {
                let field = format!(" {}:", option.split('=').next().unwrap().replace('-', "_"));
                let forms = [field, format!("\"{option}\"")];
                let known = option.is_empty() || forms.iter().any(|form| declared.contains(form));
                assert!(known, "{}: --{option} in {command}", path.display());
                checked += 1;
            }
            if options == MEASUREMENT && !words[0].starts_with('-') {
                let parts = words[0].split('-').map(|part| part[..1].to_uppercase() + &part[1..]);
                let variant = parts.collect::<String>();
                let forms = ["(", ","].map(|end| format!("    {variant}{end}"));
                let known = forms.iter().any(|form| declared.contains(form));
                assert!(known, "{}: {}", path.display(), words[0]);
            }
        }
    }
    assert!(checked > 20, "{checked} options were found");
}

/// A lint's advice once named a path that no longer existed.
#[test]
fn functions_that_clippy_recommends_exist() {
    type Fused = fn(f32, f32, f32) -> f32;
    let elsewhere: (&str, Fused) = ("flockwork::internal::mul_add", flockwork::internal::mul_add);
    assert_eq!(elsewhere.1(2.0, 3.0, 4.0), 10.0);
    let fused = read(at("engine/src/math/lanes/fused.rs"));
    assert!(fused.contains("fn mul_add"));
    let text = read(at("clippy.toml"));
    let named: Vec<&str> = text.split('`').skip(1).step_by(2).collect();
    assert_eq!(named, ["fused::mul_add", elsewhere.0]);
}
