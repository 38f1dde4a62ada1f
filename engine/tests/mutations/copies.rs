//! Copies of the workspace that tests change and compile.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

pub(crate) fn workspace() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// All files in a folder and its subfolders, in order; none if there is no such folder.
pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    entries.retain(|path| !path.ends_with("target") && !path.ends_with(".git"));
    entries
        .into_iter()
        .flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] })
        .collect()
}

/// Makes `to` a copy of `from`, except that the files in `changed` get the texts given there.
/// Writes only files that differ, because cargo recompiles written files.
pub(crate) fn copy(from: &Path, to: &Path, changed: &BTreeMap<String, String>) {
    for path in files(to) {
        if !from.join(path.strip_prefix(to).unwrap()).exists() {
            fs::remove_file(path).unwrap();
        }
    }
    for path in files(from) {
        let name = path.strip_prefix(from).unwrap();
        let (copy, text) = (to.join(name), changed.get(name.to_str().unwrap()));
        let expected = text.map_or_else(|| fs::read(&path).unwrap(), |text| text.clone().into());
        if fs::read(&copy).is_ok_and(|found| found == expected) {
            continue;
        }
        fs::create_dir_all(copy.parent().unwrap()).unwrap();
        match text {
            Some(text) => fs::write(copy, text).unwrap(),
            None => drop(fs::copy(path, copy).unwrap()),
        }
    }
}

pub(crate) fn engine_alone() -> PathBuf {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("engine_alone");
    let _ = fs::remove_dir_all(&root);
    for folder in ["engine/src", "engine/scenes", "engine/tests"] {
        copy(&workspace().join(folder), &root.join(folder), &BTreeMap::new());
    }
    for file in ["Cargo.lock", "engine/README.md"] {
        fs::copy(workspace().join(file), root.join(file)).unwrap();
    }
    // Renamed because copy and original share a target folder, where equal names would collide.
    let manifest = fs::read_to_string(workspace().join("engine/Cargo.toml")).unwrap();
    let renamed = manifest.replacen("name = \"flockwork\"", "name = \"flockwork-copy\"", 1);
    let renamed = format!("{renamed}\n[lib]\nname = \"flockwork\"\n");
    fs::write(root.join("engine/Cargo.toml"), renamed).unwrap();
    let manifest = fs::read_to_string(workspace().join("Cargo.toml")).unwrap();
    let alone = manifest.lines().filter(|line| !line.starts_with("default-members"));
    let alone = alone.map(|line| match line.starts_with("members") {
        true => "members = [\"engine\"]\n".to_owned(),
        false => format!("{line}\n"),
    });
    fs::write(root.join("Cargo.toml"), alone.collect::<String>()).unwrap();
    root
}

/// Type-checks a copy of the engine; the error is the compiler's output.
pub(crate) fn check(root: &Path) -> Result<(), String> {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let check = Command::new(env!("CARGO"))
        .args(["check", "--quiet", "--offline", "-p", "flockwork-copy"])
        .current_dir(root)
        .env("CARGO_TARGET_DIR", target)
        .output()
        .unwrap();
    match check.status.success() {
        true => Ok(()),
        false => Err(String::from_utf8_lossy(&check.stderr).into_owned()),
    }
}
