//! What users do to the scene itself: edit, save, and leave.

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
