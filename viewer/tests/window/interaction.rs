//! Interaction with the crowd: dragging its point with the mouse.

use super::display::on_a_display;
use super::is_agent;
use super::picture::Picture;

/// The box with the x coordinate of the scene's point.
const POINT_X: [i32; 2] = [744, 672];

/// Whether a pixel belongs to the cross at a point.
fn is_cross([red, green, blue]: [u8; 3]) -> bool {
    let (red, green, blue) = (i32::from(red), i32::from(green), i32::from(blue));
    red > 120 && (0..30).contains(&(red - green)) && (30..90).contains(&(red - blue))
}

#[test]
fn the_crowd_follows_the_point_moved_with_mouse_or_panel() {
    on_a_display(|display| {
        let viewer = display.open(&["--scene", "seek", "--size", "1000x760"]);
        // Agents could cover the point.
        viewer.pause_at_start();
        let is_at = |name: &str, [x, y]: [usize; 2]| {
            viewer.until_screenshot(name, |picture| {
                picture.count([x - 8, y - 8], [x + 9, y + 9], is_cross) > 8
            })
        };
        is_at("point", [330, 380]);
        viewer.drag_right(&[[200, 330], [250, 430]]);
        is_at("point-led", [250, 430]);
        viewer.key("2");
        viewer.drag(&[[300, 530], [400, 330]]);
        is_at("point-led-left", [400, 330]);
        viewer.edit(POINT_X);
        for key in ["9", "0", "0", "Return"] {
            viewer.key(key);
        }
        let before = is_at("point-typed", [589, 330]);
        let come = |picture: &Picture| picture.count([500, 250], [650, 410], is_agent) > 400;
        assert!(!come(&before));
        viewer.key("space");
        viewer.until_screenshot("crowd-led", come);
    });
}
