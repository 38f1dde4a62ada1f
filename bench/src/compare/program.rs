use std::env::consts::EXE_SUFFIX;
use std::ffi::{OsStr, OsString};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::failure::{Failure, cannot_use};
use crate::measure::progress::log;

/// Finds a program by its path, or builds it from a git revision. The revision that this program
/// was built from needs no build; each other is built only once per compiler and RUSTFLAGS, in
/// target/flockwork/compare.
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
    let rustc =
        Command::new("rustc").arg("-vV").output().map_or_else(|_| Vec::new(), |it| it.stdout);
    let name = build_name(commit, &rustc, std::env::var_os("RUSTFLAGS"));
    let program = folder.join(name).join(&file);
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
    let placed = place(&target.join("release").join(file), &program);
    placed.map(|()| program).map_err(|error| error.to_string())
}

fn build_name(commit: &str, rustc: &[u8], flags: Option<OsString>) -> String {
    let mut hasher = DefaultHasher::new();
    (rustc, flags).hash(&mut hasher);
    format!("{commit}-{:016x}", hasher.finish())
}

/// Copies a program so that an interruption leaves no part of it at `path`, where the next
/// comparison would run it.
fn place(built: &Path, path: &Path) -> io::Result<()> {
    std::fs::create_dir_all(path.parent().expect("programs are in folders"))?;
    let unfinished = path.with_extension(format!("{}.part", std::process::id()));
    std::fs::copy(built, &unfinished)?;
    std::fs::rename(unfinished, path)
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

#[cfg(test)]
mod tests {
    use std::fs::{self, File};
    use std::io::Read;

    use super::*;

    /// Regression: an interrupted copy stayed in the cache, and every later comparison ran it.
    #[test]
    fn a_built_program_is_placed_whole_and_not_overwritten_in_place() {
        let folder = tempfile::tempdir().unwrap();
        let [built, path] = ["built", "cache/program"].map(|name| folder.path().join(name));
        assert!(place(&built, &path).is_err() && !path.exists());
        fs::write(&path, "part").unwrap();
        let mut earlier = File::open(&path).unwrap();
        fs::write(&built, "a whole program").unwrap();
        place(&built, &path).unwrap();
        let mut text = String::new();
        earlier.read_to_string(&mut text).unwrap();
        assert_eq!(text, "part", "the earlier file is not written to");
        assert_eq!(fs::read_to_string(&path).unwrap(), "a whole program");
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
    }

    /// Regression: a comparison with other flags ran the program built with the earlier ones.
    #[test]
    fn another_compiler_or_other_flags_have_a_build_of_their_own() {
        let name = |rustc: &[u8], flags: &str| build_name("c0ffee", rustc, Some(flags.into()));
        let names = [name(b"1", "-a"), name(b"2", "-a"), name(b"1", "-b")];
        assert_eq!(std::collections::HashSet::from(names).len(), 3);
        assert_eq!(name(b"1", "-a"), name(b"1", "-a"));
    }
}
