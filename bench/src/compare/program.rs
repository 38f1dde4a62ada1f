use std::env::consts::EXE_SUFFIX;
use std::ffi::OsString;
use std::fs::File;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::failure::{Failure, cannot_use};
use crate::measure::progress::log;

/// Finds a program by its path, or builds it from a git revision. Returns this program if it was
/// built from that revision. Any other revision is built only once per compiler and RUSTFLAGS, in
/// target/flockwork/compare.
pub(super) fn find(named: &str) -> Result<PathBuf, Failure> {
    let refuse = |message: String| cannot_use(&named, &message);
    let path = Path::new(named);
    if path.is_file() {
        return path.canonicalize().map_err(|error| refuse(error.to_string()));
    }
    let revision = format!("{named}^{{commit}}");
    let commit = git(&["rev-parse", "--verify", "--quiet", &revision])
        .map_err(|_| refuse("it is neither a program nor a git revision here".into()))?;
    // An unclean build's commit ends in `+`, so no revision starts with it.
    let own = env!("FLOCKWORK_COMMIT");
    if !cfg!(debug_assertions) && !own.is_empty() && commit.starts_with(own) {
        return std::env::current_exe().map_err(|error| refuse(error.to_string()));
    }
    let root = git(&["rev-parse", "--show-toplevel"]);
    let root = root.map_err(|_| refuse("no work tree".into()))?;
    build(&commit, &format!("{root}/target/flockwork/compare")).map_err(refuse)
}

fn build(commit: &str, folder: &str) -> Result<PathBuf, String> {
    let file = format!("flockwork-bench{EXE_SUFFIX}");
    let rustc =
        Command::new("rustc").arg("-vV").output().map_or_else(|_| Vec::new(), |it| it.stdout);
    let name = build_name(commit, &rustc, std::env::var_os("RUSTFLAGS"));
    let program = Path::new(folder).join(name).join(&file);
    std::fs::create_dir_all(folder).map_err(|error| error.to_string())?;
    let held = File::open(folder).map_err(|error| error.to_string())?;
    // Wait until another comparison has finished building. Some file systems do not support locks;
    // build anyway.
    _ = held.lock();
    if program.exists() {
        return Ok(program);
    }
    log(&format!("building {commit}, once"));
    let [source, target] = ["source", "target"].map(|name| format!("{folder}/{name}"));
    let remove_source = || git(&["worktree", "remove", "--force", &source]);
    // An interrupted build may have left its git worktree behind.
    _ = remove_source();
    git(&["worktree", "add", "--force", "--detach", &source, commit])?;
    let arguments = ["build", "--release", "-p", "flockwork-bench", "--bin", "flockwork-bench"];
    let mut cargo = Command::new("cargo");
    cargo.args(arguments).args(["--target-dir", &target]);
    cargo.arg("--manifest-path").arg(format!("{source}/Cargo.toml"));
    // Cargo's progress and messages go to the terminal.
    let built = match cargo.stdout(Stdio::null()).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err("it does not build; see cargo's messages above".to_owned()),
        Err(error) => Err(format!("cargo: {error}")),
    };
    built.and(remove_source())?;
    let placed = place(&Path::new(&target).join("release").join(file), &program);
    placed.map(|()| program).map_err(|error| error.to_string())
}

fn build_name(commit: &str, rustc: &[u8], flags: Option<OsString>) -> String {
    let mut hasher = DefaultHasher::new();
    (rustc, flags).hash(&mut hasher);
    format!("{commit}-{:016x}", hasher.finish())
}

/// Copies a program atomically. Otherwise, an interruption could leave a partial copy at `path`,
/// and the next comparison would run it.
fn place(built: &Path, path: &Path) -> io::Result<()> {
    std::fs::create_dir_all(path.parent().expect("programs are in folders"))?;
    let unfinished = path.with_extension(format!("{}.part", std::process::id()));
    std::fs::copy(built, &unfinished)?;
    std::fs::rename(unfinished, path)
}

fn git(arguments: &[&str]) -> Result<String, String> {
    let output = Command::new("git").args(arguments).output();
    let output = output.map_err(|error| format!("git: {error}"))?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
    match output.status.success() {
        true => Ok(text(&output.stdout)),
        false => Err(format!("git failed:\n{}", text(&output.stderr))),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Read;
    use std::time::Duration;

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

    /// Regression: two concurrent comparisons replaced each other's source files during the build.
    #[test]
    fn a_build_waits_for_another_one_in_its_folder() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().to_str().unwrap().to_owned();
        let held = File::open(&path).unwrap();
        held.lock().unwrap();
        let (send, built) = std::sync::mpsc::channel();
        let build = std::thread::spawn(move || send.send(build("no commit", &path)));
        assert!(built.recv_timeout(Duration::from_secs(1)).is_err());
        drop(held);
        assert!(built.recv().unwrap().is_err());
        build.join().unwrap().unwrap();
    }

    /// Regression: after RUSTFLAGS changed, a comparison ran the program built with the old flags.
    #[test]
    fn another_compiler_or_other_flags_have_a_build_of_their_own() {
        let name = |rustc: &[u8], flags: &str| build_name("c0ffee", rustc, Some(flags.into()));
        let names = [name(b"1", "-a"), name(b"2", "-a"), name(b"1", "-b")];
        assert_eq!(std::collections::HashSet::from(names).len(), 3);
        assert_eq!(name(b"1", "-a"), name(b"1", "-a"));
    }
}
