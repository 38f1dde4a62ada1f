//! Tests of the window on a virtual display: effects of keys, mouse and panel on state and picture.
//! If a program for the display is missing, the tests print a message and pass.
//!
//! A window takes seconds to open with software rendering, so each test checks many things
//! in one window.

mod display;
mod mouse;
mod panel;
mod picture;
mod robust;

/// The window is small enough for software rendering, and the panel is on the right.
const FLOCK: [&str; 6] = ["--scene", "flock", "--agents", "300", "--size", "1000x700"];
/// Left edge of the panel, in pixels.
const PANEL: usize = 660;

const PANEL_GROUND: [u8; 3] = [20, 22, 28];

/// Agents are brighter than the static world.
fn is_agent(pixel: [u8; 3]) -> bool {
    pixel.into_iter().max() > Some(150)
}
