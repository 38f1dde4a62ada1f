use std::path::Path;

use super::display::{on_a_display, until};
use super::picture::Picture;
use super::{PANEL, PANEL_GROUND, is_agent};

/// Color of the world's edge.
const FRAME: [u8; 3] = [70, 78, 95];

fn is_cross([red, green, blue]: [u8; 3]) -> bool {
    let (red, green, blue) = (i32::from(red), i32::from(green), i32::from(blue));
    red > 120 && (0..30).contains(&(red - green)) && (30..90).contains(&(red - blue))
}

#[test]
fn the_mouse_explains_zooms_pans_and_leads() {
    on_a_display(|display| {
        let viewer = display.open(&["--scene", "seek", "--size", "1000x760"]);
        // In later states, agents could cover the point, and arrows could cover marks of agents.
        viewer.pause_at_start();
        let is_at = |name: &str, [x, y]: [usize; 2]| {
            viewer.until_still(name, |picture| {
                picture.count([x - 8, y - 8], [x + 9, y + 9], is_cross) > 8
            })
        };
        is_at("point", [330, 380]);
        viewer.drag_right(&[[200, 330], [250, 430]]);
        is_at("point-led", [250, 430]);
        // Regression: a press before the next frame counted as a press on the panel,
        // where the mouse had been in the latest frame.
        for place in [[300, 330], [350, 430], [420, 330]] {
            viewer.jump_and_click([900, 660], place);
            is_at("point-set", place.map(|value| value as usize));
        }
        let before = viewer.screenshot("point-set");

        // Choose an agent well within the picture, since its explanation is drawn around it.
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

/// A single large agent that stands still in the middle.
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

/// Screenshots leave out the panel and never overwrite files,
/// and a large agent can be picked anywhere on its mark.
#[test]
fn screenshots_show_the_world_in_their_middle_and_marks_can_be_picked() {
    on_a_display(|display| {
        let viewer = display.open_text(GIANT, "giant.toml", "1000x700");
        let (step, _) = viewer.pause();
        // Close the initial explanation of the agent: its colors resemble the world's edge.
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
        // Click the agent's nose: its center is farther away than the picking radius of 16 pixels.
        let nose = (0..900).rev().find(|&x| bright(before.at([x, 350]))).unwrap();
        viewer.click([nose - 3, 350]);
        viewer.until_screenshot("picked", |picture| ring(picture) > ring(&before) + 200);
    });
}
