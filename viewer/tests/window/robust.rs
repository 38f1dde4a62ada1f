use super::FLOCK;
use super::display::{Viewer, on_a_display};
use super::picture::Picture;

fn responds(viewer: &Viewer<'_>) {
    let (step, _) = viewer.title().paused_at.expect("it is paused");
    viewer.key("Right");
    viewer.until_step(step + 1);
}

#[test]
fn it_survives_any_size_and_says_so_when_the_display_is_lost() {
    on_a_display(|display| {
        // Regression: `RUST_MIN_STACK` shrank the stack of the thread that takes the steps.
        let variables = [("WINIT_X11_SCALE_FACTOR", "1.25"), ("RUST_MIN_STACK", "1")];
        let viewer = display.open_with(&FLOCK, &variables);
        viewer.pause();
        for size in [[300, 200], [17, 31], [1, 1], [1_399, 899], [640, 480]] {
            println!("{size:?}");
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
        viewer.until_screenshot("resized", |picture| lit(picture) > 1_000);

        viewer.lose_display();
        let (code, said) = viewer.end_with_stderr();
        // The message comes from Xlib or from the viewer.
        let words = ["fatal IO error", "X connection", "the display or the GPU was lost"];
        assert!(matches!(code, Some(1 | 2)), "{code:?}: {said}");
        assert!(words.iter().any(|words| said.contains(words)), "{said}");
        assert!(!said.contains("panicked"), "{said}");
    });
}

#[cfg(unix)]
#[test]
fn a_failed_step_is_shown_and_a_termination_ends_with_130() {
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
        viewer.key("space");
        viewer.key("r");
        viewer.until_step(0);
        viewer.terminate();
        let (code, said) = viewer.end_with_stderr();
        assert_eq!(code, Some(130), "{said}");
        assert!(said.contains("interrupted at step 0"), "{said}");
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
