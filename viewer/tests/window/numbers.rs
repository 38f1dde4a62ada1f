//! Numbers in the window: both panes, readings as a file, fast-forwarding.

use std::fs;

use super::display::{on_a_display, until};
use super::picture::Picture;
use super::{FLOCK, PANEL, is_agent, output_file};

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

#[test]
fn readings_are_written_and_a_warm_start_is_fast() {
    on_a_display(|display| {
        let viewer = display.open(&[&FLOCK[..], &["--warm", "900"]].concat());
        let (step, _) = viewer.pause();
        let step = step.max(
            viewer
                .until_title("warm", |title| {
                    title.paused_at.as_ref().is_some_and(|(step, _)| *step >= 900)
                })
                .paused_at
                .unwrap()
                .0,
        );
        let file = output_file(step, ".csv");
        viewer.key("F3");
        // The name has the step of the latest reading.
        let folder = file.parent().unwrap();
        let written = || {
            let files = fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path());
            let mut tables = files.filter(|path| path.extension().is_some_and(|end| end == "csv"));
            fs::read_to_string(tables.next()?).ok().filter(|text| text.lines().count() > 1)
        };
        let text = until("readings", written);
        assert!(text.starts_with("step,seconds,agents,order,"), "{text}");
        for entry in fs::read_dir(folder).unwrap().flatten() {
            if entry.path().extension().is_some_and(|end| end == "csv") {
                fs::remove_file(entry.path()).unwrap();
            }
        }
    });
}
