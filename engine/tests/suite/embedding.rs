use std::fs;
use std::path::Path;

use crate::common::{at, read};

fn examples() -> Vec<(String, String)> {
    let folder = at("engine/examples");
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let name = |path: &Path| path.file_stem().unwrap().to_str().unwrap().to_owned();
    files.map(|path| (name(&path), fs::read_to_string(&path).unwrap())).collect()
}

#[test]
fn every_line_of_code_on_the_page_is_in_an_example() {
    let page = read(at("docs/embedding.md"));
    let examples = examples();
    let known = |line: &str| {
        examples.iter().any(|(_, text)| text.lines().any(|known| known.trim() == line))
    };
    let blocks = page.split("```rust\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    let mut shown = 0;
    for line in blocks.flat_map(str::lines).map(str::trim).filter(|line| !line.is_empty()) {
        assert!(known(line), "not in an example: {line}");
        shown += 1;
    }
    assert!(shown > 50);
}

#[test]
fn every_example_is_short_and_on_the_page() {
    let page = read(at("docs/embedding.md"));
    for (name, text) in examples() {
        assert!(text.lines().count() < 100, "{name} has 100 lines or more");
        assert!(page.contains(&format!("--example {name}")), "{name} is not on the page");
    }
}

#[test]
fn links_of_the_package_lead_to_files_of_the_repository() {
    let readme = read(at("engine/README.md"));
    let links = readme.split("../").skip(1);
    let paths: Vec<&str> = links.map(|rest| rest.split([')', '\n']).next().unwrap()).collect();
    assert!(paths.len() >= 5);
    for path in paths {
        read(at(path.trim_end()));
    }
}
