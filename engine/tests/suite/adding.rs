//! The page on adding a behavior shows code that compiles.

use std::fs;
use std::path::Path;
use std::process::Command;

/// Copies the files of a folder and of its folders.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let (path, to) = entry.map(|entry| (entry.path(), to.join(entry.file_name()))).unwrap();
        if path.is_dir() {
            copy(&path, &to);
        } else {
            fs::copy(path, to).unwrap();
        }
    }
}

/// The files that the page adds or adds to, and the text.
fn pieces(page: &str) -> Vec<(&str, &str)> {
    let blocks = page.split("\n```").skip(1).step_by(2);
    let pieces = blocks.filter_map(|block| {
        let (head, text) = block.split_once('\n')?;
        Some((head.split_once(' ')?.1, text))
    });
    pieces.collect()
}

#[test]
fn the_code_of_the_page_on_adding_a_behavior_compiles() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let page = fs::read_to_string(root.join("docs/adding-a-behavior.md")).unwrap();
    let workspace = Path::new(env!("CARGO_TARGET_TMPDIR")).join("adding");
    let _ = fs::remove_dir_all(&workspace);
    for folder in ["engine/src", "engine/scenes", "engine/tests"] {
        copy(&root.join(folder), &workspace.join(folder));
    }
    for file in ["Cargo.lock", "engine/README.md"] {
        fs::copy(root.join(file), workspace.join(file)).unwrap();
    }
    // By its own name it would be taken for the real engine in the target folder that both use.
    let manifest = fs::read_to_string(root.join("engine/Cargo.toml")).unwrap();
    let renamed = manifest.replacen("name = \"flockwork\"", "name = \"flockwork-copy\"", 1);
    let renamed = format!("{renamed}\n[lib]\nname = \"flockwork\"\n");
    fs::write(workspace.join("engine/Cargo.toml"), renamed).unwrap();
    let manifest = fs::read_to_string(root.join("Cargo.toml")).unwrap();
    let alone = manifest.lines().filter(|line| !line.starts_with("default-members"));
    let alone = alone.map(|line| match line.starts_with("members") {
        true => "members = [\"engine\"]\n".to_owned(),
        false => format!("{line}\n"),
    });
    fs::write(workspace.join("Cargo.toml"), alone.collect::<String>()).unwrap();

    let pieces = pieces(&page);
    assert_eq!(pieces.len(), 4);
    for (file, text) in &pieces {
        let path = workspace.join(file);
        let old = fs::read_to_string(&path).unwrap_or_default();
        let last = "            CollisionAvoidance: collision_avoidance in neighbors,\n";
        let new = match old.split_once(last) {
            Some((before, after)) => format!("{before}{last}{text}\n{after}"),
            None => format!("{old}\n{text}\n"),
        };
        fs::write(path, new).unwrap();
    }
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let check = Command::new(env!("CARGO"))
        .args(["check", "--quiet", "--offline", "-p", "flockwork-copy"])
        .current_dir(&workspace)
        .env("CARGO_TARGET_DIR", target)
        .output()
        .unwrap();
    assert!(check.status.success(), "{}", String::from_utf8_lossy(&check.stderr));
}
