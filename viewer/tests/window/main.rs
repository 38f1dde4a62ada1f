//! The window on a virtual display: what keys, mouse and panel do to the state and to the picture.
//! Where the display is missing, the tests say so and pass.
//!
//! A window takes seconds to open in software, so each test checks many things in one.

mod display;
mod mouse;
mod panel;
mod picture;
mod robust;

/// Small enough for a software renderer, with the panel on the right.
const FLOCK: [&str; 6] = ["--scene", "flock", "--agents", "300", "--size", "1000x700"];
/// Where the panel begins.
const PANEL: usize = 660;

const PANEL_GROUND: [u8; 3] = [20, 22, 28];

/// Whether a pixel belongs to an agent: brighter than the static world.
fn is_agent(pixel: [u8; 3]) -> bool {
    pixel.into_iter().max() > Some(150)
}
