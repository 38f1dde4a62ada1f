//! What behaviors are aimed at, where that is, and where agents start.

use egui::{CollapsingHeader, ComboBox, DragValue, Ui};
use flockwork::{OwnTarget, Scene, Species, StartPlace, Target};

use super::context::Desk;
use super::slider::{Knob, number, way_back};

/// How far from the middle places may be.
const FARTHEST: f32 = 1.0e7;

/// The scene's named points, which can be moved while the crowd runs.
pub(super) fn points(ui: &mut Ui, desk: &Desk<'_>) {
    let readings = &desk.frame.readings;
    if readings.points.is_empty() {
        return;
    }
    CollapsingHeader::new("points").default_open(true).show(ui, |ui| {
        for (name, &at) in &readings.points {
            let default = readings.original.points.get(name).copied().unwrap_or(at);
            let mut to = at;
            place(ui, name, &mut to, default);
            if to != at {
                let name = name.clone();
                desk.runner.tell(move |session| session.move_point(&name, to));
            }
        }
    });
}

/// Whom or what a behavior steers by.
pub(super) fn target(
    ui: &mut Ui,
    label: &str,
    target: &mut Target,
    default: &Target,
    scene: &Scene,
) {
    let points = scene.points.keys().map(|name| Target::Named(name.clone()));
    let firsts = scene.species.iter().filter(|kind| kind.agents > 0);
    let firsts = firsts.map(|kind| Target::Member { species: kind.name.clone(), number: 0 });
    let choices: Vec<Target> =
        std::iter::once(default.clone()).chain(points).chain(firsts).collect();
    pick(ui, label, target, default, &choices, words);
    match target {
        Target::Point(at) => {
            let default = if let Target::Point(default) = default { *default } else { *at };
            place(ui, "", at, default);
        }
        Target::Member { species, number: which } => {
            let kind = scene.species.iter().find(|kind| kind.name == *species);
            let last = kind.map_or(0, |kind| kind.agents.saturating_sub(1)) as u32;
            ui.horizontal(|ui| {
                number(ui, DragValue::new(which).range(0..=last).speed(0.1), 72.0);
                ui.label(format!("which {species}, counted from 0"));
            });
        }
        _ => {}
    }
}

/// Which of the scene's paths a behavior is for.
pub(super) fn path(ui: &mut Ui, label: &str, path: &mut String, default: &String, scene: &Scene) {
    let names: Vec<String> = scene.paths.iter().map(|path| path.name.clone()).collect();
    pick(ui, label, path, default, &names, String::clone);
}

/// Where and how agents start: what is changed shows when the crowd starts over.
pub(super) fn start(ui: &mut Ui, species: &mut Species, original: &Species) {
    let (start, default) = (&mut species.start, &original.start);
    CollapsingHeader::new("start").default_open(false).show(ui, |ui| {
        ui.weak("what is changed here shows when the crowd starts over (r)");
        match (&mut start.place, &default.place) {
            (
                StartPlace::Circle { center, radius },
                StartPlace::Circle { center: middle, radius: size },
            ) => {
                place(ui, "center", center, *middle);
                radius_knob(*size).show(ui, radius);
            }
            (StartPlace::Box { low, high }, StartPlace::Box { low: least, high: most }) => {
                place(ui, "lower left", low, *least);
                place(ui, "upper right", high, *most);
            }
            (
                StartPlace::Clusters { count, radius },
                StartPlace::Clusters { count: many, radius: size },
            ) => {
                let default = Some(*many as f32);
                Knob { label: "clusters", unit: "", min: 1.0, max: 1.0e6, default }
                    .show_whole(ui, count);
                radius_knob(*size).show(ui, radius);
            }
            _ => {
                ui.label("anywhere in the world");
            }
        }
        let (heading, speed) = (default.heading, default.speed);
        Knob { label: "heading", unit: "°", min: -360.0, max: 360.0, default: heading }
            .show_optional(ui, &mut start.heading, 0.0);
        Knob { label: "share of max speed", unit: "", min: 0.0, max: 1.0, default: speed }
            .show_optional(ui, &mut start.speed, 1.0);
        if let Some(own) = &species.own_target {
            ui.label(match own {
                OwnTarget::Previous => "each one's own target: the one before it".into(),
                OwnTarget::SingleFile(leader) => {
                    format!("each one's own target: the one before it; of the first: {leader} 0")
                }
                OwnTarget::EachOf(kind) => {
                    format!("each one's own target: the {kind} of the same number")
                }
            });
        }
    });
}

fn radius_knob(default: f32) -> Knob<'static> {
    Knob { label: "radius", unit: "units", min: 0.0, max: FARTHEST, default: Some(default) }
}

/// A place in the world, to drag or type.
fn place(ui: &mut Ui, label: &str, at: &mut [f32; 2], default: [f32; 2]) {
    ui.horizontal(|ui| {
        for (value, axis) in at.iter_mut().zip(["x ", "y "]) {
            let mut typed = *value;
            let drag = DragValue::new(&mut typed).range(-FARTHEST..=FARTHEST).max_decimals(1);
            if number(ui, drag.prefix(axis), 72.0).changed() {
                *value = typed;
            }
        }
        ui.label(label);
        way_back(ui, at, default, "where the scene has it");
    });
}

/// One of several in a menu.
fn pick<T: Clone + PartialEq>(
    ui: &mut Ui,
    label: &str,
    value: &mut T,
    default: &T,
    choices: &[T],
    words: impl Fn(&T) -> String,
) {
    ui.horizontal(|ui| {
        ComboBox::from_id_salt(label).selected_text(words(value)).show_ui(ui, |ui| {
            for (k, choice) in choices.iter().enumerate() {
                if !choices[..k].contains(choice) {
                    ui.selectable_value(value, choice.clone(), words(choice));
                }
            }
        });
        ui.label(label);
        way_back(ui, value, default.clone(), &words(default));
    });
}

fn words(target: &Target) -> String {
    match target {
        Target::Nobody => "nobody".into(),
        Target::Point(_) => "a fixed point".into(),
        Target::Named(name) => format!("the point {name}"),
        Target::Member { species, number } => format!("{species} {number}"),
        Target::Agent(id) => format!("agent {id}"),
        Target::Own => "each one's own".into(),
        _ => "something else".into(),
    }
}

#[cfg(test)]
mod tests {
    use flockwork::FieldValue;

    use super::*;

    #[test]
    fn to_look_at_an_aim_changes_none_and_every_one_has_words() {
        for name in Scene::names() {
            let scene = Scene::named(name).unwrap();
            let mut kinds = scene.species.clone();
            let _ = egui::Context::default().run_ui(egui::RawInput::default(), |ui| {
                for behavior in kinds.iter_mut().flat_map(|kind| &mut kind.behaviors) {
                    for field in behavior.fields() {
                        match field.value {
                            FieldValue::Target(aim) => {
                                assert!(!["nobody", "something else"].contains(&&*words(aim)));
                                let default = aim.clone();
                                target(ui, field.name, aim, &default, &scene);
                            }
                            FieldValue::Path(name) => {
                                let default = name.clone();
                                path(ui, field.name, name, &default, &scene);
                            }
                            _ => {}
                        }
                    }
                }
            });
            assert_eq!(kinds, scene.species, "{name}");
        }
    }
}
