use egui::{ComboBox, DragValue, Ui};
use flockwork::behaviors::{Deceleration, Feelers};
use flockwork::behaviors::{Field, FieldValue};
use flockwork::{Combine, Locomotion, Scene, Species, SpeciesValue, Target};

use super::Panel;
use super::widgets::{Parameter, UNFOLDED, choice, fold, number, position, reset_button, toggle};
use crate::session::controls::{EditedSpecies, edit_weight};

const RULES: [&str; 3] = ["separation", "alignment", "cohesion"];

/// Flocking weights, shown at the top because users look for them first.
pub(super) fn weights(ui: &mut Ui, cx: &mut Panel) {
    let original = &cx.frame.readings.original.species;
    let mut shown = false;
    for rule in RULES {
        let edited = &mut cx.controls.edits.species;
        shown |= edit_weight(edited, original, rule, |weight, default, [min, max]| {
            Parameter::new(rule, "", min, max).show(ui, weight, default);
        });
    }
    if shown {
        ui.separator();
    }
}

pub(super) fn show(ui: &mut Ui, cx: &mut Panel, kind: usize) {
    let scene = &cx.frame.readings.original;
    let original = scene.species.get(kind);
    let edited = &mut cx.controls.edits.species[kind];
    let Some(original) = original.filter(|original| original.name == edited.species.name) else {
        return;
    };
    let header = egui::CollapsingHeader::new(&original.name).id_salt(("species", kind));
    header.default_open(UNFOLDED).show(ui, |ui| {
        let is_deep = cx.frame.view.depth.is_some();
        fold(ui, "vehicle", |ui| body(ui, &mut edited.species, original, is_deep));
        behaviors(ui, edited, original, scene);
        if ui.button("reset all to the scene's values").clicked() {
            *edited = EditedSpecies::of(original);
        }
    });
}

fn body(ui: &mut Ui, species: &mut Species, original: &Species, is_deep: bool) {
    let (distance, default) = (&mut species.view_distance, original.view_distance);
    Parameter::new("view distance", "units", 1.0e-3, 1.0e6).show(ui, distance, Some(default));
    let (field, default) = (&mut species.field_of_view, original.field_of_view);
    Parameter::new("field of view", "°", 0.0, 360.0).show(ui, field, Some(default));
    let includes = original.view_includes_radius;
    toggle(ui, &mut species.view_includes_radius, includes, "sees bodies, not centers");
    for (name, unit, [min, max], value, original) in [
        ("max speed", "units/s", [1.0e-3, 1.0e5], &mut species.max_speed, original.max_speed),
        ("max force", "", [0.0, 1.0e9], &mut species.max_force, original.max_force),
        ("mass", "", [1.0e-3, 1.0e6], &mut species.mass, original.mass),
        ("radius", "units", [0.0, 1.0e4], &mut species.radius, original.radius),
    ] {
        numbers(ui, Parameter::new(name, unit, min, max), value, original);
    }
    let (turn, default) = (&mut species.max_turn_rate, original.max_turn_rate);
    let rate = Parameter::new("max turn rate", "rad/s", 0.0, 1.0e4);
    rate.show_optional(ui, turn, default, std::f32::consts::PI);
    if is_deep {
        let (climb, default) = (&mut species.max_climb, original.max_climb);
        Parameter::new("max climb", "°", 0.0, 89.0).show_optional(ui, climb, default, 45.0);
    }
    toggle(ui, &mut species.immovable, original.immovable, "not pushed by others");
    locomotion(ui, &mut species.locomotion, original.locomotion);
    let methods = [
        ("prioritized", Combine::Prioritized),
        ("weighted sum", Combine::WeightedSum),
        ("dithered", Combine::Dithered),
    ];
    choice(ui, &mut species.combine, original.combine, &methods);
    if species.combine == Combine::Dithered {
        probabilities(ui, species, original);
    }
}

fn locomotion(ui: &mut Ui, locomotion: &mut Locomotion, original: Locomotion) {
    const FORCE: f32 = 400.0;
    let defaults = match original {
        Locomotion::CarLike { throttle, brake, steering } => [throttle, brake, steering],
        _ => [FORCE; 3],
    };
    let [throttle, brake, steering] = defaults;
    let car = match *locomotion {
        car @ Locomotion::CarLike { .. } => car,
        _ => Locomotion::CarLike { throttle, brake, steering },
    };
    let [point, constant] = [Locomotion::PointMass, Locomotion::ConstantSpeed];
    let all = [("point mass", point), ("constant speed", constant), ("car", car)];
    choice(ui, locomotion, original, &all);
    if let Locomotion::CarLike { throttle, brake, steering } = locomotion {
        let forces = [("throttle", throttle), ("brake", brake), ("steering", steering)];
        for ((label, force), default) in forces.into_iter().zip(defaults) {
            Parameter::new(label, "", 0.0, 1.0e9).show(ui, force, Some(default));
        }
    }
}

fn probabilities(ui: &mut Ui, species: &mut Species, original: &Species) {
    ui.weak("probability that each behavior runs");
    for k in 0..species.behaviors.len() {
        let name = species.behaviors[k].name();
        // Behaviors of the same name share one probability.
        if species.behaviors[..k].iter().any(|other| other.name() == name) {
            continue;
        }
        let label = name.replace('_', " ");
        let default = Some(original.probability_of(name));
        let mut probability = species.probability_of(name);
        if Parameter::new(&label, "", 1.0e-3, 1.0).show(ui, &mut probability, default) {
            species.probabilities.insert(name.into(), probability);
        }
    }
}

fn numbers(
    ui: &mut Ui,
    parameter: Parameter<'_>,
    value: &mut SpeciesValue,
    original: SpeciesValue,
) {
    match value {
        SpeciesValue::Shared(value) => {
            let default =
                if let SpeciesValue::Shared(default) = original { Some(default) } else { None };
            parameter.show(ui, value, default);
        }
        SpeciesValue::Between([from, to]) => {
            let [low, high] = match original {
                SpeciesValue::Between(range) => range.map(Some),
                SpeciesValue::Shared(_) => [None; 2],
            };
            let label = format!("{} from", parameter.label);
            Parameter { label: &label, ..parameter }.show(ui, from, low);
            Parameter { label: "to", ..parameter }.show(ui, to, high);
        }
    }
}

fn behaviors(ui: &mut Ui, edited: &mut EditedSpecies, original: &Species, scene: &Scene) {
    let rows = edited.species.behaviors.iter_mut().zip(&mut edited.enabled).enumerate();
    for (k, (behavior, enabled)) in rows {
        let name = behavior.name();
        let id = ui.make_persistent_id((k, name));
        let header = egui::collapsing_header::CollapsingState::load_with_default_open(
            ui.ctx(),
            id,
            UNFOLDED,
        );
        let default = original.behaviors.get(k).filter(|default| default.name() == name);
        let default = default.unwrap_or(behavior).clone();
        header.show_header(ui, |ui| ui.checkbox(enabled, name)).body(|ui| {
            let mut fields = behavior.fields();
            for (field, default) in fields.iter_mut().zip(default.fields()) {
                edit(ui, field, &default.value, scene);
            }
            behavior.set_fields(fields);
        });
    }
}

fn edit(ui: &mut Ui, field: &mut Field, default: &FieldValue, scene: &Scene) {
    let label = field.name.replace('_', " ");
    let parameter = Parameter::new(&label, field.unit, field.min, field.max);
    match (&mut field.value, default) {
        (FieldValue::Number(value), &FieldValue::Number(default)) => {
            parameter.show(ui, value, Some(default));
        }
        (FieldValue::Optional(value), &FieldValue::Optional(default)) => {
            parameter.show_optional(ui, value, default, 100.0);
        }
        (FieldValue::Whole(value), &FieldValue::Whole(default)) => {
            parameter.show_whole(ui, value, Some(default));
        }
        (FieldValue::Flag(value), &FieldValue::Flag(default)) => {
            toggle(ui, value, default, &label);
        }
        (FieldValue::Vector(values), &FieldValue::Vector(defaults)) => {
            for ((value, default), way) in values.iter_mut().zip(defaults).zip(["ahead", "left"]) {
                let label = format!("{label} {way}");
                Parameter { label: &label, ..parameter }.show(ui, value, Some(default));
            }
        }
        (FieldValue::Deceleration(value), &FieldValue::Deceleration(default)) => {
            let [fast, normal, slow] =
                [Deceleration::Fast, Deceleration::Normal, Deceleration::Slow];
            choice(ui, value, default, &[("fast", fast), ("normal", normal), ("slow", slow)]);
        }
        (FieldValue::Feelers(value), &FieldValue::Feelers(default)) => {
            let all = [("three", Feelers::Three), ("sweeping", Feelers::Sweeping)];
            choice(ui, value, default, &all);
        }
        (FieldValue::Species(names), FieldValue::Species(default)) => {
            counted_species(ui, names, default, scene);
        }
        (FieldValue::Target(value), FieldValue::Target(default)) => {
            target(ui, &label, value, default, scene);
        }
        (FieldValue::Path(value), FieldValue::Path(default)) => {
            path(ui, &label, value, default, scene);
        }
        _ => {}
    }
}

/// Species that count as neighbors. An empty list means all species.
fn counted_species(ui: &mut Ui, names: &mut Vec<String>, default: &[String], scene: &Scene) {
    if scene.species.len() < 2 {
        return;
    }
    ui.horizontal_wrapped(|ui| {
        ui.label("neighbors");
        for Species { name, .. } in &scene.species {
            let mut counts = names.is_empty() || names.contains(name);
            if !ui.checkbox(&mut counts, name).changed() {
                continue;
            }
            let all = scene.species.iter().map(|species| &species.name);
            let counted = all.filter(|other| match *other == name {
                true => counts,
                false => names.is_empty() || names.contains(other),
            });
            let counted: Vec<String> = counted.cloned().collect();
            *names = if counted.len() < scene.species.len() { counted } else { Vec::new() };
        }
        reset_button(ui, names, default.to_vec(), "the scene's value");
    });
}

fn target(ui: &mut Ui, label: &str, target: &mut Target, default: &Target, scene: &Scene) {
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
            position(ui, at, default);
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

fn path(ui: &mut Ui, label: &str, path: &mut String, default: &str, scene: &Scene) {
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
    use flockwork::behaviors::FieldValue;

    use super::*;

    #[test]
    fn showing_a_target_changes_nothing_and_each_has_a_description() {
        for name in Scene::names() {
            let scene = Scene::named(name).unwrap();
            let mut kinds = scene.species.clone();
            let _ = egui::Context::default().run_ui(egui::RawInput::default(), |ui| {
                for behavior in kinds.iter_mut().flat_map(|kind| &mut kind.behaviors) {
                    let mut fields = behavior.fields();
                    for field in &mut fields {
                        match &mut field.value {
                            FieldValue::Target(aim) => {
                                assert!(
                                    !["no target", "another target"].contains(&&*describe(aim))
                                );
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
                    behavior.set_fields(fields);
                }
            });
            assert_eq!(kinds, scene.species, "{name}");
        }
    }
}
