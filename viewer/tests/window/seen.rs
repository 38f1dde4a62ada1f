//! What can be read in the window.

use super::display::on_a_display;
use super::picture::Picture;
use super::{FLOCK, PANEL, PANEL_GROUND};

/// Text could not be made larger: keys with Ctrl did nothing.
#[test]
fn ctrl_plus_makes_text_larger_and_ctrl_zero_as_it_was() {
    on_a_display(|display| {
        let viewer = display.open(&FLOCK);
        viewer.pause();
        // Left of where the panel begins. Some of the glow has its color.
        let larger = |picture: &Picture| {
            picture.count([PANEL - 20, 0], [PANEL - 2, 700], |pixel| pixel == PANEL_GROUND)
        };
        viewer.until_screenshot("usual", |picture| larger(picture) < 300);
        viewer.key("ctrl+equal");
        viewer.until_screenshot("larger", |picture| larger(picture) > 3_000);
        viewer.key("ctrl+0");
        viewer.until_screenshot("as-it-was", |picture| larger(picture) < 300);
    });
}
