//! In every crate of the repository, imports form no cycles among files or among folders.
//!
//! `cargo test -p flockwork-suite layout -- --nocapture` prints the counts;
//! `LAYOUT_OF=<path of a checkout>` checks another checkout.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::common::at;

type Graph = BTreeMap<String, BTreeSet<String>>;

/// Source files of one crate by module path, e.g. `crate::grid::runs`.
struct Sources {
    folder: PathBuf,
    modules: BTreeMap<String, (PathBuf, String)>,
}

impl Sources {
    fn of(root: &Path, name: &str) -> Option<Self> {
        let folder = root.join(name).join("src");
        let mut modules = BTreeMap::new();
        let mut folders = vec![folder.clone()];
        while let Some(here) = folders.pop() {
            for entry in std::fs::read_dir(here).ok()? {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|end| end == "rs")
                    && !path.ends_with("tests.rs")
                {
                    let text = std::fs::read_to_string(&path).unwrap();
                    modules.insert(module(&folder, &path), (path, text));
                }
            }
        }
        Some(Self { folder, modules })
    }

    fn lines(&self) -> usize {
        self.modules.values().map(|(_, text)| text.lines().count()).sum()
    }

    /// Imports among files, excluding tests.
    fn imports(&self) -> Graph {
        let mut graph = Graph::new();
        for (name, (_, text)) in &self.modules {
            let code = text.split("#[cfg(test)]\nmod tests").next().unwrap();
            let imported = uses(code).into_iter().filter_map(|path| self.resolve(name, &path));
            graph.insert(name.clone(), imported.filter(|to| to != name).collect());
        }
        graph
    }

    /// Resolves a `use` path in module `from` to a module of the crate; `None` for other crates.
    fn resolve(&self, from: &str, path: &str) -> Option<String> {
        let (mut start, mut rest) = (from, path.strip_prefix("self::").unwrap_or(path));
        while let Some(above) = rest.strip_prefix("super::") {
            start = start.rsplit_once("::").map_or("crate", |(parent, _)| parent);
            rest = above;
        }
        let is_absolute = rest.starts_with("crate::");
        let path = if is_absolute { rest.to_owned() } else { format!("{start}::{rest}") };
        let mut path = path.as_str();
        while !self.modules.contains_key(path) {
            path = path.rsplit_once("::")?.0;
        }
        (path != from).then(|| path.to_owned())
    }

    fn folders(&self, imports: &Graph) -> Graph {
        let folder = |module: &str| module.split("::").nth(1).unwrap_or("crate").to_owned();
        let mut graph = Graph::new();
        for (from, to) in imports {
            let to = to.iter().map(|to| folder(to)).filter(|to| *to != folder(from));
            graph.entry(folder(from)).or_default().extend(to);
        }
        graph
    }
}

fn module(folder: &Path, path: &Path) -> String {
    let inside = path.strip_prefix(folder).unwrap().with_extension("");
    let names = inside.iter().map(|name| name.to_str().unwrap());
    let names = names.filter(|name| !["mod", "lib", "main"].contains(name));
    std::iter::once("crate").chain(names).collect::<Vec<_>>().join("::")
}

/// All paths in the `use` declarations of a file, with braces expanded.
fn uses(code: &str) -> Vec<String> {
    let mut paths = Vec::new();
    let mut lines = code.lines();
    while let Some(line) = lines.next() {
        let visible = line.strip_prefix("pub").and_then(|line| line.split_once(' '));
        let line = visible.map_or(line, |(_, line)| line);
        let Some(start) = line.strip_prefix("use ") else { continue };
        let mut tree = start.to_owned();
        while !tree.ends_with(';') {
            tree.push_str(lines.next().expect("a `use` ends").trim());
        }
        expand("", &tree.replace([' ', ';'], ""), &mut paths);
    }
    paths
}

fn expand(prefix: &str, tree: &str, paths: &mut Vec<String>) {
    let Some((head, list)) = tree.split_once('{') else {
        return paths.push(format!("{prefix}{tree}"));
    };
    let (mut depth, mut start) = (0, 0);
    for (at, c) in list.char_indices() {
        match c {
            '{' => depth += 1,
            ',' | '}' if depth == 0 => {
                expand(&format!("{prefix}{head}"), &list[start..at], paths);
                start = at + 1;
            }
            '}' => depth -= 1,
            _ => {}
        }
    }
}

/// Returns the cycles: sets of two or more nodes that all reach each other.
fn circles(graph: &Graph) -> Vec<BTreeSet<String>> {
    let reached = |from: &String| {
        let (mut seen, mut next) = (BTreeSet::new(), vec![from]);
        while let Some(node) = next.pop() {
            let to = graph.get(node).into_iter().flatten();
            next.extend(to.filter(|to| seen.insert((*to).clone())));
        }
        seen
    };
    let reach: BTreeMap<&String, BTreeSet<String>> =
        graph.keys().map(|node| (node, reached(node))).collect();
    let circle = |node: &String| -> BTreeSet<String> {
        reach[node].iter().filter(|to| reach[to].contains(node)).cloned().collect()
    };
    let circles: BTreeSet<_> = graph.keys().map(circle).filter(|all| all.len() > 1).collect();
    circles.into_iter().collect()
}

#[test]
fn imports_run_one_way() {
    let root = std::env::var_os("LAYOUT_OF").map_or(at(""), PathBuf::from);
    let mut tied = Vec::new();
    for name in ["engine", "engine/cluster", "engine/python", "bench", "viewer"] {
        // The published engine package does not contain the other crates.
        let Some(sources) = Sources::of(&root, name) else { continue };
        let imports = sources.imports();
        let files = circles(&imports);
        let folders = circles(&sources.folders(&imports));
        println!(
            "{name}: {} files, {} lines, {} circles of files{}, {} of folders",
            sources.modules.len(),
            sources.lines(),
            files.len(),
            files.iter().map(|circle| format!(" ({} files)", circle.len())).collect::<String>(),
            folders.len(),
        );
        tied.extend(
            files.into_iter().chain(folders).map(|circle| (sources.folder.clone(), circle)),
        );
    }
    assert!(tied.is_empty(), "{tied:#?}");
}

#[test]
fn a_circle_of_imports_is_found() {
    assert_eq!(
        uses("use a::{\n    b::{C, d}, E,\n};\npub(super) use crate::f;\npub use super::g;\n"),
        ["a::b::C", "a::b::d", "a::E", "a::", "crate::f", "super::g"]
    );
    let names = ["crate", "crate::a", "crate::a::b", "crate::a::b::c", "crate::d"];
    let modules = names.map(|name| (name.to_owned(), Default::default())).into();
    let sources = Sources { folder: PathBuf::new(), modules };
    for (path, expected) in [
        ("crate::d::f", Some("crate::d")),
        ("super::super::super::d", Some("crate::d")),
        ("super::super::f", Some("crate::a")),
        ("super::*", Some("crate::a::b")),
        ("self::f", None),
        ("std::fs", None),
    ] {
        assert_eq!(sources.resolve("crate::a::b::c", path).as_deref(), expected, "{path}");
    }
    let graph = [("a", "b"), ("b", "c"), ("c", "b"), ("d", "a")];
    let graph = graph.map(|(from, to)| (from.to_owned(), BTreeSet::from([to.to_owned()])));
    assert_eq!(circles(&Graph::from(graph)), [["b", "c"].map(str::to_owned).into()]);
}

/// Vector types require a level's instructions, so only `with_lanes!` and similar macros choose
/// them. An `f32x4` may appear elsewhere, as it stores the edges of a box.
#[test]
fn only_lanes_name_lane_types() {
    let sources = Sources::of(&at(""), "engine").unwrap();
    let lane_types = ["Avx2x", "Avx512x", "f32x8", "f32x16", "::<f32x4>", "x86::"];
    let mut named = Vec::new();
    for (module, (_, text)) in &sources.modules {
        let code = text.split("#[cfg(test)]\nmod tests").next().unwrap();
        let code = code.lines().filter(|line| !line.trim_start().starts_with("//"));
        let code: String = code.collect();
        let found = lane_types.into_iter().filter(|name| code.contains(name));
        named.extend(found.map(|name| format!("{module}: {name}")));
    }
    assert!(named.iter().any(|name| name == "crate::math::lanes::x86: Avx512x"), "names are found");
    named.retain(|name| !name.starts_with("crate::math::lanes::"));
    assert!(named.is_empty(), "{named:#?}");
}
