//! Failures around the window: resizing, a stopped simulation, a lost display, a missing driver.

use std::fs::File;
use std::path::Path;

use super::FLOCK;
use super::display::{Viewer, on_a_display, until};
use super::picture::Picture;

/// Asserts that it still takes steps.
fn responds(viewer: &Viewer<'_>) {
    let (step, _) = viewer.title().paused_at.expect("it is paused");
    viewer.key("Right");
    viewer.until_step(step + 1);
}

#[test]
fn it_survives_any_size_and_being_hidden() {
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
fn a_failed_step_is_shown_and_the_last_state_stays() {
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
        // It can be paused, and restarts from the beginning.
        viewer.key("space");
        viewer.key("r");
        viewer.until_step(0);
        viewer.key("Escape");
        assert_eq!(viewer.end(), Some(0));
    });
}

/// The number of pictures in a GIF; `None` if it is incomplete.
fn pictures(recording: &Path) -> Option<usize> {
    let mut decoder = gif::Decoder::new(File::open(recording).ok()?).ok()?;
    let mut pictures = 0;
    while decoder.read_next_frame().ok()?.is_some() {
        pictures += 1;
    }
    Some(pictures)
}

#[test]
fn recordings_are_complete_even_if_the_display_is_lost() {
    on_a_display(|display| {
        // Repeated, because the display may be lost at any moment.
        for _ in 0..3 {
            let viewer = display.open(&FLOCK);
            let recording = display.output_file(viewer.pause().0, ".gif");
            viewer.key("F11");
            until("pictures", || pictures(&recording).filter(|&count| count > 1));
            viewer.lose_display();
            let (code, said) = viewer.end_with_stderr();
            // Of Xlib, or the viewer's own.
            let words = ["fatal IO error", "X connection", "the display or the GPU was lost"];
            assert!(matches!(code, Some(1 | 2)), "{code:?}: {said}");
            assert!(words.iter().any(|words| said.contains(words)), "{said}");
            assert!(!said.contains("panicked"), "{said}");
            assert!(pictures(&recording) > Some(1));
        }
    });
}

#[cfg(unix)]
#[test]
fn a_termination_completes_the_recording() {
    on_a_display(|display| {
        let viewer = display.open(&FLOCK);
        let recording = display.output_file(viewer.pause().0, ".gif");
        viewer.key("F11");
        until("pictures", || pictures(&recording).filter(|&count| count > 1));
        viewer.terminate();
        let (code, said) = viewer.end_with_stderr();
        assert_eq!(code, Some(130), "{said}");
        assert!(pictures(&recording) > Some(1));
    });
}

#[test]
fn without_a_graphics_driver_the_error_suggests_headless() {
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
