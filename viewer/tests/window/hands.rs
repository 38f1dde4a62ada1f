//! What users do to the scene itself: edit, save, and leave.

use std::fs;

use flockwork::Scene;

use super::display::{on_a_display, until};
use super::picture::Picture;
use super::{FLOCK, OBSTACLE};

/// A press that came before the next picture was taken for one on the panel, where the mouse was in
/// the latest: beside other work, obstacles were not built.
#[test]
fn a_press_is_where_the_mouse_is_and_not_where_it_was() {
    on_a_display(|display| {
        let viewer = display.open(&FLOCK);
        viewer.pause();
        viewer.key("3");
        viewer.until_still("over-the-panel", |_| true);
        let mut agents = viewer.title().agents;
        for _ in 0..5 {
            viewer.jump_and_click([900, 560], [330, 330]);
            agents = viewer.until_title("more", |title| title.agents > agents).agents;
        }
    });
}

#[test]
fn edits_are_saved_and_not_lost_without_a_question() {
    on_a_display(|display| {
        let viewer = display.open(&FLOCK);
        // Agents could cover what is built.
        viewer.pause_at_start();
        let build = |x: i32| {
            viewer.key("5");
            viewer.drag(&[[x, 330], [x + 20, 350], [x + 30, 370]]);
        };
        let built = |picture: &Picture| picture.count([300, 300], [370, 400], |p| p == OBSTACLE);
        viewer.until_still("before", |picture| built(picture) == 0);
        build(330);
        viewer.until_screenshot("built", |picture| built(picture) > 500);
        let file = display.output_file(0, ".toml");
        viewer.key("F7");
        let text = until("scene", || fs::read_to_string(&file).ok());
        let saved = Scene::parse(&text, "saved").unwrap();
        assert_eq!(saved.obstacles.len(), 1);

        build(130);
        viewer.key("Right");
        viewer.until_step(1);
        viewer.key("Escape");
        viewer.key("Escape");
        // It asked, and the second Escape was the answer to stay.
        viewer.key("Right");
        viewer.until_step(2);
        viewer.key("Escape");
        viewer.key("Return");
        assert_eq!(viewer.end(), Some(0));
    });
}
