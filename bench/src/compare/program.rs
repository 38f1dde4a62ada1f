use std::env::consts::EXE_SUFFIX;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::failure::{Failure, cannot_use};
use crate::measure::progress::log;

/// Finds a program by its path, or builds it from a git revision. Each revision is built only once,
/// in target/flockwork/compare.
pub(super) fn find(named: &str) -> Result<PathBuf, Failure> {
    let refuse = |message: String| cannot_use(&named, &message);
    let path = Path::new(named);
    if path.exists() {
        return path.canonicalize().map_err(|error| refuse(error.to_string()));
    }
    let revision = format!("{named}^{{commit}}");
    let commit = git(&["rev-parse", "--verify", "--quiet", &revision])
        .ok_or_else(|| refuse("it is neither a program nor a git revision here".into()))?;
    let root =
        git(&["rev-parse", "--show-toplevel"]).ok_or_else(|| refuse("no work tree".into()))?;
    build(&commit, &Path::new(&root).join("target/flockwork/compare")).map_err(refuse)
}

fn build(commit: &str, folder: &Path) -> Result<PathBuf, String> {
    let file = format!("flockwork-bench{EXE_SUFFIX}");
    let program = folder.join(commit).join(&file);
    if program.exists() {
        return Ok(program);
    }
    log(&format!("building {commit}, once"));
    let (source, target) = (folder.join("source"), folder.join("target"));
    // An interrupted build may have left its git worktree behind.
    _ = run("git", ["worktree", "remove", "--force"], &[&source]);
    run("git", ["worktree", "add", "--force", "--detach"], &[&source, Path::new(commit)])?;
    let manifest = source.join("Cargo.toml");
    let arguments = ["build", "--release", "--quiet", "-p", "flockwork-bench", "--bin"];
    let rest = ["flockwork-bench", "--target-dir"].map(Path::new);
    let rest = [&rest[..], &[&target, Path::new("--manifest-path"), &manifest]].concat();
    let built = run("cargo", arguments, &rest);
    let removed = run("git", ["worktree", "remove", "--force"], &[&source]);
    built.and(removed)?;
    let copied = std::fs::create_dir_all(folder.join(commit))
        .and_then(|()| std::fs::copy(target.join("release").join(file), &program));
    copied.map(|_| program).map_err(|error| error.to_string())
}

fn run<const N: usize>(program: &str, arguments: [&str; N], paths: &[&Path]) -> Result<(), String> {
    let mut command = Command::new(program);
    command.args(arguments).args(paths);
    let output = command.output().map_err(|error| format!("{program}: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    Err(format!("{program} failed:\n{}", String::from_utf8_lossy(&output.stderr).trim()))
}

fn git(arguments: &[impl AsRef<OsStr>]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
