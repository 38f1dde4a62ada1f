//! The panel, operated by mouse and keyboard.

use super::display::{on_a_display, until};
use super::picture::Picture;
use super::{FLOCK, PANEL_GROUND};

/// The buttons below the weights.
const PAUSE: [i32; 2] = [689, 194];
const STEP: [i32; 2] = [743, 194];
const KEEP: [i32; 2] = [785, 194];
const BACK: [i32; 2] = [828, 194];
/// The scene menu, and two of its entries.
const SCENES: [i32; 2] = [770, 15];
const FLOCK_IN_MENU: [i32; 2] = [800, 61];
const BIRDS: [i32; 2] = [700, 187];
/// Checkboxes.
const CELLS: [i32; 2] = [675, 636];
const SEPARATION: [i32; 2] = [711, 939];
/// The box with the number of agents.
const AGENTS: [i32; 2] = [728, 69];
/// The handle of the time scale, and where it is dragged to.
const TIME_SCALE: [[i32; 2]; 3] = [[695, 235], [735, 235], [759, 235]];

#[test]
fn buttons_and_sliders_act_on_the_crowd() {
    on_a_display(|display| {
        let viewer = display.open(&FLOCK);
        viewer.until_screenshot("panel", |picture| picture.at(PAUSE) != PANEL_GROUND);
        // Again where a slow machine shows no picture between the press and the release.
        until("faster pace", || {
            viewer.drag(&TIME_SCALE);
            Some(viewer.title()).filter(|title| title.steps_per_second > 120.0)
        });
        viewer.click(PAUSE);
        let (step, _) =
            viewer.until_title("pause", |title| title.paused_at.is_some()).paused_at.unwrap();
        viewer.click(STEP);
        let kept = viewer.until_step(step + 1);
        viewer.click(KEEP);
        viewer.click(STEP);
        viewer.until_step(step + 2);
        viewer.click(BACK);
        assert_eq!(viewer.until_step(step + 1).paused_at, kept.paused_at);
    });
}

/// Beside other work, a button was not pressed if the next one was before a picture came.
#[cfg(unix)]
#[test]
fn buttons_can_be_clicked_faster_than_pictures_come() {
    on_a_display(|display| {
        let viewer = display.open(&FLOCK);
        viewer.until_screenshot("panel", |picture| picture.at(PAUSE) != PANEL_GROUND);
        viewer.pause_at_start();
        for step in 0..3 {
            viewer.click_both([KEEP, STEP]);
            viewer.until_step(step + 1);
            viewer.click(BACK);
            viewer.until_step(step);
            viewer.click(STEP);
            viewer.until_step(step + 1);
        }
    });
}

/// Beside other work, clicks were lost: the release came in a picture too long after that of the
/// press.
#[test]
fn a_slow_click_is_a_click() {
    on_a_display(|display| {
        let viewer = display.open(&FLOCK);
        viewer.until_screenshot("panel", |picture| picture.at(PAUSE) != PANEL_GROUND);
        viewer.click_slowly(PAUSE);
        viewer.until_title("pause", |title| title.paused_at.is_some());
    });
}

#[test]
fn scenes_behaviors_and_partitions_are_chosen_in_the_panel() {
    on_a_display(|display| {
        // Tall enough for the behaviors.
        let viewer = display.open(&[&FLOCK[..4], &["--size", "1000x1100"]].concat());
        let (step, _) = viewer.pause();
        viewer.key("F5");
        let next = || viewer.step_from_kept(step);
        let usual = next();
        viewer.click(SEPARATION);
        assert_ne!(next(), usual, "without separation");
        viewer.click(CELLS);
        viewer.until_title("all pairs", |title| title.partition == "all pairs");
        assert_eq!(next(), usual, "all pairs come to the same state");

        let is_open = |picture: &Picture| picture.at(FLOCK_IN_MENU)[2] > 100;
        viewer.click(SCENES);
        viewer.until_screenshot("menu", is_open);
        viewer.key("Escape");
        viewer.until_screenshot("no-menu", |picture| !is_open(picture));
        viewer.click(SCENES);
        viewer.until_screenshot("menu", is_open);
        viewer.click(BIRDS);
        viewer.until_title("birds", |title| title.scene == "birds");
    });
}

#[test]
fn typing_goes_to_the_panel_until_enter_or_escape() {
    on_a_display(|display| {
        let viewer = display.open(&FLOCK);
        let (step, _) = viewer.pause();
        viewer.edit(AGENTS);
        viewer.key("4");
        viewer.key("2");
        viewer.key("Escape");
        viewer.until_edited(AGENTS);
        viewer.key("Right");
        let title = viewer.until_step(step + 1);
        assert_eq!((title.agents, title.seed), (300, 1));
        viewer.edit(AGENTS);
        viewer.key("4");
        viewer.key("2");
        viewer.key("Return");
        viewer.until_title("42 agents", |title| title.agents == 42);
    });
}
