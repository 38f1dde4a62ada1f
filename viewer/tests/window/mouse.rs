//! What the mouse does in the world.

use std::path::Path;

use super::display::{on_a_display, until};
use super::picture::Picture;
use super::{PANEL, PANEL_GROUND, is_agent};

/// The edge of the world.
const FRAME: [u8; 3] = [70, 78, 95];

/// Whether a pixel belongs to the cross at a point.
fn is_cross([red, green, blue]: [u8; 3]) -> bool {
    let (red, green, blue) = (i32::from(red), i32::from(green), i32::from(blue));
    red > 120 && (0..30).contains(&(red - green)) && (30..90).contains(&(red - blue))
}

#[test]
fn the_mouse_explains_zooms_pans_and_leads() {
    on_a_display(|display| {
        let viewer = display.open(&["--scene", "seek", "--size", "1000x760"]);
        // Agents could cover the point, and arrows the marks of some agents.
        viewer.pause_at_start();
        let is_at = |name: &str, [x, y]: [usize; 2]| {
            viewer.until_still(name, |picture| {
                picture.count([x - 8, y - 8], [x + 9, y + 9], is_cross) > 8
            })
        };
        is_at("point", [330, 380]);
        viewer.drag_right(&[[200, 330], [250, 430]]);
        is_at("point-led", [250, 430]);
        // A press that came before the next picture was taken for one on the panel, where the mouse
        // was in the latest.
        for place in [[300, 330], [350, 430], [420, 330]] {
            viewer.jump_and_click([900, 660], place);
            is_at("point-set", place.map(|value| value as usize));
        }
        let before = viewer.screenshot("point-set");

        // An agent well within the picture; its explanation is drawn around it.
        let inside = |at: &[i32; 2]| is_agent(before.at(*at)) && !is_cross(before.at(*at));
        let far = |at: &[i32; 2]| (at[0] - 420).abs() > 60 || (at[1] - 330).abs() > 60;
        let places = (280..480).flat_map(|y| (150..500).map(move |x| [x, y]));
        let agent = places.filter(far).find(inside).expect("an agent");
        viewer.click(agent);
        let explained = viewer.until_screenshot("explained", |picture| {
            let [x, y] = agent.map(|value| value as usize);
            let white = picture.count([x - 12, y - 12], [x + 12, y + 12], |pixel| {
                pixel.into_iter().min() > Some(190)
            });
            white > 8 && picture.differences(&before) > 500
        });

        viewer.wheel_up([300, 300]);
        let zoomed =
            viewer.until_screenshot("zoomed", |picture| picture.differences(&explained) > 2_000);
        viewer.drag(&[[300, 300], [340, 320], [400, 340]]);
        viewer.until_screenshot("panned", |picture| picture.differences(&zoomed) > 2_000);
        viewer.key("f");
        viewer.key("Escape");
        is_at("fitted", [420, 330]);

        let come = |picture: &Picture| picture.count([340, 250], [500, 410], is_agent) > 400;
        assert!(!come(&before));
        viewer.key("space");
        viewer.until_screenshot("crowd-led", come);
    });
}

/// One large agent that stands still in the middle.
const GIANT: &str = r#"
    name = "flock"
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

/// Screenshots are taken beside the panel and overwrite nothing, and all of a large mark can be
/// clicked.
#[test]
fn screenshots_show_the_world_in_their_middle_and_marks_can_be_picked() {
    on_a_display(|display| {
        let viewer = display.open_text(GIANT, "giant.toml", "1000x700");
        let (step, _) = viewer.pause();
        // It is explained from the start, in colors like that of the world's edge.
        viewer.key("Escape");
        let panel = |picture: &Picture| {
            picture.count([PANEL, 0], [1_000, 700], |pixel| pixel == PANEL_GROUND)
        };
        viewer.until_still("beside", |picture| panel(picture) > 50_000);
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

        let ring = |picture: &Picture| {
            picture.count([0, 80], [PANEL, 560], |pixel| pixel.into_iter().min() > Some(200))
        };
        let before = viewer.until_still("giant", |picture| ring(picture) < 200);
        let bright = |pixel: [u8; 3]| pixel.into_iter().max() > Some(150);
        // Its nose: far more than 16 pixels from its center.
        let nose = (0..900).rev().find(|&x| bright(before.at([x, 350]))).unwrap();
        viewer.click([nose - 3, 350]);
        viewer.until_screenshot("picked", |picture| ring(picture) > ring(&before) + 200);
    });
}
