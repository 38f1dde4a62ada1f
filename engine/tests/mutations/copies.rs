//! Copies of the workspace that tests change and compile.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

pub(crate) fn workspace() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

pub(crate) fn copy(from: &Path, to: &Path) {
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

pub(crate) fn engine_alone() -> PathBuf {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("engine_alone");
    let _ = fs::remove_dir_all(&root);
    for folder in ["engine/src", "engine/scenes", "engine/tests"] {
        copy(&workspace().join(folder), &root.join(folder));
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
