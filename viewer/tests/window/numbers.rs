//! Comparisons in the window: both panes, the scaling.

use super::display::{Title, on_a_display};
use super::picture::Picture;
use super::{FLOCK, PANEL, is_agent};

/// The button that measures the scaling.
const SCALING: [i32; 2] = [875, 214];

#[test]
fn two_panes_show_the_same_crowd() {
    on_a_display(|display| {
        let viewer = display.open(&FLOCK);
        viewer.pause();
        viewer.key("k");
        let half = PANEL / 2;
        // Below the words and above the legend.
        let pane = |picture: &Picture, from: usize| -> Vec<[u8; 3]> {
            let rows = picture.pixels.chunks(picture.width).take(560).skip(60);
            rows.flat_map(|row| row[from + 1..from + half].to_vec()).collect()
        };
        let divided = |picture: &Picture| {
            let (left, right) = (pane(picture, 0), pane(picture, half));
            let lit = left.iter().filter(|pixel| is_agent(**pixel)).count();
            // Where marks overlap, either may be above.
            let different = left.iter().zip(&right).filter(|(a, b)| a != b).count();
            lit > 300 && different * 100 < left.len()
        };
        viewer.until_screenshot("panes", divided);
        let step = viewer.title().paused_at.unwrap().0;
        viewer.key("Right");
        viewer.key("Right");
        viewer.until_step(step + 2);
        viewer.until_screenshot("panes-later", divided);
        viewer.key("k");
        viewer.until_screenshot("one-pane", |picture| !divided(picture));
    });
}

/// Scaling curves of a running crowd, and the crowd afterwards.
#[test]
fn the_scaling_is_drawn_and_changes_nothing() {
    on_a_display(|display| {
        let viewer = display.open(&[&FLOCK[..], &["--warm", "900"]].concat());
        viewer.pause();
        let warm = |title: &Title| title.paused_at.as_ref().is_some_and(|(step, _)| *step >= 900);
        let before = viewer.until_title("warm", warm);
        viewer.click(SCALING);
        let curve = |picture: &Picture, color: [u8; 3]| {
            picture.count([60, 130], [440, 400], |pixel| pixel == color)
        };
        viewer.until_still("scaling", |picture| {
            curve(picture, [86, 180, 233]) > 100 && curve(picture, [230, 159, 0]) > 100
        });
        assert_eq!(viewer.title().paused_at, before.paused_at);
        viewer.key("Right");
        viewer.until_step(before.paused_at.unwrap().0 + 1);
    });
}
