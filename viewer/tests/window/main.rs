//! The window itself, in a display without a screen: what keys, mouse and panel do to the state
//! and to the picture. Where that cannot be, the tests say so and pass.

mod display;

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use display::{Picture, Viewer, on_a_display, until};

/// Small enough for a software renderer, with the panel at its right.
const FLOCK: [&str; 6] = ["--scene", "flock", "--agents", "300", "--size", "1000x700"];
/// Where the panel begins.
const PANEL: usize = 660;
/// The buttons of the panel's second row.
const PAUSE: [i32; 2] = [689, 99];
const STEP: [i32; 2] = [735, 99];
const KEEP: [i32; 2] = [778, 99];
const BACK: [i32; 2] = [821, 99];
/// The box with the number of agents.
const AGENTS: [i32; 2] = [728, 69];
/// The handle of the time scale, and where it is drawn to.
const TIME_SCALE: [[i32; 2]; 3] = [[718, 120], [740, 120], [764, 120]];

const PANEL_GROUND: [u8; 3] = [20, 22, 28];
const SKETCH: [u8; 3] = [240, 228, 66];
const OBSTACLE: [u8; 3] = [31, 36, 48];

/// Whether a pixel is of an agent: brighter than all that stands still.
fn is_agent(pixel: [u8; 3]) -> bool {
    pixel.into_iter().max() > Some(150)
}

#[test]
fn keys_do_what_the_help_says() {
    on_a_display(|display| {
        let viewer = display.open(&FLOCK);
        let title = viewer.title();
        assert_eq!((title.scene.as_str(), title.agents, title.seed), ("flock", 300, 1));

        let (step, hash) = viewer.pause();
        viewer.key("Right");
        let next = viewer.until_step(step + 1);
        assert_ne!(next.rests_at.clone().unwrap().1, hash, "another step, another state");
        viewer.key("F5");
        viewer.key("Right");
        viewer.key("Right");
        viewer.until_step(step + 3);
        viewer.key("F9");
        assert_eq!(viewer.until_step(step + 1).rests_at, next.rests_at, "the state comes back");

        viewer.key("g");
        viewer.until_title("all pairs", |title| title.partition == "all pairs");
        viewer.key("g");
        viewer.until_title("cells", |title| title.partition == "cells");
        viewer.key("r");
        assert_eq!(viewer.until_step(0).seed, 1);
        viewer.hold("R");
        viewer.until_title("the next seed", |title| title.seed == 2);
        viewer.hold("Right");
        viewer.until_title("many steps", |title| title.rests_at.as_ref().unwrap().0 > 3);
        viewer.key("r");
        viewer.until_step(0);

        // Keys are not for the widgets of a panel that was hidden, and not if Control is held.
        viewer.key("Right");
        viewer.key("Right");
        viewer.until_step(2);
        viewer.key("Tab");
        viewer.key("Tab");
        viewer.key("ctrl+r");
        viewer.key("Right");
        viewer.until_step(3);
        viewer.key("space");
        viewer.until_title("going on", |title| title.rests_at.is_none());
        assert!(viewer.pause().0 > 3, "no button has been pressed");
        viewer.key("r");
        viewer.until_step(0);

        let scene = |key: &str, name: &str| {
            viewer.key(key);
            viewer.until_title(name, |title| (title.scene == "flock") == (name == "flock"));
        };
        scene("bracketright", "next scene");
        scene("bracketleft", "flock");

        let panel = |picture: &Picture| {
            picture.count([PANEL, 0], [1_000, 700], |pixel| pixel == PANEL_GROUND)
        };
        viewer.until_screenshot("with-panel", |picture| panel(picture) > 50_000);
        viewer.key("Tab");
        viewer.until_screenshot("without-panel", |picture| panel(picture) == 0);
        let letters = |picture: &Picture| {
            picture.count([300, 100], [700, 600], |[r, g, b]| r > 120 && r == g && g == b)
        };
        let second = film(0, "-0002.png");
        viewer.key("F10");
        until("second picture", || second.exists().then_some(()));
        viewer.key("F10");
        viewer.key("question");
        viewer.until_screenshot("help", |picture| letters(picture) > 2_000);

        viewer.key("Escape");
        assert_eq!(viewer.end(), Some(0));
    });
}

#[test]
fn the_panel_s_buttons_and_sliders_act_on_the_crowd() {
    on_a_display(|display| {
        let viewer = display.open(&FLOCK);
        viewer.until_screenshot("panel", |picture| picture.at(PAUSE) != PANEL_GROUND);
        viewer.drag(&TIME_SCALE);
        viewer.until_title("faster pace", |title| title.steps_per_second > 120.0);
        viewer.click(PAUSE);
        let (step, _) =
            viewer.until_title("pause", |title| title.rests_at.is_some()).rests_at.unwrap();
        viewer.click(STEP);
        let kept = viewer.until_step(step + 1);
        viewer.click(KEEP);
        viewer.click(STEP);
        viewer.until_step(step + 2);
        viewer.click(BACK);
        assert_eq!(viewer.until_step(step + 1).rests_at, kept.rests_at);
    });
}

#[test]
fn the_mouse_explains_zooms_pans_adds_removes_and_builds() {
    on_a_display(|display| {
        let viewer = display.open(&FLOCK);
        viewer.pause();
        let lit = |picture: &Picture| picture.count([0, 0], [PANEL, 700], is_agent);
        let before = viewer.until_screenshot("crowd", |picture| lit(picture) > 300);

        // An agent well within the picture; its explanation is drawn around it.
        let inside = |at: &[i32; 2]| is_agent(before.at(*at));
        let agent = (250..450).flat_map(|y| (200..450).map(move |x| [x, y])).find(inside).unwrap();
        viewer.click(agent);
        let changed = |picture: &Picture| picture.differences(&before);
        let explained = viewer.until_screenshot("explained", |picture| {
            let [x, y] = agent.map(|value| value as usize);
            let white = picture.count([x - 12, y - 12], [x + 12, y + 12], |pixel| {
                pixel.into_iter().min() > Some(190)
            });
            white > 8 && changed(picture) > 500
        });

        viewer.wheel_up([300, 300]);
        let zoomed =
            viewer.until_screenshot("zoomed", |picture| picture.differences(&explained) > 2_000);
        viewer.drag(&[[300, 300], [340, 320], [400, 340]]);
        viewer.until_screenshot("panned", |picture| picture.differences(&zoomed) > 2_000);
        viewer.key("f");

        viewer.key("3");
        viewer.drag(&[[200, 300], [260, 300], [320, 300]]);
        let more = viewer.until_title("agents added", |title| title.agents >= 308).agents;
        viewer.key("4");
        viewer.drag(&[[150, 300], [250, 300], [350, 300]]);
        viewer.until_title("agents removed", |title| title.agents < more);
        viewer.key("5");
        viewer.drag(&[[330, 300], [350, 320], [370, 340]]);
        let built = |picture: &Picture| picture.count([280, 250], [380, 350], |p| p == OBSTACLE);
        viewer.until_screenshot("obstacle", |picture| built(picture) > 3_000);
    });
}

#[test]
fn pictures_leave_the_brush_out_and_overwrite_none() {
    on_a_display(|display| {
        let viewer = display.open(&FLOCK);
        let (step, _) = viewer.pause();
        let first = film(step, ".png");
        let ring = |picture: &Picture| picture.count([0, 0], [PANEL, 700], |p| p == SKETCH);
        viewer.key("4");
        viewer.wheel_up([300, 300]);
        viewer.until_screenshot("brush", |picture| ring(picture) > 100);
        viewer.key("F12");
        let taken = |path: &Path| until("picture", || Picture::load(path));
        assert_eq!(ring(&taken(&first)), 0);
        viewer.key("F12");
        taken(&first.with_file_name(format!("flockwork-flock-{step}-2.png")));
    });
}

#[test]
fn what_is_typed_is_for_the_panel_until_enter_or_escape() {
    on_a_display(|display| {
        let viewer = display.open(&FLOCK);
        let (step, _) = viewer.pause();
        viewer.click(AGENTS);
        viewer.key("4");
        viewer.key("2");
        viewer.key("Escape");
        viewer.key("Right");
        let title = viewer.until_step(step + 1);
        assert_eq!((title.agents, title.seed), (300, 1));
        viewer.click(AGENTS);
        viewer.key("4");
        viewer.key("2");
        viewer.key("Return");
        viewer.until_title("42 agents", |title| title.agents == 42);
    });
}

/// Whether it still takes steps.
fn responds(viewer: &Viewer<'_>) {
    let (step, _) = viewer.title().rests_at.expect("it is paused");
    viewer.key("Right");
    viewer.until_step(step + 1);
}

#[test]
fn any_size_and_being_hidden_are_survived() {
    on_a_display(|display| {
        for scale in ["1", "1.25"] {
            let viewer = display.open_with(&FLOCK, &[("WINIT_X11_SCALE_FACTOR", scale)]);
            viewer.pause();
            for size in [[300, 200], [17, 31], [1, 1], [1_399, 899], [640, 480]] {
                // Shown if the test fails.
                println!("{size:?} at scale {scale}");
                viewer.resize(size);
                responds(&viewer);
            }
            viewer.hide();
            viewer.bring_back();
            responds(&viewer);
            let lit = |picture: &Picture| {
                let is = |[r, g, b]: [u8; 3]| u32::from(r) + u32::from(g) + u32::from(b) > 150;
                picture.count([0, 0], [640, 480], is)
            };
            viewer.until_screenshot(&format!("resized-{scale}"), |picture| lit(picture) > 1_000);
            viewer.key("Escape");
            assert_eq!(viewer.end(), Some(0));
        }
    });
}

/// Where the viewer puts its films.
fn film(step: u64, end: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let name = format!("flockwork-flock-{step}");
    // Those of another time would have this one get a number.
    for old in fs::read_dir(folder).expect("a folder").flatten() {
        if old.file_name().to_string_lossy().starts_with(&name) {
            let _ = fs::remove_file(old.path());
        }
    }
    folder.join(name + end)
}

/// How many pictures a GIF has; `None` if it is not complete.
fn pictures(film: &Path) -> Option<usize> {
    let mut decoder = gif::Decoder::new(File::open(film).ok()?).ok()?;
    let mut pictures = 0;
    while decoder.read_next_frame().ok()?.is_some() {
        pictures += 1;
    }
    Some(pictures)
}

#[test]
fn films_are_complete_even_if_the_display_goes_away() {
    on_a_display(|display| {
        // More than once: it goes away at any moment.
        for _ in 0..3 {
            let viewer = display.open(&FLOCK);
            let film = film(viewer.pause().0, ".gif");
            viewer.key("F11");
            until("pictures", || pictures(&film).filter(|&count| count > 1));
            viewer.lose_display();
            let (code, said) = viewer.end_and_words();
            assert_eq!(code, Some(2), "{said}");
            assert!(said.contains("the display or the GPU is gone"), "{said}");
            assert!(!said.contains("panicked"), "{said}");
            assert!(pictures(&film) > Some(1));
        }
    });
}

#[test]
fn without_a_graphics_driver_headless_is_named() {
    on_a_display(|display| {
        let nowhere = "/nonexistent";
        let mut command = display.viewer();
        for variable in ["VK_DRIVER_FILES", "VK_ICD_FILENAMES", "__EGL_VENDOR_LIBRARY_FILENAMES"] {
            command.env(variable, nowhere);
        }
        let out = command.output().unwrap();
        let said = String::from_utf8_lossy(&out.stderr);
        assert_eq!(out.status.code(), Some(2), "{said}");
        assert!(said.contains("--headless"), "{said}");
    });
}
