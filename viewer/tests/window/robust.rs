//! What goes wrong around the window, and what is left of it then.

use std::fs::File;
use std::path::Path;

use super::display::{Viewer, on_a_display, until};
use super::picture::Picture;
use super::{FLOCK, film};

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

#[test]
fn what_stops_the_crowd_is_shown_and_its_last_state_stays() {
    const LEAVING: &str = r#"
        name = "leaving"
        world = { topology = "open", width = 1000, height = 600 }

        [[species]]
        name = "runner"
        agents = 1
        max_speed = 6000
        start.place.box = { low = [9999500, 300], high = [9999500, 300] }
        start.heading = 0
    "#;
    on_a_display(|display| {
        let viewer = display.open_text(LEAVING, "leaving.toml", "700x500");
        let red = |picture: &Picture| {
            let is =
                |[red, green, blue]: [u8; 3]| red > 150 && green < red / 3 * 2 && green == blue;
            picture.count([0, 400], [700, 500], is)
        };
        viewer.until_screenshot("trouble", |picture| red(picture) > 100);
        // It can be paused, and goes on from the start.
        viewer.key("space");
        viewer.key("r");
        viewer.until_step(0);
        viewer.key("Escape");
        assert_eq!(viewer.end(), Some(0));
    });
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
