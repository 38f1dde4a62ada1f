//! A virtual display with a viewer on it: tests send keys and mouse input,
//! and read titles and screenshots.

use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::picture::Picture;

/// Generous, since machines may be slow. No test depends on timing.
const DEADLINE: Duration = Duration::from_secs(40);
/// Minimum number of polls, even after the deadline: the machine may have been suspended.
const MIN_POLLS: u32 = 200;
const POLL_INTERVAL: Duration = Duration::from_millis(10);
/// Time limit for each program that talks to the display:
/// xdotool waits forever for a closed window.
const PROGRAM_TIMEOUT: &str = "300s";

const PROGRAMS: [(&str, &str); 4] =
    [("Xvfb", "xvfb"), ("xdotool", "xdotool"), ("import", "imagemagick"), ("timeout", "coreutils")];

/// Runs a test on its own display. Skips the test if a required program is missing.
pub(crate) fn on_a_display(test: impl Fn(&Display)) {
    Display::start().iter().for_each(test);
}

pub(crate) struct Display {
    server: Child,
    name: String,
    folder: PathBuf,
}

/// Serializes the start of X servers: servers that start together may choose the same number.
static STARTS: Mutex<()> = Mutex::new(());

impl Display {
    /// Returns `None` if a program is missing, or panics if FLOCKWORK_REQUIRE_WINDOW is set.
    fn start() -> Option<Self> {
        let missing = PROGRAMS.iter().find(|(program, _)| !is_installed(program));
        let Some((program, package)) = missing else { return Some(Self::new()) };
        let required = std::env::var_os("FLOCKWORK_REQUIRE_WINDOW").is_some();
        assert!(!required, "{program} is missing: install {package}");
        // Unlike `eprintln!`, this shows even though the test passes.
        let words = "skipped: the window cannot be tested without";
        let _ = writeln!(io::stderr(), "{words} {program} (package {package})");
        None
    }

    fn new() -> Self {
        // Rust's test harness names each test's thread after the test.
        let test = std::thread::current().name().unwrap_or("test").replace("::", "-");
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
        // Delete files of an earlier run: otherwise, the viewer would add numbers to file names.
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a folder to write to");
        // A poisoned lock is harmless: a failed test leaves no state that could affect the next.
        let _starts = STARTS.lock().unwrap_or_else(PoisonError::into_inner);
        // Without -noreset, Xvfb restarts when its last client leaves,
        // and rejects clients that connect meanwhile.
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "1400x1200x24"])
            .args(["-nolisten", "tcp", "-noreset"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("Xvfb starts");
        let mut number = String::new();
        let out = server.stdout.take().expect("a pipe");
        BufReader::new(out).read_line(&mut number).expect("Xvfb says its number");
        Self { server, name: format!(":{}", number.trim()), folder }
    }

    fn run(&self, program: &str, arguments: &[&str]) -> Vec<u8> {
        let out = Command::new("timeout")
            .args([PROGRAM_TIMEOUT, program])
            .args(arguments)
            .env("DISPLAY", &self.name)
            .output()
            .expect("it is installed");
        let in_time = out.status.code() != Some(124);
        assert!(in_time, "{program} {arguments:?} took longer than {PROGRAM_TIMEOUT}");
        out.stdout
    }

    pub(crate) fn open(&self, arguments: &[&str]) -> Viewer<'_> {
        self.open_with(arguments, &[])
    }

    pub(crate) fn open_text(&self, text: &str, name: &str, size: &str) -> Viewer<'_> {
        let path = self.folder.join(name);
        fs::write(&path, text).expect("a folder to write to");
        self.open(&["--scene", &path.display().to_string(), "--size", size])
    }

    pub(crate) fn open_with(&self, arguments: &[&str], variables: &[(&str, &str)]) -> Viewer<'_> {
        let program = self
            .viewer()
            .args(arguments)
            .envs(variables.iter().copied())
            .spawn()
            .expect("the viewer starts");
        let mut viewer = Viewer { display: self, program, window: String::new() };
        viewer.window = until("a window", || {
            if let Some(code) = viewer.program.try_wait().expect("a child") {
                let mut said = String::new();
                let _ = viewer.program.stderr.take().map(|mut err| err.read_to_string(&mut said));
                panic!("the viewer has ended: {code}: {said}");
            }
            let found = self.run("xdotool", &["search", "--name", "^flockwork: "]);
            let found = String::from_utf8_lossy(&found);
            found.lines().next().map(str::to_owned)
        });
        viewer.focus();
        viewer
    }

    /// Path of a file that the viewer will write at this step. Deletes older files for the same
    /// step.
    pub(crate) fn output_file(&self, step: u64, end: &str) -> PathBuf {
        let name = format!("flockwork-flock-{step}");
        for old in fs::read_dir(&self.folder).expect("a folder").flatten() {
            if old.file_name().to_string_lossy().starts_with(&name) {
                let _ = fs::remove_file(old.path());
            }
        }
        self.folder.join(name + end)
    }

    pub(crate) fn viewer(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_flockwork-viewer"));
        command
            .current_dir(&self.folder)
            .env("DISPLAY", &self.name)
            .env_remove("WAYLAND_DISPLAY")
            .stderr(Stdio::piped());
        command
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

fn is_installed(program: &str) -> bool {
    Command::new(program).arg("-help").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
}

pub(crate) fn until<T>(what: &str, mut poll: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    let mut polls = 0;
    while polls < MIN_POLLS || start.elapsed() < DEADLINE {
        if let Some(found) = poll() {
            return found;
        }
        polls += 1;
        std::thread::sleep(POLL_INTERVAL);
    }
    panic!("there is still no {what}")
}

pub(crate) struct Viewer<'a> {
    display: &'a Display,
    program: Child,
    window: String,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Title {
    pub(crate) scene: String,
    pub(crate) agents: usize,
    pub(crate) seed: u64,
    /// Step and state hash, while paused.
    pub(crate) paused_at: Option<(u64, String)>,
    pub(crate) steps_per_second: f64,
    pub(crate) partition: String,
}

impl Title {
    fn read(text: &str) -> Option<Self> {
        let rest = text.strip_prefix("flockwork: ")?;
        let mut parts = rest.trim().split(" | ");
        let (what, state) = (parts.next()?, parts.next()?);
        let mut what = what.split(", ");
        let (scene, agents, seed) = (what.next()?, what.next()?, what.next()?);
        let paused = state.strip_prefix("paused at step ").and_then(|at| at.split_once(", state "));
        let paused_at = match paused {
            Some((step, hash)) => Some((step.parse().ok()?, hash.to_owned())),
            None => None,
        };
        let steps = state.strip_suffix(" steps/s").and_then(|steps| steps.parse().ok());
        Some(Self {
            scene: scene.to_owned(),
            agents: agents.strip_prefix("N = ")?.replace(',', "").parse().ok()?,
            seed: seed.strip_prefix("seed ")?.parse().ok()?,
            paused_at,
            steps_per_second: steps.unwrap_or_default(),
            partition: parts.last()?.to_owned(),
        })
    }
}

impl Viewer<'_> {
    fn xdotool(&self, arguments: &[&str]) -> String {
        let out = self.display.run("xdotool", arguments);
        String::from_utf8_lossy(&out).into_owned()
    }

    pub(crate) fn key(&self, key: &str) {
        self.xdotool(&["windowfocus", "--sync", &self.window, "key", key]);
    }

    /// Holds a key long enough for it to repeat: X servers begin to repeat after 0.66 s.
    pub(crate) fn hold(&self, key: &str) {
        self.focus();
        self.xdotool(&["keydown", key, "sleep", "0.9", "keyup", key]);
    }

    pub(crate) fn drag(&self, path: &[[i32; 2]]) {
        self.drag_with("1", path);
    }

    pub(crate) fn drag_right(&self, path: &[[i32; 2]]) {
        self.drag_with("3", path);
    }

    fn drag_with(&self, button: &str, path: &[[i32; 2]]) {
        let place = |at: [i32; 2]| at.map(|value| value.to_string());
        let pause = ["sleep", "0.02"];
        let mut arguments: Vec<String> = Vec::new();
        let mut push = |words: &[&str]| arguments.extend(words.iter().map(|&word| word.to_owned()));
        for (k, at) in path.iter().enumerate() {
            let [x, y] = place(*at);
            push(&["mousemove", "--window", &self.window, &x, &y]);
            push(&pause);
            if k == 0 {
                push(&["mousedown", button]);
                push(&pause);
            }
        }
        push(&["mouseup", button]);
        push(&pause);
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        self.xdotool(&arguments);
    }

    pub(crate) fn click(&self, at: [i32; 2]) {
        self.drag(&[at]);
    }

    /// Suspends the viewer while keys are pressed, so all arrive before its next frame.
    #[cfg(unix)]
    pub(crate) fn keys_at_once(&self, keys: [&str; 2]) {
        self.signal("-STOP");
        keys.into_iter().for_each(|key| self.key(key));
        self.signal("-CONT");
    }

    /// Suspends the viewer during two clicks, so both arrive before its next frame.
    #[cfg(unix)]
    pub(crate) fn click_both(&self, places: [[i32; 2]; 2]) {
        self.signal("-STOP");
        places.into_iter().for_each(|place| self.click(place));
        self.signal("-CONT");
    }

    /// Clicks as if the machine took a second to draw a frame. By default, egui allows 0.8 s.
    pub(crate) fn click_slowly(&self, [x, y]: [i32; 2]) {
        let (x, y) = (x.to_string(), y.to_string());
        let press =
            ["mousemove", "--window", &self.window, &x, &y, "sleep", "0.1", "mousedown", "1"];
        self.xdotool(&[&press[..], &["sleep", "1", "mouseup", "1"]].concat());
    }

    pub(crate) fn jump_and_click(&self, [fx, fy]: [i32; 2], [x, y]: [i32; 2]) {
        let [fx, fy, x, y] = [fx, fy, x, y].map(|value| value.to_string());
        let window = self.window.as_str();
        let from = ["mousemove", "--window", window, &fx, &fy, "sleep", "0.2"];
        let to = ["mousemove", "--window", window, &x, &y, "click", "1"];
        self.xdotool(&[&from[..], &to].concat());
    }

    /// Clicks a text field of the panel and waits for keyboard focus, which darkens the field.
    pub(crate) fn edit(&self, [x, y]: [i32; 2]) {
        self.click([x, y]);
        self.until_screenshot("edited", |picture| picture.at([x - 54, y - 4])[0] < 30);
    }

    pub(crate) fn until_edited(&self, [x, y]: [i32; 2]) {
        self.until_screenshot("not-edited", |picture| picture.at([x - 54, y - 4])[0] > 40);
    }

    pub(crate) fn wheel_up(&self, [x, y]: [i32; 2]) {
        let (x, y) = (x.to_string(), y.to_string());
        self.xdotool(&["mousemove", "--window", &self.window, &x, &y, "click", "4"]);
    }

    pub(crate) fn resize(&self, [width, height]: [u32; 2]) {
        self.xdotool(&["windowsize", &self.window, &width.to_string(), &height.to_string()]);
    }

    pub(crate) fn hide(&self) {
        self.xdotool(&["windowunmap", &self.window]);
    }

    pub(crate) fn bring_back(&self) {
        self.xdotool(&["windowmap", "--sync", &self.window]);
        self.focus();
    }

    /// Gives the window keyboard focus, since no window manager does.
    fn focus(&self) {
        self.xdotool(&["windowfocus", "--sync", &self.window]);
    }

    pub(crate) fn title(&self) -> Title {
        until("title", || Title::read(&self.xdotool(&["getwindowname", &self.window])))
    }

    pub(crate) fn until_title(&self, what: &str, says: impl Fn(&Title) -> bool) -> Title {
        until(what, || {
            let title = self.title();
            println!("waiting for {what}: {title:?}");
            Some(title).filter(&says)
        })
    }

    /// Waits until the viewer is paused at a step.
    pub(crate) fn until_step(&self, step: u64) -> Title {
        let paused = |title: &Title| title.paused_at.as_ref().is_some_and(|(at, _)| *at == step);
        self.until_title(&format!("pause at step {step}"), paused)
    }

    /// Steps once from the state saved with F5 at `step`, restores the saved state,
    /// and returns the new step and hash.
    pub(crate) fn step_from_kept(&self, step: u64) -> Option<(u64, String)> {
        self.key("Right");
        let next = self.until_step(step + 1).paused_at;
        self.key("F9");
        self.until_step(step);
        next
    }

    pub(crate) fn pause(&self) -> (u64, String) {
        self.key("space");
        let title = self.until_title("pause", |title| title.paused_at.is_some());
        title.paused_at.expect("just seen")
    }

    /// Pauses in the initial state, so positions do not depend on the machine's speed.
    pub(crate) fn pause_at_start(&self) {
        self.pause();
        self.key("r");
        self.until_step(0);
    }

    pub(crate) fn screenshot(&self, name: &str) -> Picture {
        // Without compression, a screenshot takes a third of the time.
        let arguments = ["-window", &self.window, "-depth", "8", "ppm:-"];
        let ppm = self.display.run("import", &arguments);
        let path = self.display.folder.join(format!("{name}.ppm"));
        fs::write(path, &ppm).expect("a folder to write to");
        Picture::of_ppm(&ppm).expect("a screenshot")
    }

    pub(crate) fn until_screenshot(&self, name: &str, is: impl Fn(&Picture) -> bool) -> Picture {
        until(name, || Some(self.screenshot(name)).filter(&is))
    }

    /// Takes screenshots until two in a row are equal and satisfy a condition, e.g. after a pause.
    pub(crate) fn until_still(&self, name: &str, is: impl Fn(&Picture) -> bool) -> Picture {
        let mut before = self.until_screenshot(name, &is);
        until(name, || {
            let now = self.screenshot(name);
            if now.differences(&before) == 0 && is(&now) {
                return Some(now);
            }
            before = now;
            None
        })
    }

    /// Makes the X server close the viewer's connection, as if the display had ended.
    pub(crate) fn lose_display(&self) {
        self.xdotool(&["windowkill", &self.window]);
    }

    #[cfg(unix)]
    pub(crate) fn terminate(&self) {
        self.signal("-TERM");
    }

    #[cfg(unix)]
    fn signal(&self, name: &str) {
        let id = self.program.id().to_string();
        assert!(Command::new("kill").args([name, &id]).status().expect("kill runs").success());
    }

    pub(crate) fn end(self) -> Option<i32> {
        self.end_with_stderr().0
    }

    pub(crate) fn end_with_stderr(mut self) -> (Option<i32>, String) {
        let code = until("end", || self.program.try_wait().expect("a child")).code();
        let mut said = String::new();
        let _ = self.program.stderr.take().map(|mut err| err.read_to_string(&mut said));
        (code, said)
    }
}

impl Drop for Viewer<'_> {
    fn drop(&mut self) {
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}
