//! The window on a virtual display: what keys, mouse and panel do to the state and to the picture.
//! Where the display is missing, the tests say so and pass.

mod display;
mod hands;
mod interaction;
mod numbers;
mod panel;
mod picture;
mod pictures;
mod robust;
mod seen;

use std::path::Path;

use display::{on_a_display, until};
use picture::Picture;

/// Small enough for a software renderer, with the panel on the right.
const FLOCK: [&str; 6] = ["--scene", "flock", "--agents", "300", "--size", "1000x700"];
/// Where the panel begins.
const PANEL: usize = 660;

const PANEL_GROUND: [u8; 3] = [20, 22, 28];
const PREVIEW: [u8; 3] = [240, 228, 66];
const OBSTACLE: [u8; 3] = [31, 36, 48];

/// Whether a pixel belongs to an agent: brighter than the static world.
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
        assert_ne!(next.paused_at.clone().unwrap().1, hash, "another step, another state");
        viewer.key("F5");
        viewer.key("Right");
        viewer.key("Right");
        viewer.until_step(step + 3);
        viewer.key("F9");
        assert_eq!(viewer.until_step(step + 1).paused_at, next.paused_at, "the state is back");

        viewer.key("g");
        viewer.until_title("all pairs", |title| title.partition == "all pairs");
        viewer.key("g");
        viewer.until_title("cells", |title| title.partition == "cells");
        viewer.key("r");
        assert_eq!(viewer.until_step(0).seed, 1);
        viewer.hold("R");
        viewer.until_title("the next seed", |title| title.seed == 2);
        viewer.hold("Right");
        viewer.until_title("many steps", |title| title.paused_at.as_ref().unwrap().0 > 3);
        viewer.key("r");
        viewer.until_step(0);

        // Keys must not act on a panel that was hidden and shown again, nor while Control is held.
        viewer.key("Right");
        viewer.key("Right");
        viewer.until_step(2);
        viewer.key("Tab");
        viewer.key("Tab");
        viewer.key("ctrl+r");
        viewer.key("Right");
        viewer.until_step(3);
        viewer.key("space");
        viewer.until_title("running", |title| title.paused_at.is_none());
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
        viewer.until_screenshot("without-panel", |picture| panel(picture) < 20_000);
        let letters = |picture: &Picture| {
            picture.count([300, 100], [700, 600], |[r, _, b]| r > 150 && b > r && b - r < 24)
        };
        let before = letters(&viewer.until_screenshot("no-help-yet", |_| true));
        viewer.key("question");
        viewer.until_screenshot("help", |picture| letters(picture) > before + 2_000);

        viewer.key("Escape");
        viewer.until_screenshot("no-help", |picture| letters(picture) < before + 500);
        viewer.key("Escape");
        assert_eq!(viewer.end(), Some(0));
    });
}

#[test]
fn the_state_is_saved_and_checked() {
    on_a_display(|display| {
        let viewer = display.open(&FLOCK);
        let (step, hash) = viewer.pause();
        let file = display.output_file(step, ".snapshot");
        viewer.key("F6");
        let resumed = || {
            let arguments = ["--headless", "--steps", "0", "--json", "--resume"];
            let out = display.viewer().args(arguments).arg(&file).output().ok()?;
            let line: serde_json::Value = serde_json::from_slice(&out.stdout).ok()?;
            Some(line["state_hash"].as_str()?.to_owned())
        };
        assert_eq!(until("snapshot", resumed), hash);

        viewer.key("F5");
        let next = || viewer.step_from_kept(step);
        let usual = next();
        viewer.key("F8");
        assert_eq!(next(), usual, "checking changes nothing");
    });
}

#[test]
fn the_mouse_explains_zooms_pans_adds_removes_and_builds() {
    on_a_display(|display| {
        let viewer = display.open(&FLOCK);
        // Always the same agent: arrows hide the marks of some.
        viewer.pause_at_start();
        let lit = |picture: &Picture| picture.count([0, 0], [PANEL, 700], is_agent);
        let before = viewer.until_still("crowd", |picture| lit(picture) > 300);

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
fn screenshots_exclude_the_brush_and_overwrite_nothing() {
    on_a_display(|display| {
        let viewer = display.open(&FLOCK);
        let (step, _) = viewer.pause();
        let first = display.output_file(step, ".png");
        let ring = |picture: &Picture| picture.count([0, 0], [PANEL, 700], |p| p == PREVIEW);
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
