//! A display without a screen, and a viewer in it: keys and mouse go in, titles and screenshots
//! come out.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::picture::Picture;

/// Generous: machines may be slow, and nothing here depends on time.
const DEADLINE: Duration = Duration::from_secs(40);
/// At least so many looks, however long they take: a machine may have stood still meanwhile.
const LOOKS: u32 = 200;
const LOOK_EVERY: Duration = Duration::from_millis(50);
/// For one program that talks to the display; xdotool waits for ever for a window that is gone.
const PATIENCE: &str = "300s";

/// What a display needs, and a package that has it.
const PROGRAMS: [(&str, &str); 4] =
    [("Xvfb", "xvfb"), ("xdotool", "xdotool"), ("import", "imagemagick"), ("timeout", "coreutils")];

/// Runs a test on a display of its own.
pub(crate) fn on_a_display(test: impl Fn(&Display)) {
    Display::start().iter().for_each(test);
}

/// An X server that draws into memory.
pub(crate) struct Display {
    server: Child,
    name: String,
    /// One after the other: servers that start together may choose the same number.
    _alone: MutexGuard<'static, ()>,
}

static ALONE: Mutex<()> = Mutex::new(());

impl Display {
    /// `None` where something is missing, which is said, or a failure if it is required.
    fn start() -> Option<Self> {
        let missing = PROGRAMS.iter().find(|(program, _)| !is_installed(program));
        let Some((program, package)) = missing else { return Some(Self::new()) };
        let required = std::env::var_os("FLOCKWORK_REQUIRE_WINDOW").is_some();
        assert!(!required, "{program} is missing: install {package}");
        eprintln!("skipped: the window cannot be tested without {program} (package {package})");
        None
    }

    fn new() -> Self {
        // A test that has failed leaves nothing behind that could matter.
        let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        // Without -noreset, Xvfb starts over whenever its last client leaves, and turns away
        // the next that is just coming in.
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
        Self { server, name: format!(":{}", number.trim()), _alone: alone }
    }

    fn run(&self, program: &str, arguments: &[&str]) -> Vec<u8> {
        let out = Command::new("timeout")
            .args([PATIENCE, program])
            .args(arguments)
            .env("DISPLAY", &self.name)
            .output()
            .expect("it was there a moment ago");
        let in_time = out.status.code() != Some(124);
        assert!(in_time, "{program} {arguments:?} took longer than {PATIENCE}");
        out.stdout
    }

    /// Starts a viewer, and waits for its window.
    pub(crate) fn open(&self, arguments: &[&str]) -> Viewer<'_> {
        self.open_with(arguments, &[])
    }

    /// Opens a scene that is written to a file of its own.
    pub(crate) fn open_text(&self, text: &str, name: &str, size: &str) -> Viewer<'_> {
        let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        std::fs::write(&path, text).expect("a folder to write to");
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

    /// The program, in this display.
    pub(crate) fn viewer(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_flockwork-viewer"));
        command
            .current_dir(env!("CARGO_TARGET_TMPDIR"))
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

/// Looks again and again until there is something.
pub(crate) fn until<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    let mut looks = 0;
    while looks < LOOKS || start.elapsed() < DEADLINE {
        if let Some(found) = look() {
            return found;
        }
        looks += 1;
        std::thread::sleep(LOOK_EVERY);
    }
    panic!("there is still no {what}")
}

pub(crate) struct Viewer<'a> {
    display: &'a Display,
    program: Child,
    window: String,
}

/// What a window's title says.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Title {
    pub(crate) scene: String,
    pub(crate) agents: usize,
    pub(crate) seed: u64,
    /// The step and the state's hash, while it rests.
    pub(crate) rests_at: Option<(u64, String)>,
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
        let rests_at = match paused {
            Some((step, hash)) => Some((step.parse().ok()?, hash.to_owned())),
            None => None,
        };
        let steps = state.strip_suffix(" steps/s").and_then(|steps| steps.parse().ok());
        Some(Self {
            scene: scene.to_owned(),
            agents: agents.strip_prefix("N = ")?.parse().ok()?,
            seed: seed.strip_prefix("seed ")?.parse().ok()?,
            rests_at,
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

    /// Presses a key, by xdotool's name for it.
    pub(crate) fn key(&self, key: &str) {
        self.focus();
        self.xdotool(&["key", key]);
    }

    /// Holds a key for longer than it takes to repeat.
    pub(crate) fn hold(&self, key: &str) {
        self.focus();
        self.xdotool(&["keydown", key, "sleep", "1.5", "keyup", key]);
    }

    pub(crate) fn key_down(&self, key: &str) {
        self.focus();
        self.xdotool(&["keydown", key]);
    }

    pub(crate) fn key_up(&self, key: &str) {
        self.xdotool(&["keyup", key]);
    }

    /// Drags the mouse with the left button from place to place.
    pub(crate) fn drag(&self, way: &[[i32; 2]]) {
        self.drag_with("1", way);
    }

    pub(crate) fn drag_right(&self, way: &[[i32; 2]]) {
        self.drag_with("3", way);
    }

    fn drag_with(&self, button: &str, way: &[[i32; 2]]) {
        let place = |at: [i32; 2]| at.map(|value| value.to_string());
        let pause = ["sleep", "0.1"];
        let mut arguments: Vec<String> = Vec::new();
        let mut push = |words: &[&str]| arguments.extend(words.iter().map(|&word| word.to_owned()));
        for (k, at) in way.iter().enumerate() {
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

    /// Turns the wheel up with the mouse at a place.
    pub(crate) fn wheel_up(&self, [x, y]: [i32; 2]) {
        let (x, y) = (x.to_string(), y.to_string());
        self.xdotool(&[
            "mousemove",
            "--window",
            &self.window,
            &x,
            &y,
            "sleep",
            "0.1",
            "click",
            "4",
        ]);
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

    /// Lets keys go to the window. Without a window manager nobody else does.
    fn focus(&self) {
        self.xdotool(&["windowfocus", "--sync", &self.window]);
    }

    pub(crate) fn title(&self) -> Title {
        until("title", || Title::read(&self.xdotool(&["getwindowname", &self.window])))
    }

    /// Waits until the title says something.
    pub(crate) fn until_title(&self, what: &str, says: impl Fn(&Title) -> bool) -> Title {
        until(what, || {
            let title = self.title();
            // Shown if the test fails.
            println!("waiting for {what}: {title:?}");
            Some(title).filter(&says)
        })
    }

    /// Waits until it rests at a step.
    pub(crate) fn until_step(&self, step: u64) -> Title {
        let rests = |title: &Title| title.rests_at.as_ref().is_some_and(|(at, _)| *at == step);
        self.until_title(&format!("rest at step {step}"), rests)
    }

    /// What comes a step after the state that was kept (F5) at `step`, where it goes back to.
    pub(crate) fn step_from_kept(&self, step: u64) -> Option<(u64, String)> {
        self.key("Right");
        let next = self.until_step(step + 1).rests_at;
        self.key("F9");
        self.until_step(step);
        next
    }

    /// Pauses; returns the step and the hash.
    pub(crate) fn pause(&self) -> (u64, String) {
        self.key("space");
        let title = self.until_title("pause", |title| title.rests_at.is_some());
        title.rests_at.expect("just seen")
    }

    /// What the window shows, which is also kept as a file.
    pub(crate) fn screenshot(&self, name: &str) -> Picture {
        let png = self.display.run("import", &["-window", &self.window, "png:-"]);
        let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.png"));
        std::fs::write(path, &png).expect("a folder to write to");
        Picture::read(&png)
    }

    /// Takes screenshots until one is as it should be.
    pub(crate) fn until_screenshot(&self, name: &str, is: impl Fn(&Picture) -> bool) -> Picture {
        until(name, || Some(self.screenshot(name)).filter(&is))
    }

    /// Has the display break the connection, as it does when it ends.
    pub(crate) fn lose_display(&self) {
        self.xdotool(&["windowkill", &self.window]);
    }

    /// Waits for its end; returns the exit code.
    pub(crate) fn end(self) -> Option<i32> {
        self.end_and_words().0
    }

    /// Waits for its end; returns the exit code and what it said about errors.
    pub(crate) fn end_and_words(mut self) -> (Option<i32>, String) {
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
