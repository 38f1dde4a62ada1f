//! What a user sees and keeps: the panel's width, pictures taken beside it, marks that are picked,
//! messages.

use std::path::Path;

use super::display::{on_a_display, until};
use super::picture::Picture;
use super::{FLOCK, PANEL, PANEL_GROUND};

/// The edge of the world.
const FRAME: [u8; 3] = [70, 78, 95];

/// One large agent that stands still in the middle.
const GIANT: &str = r#"
    name = "giant"
    world = { topology = "bounded", width = 1000, height = 600 }

    [[species]]
    name = "giant"
    agents = 1
    radius = 60
    max_speed = 60
    behaviors = [{ separation = {} }]
    start.place.box = { low = [500, 300], high = [500, 300] }
    start.heading = 0
    start.speed = 0
"#;

#[test]
fn the_panel_has_its_width_back_after_the_window_was_small() {
    on_a_display(|display| {
        let viewer = display.open(&FLOCK);
        viewer.pause();
        let ground = |picture: &Picture, [left, right]: [usize; 2]| {
            let rows = picture.pixels.len() / picture.width;
            picture.count([left, 0], [right, rows], |pixel| pixel == PANEL_GROUND)
        };
        let first =
            viewer.until_screenshot("wide", |picture| ground(picture, [PANEL, 1_000]) > 50_000);
        for size in [[500, 400], [100, 60]] {
            viewer.resize(size);
            let shown = |picture: &Picture| picture.width == size[0] as usize;
            viewer.until_screenshot("narrow", shown);
        }
        viewer.resize([1_000, 700]);
        let [strip, before] =
            [[PANEL, PANEL + 20], [PANEL - 20, PANEL]].map(|part| ground(&first, part));
        viewer.until_screenshot("wide-again", |picture| {
            picture.width == 1_000
                && ground(picture, [PANEL, PANEL + 20]) * 10 > strip * 9
                && ground(picture, [PANEL - 20, PANEL]) == before
        });
    });
}

#[test]
fn pictures_taken_beside_the_panel_show_the_world_in_their_middle() {
    on_a_display(|display| {
        // A world with edges: a torus fills the window.
        let scene = GIANT.replacen("giant", "flock", 1);
        let viewer = display.open_text(&scene, "beside.toml", "1000x700");
        let (step, _) = viewer.pause();
        let panel = |picture: &Picture| {
            picture.count([PANEL, 0], [1_000, 700], |pixel| pixel == PANEL_GROUND)
        };
        viewer.until_screenshot("beside", |picture| panel(picture) > 50_000);
        let file = display.output_file(step, ".png");
        let take = |file: &Path| {
            viewer.key("F12");
            until("picture", || Picture::load(file))
        };
        let picture = take(&file);
        assert_eq!(picture.width, PANEL, "without the panel");
        let rows = picture.pixels.len() / picture.width;
        let [x, _] = picture.center([0, 0], [PANEL, rows], |pixel| pixel == FRAME).unwrap();
        assert!((x - PANEL as f32 / 2.0).abs() < 2.0, "the world's edge is around {x}");
        viewer.key("Tab");
        viewer.until_screenshot("alone", |picture| panel(picture) < 20_000);
        let second = take(&file.with_file_name(format!("flockwork-flock-{step}-2.png")));
        assert_eq!(second.width, 1_000);
    });
}

#[test]
fn all_of_a_large_mark_can_be_clicked() {
    on_a_display(|display| {
        let viewer = display.open_text(GIANT, "giant.toml", "1000x700");
        viewer.pause();
        viewer.key("f");
        let bright = |pixel: [u8; 3]| pixel.into_iter().max() > Some(150);
        // Above the legend.
        let center = |picture: &Picture| picture.center([0, 100], [PANEL, 580], bright);
        // In the middle of what the panel leaves free, which the first pictures do not know yet.
        let middle = PANEL as f32 / 2.0;
        let fitted = |[x, _]: [f32; 2]| (x - middle).abs() < 30.0;
        let before =
            viewer.until_screenshot("giant", |picture| center(picture).is_some_and(fitted));
        // Its nose: far more than 16 pixels from its center.
        let nose = (0..PANEL as i32).rev().find(|&x| bright(before.at([x, 350]))).unwrap();
        viewer.click([nose - 3, 350]);
        let ring = |picture: &Picture| {
            picture.count([0, 0], [PANEL, 700], |pixel| pixel.into_iter().min() > Some(200))
        };
        let before = ring(&before);
        viewer.until_screenshot("picked", |picture| ring(picture) > before + 200);
    });
}
