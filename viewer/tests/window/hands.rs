//! What users do to the scene itself: edit, save, and leave; and the full screen.

use std::fs;

use flockwork::Scene;

use super::display::{on_a_display, until};
use super::{FLOCK, output_file};

#[test]
fn edits_are_saved_and_not_lost_without_a_question() {
    on_a_display(|display| {
        let viewer = display.open(&FLOCK);
        let (step, _) = viewer.pause();
        let build = |x: i32| {
            viewer.key("5");
            viewer.drag(&[[x, 330], [x + 20, 350], [x + 30, 370]]);
        };
        build(330);
        let file = output_file(step, ".toml");
        viewer.key("F7");
        let text = until("scene", || fs::read_to_string(&file).ok());
        let saved = Scene::parse(&text, "saved").unwrap();
        assert_eq!(saved.obstacles.len(), 1);

        build(130);
        viewer.key("Right");
        viewer.until_step(step + 1);
        viewer.key("Escape");
        viewer.key("Escape");
        // It asked, and the second Escape was the answer to stay.
        viewer.key("Right");
        viewer.until_step(step + 2);
        viewer.key("Escape");
        viewer.key("Return");
        assert_eq!(viewer.end(), Some(0));
    });
}

#[test]
fn the_full_screen_covers_the_display_and_ends() {
    on_a_display(|display| {
        let viewer = display.open(&FLOCK);
        viewer.pause();
        viewer.key("F4");
        viewer.until_screenshot("full-screen", |picture| picture.width == 1_400);
        viewer.key("F4");
        viewer.until_screenshot("no-full-screen", |picture| picture.width == 1_000);
        viewer.key("Escape");
        assert_eq!(viewer.end(), Some(0));
    });
}
