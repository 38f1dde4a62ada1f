use std::cell::RefCell;
use std::sync::LazyLock;

use egui::{Align, DragValue, Ui};
use flockwork::{Partition, Scene};

use super::Panel;
use super::widgets::{Parameter, fold, key_button, number};
use crate::options::parse_agents;
use crate::picture::projection::{Angle, PITCH_RANGE, YAW_RANGE};
use crate::picture::view::ColorBy;
use crate::session::crowds::flocks;
use crate::window::answer::{grouped, rate};

/// Scenes of at least this many agents are stress tests.
const MIN_STRESS_AGENTS: usize = 10_000;

pub(super) fn show(ui: &mut Ui, cx: &mut Panel) {
    ui.add_space(4.0);
    ui.horizontal(|ui| {
        scenes(ui, cx);
        key_button(ui, cx, "restart", "r");
        key_button(ui, cx, "?", "?");
    });
    let about = &cx.frame.readings.original.about;
    if !about.is_empty() {
        ui.weak(about);
    }
    agents(ui, cx);
    ui.separator();
}

pub(super) fn state(ui: &mut Ui, cx: &mut Panel) {
    fold(ui, "state", |ui| {
        ui.horizontal(|ui| seed(ui, cx));
        ui.horizontal(|ui| {
            key_button(ui, cx, "keep", "F5");
            key_button(ui, cx, "back", "F9");
            let hint = "write this state to a file, for --resume";
            if ui.button("save").on_hover_text(hint).clicked() {
                cx.worker.send(|session| session.save_snapshot("".as_ref()));
            }
        });
    });
}

fn scenes(ui: &mut Ui, cx: &mut Panel) {
    let Panel { state, frame, worker, .. } = cx;
    let present = &frame.readings.original.name;
    // Leaves room for the buttons next to the menu.
    let width = (ui.available_width() - 100.0).clamp(60.0, 170.0);
    let menu = egui::ComboBox::from_id_salt("scene").selected_text(present).width(width);
    let opens = !state.scenes_are_open;
    let shown = menu.height(600.0).show_ui(ui, |ui| scene_list(ui, present, opens)).inner;
    state.scenes_are_open = shown.is_some();
    if let Some(name) = shown.flatten() {
        worker.send(move |session| session.open(name));
    }
}

/// Scenes by group, in the order of the list.
static GROUPS: LazyLock<[(&str, Vec<&str>); 3]> = LazyLock::new(|| {
    let mut groups = [("flocks", vec![]), ("behaviors", vec![]), ("stress tests", vec![])];
    for name in Scene::names() {
        let number = match Scene::named(name) {
            Ok(scene) if scene.agents_at_start() >= MIN_STRESS_AGENTS => 2,
            Ok(scene) if flocks(&scene) => 0,
            _ => 1,
        };
        groups[number].1.push(name);
    }
    groups
});

fn scene_list(ui: &mut Ui, present: &str, opens: bool) -> Option<&'static str> {
    let mut chosen = None;
    for (group, names) in &*GROUPS {
        ui.weak(*group);
        for &name in names {
            let label = ui.selectable_label(name == present, name);
            if opens && name == present {
                label.scroll_to_me(Some(Align::Center));
            }
            if label.clicked() {
                chosen = Some(name);
            }
            label.on_hover_ui(|ui| {
                ui.label(Scene::named(name).map_or_else(|_| String::new(), |scene| scene.about));
            });
        }
    }
    chosen
}

/// Accepts the same number formats as the command line. Restarts the crowd only when dragging
/// or typing ends, not at every pixel or digit.
fn agents(ui: &mut Ui, cx: &mut Panel) {
    let Panel { state, frame, worker, .. } = cx;
    let present = frame.view.x.len();
    let mut agents = state.agents.take().unwrap_or(present);
    let refused = RefCell::new(String::new());
    let drag = DragValue::new(&mut agents)
        .range(0..=usize::MAX)
        .speed((present as f64 / 100.0).max(0.1))
        .suffix(if present == 1 { " agent" } else { " agents" })
        .custom_parser(|text| match parse_agents(text) {
            Ok(agents) => Some(agents as f64),
            Err(why) => {
                refused.replace(format!("agents: {text}: {why}"));
                None
            }
        });
    let edit = number(ui, drag, 120.0);
    state.notify(refused.take());
    if edit.dragged() {
        state.agents = Some(agents);
    } else if edit.changed() || edit.drag_stopped() {
        state.accept_entry();
        if agents != present {
            worker.send(move |session| session.set_agents(agents));
        }
    }
}

/// The seed is edited as text, because number widgets cannot represent every 64-bit seed.
fn seed(ui: &mut Ui, cx: &mut Panel) {
    let Panel { state, frame, worker, .. } = cx;
    ui.label("seed");
    let typed = state.seed.take();
    // egui reports the end of editing again in the next frame, in which nothing was typed.
    let is_entry = typed.is_some();
    let mut text = typed.unwrap_or_else(|| frame.readings.seed.to_string());
    let edit = ui.add(
        egui::TextEdit::singleline(&mut text)
            .desired_width(ui.available_width().clamp(50.0, 130.0)),
    );
    if edit.has_focus() {
        state.seed = Some(text);
    } else if edit.lost_focus() && !ui.input(|input| input.key_pressed(egui::Key::Escape)) {
        match text.trim().parse() {
            Ok(seed) => {
                if is_entry {
                    state.accept_entry();
                }
                if seed != frame.readings.seed {
                    worker.send(move |session| session.restart(Some(seed)));
                }
            }
            Err(_) => state.notify(format!("seed: {text}: must be from 0 to {}", u64::MAX)),
        }
    }
}

pub(super) fn time(ui: &mut Ui, cx: &mut Panel) {
    ui.horizontal(|ui| {
        key_button(ui, cx, if cx.controls.paused { "resume" } else { "pause" }, "Space");
        key_button(ui, cx, "step", "Right");
    });
    let Panel { controls, frame, profiler, .. } = cx;
    Parameter::new("time scale", "", 0.01, 100.0).show(ui, &mut controls.time_scale, Some(1.0));
    let readings = &frame.readings;
    let (frames, steps) = profiler.rates();
    ui.label(match readings.hash {
        Some(hash) => format!("step {}, state {hash:016x}", frame.view.step),
        None => {
            // Derived from the displayed step rate, so that both numbers in the label always agree.
            let times = steps / controls.edits.steps_per_second;
            format!("{times:.2}× real time, {} steps/s, {} frames/s", rate(steps), rate(frames))
        }
    });
    ui.separator();
}

pub(super) fn world(ui: &mut Ui, cx: &mut Panel) {
    let Panel { controls, frame, .. } = cx;
    ui.horizontal(|ui| {
        ui.label("color");
        for (name, mode) in ColorBy::ALL {
            ui.selectable_value(&mut controls.look.color_by, mode, name);
        }
    });
    if frame.view.depth.is_some() {
        let original = Angle::default();
        let Angle { yaw, pitch } = &mut controls.look.angle;
        for (name, range, value, default) in
            [("yaw", YAW_RANGE, yaw, original.yaw), ("pitch", PITCH_RANGE, pitch, original.pitch)]
        {
            Parameter::new(name, "°", *range.start(), *range.end()).show(ui, value, Some(default));
        }
    }
    Parameter::new("trails", "s", 0.0, 60.0).show(ui, &mut controls.look.trails, Some(0.0));
    ui.horizontal(|ui| {
        let mut cells = controls.partition != Partition::AllPairs;
        let hint = "g: when off, all pairs are tested, with the same result";
        if ui.checkbox(&mut cells, "cells").on_hover_text(hint).changed() {
            controls.toggle_partition();
        }
        ui.checkbox(&mut controls.look.grid, "grid").on_hover_text("draw the grid's cells");
        let scene = &frame.readings.original;
        let scatter = scene.scatter.clone().unwrap_or_default();
        if !scene.obstacles.is_empty() || scatter.obstacles.is_some() {
            ui.checkbox(&mut controls.edits.standing.obstacles, "obstacles");
        }
        if !scene.walls.is_empty() || scatter.walls.is_some() {
            ui.checkbox(&mut controls.edits.standing.walls, "walls");
        }
        if !(scene.obstacles.is_empty() && scene.walls.is_empty()) || scene.scatter.is_some() {
            let hint = "walls and obstacles stop agents";
            ui.checkbox(&mut controls.edits.solid, "solid").on_hover_text(hint);
        }
    });
    if let [first, ..] = frame.view.cells[..] {
        // Each group of species has columns of its own.
        let columns: Vec<String> =
            frame.view.cells.iter().map(|cells| grouped(cells.columns as usize)).collect();
        ui.label(format!("{} × {} cells", columns.join(" + "), grouped(first.rows as usize)));
        let default = frame.readings.original.cell_size;
        let height = Parameter::new("cell height", "view distances", 0.25, 16.0);
        height.show_optional(ui, &mut controls.edits.cell_size, default, 1.0);
    }
    ui.separator();
}

pub(super) fn crowd(ui: &mut Ui, cx: &mut Panel) {
    let Panel { controls, frame, .. } = cx;
    let original = &frame.readings.original;
    let mut threads = controls.threads as u32;
    let all = std::thread::available_parallelism().ok().map(|all| all.get() as u32);
    Parameter::new("threads", "", 1.0, 1024.0).show_whole(ui, &mut threads, all);
    controls.threads = threads as usize;
    let steps = Parameter::new("steps/s simulated", "", 1.0, 1.0e5);
    let default = original.steps_per_second;
    steps.show(ui, &mut controls.edits.steps_per_second, Some(default));
    let mut samples = controls.edits.heading_samples.map(|samples| samples as f32);
    let default = original.heading_samples.map(|samples| samples as f32);
    let smoothing = Parameter::new("smoothed headings", "averaged", 1.0, 100.0);
    smoothing.show_optional(ui, &mut samples, default, 10.0);
    controls.edits.heading_samples = samples.map(|samples| samples.round() as u32);
    let passes = Parameter::new("non-penetration", "", 0.0, 64.0);
    let default = Some(original.passes());
    passes.show_whole(ui, &mut controls.edits.non_penetration, default);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Session;
    use crate::session::frame::Frame;
    use crate::session::worker::Worker;
    use crate::window::answer::Profiler;
    use crate::window::panel::State;

    /// Regression: the list opened at its top instead of at the current scene.
    #[test]
    fn the_list_scrolls_to_the_scene_that_is_shown() {
        let context = egui::Context::default();
        let seen = |opens: bool| {
            let screen_rect =
                Some(egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(500.0, 200.0)));
            let input = egui::RawInput { screen_rect, ..egui::RawInput::default() };
            let output = context.run_ui(input, |ui| {
                egui::ScrollArea::vertical().show(ui, |ui| scene_list(ui, "containment", opens));
            });
            output.shapes.into_iter().any(|clipped| match clipped.shape {
                egui::Shape::Text(text) => {
                    text.galley.text() == "containment"
                        && clipped.clip_rect.contains(text.visual_bounding_rect().center())
                }
                _ => false,
            })
        };
        assert!(!seen(false), "below what fits");
        seen(true);
        for _ in 0..60 {
            seen(false);
        }
        assert!(seen(false), "after the scrolling");
    }

    #[test]
    fn every_scene_is_in_one_group() {
        let mut grouped: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| names.clone()).collect();
        let mut names: Vec<&str> = Scene::names().collect();
        grouped.sort_unstable();
        names.sort_unstable();
        assert_eq!(grouped, names);
        for (number, name) in [(0, "boids"), (1, "hide"), (1, "routes"), (2, "stress-3d")] {
            assert!(GROUPS[number].1.contains(&name), "{name}");
        }
    }

    #[test]
    fn every_scene_says_what_it_shows() {
        assert!(Scene::names().all(|name| !Scene::named(name).unwrap().about.is_empty()));
    }

    fn after(frames: &[Vec<egui::Event>]) -> (State, Box<Frame>) {
        let (worker, first) = Worker::start(Session::named("flock"), || ()).unwrap();
        worker.send(|session| session.step_once());
        let (state, controls) = (State::default(), first.controls.clone());
        let profiler = Profiler::default();
        let mut cx = Panel { state, controls, frame: first, profiler, worker };
        let context = egui::Context::default();
        for events in frames {
            let input = egui::RawInput { events: events.clone(), ..egui::RawInput::default() };
            let _ = context.run_ui(input, |ui| {
                agents(ui, &mut cx);
                ui.horizontal(|ui| seed(ui, &mut cx));
            });
        }
        let last = loop {
            match cx.worker.latest() {
                Ok(frame) if cx.worker.is_current(&frame) => break frame,
                Ok(frame) => cx.worker.recycle(frame),
                Err(_) => std::thread::yield_now(),
            }
        };
        (cx.state, last)
    }

    const AGENTS: egui::Pos2 = egui::pos2(40.0, 18.0);
    const SEED: egui::Pos2 = egui::pos2(100.0, 40.0);

    fn button(pos: egui::Pos2, pressed: bool) -> Vec<egui::Event> {
        let modifiers = egui::Modifiers::NONE;
        let button = egui::PointerButton::Primary;
        let moved = egui::Event::PointerMoved(pos);
        vec![moved, egui::Event::PointerButton { pos, button, pressed, modifiers }]
    }

    fn key(key: egui::Key) -> Vec<egui::Event> {
        let modifiers = egui::Modifiers::NONE;
        vec![egui::Event::Key { key, physical_key: None, pressed: true, repeat: false, modifiers }]
    }

    fn typed(at: egui::Pos2, text: &str, end: egui::Key) -> Vec<Vec<egui::Event>> {
        let all = egui::Modifiers::COMMAND;
        let select = egui::Event::Key {
            key: egui::Key::A,
            physical_key: None,
            pressed: true,
            repeat: false,
            modifiers: all,
        };
        let mut frames = vec![vec![], vec![egui::Event::PointerMoved(at)], button(at, true)];
        frames.extend([button(at, false), vec![], vec![select]]);
        frames.extend(text.chars().map(|c| vec![egui::Event::Text(c.into())]));
        frames.extend([key(end), vec![], vec![]]);
        frames
    }

    #[test]
    fn typing_takes_effect_at_enter_and_escape_cancels_it() {
        let (_, frame) = after(&typed(AGENTS, "77", egui::Key::Enter));
        assert_eq!((frame.view.x.len(), frame.readings.seed), (77, 1));
        let (_, frame) = after(&typed(AGENTS, "77", egui::Key::Escape));
        assert_ne!(frame.view.x.len(), 77);
        let (_, frame) = after(&typed(SEED, "18446744073709551615", egui::Key::Enter));
        assert_eq!(frame.readings.seed, u64::MAX, "not rounded");
        let (state, frame) = after(&typed(SEED, "-3", egui::Key::Enter));
        assert_eq!(frame.readings.seed, 1);
        assert!(
            state.message.contains("-3") && state.message.contains("from 0 to"),
            "{}",
            state.message
        );
    }

    /// Regression: "1M" was silently ignored.
    #[test]
    fn typed_numbers_of_agents_are_read_as_on_the_command_line_and_refusals_are_said() {
        for (text, agents) in [("1k", 1_000), ("1.5k", 1_500), ("2_0", 20), ("1e3", 1_000)] {
            let (_, frame) = after(&typed(AGENTS, text, egui::Key::Enter));
            assert_eq!(frame.view.x.len(), agents, "{text}");
        }
        for (text, words) in [("many", "whole number"), ("1e99", "up to 1e9")] {
            let (state, frame) = after(&typed(AGENTS, text, egui::Key::Enter));
            assert_eq!(frame.view.x.len(), 600, "{text}");
            assert!(state.message.contains(text), "{}", state.message);
            assert!(state.message.contains(words), "{}", state.message);
        }
    }

    /// Regression: the error about an invalid entry was shown for ten seconds, even after a valid
    /// entry.
    #[test]
    fn a_valid_entry_takes_back_the_error_on_the_one_before() {
        for (at, wrong, valid) in [(AGENTS, "many", "77"), (SEED, "-3", "9")] {
            let mut frames = typed(at, wrong, egui::Key::Enter);
            let (state, _) = after(&frames);
            assert!(state.status(None).is_some(), "{wrong}");
            frames.extend(typed(at, valid, egui::Key::Enter));
            let (state, _) = after(&frames);
            assert_eq!(state.status(None), None, "{valid}");
        }
    }

    #[test]
    fn dragging_changes_the_number_of_agents_when_it_ends() {
        let to = AGENTS + egui::vec2(60.0, 0.0);
        let mut frames =
            vec![vec![], vec![egui::Event::PointerMoved(AGENTS)], button(AGENTS, true)];
        frames.push(vec![egui::Event::PointerMoved(AGENTS + egui::vec2(30.0, 0.0))]);
        frames.push(vec![egui::Event::PointerMoved(to)]);
        let (state, frame) = after(&frames);
        let before = frame.view.x.len();
        assert!(state.agents.is_some_and(|agents| agents > before), "{:?}", state.agents);
        frames.extend([button(to, false), vec![]]);
        let (state, frame) = after(&frames);
        assert!(frame.view.x.len() > before && state.agents.is_none());
    }
}
