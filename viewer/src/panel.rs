//! The panel: everything that can be seen of and done to a session, as widgets.

use egui::{Color32, Slider, Ui};
use flockwork::{Combine, Deceleration, Feelers, Field, FieldValue, Partition, Scene, Value};

use crate::coloring::ColorBy;
use crate::explained::Explained;
use crate::keys::KEYS;
use crate::meter::{Meter, STAGES};
use crate::session::{Edited, Session};

/// What the panel remembers.
pub(crate) struct State {
    pub(crate) open: bool,
    pub(crate) help: bool,
    /// How much of the window it hides, in pixels.
    pub(crate) width_in_pixels: f32,
    pub(crate) color_by: ColorBy,
    agents: usize,
}

impl Default for State {
    fn default() -> Self {
        Self {
            open: true,
            help: false,
            width_in_pixels: 0.0,
            color_by: ColorBy::Heading,
            agents: 0,
        }
    }
}

/// Builds all widgets.
pub(crate) fn show(
    ui: &mut Ui,
    state: &mut State,
    session: &mut Session,
    meter: &Meter,
    explained: &[Explained],
) {
    state.width_in_pixels = 0.0;
    if state.open {
        let frame = egui::Frame::side_top_panel(ui.style()).fill(Color32::from_rgb(20, 22, 28));
        let panel = egui::Panel::right("panel").default_size(330.0).frame(frame);
        let shown = panel.show(ui, |ui| {
            egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
                scene(ui, state, session);
                time(ui, session, meter);
                explanation(ui, session, explained);
                colors(ui, &mut state.color_by);
                world(ui, session);
                for kind in 0..session.species.len() {
                    species(ui, session, kind);
                }
            });
        });
        state.width_in_pixels = shown.response.rect.width() * ui.ctx().pixels_per_point();
    }
    if state.help {
        help(ui);
    }
    let trouble = session.trouble.as_ref().or(Some(&session.message)).filter(|m| !m.is_empty());
    if let Some(message) = trouble {
        let color =
            if session.trouble.is_some() { Color32::LIGHT_RED } else { Color32::LIGHT_YELLOW };
        egui::Area::new("message".into()).anchor(egui::Align2::LEFT_BOTTOM, [12.0, -12.0]).show(
            ui.ctx(),
            |ui| {
                let text = egui::RichText::new(message).color(color);
                ui.add(egui::Label::new(text).extend())
            },
        );
    }
}

fn scene(ui: &mut Ui, state: &mut State, session: &mut Session) {
    ui.add_space(4.0);
    let present = session.original.name.clone();
    ui.horizontal(|ui| {
        egui::ComboBox::from_id_salt("scene").selected_text(&present).width(180.0).show_ui(
            ui,
            |ui| {
                for name in Scene::names() {
                    if ui.selectable_label(name == present, name).clicked() {
                        session.open(name);
                    }
                }
            },
        );
        if ui.button("restart").on_hover_text("R").clicked() {
            session.restart(None);
        }
        if ui.button("?").clicked() {
            state.help = !state.help;
        }
    });
    ui.label(egui::RichText::new(&session.original.about).weak());
    ui.horizontal(|ui| {
        let agents = session.simulation.len();
        if !ui.memory(|memory| memory.focused().is_some()) {
            state.agents = agents;
        }
        let drag = egui::DragValue::new(&mut state.agents)
            .range(0..=10_000_000)
            .speed(agents as f64 / 100.0);
        let changed = ui.add(drag.suffix(" agents"));
        if (changed.lost_focus() || changed.drag_stopped()) && state.agents != agents {
            session.set_agents(state.agents);
        }
        let mut seed = session.simulation.scene().seed;
        if ui.add(egui::DragValue::new(&mut seed).prefix("seed ")).changed() {
            session.restart(Some(seed));
        }
    });
    ui.separator();
}

fn time(ui: &mut Ui, session: &mut Session, meter: &Meter) {
    ui.horizontal(|ui| {
        if ui.button(if session.paused { "go on" } else { "pause" }).clicked() {
            session.paused = !session.paused;
        }
        if ui.button("step").clicked() {
            session.step_once();
        }
        if ui.button("save").on_hover_text("F5").clicked() {
            session.save();
        }
        if ui.button("back").on_hover_text("F9").clicked() {
            session.go_back();
        }
        if ui.button("check").on_hover_text("F8: run, rewind, run otherwise, compare").clicked() {
            session.check_determinism();
        }
    });
    let scale = Slider::new(&mut session.time_scale, 0.05..=20.0).logarithmic(true);
    ui.add(scale.text("time scale"));
    let mut threads = session.simulation.threads();
    if ui.add(Slider::new(&mut threads, 1..=64).logarithmic(true).text("threads")).changed() {
        session.report(|simulation| simulation.set_threads(threads));
    }
    let (frames, steps) = meter.rates();
    let simulated = session.time_scale * session.reached;
    let speed = match session.paused {
        true => format!("paused at step {}", session.simulation.tick()),
        false => format!("{simulated:.2}× real time, {steps:.0} steps/s, {frames:.0} frames/s"),
    };
    ui.label(speed);

    let medians = meter.medians();
    let step: f32 = medians[..4].iter().sum();
    let agents = session.simulation.len().max(1) as f32;
    ui.label(format!("{step:.2} ms per step, {:.1} ns per agent", step * 1.0e6 / agents));
    let longest = medians.iter().copied().fold(1.0, f32::max);
    egui::Grid::new("stages").num_columns(3).spacing([8.0, 2.0]).show(ui, |ui| {
        for (name, time) in STAGES.iter().zip(medians) {
            ui.label(*name);
            ui.label(format!("{time:6.2} ms"));
            let (rect, _) = ui.allocate_exact_size(egui::vec2(150.0, 10.0), egui::Sense::hover());
            let filled = egui::vec2(rect.width() * time / longest, rect.height());
            let bar = egui::Rect::from_min_size(rect.min, filled);
            ui.painter().rect_filled(bar, 2.0, Color32::from_rgb(86, 180, 233));
            ui.end_row();
        }
    });
    history(ui, meter);
    ui.label(format!("order {:.2}", session.simulation.alignment_order()));
    ui.separator();
}

/// The time of whole frames, as a line.
fn history(ui: &mut Ui, meter: &Meter) {
    let size = egui::vec2(ui.available_width(), 36.0);
    let (rect, _) = ui.allocate_exact_size(size, egui::Sense::hover());
    ui.painter().rect_filled(rect, 2.0, Color32::from_rgb(12, 13, 17));
    let times: Vec<f32> = meter.history().collect();
    let most = times.iter().copied().fold(1000.0 / 60.0, f32::max);
    let place = |k: usize, time: f32| {
        let across = k as f32 / times.len().max(2) as f32;
        egui::pos2(rect.left() + rect.width() * across, rect.bottom() - rect.height() * time / most)
    };
    let points = times.iter().enumerate().map(|(k, &time)| place(k, time)).collect();
    let stroke = egui::Stroke::new(1.0, Color32::from_rgb(230, 159, 0));
    ui.painter().add(egui::Shape::line(points, stroke));
    let label = format!("{most:.0} ms");
    let font = egui::FontId::proportional(9.0);
    let gray = Color32::GRAY;
    ui.painter().text(rect.left_top(), egui::Align2::LEFT_TOP, label, font, gray);
}

fn explanation(ui: &mut Ui, session: &Session, explained: &[Explained]) {
    let Some(first) = explained.first() else {
        ui.label(egui::RichText::new("click an agent to see why it moves as it does").weak());
        ui.separator();
        return;
    };
    let Ok(state) = session.simulation.agent(first.id) else { return };
    let kind = &session.simulation.scene().species[state.species].name;
    ui.label(format!("agent {} of {kind}, {} neighbors", first.id, first.why.neighbors.len()));
    let [x, y] = state.position;
    let [vx, vy] = state.velocity;
    ui.label(format!("at ({x:.1}, {y:.1}), {:.1} units/s", vx.hypot(vy)));
    egui::Grid::new("forces").num_columns(3).striped(true).show(ui, |ui| {
        ui.weak("behavior");
        ui.weak("force");
        ui.weak("kept");
        ui.end_row();
        for part in &first.why.contributions {
            ui.label(part.behavior);
            ui.label(format!("{:.1}", part.force[0].hypot(part.force[1])));
            ui.label(format!("{:.1}", part.kept[0].hypot(part.kept[1])));
            ui.end_row();
        }
    });
    ui.separator();
}

fn colors(ui: &mut Ui, color_by: &mut ColorBy) {
    ui.horizontal(|ui| {
        ui.label("color");
        for (name, mode) in [
            ("heading", ColorBy::Heading),
            ("speed", ColorBy::Speed),
            ("density", ColorBy::Density),
            ("species", ColorBy::Species),
        ] {
            ui.selectable_value(color_by, mode, name);
        }
    });
}

fn world(ui: &mut Ui, session: &mut Session) {
    ui.horizontal(|ui| {
        let mut cells = session.simulation.partition() == Partition::Cells;
        if ui.checkbox(&mut cells, "cells").on_hover_text("G: else all pairs").changed() {
            session.toggle_partition();
        }
        let mut smooth = session.simulation.scene().heading_samples.is_some();
        if ui.checkbox(&mut smooth, "smoothing").changed() {
            session.toggle_smoothing();
        }
        if ui.button("scenery").on_hover_text("Y: obstacles and walls on and off").clicked() {
            session.toggle_scenery();
        }
    });
    let mut iterations = session.simulation.scene().non_penetration;
    if ui.add(Slider::new(&mut iterations, 0..=8).text("non-penetration")).changed() {
        session.report(|simulation| simulation.set_non_penetration(iterations));
    }
    ui.separator();
}

fn species(ui: &mut Ui, session: &mut Session, kind: usize) {
    let original = session.original.species.get(kind).cloned();
    let edited = &mut session.species[kind];
    let mut changed = false;
    let name = edited.species.name.clone();
    egui::CollapsingHeader::new(&name).id_salt(("species", kind)).default_open(kind == 0).show(
        ui,
        |ui| {
            let s = &mut edited.species;
            changed |= number(ui, "view distance", &mut s.view_distance, 1.0..=1.0e3);
            changed |= number(ui, "field of view °", &mut s.field_of_view, 0.0..=360.0);
            changed |= value(ui, "max speed", &mut s.max_speed, 1.0e-3..=1.0e3);
            changed |= value(ui, "max force", &mut s.max_force, 0.0..=1.0e4);
            changed |= value(ui, "mass", &mut s.mass, 1.0e-2..=1.0e2);
            ui.horizontal(|ui| {
                for (name, method) in [
                    ("prioritized", Combine::Prioritized),
                    ("weighted sum", Combine::WeightedSum),
                    ("dithered", Combine::Dithered),
                ] {
                    changed |= ui.selectable_value(&mut s.combine, method, name).changed();
                }
            });
            changed |= behaviors(ui, edited, kind);
            let reset = ui.button("as the scene has it").clicked();
            if let Some(original) = original.filter(|_| reset) {
                edited.enabled = vec![true; original.behaviors.len()];
                edited.species = original;
                changed = true;
            }
        },
    );
    if changed {
        session.apply(kind);
    }
}

fn behaviors(ui: &mut Ui, edited: &mut Edited, kind: usize) -> bool {
    let mut changed = false;
    let rows = edited.species.behaviors.iter_mut().zip(&mut edited.enabled).enumerate();
    for (k, (behavior, enabled)) in rows {
        let name = behavior.name();
        let id = ui.make_persistent_id((kind, k, name));
        let header =
            egui::collapsing_header::CollapsingState::load_with_default_open(ui.ctx(), id, false);
        header.show_header(ui, |ui| changed |= ui.checkbox(enabled, name).changed()).body(|ui| {
            for field in behavior.fields() {
                changed |= edit(ui, field);
            }
        });
    }
    changed
}

/// A widget for a parameter.
fn edit(ui: &mut Ui, field: Field<'_>) -> bool {
    let Field { name, unit, min, max, value, .. } = field;
    let label = if unit.is_empty() { name.to_owned() } else { format!("{name} ({unit})") };
    match value {
        FieldValue::Number(value) => number(ui, &label, value, min..=max),
        FieldValue::Optional(value) => {
            let mut some = value.is_some();
            let mut changed = ui.checkbox(&mut some, &label).changed();
            if changed {
                *value = some.then_some(100.0_f32.clamp(min, max));
            }
            if let Some(value) = value {
                changed |= number(ui, "", value, min..=max);
            }
            changed
        }
        FieldValue::Whole(value) => ui
            .add(Slider::new(value, min as u32..=max as u32).logarithmic(true).text(label))
            .changed(),
        FieldValue::Flag(value) => ui.checkbox(value, label).changed(),
        FieldValue::Vector([x, y]) => {
            let changed = number(ui, &format!("{name} ahead"), x, min..=max);
            number(ui, &format!("{name} aside"), y, min..=max) || changed
        }
        FieldValue::Deceleration(value) => {
            let all = [
                ("fast", Deceleration::Fast),
                ("normal", Deceleration::Normal),
                ("slow", Deceleration::Slow),
            ];
            choice(ui, value, &all)
        }
        FieldValue::Feelers(value) => {
            choice(ui, value, &[("three", Feelers::Three), ("sweeping", Feelers::Sweeping)])
        }
        _ => false,
    }
}

fn choice<T: Copy + PartialEq>(ui: &mut Ui, value: &mut T, all: &[(&str, T)]) -> bool {
    ui.horizontal(|ui| {
        let pick = |&(name, choice): &(&str, T)| ui.selectable_value(value, choice, name).changed();
        all.iter().map(pick).fold(false, |any, changed| any | changed)
    })
    .inner
}

/// A slider that gives small and large numbers their room.
fn number(ui: &mut Ui, label: &str, value: &mut f32, range: std::ops::RangeInclusive<f32>) -> bool {
    let wide = *range.end() > 50.0 * range.start().abs().max(1.0);
    let slider = Slider::new(value, range)
        .logarithmic(wide)
        .smallest_positive(1.0e-2)
        .clamping(egui::SliderClamping::Edits)
        .text(label);
    ui.add(slider).changed()
}

fn value(
    ui: &mut Ui,
    label: &str,
    value: &mut Value,
    range: std::ops::RangeInclusive<f32>,
) -> bool {
    match value {
        Value::Shared(value) => number(ui, label, value, range),
        Value::Between([from, to]) => {
            let mut changed = number(ui, &format!("{label} from"), from, range.clone());
            changed |= number(ui, &format!("{label} to"), to, range);
            *to = to.max(*from);
            changed
        }
    }
}

fn help(ui: &Ui) {
    egui::Window::new("keys")
        .anchor(egui::Align2::CENTER_CENTER, [0.0, 0.0])
        .collapsible(false)
        .resizable(false)
        .show(ui.ctx(), |ui| {
            egui::Grid::new("keys").num_columns(2).spacing([16.0, 2.0]).show(ui, |ui| {
                for (key, _, does) in KEYS {
                    ui.strong(*key);
                    ui.label(*does);
                    ui.end_row();
                }
                for (how, does) in [
                    ("wheel, drag", "zoom to the cursor, pan"),
                    ("click", "explain the agent"),
                    ("right button", "move the scene's point: the cursor, the dog"),
                ] {
                    ui.strong(how);
                    ui.label(does);
                    ui.end_row();
                }
            });
        });
}
