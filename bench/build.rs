//! Records the compiler and the commit of this build for the report.

use std::process::Command;

fn main() {
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let version = first_line(Command::new(rustc).arg("--version"));
    println!("cargo:rustc-env=FLOCKWORK_RUSTC={}", version.unwrap_or_default());
    let commit = git(&["rev-parse", "--short=12", "HEAD"]).unwrap_or_default();
    // A `+` marks uncommitted changes.
    let changed = git(&["status", "--porcelain", "--untracked-files=no"]).map_or("", |_| "+");
    println!("cargo:rustc-env=FLOCKWORK_COMMIT={commit}{changed}");
    let own = ["build.rs", "src", "templates", "Cargo.toml"];
    let engine = ["../engine/src", "../engine/scenes", "../engine/Cargo.toml"];
    let workspace = ["../Cargo.toml", "../Cargo.lock", "../.cargo/config.toml"];
    for path in [&own[..], &engine, &workspace].concat() {
        println!("cargo:rerun-if-changed={path}");
    }
    if let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"]) {
        println!("cargo:rerun-if-changed={log}");
    }
}

fn git(arguments: &[&str]) -> Option<String> {
    first_line(Command::new("git").args(arguments))
}

/// The first line of a command's output; `None` if it prints nothing or cannot be run.
fn first_line(command: &mut Command) -> Option<String> {
    let output = command.output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8(output.stdout).ok()?.lines().next()?.to_owned())
}
