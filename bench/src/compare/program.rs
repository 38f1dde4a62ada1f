use std::env::consts::EXE_SUFFIX;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::failure::{Failure, cannot_use};
use crate::measure::progress::log;

/// Finds a program by its path, or builds it from a git revision. The revision that this program
/// was built from needs no build; each other is built only once, in target/flockwork/compare.
pub(super) fn find(named: &str) -> Result<PathBuf, Failure> {
    let refuse = |message: String| cannot_use(&named, &message);
    let path = Path::new(named);
    if path.exists() {
        return path.canonicalize().map_err(|error| refuse(error.to_string()));
    }
    let revision = format!("{named}^{{commit}}");
    let commit = git(&["rev-parse", "--verify", "--quiet", &revision])
        .ok_or_else(|| refuse("it is neither a program nor a git revision here".into()))?;
    // The name of an unclean build ends in `+`, and begins no commit.
    let own = env!("FLOCKWORK_COMMIT");
    if !cfg!(debug_assertions) && !own.is_empty() && commit.starts_with(own) {
        return std::env::current_exe().map_err(|error| refuse(error.to_string()));
    }
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
    _ = git_worktree(&["remove", "--force"], &[&source]);
    git_worktree(&["add", "--force", "--detach"], &[&source, Path::new(commit)])?;
    let manifest = source.join("Cargo.toml");
    let arguments = ["build", "--release", "-p", "flockwork-bench", "--bin", "flockwork-bench"];
    let mut cargo = Command::new("cargo");
    cargo.args(arguments).arg("--target-dir").arg(&target).arg("--manifest-path").arg(&manifest);
    // Cargo's progress and messages go to the terminal.
    let built = match cargo.stdout(Stdio::null()).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err("it does not build; see cargo's messages above".to_owned()),
        Err(error) => Err(format!("cargo: {error}")),
    };
    let removed = git_worktree(&["remove", "--force"], &[&source]);
    built.and(removed)?;
    let copied = std::fs::create_dir_all(folder.join(commit))
        .and_then(|()| std::fs::copy(target.join("release").join(file), &program));
    copied.map(|_| program).map_err(|error| error.to_string())
}

fn git_worktree(arguments: &[&str], paths: &[&Path]) -> Result<(), String> {
    let output = Command::new("git").arg("worktree").args(arguments).args(paths).output();
    let output = output.map_err(|error| format!("git: {error}"))?;
    let message = || format!("git failed:\n{}", String::from_utf8_lossy(&output.stderr).trim());
    if output.status.success() { Ok(()) } else { Err(message()) }
}

fn git(arguments: &[impl AsRef<OsStr>]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
