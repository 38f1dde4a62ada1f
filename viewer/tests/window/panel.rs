use super::display::{Display, Viewer, on_a_display, until};
use super::picture::Picture;
use super::{FLOCK, PANEL, PANEL_GROUND};

/// Buttons below the weights. All positions are in pixels of the window.
const PAUSE: [i32; 2] = [689, 171];
const STEP: [i32; 2] = [735, 171];
/// Scene menu and two of its entries.
const SCENES: [i32; 2] = [770, 15];
const FLOCK_IN_MENU: [i32; 2] = [800, 61];
const BIRDS: [i32; 2] = [700, 142];
/// Arrow that unfolds the state, and the buttons beneath it.
const STATE: [i32; 2] = [677, 339];
const KEEP: [i32; 2] = [704, 382];
const BACK: [i32; 2] = [747, 382];
const SAVE: [i32; 2] = [789, 382];
/// Checkbox for the cell grid, arrow that unfolds the species, checkbox of its first behavior.
const CELLS: [i32; 2] = [675, 309];
const SPECIES: [i32; 2] = [677, 424];
const SEPARATION: [i32; 2] = [711, 466];
/// Button that unfolds the legend.
const LEGEND: [i32; 2] = [517, 1_074];
/// Input field for the number of agents.
const AGENTS: [i32; 2] = [728, 69];
/// Handle of the time-scale slider, and the path along which a test drags it.
const TIME_SCALE: [[i32; 2]; 3] = [[695, 192], [735, 192], [759, 192]];

#[test]
fn keys_do_what_the_help_says() {
    on_a_display(|display| {
        let viewer = display.open(&FLOCK);
        let title = viewer.title();
        assert_eq!((title.scene.as_str(), title.agents, title.seed), ("flock", 300, 1));

        let (step, hash) = viewer.pause();
        viewer.key("Right");
        let next = viewer.until_step(step + 1);
        assert_ne!(next.paused_at.clone().unwrap().1, hash, "another step, another state");
        viewer.key("F5");
        viewer.key("Right");
        viewer.key("Right");
        viewer.until_step(step + 3);
        viewer.key("F9");
        assert_eq!(viewer.until_step(step + 1).paused_at, next.paused_at, "the state is back");

        viewer.key("g");
        viewer.until_title("all pairs", |title| title.partition == "all pairs");
        viewer.key("g");
        viewer.until_title("cells", |title| title.partition == "cells");
        viewer.key("r");
        assert_eq!(viewer.until_step(0).seed, 1);
        viewer.hold("Right");
        viewer.until_title("many steps", |title| title.paused_at.as_ref().unwrap().0 > 3);
        viewer.key("r");
        viewer.until_step(0);

        // Keys must not press buttons of a panel that was hidden and shown again.
        // Plain shortcuts must not fire while Control is held.
        viewer.key("Right");
        viewer.key("Right");
        viewer.until_step(2);
        viewer.key("Tab");
        viewer.key("Tab");
        viewer.key("ctrl+r");
        viewer.key("Right");
        viewer.until_step(3);
        viewer.key("space");
        viewer.until_title("running", |title| title.paused_at.is_none());
        assert!(viewer.pause().0 > 3, "no button has been pressed");
        viewer.key("r");
        viewer.until_step(0);

        // Regression: changing a control right after a single step resumed the crowd.
        viewer.key("space");
        viewer.until_title("running", |title| title.paused_at.is_none());
        viewer.keys_at_once(["Right", "g"]);
        viewer.until_title("all pairs", |title| title.partition == "all pairs");
        viewer.until_title("pause", |title| title.paused_at.is_some());
        viewer.key("g");
        viewer.key("r");
        viewer.until_step(0);

        let scene = |key: &str, name: &str| {
            viewer.key(key);
            viewer.until_title(name, |title| (title.scene == "flock") == (name == "flock"));
        };
        scene("bracketright", "next scene");
        scene("bracketleft", "flock");
        what_is_opened_can_be_closed(&viewer);
        text_and_panel_have_their_size_back(&viewer);
        viewer.key("ctrl+q");
        assert_eq!(viewer.end(), Some(0));
    });
}

fn ground(picture: &Picture, [left, right]: [usize; 2]) -> usize {
    let rows = picture.pixels.len() / picture.width;
    picture.count([left, 0], [right, rows], |pixel| pixel == PANEL_GROUND)
}

/// Regression: Esc quit the viewer when nothing was open.
fn what_is_opened_can_be_closed(viewer: &Viewer<'_>) {
    let panel = |picture: &Picture| ground(picture, [PANEL, 1_000]);
    viewer.until_screenshot("with-panel", |picture| panel(picture) > 50_000);
    viewer.key("Tab");
    viewer.until_screenshot("without-panel", |picture| panel(picture) < 20_000);
    let letters = |picture: &Picture| {
        picture.count([300, 100], [700, 600], |[r, _, b]| r > 150 && b > r && b - r < 24)
    };
    let before = letters(&viewer.screenshot("no-help-yet"));
    viewer.key("question");
    viewer.until_screenshot("help", |picture| letters(picture) > before + 1_000);
    viewer.key("Escape");
    viewer.until_screenshot("no-help", |picture| letters(picture) < before + 500);
    viewer.key("Escape");
    viewer.key("Escape");
    viewer.key("Tab");
    viewer.until_screenshot("with-panel-again", |picture| panel(picture) > 50_000);
}

/// Regression: text could not be enlarged, and the panel stayed narrow after the window had been
/// narrow.
fn text_and_panel_have_their_size_back(viewer: &Viewer<'_>) {
    // A strip left of the panel, which a wider panel covers. Some of the world there has
    // the panel's color.
    let larger = |picture: &Picture| ground(picture, [PANEL - 20, PANEL - 2]);
    let first = viewer.until_screenshot("usual", |picture| larger(picture) < 300);
    viewer.key("ctrl+equal");
    viewer.until_screenshot("larger", |picture| larger(picture) > 3_000);
    viewer.key("ctrl+0");
    viewer.until_screenshot("as-it-was", |picture| larger(picture) < 300);
    for size in [[500, 400], [100, 60]] {
        viewer.resize(size);
        viewer.until_screenshot("narrow", |picture| picture.width == size[0] as usize);
    }
    viewer.resize([1_000, 700]);
    let strip = ground(&first, [PANEL, PANEL + 20]);
    viewer.until_screenshot("wide-again", |picture| {
        picture.width == 1_000
            && ground(picture, [PANEL, PANEL + 20]) * 10 > strip * 9
            && larger(picture) < 300
    });
}

#[test]
fn the_panel_acts_on_the_crowd() {
    on_a_display(|display| {
        // The window is tall enough to show the behaviors.
        let viewer = display.open(&[&FLOCK[..4], &["--size", "1000x1100"]].concat());
        viewer.until_screenshot("panel", |picture| picture.at(PAUSE)[0] > PANEL_GROUND[0] + 20);
        // Retry the drag: a slow machine may draw no frame between press and release.
        until("faster pace", || {
            viewer.drag(&TIME_SCALE);
            Some(viewer.title()).filter(|title| title.steps_per_second > 120.0)
        });
        viewer.click_slowly(PAUSE);
        viewer.until_title("pause", |title| title.paused_at.is_some());
        let folded = viewer.until_still("folded", |_| true);
        viewer.click(LEGEND);
        viewer.click(STATE);
        let unfolded =
            viewer.until_still("unfolded-state", |picture| picture.at(KEEP) != PANEL_GROUND);
        let legend = (1_050..1_066).flat_map(|y| (500..640).map(move |x| [x, y]));
        let changed = legend.filter(|&at| unfolded.at(at) != folded.at(at)).count();
        assert!(changed > 1_000, "the legend is unfolded: {changed}");
        clicks_come_faster_than_pictures(&viewer);
        the_state_is_saved(display, &viewer);
        typing_ends_with_enter_or_escape(&viewer);
        behaviors_and_partitions_are_switched(&viewer);

        let is_open = |picture: &Picture| picture.at(FLOCK_IN_MENU)[2] > 100;
        viewer.click(SCENES);
        viewer.until_screenshot("menu", is_open);
        viewer.key("Escape");
        viewer.until_screenshot("no-menu", |picture| !is_open(picture));
        viewer.click(SCENES);
        viewer.until_screenshot("menu", is_open);
        viewer.click(BIRDS);
        viewer.until_title("birds", |title| title.scene == "birds");
    });
}

/// Regression: a click was lost if another click followed before the next frame,
/// or if its release came in a frame long after the press.
fn clicks_come_faster_than_pictures(viewer: &Viewer<'_>) {
    viewer.key("r");
    viewer.until_step(0);
    viewer.click_both([KEEP, STEP]);
    let next = viewer.until_step(1);
    viewer.click(BACK);
    viewer.until_step(0);
    viewer.click(STEP);
    assert_eq!(viewer.until_step(1).paused_at, next.paused_at, "the state was kept");
}

fn the_state_is_saved(display: &Display, viewer: &Viewer<'_>) {
    let (step, hash) = viewer.title().paused_at.expect("it is paused");
    let file = display.output_file(step, ".snapshot");
    viewer.click(SAVE);
    let resumed = || {
        let arguments = ["--headless", "--steps", "0", "--json", "--resume"];
        let out = display.viewer().args(arguments).arg(&file).output().ok()?;
        let line: serde_json::Value = serde_json::from_slice(&out.stdout).ok()?;
        Some(line["state_hash"].as_str()?.to_owned())
    };
    assert_eq!(until("snapshot", resumed), hash);
}

fn typing_ends_with_enter_or_escape(viewer: &Viewer<'_>) {
    viewer.edit(AGENTS);
    viewer.key("4");
    viewer.key("2");
    viewer.key("Escape");
    viewer.until_edited(AGENTS);
    viewer.key("Right");
    let title = viewer.until_step(2);
    assert_eq!((title.agents, title.seed), (300, 1));
    viewer.edit(AGENTS);
    viewer.key("4");
    viewer.key("2");
    viewer.key("Return");
    viewer.until_title("42 agents", |title| title.agents == 42);
}

fn behaviors_and_partitions_are_switched(viewer: &Viewer<'_>) {
    viewer.key("F5");
    let usual = viewer.step_from_kept(0);
    viewer.click(CELLS);
    viewer.until_title("all pairs", |title| title.partition == "all pairs");
    assert_eq!(viewer.step_from_kept(0), usual, "all pairs come to the same state");
    viewer.click(SPECIES);
    viewer.until_still("unfolded", |picture| picture.at(SEPARATION) != PANEL_GROUND);
    viewer.click(SEPARATION);
    assert_ne!(viewer.step_from_kept(0), usual, "without separation");
}
