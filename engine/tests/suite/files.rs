//! Files are replaced atomically; only regular files within a size limit are read.

use std::fs;
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use flockwork::internal::file::{Replacement, check_replaceable, read, replace};

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn names(&self) -> Vec<String> {
        let names = fs::read_dir(&self.0).unwrap().map(|entry| entry.unwrap().file_name());
        let mut names: Vec<String> = names.map(|name| name.into_string().unwrap()).collect();
        names.sort();
        names
    }
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}

#[test]
fn a_replaced_file_is_new_and_leaves_nothing_beside_it() {
    let folder = Folder::new();
    let path = folder.at("a");
    for words in ["first", "", "the second one"] {
        check_replaceable(&path).unwrap();
        replace(&path, words.as_bytes()).unwrap();
        assert_eq!(text(&path), words);
        assert_eq!(folder.names(), ["a"]);
    }
}

#[test]
fn a_replacement_takes_its_place_only_when_it_is_finished() {
    let folder = Folder::new();
    let path = folder.at("a");
    fs::write(&path, "previous").unwrap();
    let mut dropped = Replacement::begin(&path).unwrap();
    dropped.write_all(b"half").unwrap();
    assert_eq!(folder.names().len(), 2);
    drop(dropped);
    assert_eq!((folder.names(), text(&path)), (vec!["a".to_owned()], "previous".to_owned()));

    let mut replacement = Replacement::begin(&path).unwrap();
    replacement.write_all(b"? rows").unwrap();
    replacement.seek(SeekFrom::Start(0)).unwrap();
    replacement.write_all(b"7").unwrap();
    assert_eq!(text(&path), "previous");
    replacement.finish().unwrap();
    assert_eq!((folder.names(), text(&path)), (vec!["a".to_owned()], "7 rows".to_owned()));
}

#[test]
fn a_name_as_long_as_names_can_be_is_written() {
    let folder = Folder::new();
    let path = folder.at(&"n".repeat(255));
    replace(&path, b"x").unwrap();
    assert_eq!(text(&path), "x");
}

#[test]
fn what_cannot_be_written_is_refused_and_unchanged() {
    let folder = Folder::new();
    for path in [folder.0.path().to_owned(), folder.at("missing/a"), PathBuf::new(), "/".into()] {
        assert!(check_replaceable(&path).is_err(), "{path:?}");
        assert!(replace(&path, b"x").is_err(), "{path:?}");
    }
    let said = replace(folder.at("missing/a"), b"x").unwrap_err().to_string();
    assert!(said.contains("in the folder") && !said.contains(".flockwork-"), "{said}");
    assert_eq!(folder.names(), [""; 0]);
}

#[test]
fn only_regular_files_within_the_limit_are_read() {
    let folder = Folder::new();
    let path = folder.at("a");
    fs::write(&path, "12345").unwrap();
    assert_eq!(read(&path, 5).unwrap(), b"12345");
    let said = read(&path, 4).unwrap_err().to_string();
    assert_eq!(said, "5 bytes: must be at most 4");
    assert!(read(&folder.0, 4).unwrap_err().to_string().contains("a folder"));
}

#[cfg(unix)]
mod unix {
    use std::env;
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::os::unix::process::ExitStatusExt;
    use std::process::{Command, Output};

    use super::*;

    /// Environment variable that passes a file name to a test rerun in another process.
    const FILE: &str = "FLOCKWORK_TEST_FILE";

    /// Reruns a test in another process, through a command that takes a program and its arguments.
    fn again(command: &[&str], test: &str, file: &Path) -> Option<Output> {
        let arguments = [env::current_exe().unwrap().into_os_string(), "--exact".into()];
        Command::new(command[0])
            .args(&command[1..])
            .args(arguments)
            .arg(format!("files::unix::{test}"))
            .env(FILE, file)
            .output()
            .ok()
    }

    #[test]
    fn links_are_written_through_to_what_they_name() {
        let folder = Folder::new();
        fs::create_dir(folder.at("inner")).unwrap();
        fs::write(folder.at("inner/a"), "old").unwrap();
        symlink("inner/a", folder.at("link")).unwrap();
        symlink("link", folder.at("link-to-link")).unwrap();
        symlink("inner/new", folder.at("to-nothing-yet")).unwrap();
        replace(folder.at("link-to-link"), b"new").unwrap();
        replace(folder.at("to-nothing-yet"), b"made").unwrap();
        for link in ["link", "link-to-link", "to-nothing-yet"] {
            assert!(folder.at(link).is_symlink(), "{link} is still a link");
        }
        assert_eq!((text(&folder.at("inner/a")), text(&folder.at("inner/new"))).0, "new");
        assert_eq!(text(&folder.at("inner/new")), "made");

        symlink("circle", folder.at("circle")).unwrap();
        assert!(replace(folder.at("circle"), b"x").is_err());
    }

    #[test]
    fn permissions_stay_and_new_files_have_the_usual_ones() {
        let folder = Folder::new();
        let mode = |name: &str| folder.at(name).metadata().unwrap().permissions().mode() & 0o777;
        fs::write(folder.at("usual"), "").unwrap();
        replace(folder.at("new"), b"x").unwrap();
        assert_eq!(mode("new"), mode("usual"));
        fs::set_permissions(folder.at("new"), PermissionsExt::from_mode(0o640)).unwrap();
        replace(folder.at("new"), b"y").unwrap();
        assert_eq!(mode("new"), 0o640);
    }

    #[test]
    fn a_file_that_must_not_be_written_is_not_replaced() {
        let folder = Folder::new();
        let path = folder.at("a");
        fs::write(&path, "kept").unwrap();
        fs::set_permissions(&path, PermissionsExt::from_mode(0o444)).unwrap();
        if fs::File::options().write(true).open(&path).is_err() {
            assert_not_replaced(&path);
        } else if env::var_os(FILE).is_none() {
            // Root may write every file unless it gives up this capability.
            let command = ["setpriv", "--bounding-set", "-dac_override"];
            let test = "a_file_that_must_not_be_written_is_not_replaced";
            match again(&command, test, &path) {
                Some(output) if output.status.success() => {}
                Some(output) => panic!("{}", String::from_utf8_lossy(&output.stdout)),
                None => eprintln!("skipped: this user may write everything"),
            }
        } else {
            eprintln!("skipped: this user may write everything, whatever is given up");
        }
        assert_eq!((text(&path).as_str(), folder.names().len()), ("kept", 1));
    }

    fn assert_not_replaced(path: &Path) {
        assert!(check_replaceable(path).is_err() && replace(path, b"x").is_err());
    }

    /// The file-size limit kills the process in the middle of a write, as `kill -9` would, but at
    /// the same byte every time.
    #[test]
    fn killed_at_any_block_a_file_is_the_previous_or_the_new_one() {
        const TEST: &str = "killed_at_any_block_a_file_is_the_previous_or_the_new_one";
        const BLOCKS: usize = 4;
        let new = "n".repeat(BLOCKS * 512);
        if let Some(path) = env::var_os(FILE) {
            replace(path, new.as_bytes()).unwrap();
            return;
        }
        let folder = Folder::new();
        let path = folder.at("a");
        for blocks in 0..=BLOCKS {
            fs::write(&path, "the previous file").unwrap();
            let script = format!("ulimit -c 0; ulimit -f {blocks}; exec \"$@\"");
            let output = again(&["sh", "-c", &script, "sh"], TEST, &path).unwrap();
            if blocks < BLOCKS {
                assert!(output.status.signal().is_some(), "{blocks} blocks: {output:?}");
                assert_eq!(text(&path), "the previous file", "{blocks} blocks");
            } else {
                assert!(output.status.success(), "{output:?}");
                assert_eq!(text(&path), new);
            }
        }
        // Leftovers of killed processes do not interfere with later writes.
        let left = folder.names().len() - 1;
        assert_eq!(left, BLOCKS, "{:?}", folder.names());
        replace(&path, b"x").unwrap();
        assert_eq!(text(&path), "x");
    }

    #[test]
    fn devices_are_written_to_and_not_replaced_nor_read() {
        replace("/dev/null", b"x").unwrap();
        check_replaceable("/dev/null").unwrap();
        assert!(!Path::new("/dev/null").is_file());
        let said = read("/dev/zero", 1 << 20).unwrap_err().to_string();
        assert!(said.contains("a device or a pipe"), "{said}");
    }
}
