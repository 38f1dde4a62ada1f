//! Which scene, how many agents, which seed.

use std::path::Path;

use egui::{DragValue, Ui};
use flockwork::Scene;

use super::context::Desk;
use super::slider::number;

/// The engine's limit.
const MOST_AGENTS: usize = 100_000_000;

pub(super) fn show(ui: &mut Ui, desk: &mut Desk<'_>) {
    let Desk { state, frame, runner, .. } = &mut *desk;
    let readings = &frame.readings;
    let present = &readings.original.name;
    ui.add_space(4.0);
    ui.horizontal(|ui| {
        let scenes = egui::ComboBox::from_id_salt("scene").selected_text(present).width(170.0);
        scenes.height(600.0).show_ui(ui, |ui| {
            for name in Scene::names() {
                if ui.selectable_label(name == present, name).clicked() {
                    runner.tell(move |session| session.open(name));
                }
            }
        });
        if ui.button("restart").on_hover_text("R").clicked() {
            runner.tell(|session| session.restart(None));
        }
        if ui.button("file").on_hover_text("F6: write this state to a file").clicked() {
            runner.tell(|session| session.save_file(Path::new("")));
        }
        if ui.button("?").on_hover_text("the keys").clicked() {
            state.help = !state.help;
        }
    });
    if !readings.original.about.is_empty() {
        ui.weak(&readings.original.about);
    }
    ui.horizontal(|ui| {
        agents(ui, desk);
        seed(ui, desk);
    });
    ui.separator();
}

/// The number of agents: a crowd that starts over at every digit and pixel would be of no use.
fn agents(ui: &mut Ui, desk: &mut Desk<'_>) {
    let Desk { state, frame, runner, .. } = desk;
    let present = frame.readings.agents;
    let mut agents = state.agents.take().unwrap_or(present);
    let suffix = if agents == 1 { " agent" } else { " agents" };
    let drag = DragValue::new(&mut agents)
        .range(0..=MOST_AGENTS)
        .speed((present as f64 / 100.0).max(0.1))
        .suffix(suffix);
    let edit = number(ui, drag, 120.0);
    if edit.dragged() {
        state.agents = Some(agents);
    } else if (edit.changed() || edit.drag_stopped()) && agents != present {
        runner.tell(move |session| session.set_agents(agents));
    }
}

/// The seed, as text: not every seed is a number that widgets could drag.
fn seed(ui: &mut Ui, desk: &mut Desk<'_>) {
    let Desk { state, frame, runner, .. } = desk;
    ui.label("seed");
    let mut text = state.seed.take().unwrap_or_else(|| frame.readings.seed.to_string());
    let edit = ui.add(egui::TextEdit::singleline(&mut text).desired_width(130.0));
    if edit.has_focus() {
        state.seed = Some(text);
    } else if edit.lost_focus() && !ui.input(|input| input.key_pressed(egui::Key::Escape)) {
        match text.trim().parse() {
            Ok(seed) if seed != frame.readings.seed => {
                runner.tell(move |session| session.restart(Some(seed)));
            }
            Ok(_) => {}
            Err(_) => state.notice(format!("seed: {text}; allowed: from 0 to {}", u64::MAX)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Session;
    use crate::session::frame::Frame;
    use crate::session::worker::Runner;
    use crate::window::mouse::Mouse;
    use crate::window::panel::state::State;
    use crate::window::profiler::Meter;

    /// Does something with one of the boxes, frame by frame; returns the crowd that then is.
    fn after(frames: &[Vec<egui::Event>]) -> (State, Box<Frame>) {
        let (runner, first) = Runner::start(Session::named("flock"), || ());
        runner.tell(|session| session.step_once());
        let (mut state, mut mouse, meter) = (State::default(), Mouse::default(), Meter::default());
        let mut controls = first.controls.clone();
        let context = egui::Context::default();
        for events in frames {
            let input = egui::RawInput { events: events.clone(), ..egui::RawInput::default() };
            let _ = context.run_ui(input, |ui| {
                let mut desk = Desk {
                    state: &mut state,
                    controls: &mut controls,
                    mouse: &mut mouse,
                    frame: &first,
                    meter: &meter,
                    runner: &runner,
                };
                ui.horizontal(|ui| agents(ui, &mut desk));
                ui.horizontal(|ui| seed(ui, &mut desk));
            });
        }
        let last = loop {
            match runner.latest().unwrap() {
                Some(frame) if runner.is_heard(&frame) => break frame,
                Some(frame) => runner.give_back(frame),
                None => std::thread::yield_now(),
            }
        };
        (state, last)
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

    /// Clicks a box, replaces its text and presses a key.
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
    fn typing_takes_effect_at_enter_and_escape_takes_it_back() {
        let (_, frame) = after(&typed(AGENTS, "77", egui::Key::Enter));
        assert_eq!((frame.readings.agents, frame.readings.seed), (77, 1));
        let (_, frame) = after(&typed(AGENTS, "77", egui::Key::Escape));
        assert_ne!(frame.readings.agents, 77);
        let (_, frame) = after(&typed(SEED, "18446744073709551615", egui::Key::Enter));
        assert_eq!(frame.readings.seed, u64::MAX, "not rounded");
        let (state, frame) = after(&typed(SEED, "-3", egui::Key::Enter));
        assert_eq!(frame.readings.seed, 1);
        assert!(state.said.contains("-3") && state.said.contains("from 0 to"), "{}", state.said);
    }

    #[test]
    fn dragging_changes_the_number_of_agents_when_it_ends() {
        let to = AGENTS + egui::vec2(60.0, 0.0);
        let mut frames =
            vec![vec![], vec![egui::Event::PointerMoved(AGENTS)], button(AGENTS, true)];
        frames.push(vec![egui::Event::PointerMoved(AGENTS + egui::vec2(30.0, 0.0))]);
        frames.push(vec![egui::Event::PointerMoved(to)]);
        let (state, frame) = after(&frames);
        let before = frame.readings.agents;
        assert!(state.agents.is_some_and(|agents| agents > before), "{:?}", state.agents);
        frames.extend([button(to, false), vec![]]);
        let (state, frame) = after(&frames);
        assert!(frame.readings.agents > before && state.agents.is_none());
    }
}
