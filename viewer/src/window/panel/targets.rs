use egui::{ComboBox, DragValue, Ui};
use flockwork::{Scene, Target};

use super::widgets::{number, position, reset_button};

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
    let nearest = scene.species.iter().map(|kind| Target::nearest(kind.name.clone()));
    let choices: Vec<Target> =
        std::iter::once(default.clone()).chain(points).chain(firsts).chain(nearest).collect();
    pick(ui, label, target, default, &choices, describe);
    match target {
        Target::Point(at) => {
            let default = if let Target::Point(default) = default { *default } else { *at };
            position(ui, "", at, default);
        }
        Target::Member { species, number: which } => {
            let kind = scene.species.iter().find(|kind| kind.name == *species);
            let last = kind.map_or(0, |kind| kind.agents.saturating_sub(1)) as u32;
            ui.horizontal(|ui| {
                number(ui, DragValue::new(which).range(0..=last).speed(0.1), 72.0);
                ui.label(format!("{species} number, from 0"));
            });
        }
        _ => {}
    }
}

pub(super) fn path(ui: &mut Ui, label: &str, path: &mut String, default: &str, scene: &Scene) {
    let names: Vec<String> = scene.paths.iter().map(|path| path.name.clone()).collect();
    pick(ui, label, path, &default.to_owned(), &names, String::clone);
}

fn pick<T: Clone + PartialEq>(
    ui: &mut Ui,
    label: &str,
    value: &mut T,
    default: &T,
    choices: &[T],
    describe: impl Fn(&T) -> String,
) {
    ui.horizontal(|ui| {
        ComboBox::from_id_salt(label).selected_text(describe(value)).show_ui(ui, |ui| {
            for (k, choice) in choices.iter().enumerate() {
                if !choices[..k].contains(choice) {
                    ui.selectable_value(value, choice.clone(), describe(choice));
                }
            }
        });
        ui.label(label);
        reset_button(ui, value, default.clone(), &describe(default));
    });
}

fn describe(target: &Target) -> String {
    match target {
        Target::Unset => "no target".into(),
        Target::Point(_) => "a fixed point".into(),
        Target::Named(name) => format!("the point {name}"),
        Target::Member { species, number } => format!("{species} {number}"),
        Target::Nearest { species, .. } => format!("the nearest {species}"),
        Target::Agent(id) => format!("agent {id}"),
        Target::Own => "own target".into(),
        _ => "another target".into(),
    }
}

#[cfg(test)]
mod tests {
    use flockwork::FieldValueMut;

    use super::*;

    #[test]
    fn showing_a_target_changes_nothing_and_each_has_a_description() {
        for name in Scene::names() {
            let scene = Scene::named(name).unwrap();
            let mut kinds = scene.species.clone();
            let _ = egui::Context::default().run_ui(egui::RawInput::default(), |ui| {
                for behavior in kinds.iter_mut().flat_map(|kind| &mut kind.behaviors) {
                    for field in behavior.fields_mut() {
                        match field.value {
                            FieldValueMut::Target(aim) => {
                                assert!(
                                    !["no target", "another target"].contains(&&*describe(aim))
                                );
                                let default = aim.clone();
                                target(ui, field.name, aim, &default, &scene);
                            }
                            FieldValueMut::Path(name) => {
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
