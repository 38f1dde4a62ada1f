//! Tests of faults: signals, kills, full disks, too little memory.
//! Afterwards, every file is either complete or the previous version.

#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::Duration;

use flockwork::Snapshot;
use tempfile::TempDir;

const VIEWER: &str = env!("CARGO_BIN_EXE_flockwork-viewer");
const SCENE: [&str; 5] = ["--headless", "--scene", "flock", "--size", "640x480"];

const FILES: [(&str, &str); 3] = [("x.png", "--out"), ("x.gif", "--out"), ("state", "--save")];

fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder")
}

fn path(folder: &TempDir, name: &str) -> String {
    folder.path().join(name).display().to_string()
}

fn start(arguments: &[&str]) -> Child {
    Command::new(VIEWER)
        .args(SCENE)
        .args(arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the viewer starts")
}

fn endless(arguments: &[&str]) -> Child {
    start(&[arguments, &["--frames", "1000000"]].concat())
}

fn signal(viewer: &Child, name: &str) {
    let kill = Command::new("kill").args([name, &viewer.id().to_string()]).status();
    assert!(kill.expect("kill runs").success());
}

fn until_there(viewer: &mut Child, path: &Path) {
    while !path.exists() {
        assert!(viewer.try_wait().expect("its state").is_none(), "it keeps running");
        sleep(Duration::from_millis(2));
    }
}

/// Counts the frames of a GIF. Panics if the GIF is truncated.
fn pictures_of_gif(bytes: &[u8]) -> usize {
    let mut decoder = gif::Decoder::new(bytes).expect("a GIF");
    std::iter::from_fn(|| decoder.read_next_frame().expect("a whole picture").map(drop)).count()
}

fn names(folder: &TempDir) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("the folder");
    entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("text")).collect()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Runs the viewer with a file-size limit, in blocks of 512 bytes.
/// Writes beyond the limit fail as on a full disk.
fn with_file_limit(blocks: u32, arguments: &[&str]) -> Output {
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
    let mut command = Command::new("sh");
    command.args(["-c", &script, VIEWER, "--headless", "--scene", "flock"]);
    command.args(arguments).output().expect("the viewer starts")
}

#[test]
fn a_request_to_end_keeps_what_is_complete() {
    for request in ["-INT", "-TERM", "-HUP"] {
        let folder = folder();
        let (gif, state) = (path(&folder, "x.gif"), path(&folder, "state"));
        let mut viewer = endless(&["--out", &gif, "--save", &state]);
        until_there(&mut viewer, gif.as_ref());
        signal(&viewer, request);
        let output = viewer.wait_with_output().expect("the viewer ends");
        assert_eq!(output.status.code(), Some(130), "{request}: {}", said(&output));
        assert!(pictures_of_gif(&fs::read(&gif).expect("the animation")) > 0, "{request}");
        let words = said(&output);
        assert!(words.contains("interrupted at step") && words.contains("of 1000599"), "{words}");
        assert!(Snapshot::load(&state).expect("a state").tick() >= 600, "{request}");
        assert_eq!(names(&folder).len(), 2, "{request}: {:?}", names(&folder));
    }
}

/// Regression: a signal before the first step killed the viewer
/// instead of ending it with exit code 130.
#[cfg(target_os = "linux")]
#[test]
fn a_request_to_end_while_a_crowd_is_built_ends_with_130() {
    for request in ["-INT", "-TERM", "-HUP"] {
        let mut viewer = start(&["--agents", "2000000", "--steps", "1000000", "--threads", "1"]);
        let threads = format!("/proc/{}/task", viewer.id());
        // The drawing threads start after the signal handlers are installed
        // and before the crowd is built.
        while fs::read_dir(&threads).map_or(0, Iterator::count) < 3 {
            assert!(viewer.try_wait().expect("its state").is_none(), "it keeps running");
            sleep(Duration::from_millis(1));
        }
        signal(&viewer, request);
        let output = viewer.wait_with_output().expect("the viewer ends");
        assert_eq!(output.status.code(), Some(130), "{request}: {}", said(&output));
    }
}

#[test]
fn killed_at_any_moment_a_recording_has_its_complete_pictures() {
    for milliseconds in [0, 1, 2, 3, 5, 8, 13, 21] {
        let folder = folder();
        let gif = path(&folder, "x.gif");
        let mut viewer = endless(&["--out", &gif, "--steps", "1"]);
        until_there(&mut viewer, gif.as_ref());
        sleep(Duration::from_millis(milliseconds));
        viewer.kill().expect("killed");
        viewer.wait().expect("the viewer ends");
        assert!(pictures_of_gif(&fs::read(&gif).expect("the animation")) > 0, "{milliseconds} ms");
    }
}

#[test]
fn killed_at_any_moment_a_state_is_the_previous_or_the_new_one() {
    let folder = folder();
    let state = path(&folder, "state");
    let save = ["--agents", "100000", "--steps", "0", "--out"];
    let picture = path(&folder, "x.png");
    let save = [&save[..], &[&picture, "--save", &state]].concat();
    assert!(start(&save).wait().expect("the viewer ends").success());
    for milliseconds in (0..80).step_by(10) {
        fs::remove_file(&picture).expect("drawn before the state is saved");
        let mut viewer = start(&save);
        until_there(&mut viewer, picture.as_ref());
        sleep(Duration::from_millis(milliseconds));
        viewer.kill().expect("killed");
        viewer.wait().expect("the viewer ends");
        assert_eq!(Snapshot::load(&state).expect("a whole state").tick(), 0, "{milliseconds} ms");
    }
}

#[test]
fn a_full_disk_leaves_the_previous_files() {
    let folder = folder();
    for (name, option) in FILES {
        let file = path(&folder, name);
        fs::write(&file, "the previous file").expect("a file");
        let output = with_file_limit(1, &[option, &file]);
        assert_eq!(output.status.code(), Some(2), "{name}: {}", said(&output));
        assert!(said(&output).contains(&file), "{name}: {}", said(&output));
        let kept = fs::read_to_string(&file).expect("the previous file");
        assert_eq!(kept, "the previous file", "{name}");
    }
    let left = names(&folder);
    assert_eq!(left.len(), FILES.len(), "no temporary file is left: {left:?}");
}

#[test]
fn links_are_written_through_and_files_that_must_not_be_written_stay() {
    let folder = folder();
    for (name, option) in FILES {
        let (file, link) = (path(&folder, name), path(&folder, &format!("link-{name}")));
        fs::write(&file, "the previous file").expect("a file");
        std::os::unix::fs::symlink(name, &link).expect("a link");
        let run = || start(&["--steps", "1", option, &link]).wait_with_output().expect("it ends");
        let output = run();
        assert!(output.status.success(), "{name}: {}", said(&output));
        assert!(fs::symlink_metadata(&link).expect("the link").is_symlink(), "{name}");
        let written = fs::read(&file).expect("the new file");
        assert_ne!(written, b"the previous file", "{name}");

        // Root may write to read-only files, so the file must stay unchanged only for other users.
        let mut permissions = fs::metadata(&file).expect("the new file").permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&file, permissions).expect("its own file");
        if fs::File::options().write(true).open(&file).is_err() {
            let output = run();
            assert_eq!(output.status.code(), Some(2), "{name}: {}", said(&output));
            assert_eq!(fs::read(&file).expect("the file"), written, "{name}");
        }
    }
}

#[test]
fn a_disk_that_fills_up_during_a_recording_leaves_the_pictures_before() {
    let folder = folder();
    let gif = path(&folder, "x.gif");
    let more = ["--size", "160x120", "--steps", "1", "--frames", "1000", "--out"];
    let output = with_file_limit(100, &[&more[..], &[&gif]].concat());
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    let bytes = fs::read(&gif).expect("the animation");
    assert!(pictures_of_gif(&bytes) > 1 && bytes.last() == Some(&0x3b));
    assert_eq!(names(&folder), ["x.gif"]);
}

/// Regression: a recording into a pipe failed after its first picture.
#[cfg(target_os = "linux")]
#[test]
fn a_recording_into_a_pipe_is_refused_before_the_first_step() {
    let folder = folder();
    let pipe = path(&folder, "x.gif");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo runs").success());
    // Open the pipe for reading and writing, because opening it for only one would wait for the
    // other side.
    let _reader = fs::File::options().read(true).write(true).open(&pipe).expect("the pipe");
    let record = |frames| {
        let viewer = start(&["--agents", "3", "--steps", "1", "--frames", frames, "--out", &pipe]);
        viewer.wait_with_output().expect("it ends")
    };
    let output = record("2");
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert!(said(&output).contains("must go to a regular file"), "{}", said(&output));
    assert!(record("1").status.success(), "a single picture can go to a pipe");
}

/// Regression: a picture or state that could not be written discarded the state and the report.
#[cfg(target_os = "linux")]
#[test]
fn output_that_cannot_be_written_costs_neither_the_state_nor_the_report() {
    let folder = folder();
    let [picture, state, full] = ["x.png", "state", "full.png"].map(|name| path(&folder, name));
    std::os::unix::fs::symlink("/dev/full", &full).expect("a link");
    for (out, save) in [(&full, &state), (&picture, &full), (&full, &full)] {
        let mut command = Command::new(VIEWER);
        command.args(SCENE).args(["--steps", "20", "--out", out, "--save", save]);
        let output = command.output().expect("the viewer starts");
        assert_eq!(output.status.code(), Some(2), "{}", said(&output));
        let failures = [out, save].into_iter().filter(|file| **file == full).count();
        assert_eq!(said(&output).matches("/full.png").count(), failures, "{}", said(&output));
        let report = String::from_utf8_lossy(&output.stdout);
        assert!(report.contains("20 steps"), "{report}");
        assert_eq!(report.contains("0 of 1 pictures"), *out == full, "{report}");
        assert_eq!(report.contains("state: "), *save == state, "{report}");
    }
    assert_eq!(Snapshot::load(&state).expect("a state").tick(), 20);
}

#[test]
fn a_closed_pipe_for_messages_is_no_panic() {
    for arguments in [&["--scene", "nowhere.toml"][..], &["--scene", "flock", "--steps", "1"]] {
        let script =
            "exec 3>&1; (sleep 0.2; \"$0\" --headless \"$@\" 2>&1 >&3; echo $? > code) | true";
        let folder = folder();
        let mut command = Command::new("sh");
        command.current_dir(&folder).args(["-c", script, VIEWER]).args(arguments);
        assert!(command.output().expect("the viewer starts").status.success());
        let code = folder.path().join("code");
        while fs::read_to_string(&code).map_or(0, |text| text.len()) < 2 {
            sleep(Duration::from_millis(5));
        }
        let code = fs::read_to_string(code).expect("an exit code");
        assert!(["0", "2"].contains(&code.trim()), "{arguments:?}: exit code {code}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn what_cannot_be_printed_is_an_error_and_said() {
    let once = ["--agents", "20", "--size", "64x64", "--json"];
    let report = [&["--headless", "--steps", "1", "--out", "x.png"], &once[..]].concat();
    let folder = folder();
    let full = |arguments: &[&str], stream| {
        let script = format!("exec \"$0\" \"$@\" {stream}/dev/full");
        let mut command = Command::new("sh");
        command.current_dir(&folder).args(["-c", &script, VIEWER]).args(arguments);
        command.output().expect("the viewer starts")
    };
    for arguments in [&["--list"][..], &["--help"], &["--version"], &report] {
        let output = full(arguments, ">");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", said(&output));
        let words = "cannot write to standard output: No space left";
        assert!(said(&output).contains(words), "{arguments:?}: {}", said(&output));
        assert!(full(arguments, "2>").status.success(), "{arguments:?}: nothing to say");
    }
    for arguments in [&["--wrong"][..], &["--headless", "--scene", "nowhere.toml"]] {
        assert_eq!(full(arguments, "2>").status.code(), Some(2), "{arguments:?}");
    }
}

#[test]
fn the_environment_may_ask_for_up_to_1024_threads() {
    let run = |threads: &str| {
        let mut command = Command::new(VIEWER);
        command.env("RAYON_NUM_THREADS", threads).args(SCENE).args(["--steps", "1", "--json"]);
        command.output().expect("the viewer starts")
    };
    for threads in ["99999", "1025", "-1", "two"] {
        let output = run(threads);
        assert_eq!(output.status.code(), Some(2), "{threads}: {}", said(&output));
        let words = format!("RAYON_NUM_THREADS = {threads}: must be from 1 to 1024");
        assert!(said(&output).contains(&words), "{threads}: {}", said(&output));
    }
    for (threads, used) in [("3", "3"), ("0", ""), ("", "")] {
        let output = run(threads);
        assert!(output.status.success(), "{threads}: {}", said(&output));
        let report = String::from_utf8_lossy(&output.stdout);
        assert!(report.contains(&format!("\"threads\":{used}")), "{threads}: {report}");
    }
}

/// A command that runs the viewer under `ulimit`, e.g. `-s` for the stack or `-v` for the
/// address space, in kilobytes.
#[cfg(target_os = "linux")]
fn with_limit(limit: &str, arguments: &[&str]) -> Command {
    let script = format!("ulimit {limit}; exec \"$0\" --headless \"$@\"");
    let mut command = Command::new("sh");
    command.args(["-c", &script, VIEWER]).args(arguments);
    command
}

#[cfg(target_os = "linux")]
#[test]
fn a_crowd_or_a_size_that_leaves_no_memory_for_its_picture_is_refused() {
    // The first limit has room for the crowd, but not for its picture.
    for (limit, option) in [
        ("-v 700000", ["--agents", "4000000"]),
        ("-v 400000", ["--size", "7680x4320"]),
        ("-v 1000000", ["--size", "7680x4320"]),
    ] {
        let output = with_limit(limit, &option).args(["--steps", "1"]).output().expect("a start");
        assert_eq!(output.status.code(), Some(2), "{option:?}: {}", said(&output));
        let words = "B of memory is needed";
        assert!(said(&output).contains(words), "{option:?}: {}", said(&output));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn more_threads_than_there_is_memory_for_are_refused() {
    for limit in ["-v 400000", "-v 1000000", "-v 2000000"] {
        for (threads, variable) in [("1024", ""), ("1", "1024")] {
            let arguments = ["--agents", "20", "--steps", "1", "--threads", threads];
            let mut command = with_limit(limit, &arguments);
            let output = command.env("RAYON_NUM_THREADS", variable).output().expect("a start");
            assert_eq!(output.status.code(), Some(2), "{limit}: {}", said(&output));
            let words = "cannot start 1024 worker threads";
            assert!(said(&output).contains(words), "{limit}: {}", said(&output));
        }
    }
}

/// Regression: the viewer panicked if the thread of its progress bar could not start.
/// Root is exempt from the limit on processes, so the test runs as another user.
#[cfg(target_os = "linux")]
#[test]
fn where_no_thread_can_be_started_the_viewer_says_so_or_does_without() {
    use std::io::Write;
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    use std::os::unix::process::CommandExt;
    let folder = folder();
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).expect("the folder's owner");
    let viewer = folder.path().join("viewer");
    fs::copy(VIEWER, &viewer).expect("a copy that every user may run");
    let is_root = fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0);
    for processes in 0..8 {
        let mut run = Command::new("prlimit");
        run.arg(format!("--nproc={processes}")).arg(&viewer).args(SCENE).args(["--steps", "1"]);
        run.current_dir(&folder).env("RAYON_NUM_THREADS", "1");
        if is_root {
            // The limit counts all processes of a user, and the user `nobody` has no others.
            run.uid(65_534).gid(65_534);
        }
        let Ok(output) = run.output() else {
            let _ = writeln!(std::io::stderr(), "skipped: prlimit is not installed");
            return;
        };
        let said = said(&output);
        match output.status.code() {
            Some(0) => {}
            Some(2) => assert!(said.contains("cannot start"), "{processes} processes: {said}"),
            code => panic!("{processes} processes: {code:?}: {said}"),
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn the_main_thread_needs_256_kib_of_stack_and_the_others_have_their_own() {
    let folder = folder();
    let file = path(&folder, "x.gif");
    let drawn = ["--size", "640x480", "--steps", "9", "--trails", "0.1", "--explain", "0,1"];
    for color in ["heading", "speed"] {
        for scene in ["flock", "stress", "hide"] {
            let mut command = with_limit("-s 256", &drawn);
            command.args(["--scene", scene, "--color", color, "--frames", "2", "--out", &file]);
            let output = command.env("RUST_MIN_STACK", "1").output().expect("a start");
            assert!(output.status.success(), "{scene}: {:?} {}", output.status, said(&output));
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn more_than_the_memory_is_refused_with_both_figures() {
    let folder = folder();
    let file = path(&folder, "state");
    fs::File::create(&file).and_then(|state| state.set_len(3_000_000_000)).expect("a sparse file");
    for (arguments, needed) in [(["--agents", "100000000"], ""), (["--resume", &file], "9.0 ")] {
        let script = "ulimit -v 2000000; exec \"$0\" --headless \"$@\"";
        let run = Command::new("sh").args(["-c", script, VIEWER]).args(arguments).output();
        let output = run.expect("the viewer starts");
        assert_eq!(output.status.code(), Some(2), "{}", said(&output));
        let words = format!("{needed}GB of memory is needed, but 2.0 GB is available");
        assert!(said(&output).contains(&words), "{}", said(&output));
    }
}
