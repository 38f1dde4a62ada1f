//! Records what the binary was built with, for the report.

use std::process::Command;

fn main() {
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let version = first_line(Command::new(rustc).arg("--version"));
    println!("cargo:rustc-env=FLOCKWORK_RUSTC={}", version.unwrap_or_default());
    let commit = first_line(Command::new("git").args(["rev-parse", "--short=12", "HEAD"]));
    println!("cargo:rustc-env=FLOCKWORK_COMMIT={}", commit.unwrap_or_default());
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=../.git/logs/HEAD");
}

/// The first line that a command prints, or nothing if it cannot be run.
fn first_line(command: &mut Command) -> Option<String> {
    let output = command.output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8(output.stdout).ok()?.lines().next()?.to_owned())
}
