//! A species: its parameters, how its forces are combined, and its behaviors.

use egui::Ui;
use flockwork::{
    Behavior, Combine, Deceleration, Feelers, Field, FieldValue, FieldValueMut, Locomotion, Scene,
    Species, Value,
};

use super::slider::ParameterSlider;
use super::state::PanelContext;
use super::targets;
use super::widgets::{choice, reset_button, toggle};
use crate::session::controls::{EditedSpecies, weight};

/// The rules of a flock.
const RULES: [&str; 3] = ["separation", "alignment", "cohesion"];

/// The weights of a flock, where one looks for them first.
pub(super) fn weights(ui: &mut Ui, cx: &mut PanelContext<'_>) {
    let original = cx.frame.readings.original.species.iter().map(EditedSpecies::of);
    let mut original: Vec<EditedSpecies> = original.collect();
    for rule in RULES {
        let Some(weighted) = weight(&mut cx.controls.species, rule) else { continue };
        let default = weight(&mut original, rule).map(|weighted| *weighted.value);
        let (min, max) = (weighted.min, weighted.max);
        ParameterSlider { label: rule, unit: "", min, max, default }.show(ui, weighted.value);
    }
    ui.separator();
}

pub(super) fn show(ui: &mut Ui, cx: &mut PanelContext<'_>, kind: usize) {
    let scene = &cx.frame.readings.original;
    let original = scene.species.get(kind);
    let edited = &mut cx.controls.species[kind];
    let Some(original) = original.filter(|original| original.name == edited.species.name) else {
        return;
    };
    let header = egui::CollapsingHeader::new(&original.name).id_salt(("species", kind));
    header.default_open(kind == 0).show(ui, |ui| {
        body(ui, &mut edited.species, original);
        behaviors(ui, edited, original, scene);
        ui.horizontal(|ui| {
            ui.label("reset all to");
            if ui.button("the scene").clicked() {
                *edited = EditedSpecies::of(original);
            }
            let hint = "the values of params.ini in Buckland's book, where it has them";
            if ui.button("the book").on_hover_text(hint).clicked() {
                edited.apply_book_values();
            }
        });
    });
}

fn body(ui: &mut Ui, species: &mut Species, original: &Species) {
    let slider =
        |label, unit, min, max, default| ParameterSlider { label, unit, min, max, default };
    let view = slider("view distance", "units", 1.0e-3, 1.0e6, Some(original.view_distance));
    view.show(ui, &mut species.view_distance);
    let field = slider("field of view", "°", 0.0, 360.0, Some(original.field_of_view));
    field.show(ui, &mut species.field_of_view);
    let includes = original.view_includes_radius;
    toggle(ui, &mut species.view_includes_radius, includes, "sees bodies, not centers");
    for (name, unit, [min, max], value, original) in [
        ("max speed", "units/s", [1.0e-3, 1.0e5], &mut species.max_speed, original.max_speed),
        ("max force", "", [0.0, 1.0e9], &mut species.max_force, original.max_force),
        ("mass", "", [1.0e-3, 1.0e6], &mut species.mass, original.mass),
        ("radius", "units", [0.0, 1.0e4], &mut species.radius, original.radius),
    ] {
        numbers(ui, slider(name, unit, min, max, None), value, original);
    }
    let turn = slider("max turn rate", "rad/s", 0.0, 1.0e4, original.max_turn_rate);
    turn.show_optional(ui, &mut species.max_turn_rate, std::f32::consts::PI);
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

/// How agents move; for cars, also how hard they accelerate, brake and turn.
fn locomotion(ui: &mut Ui, locomotion: &mut Locomotion, original: Locomotion) {
    const FORCE: f32 = 400.0;
    let (car, limits) = match original {
        Locomotion::CarLike { throttle, brake, steering } => {
            (original, [throttle, brake, steering])
        }
        _ => {
            let [throttle, brake, steering] = [FORCE; 3];
            (Locomotion::CarLike { throttle, brake, steering }, [FORCE; 3])
        }
    };
    ui.horizontal(|ui| {
        ui.selectable_value(locomotion, Locomotion::PointMass, "point mass");
        ui.selectable_value(locomotion, Locomotion::ConstantSpeed, "constant speed");
        let is_car = matches!(locomotion, Locomotion::CarLike { .. });
        if ui.selectable_label(is_car, "car").clicked() && !is_car {
            *locomotion = car;
        }
        reset_button(ui, locomotion, original, "the scene's");
    });
    if let Locomotion::CarLike { throttle, brake, steering } = locomotion {
        let forces = [("throttle", throttle), ("brake", brake), ("steering", steering)];
        for ((label, force), default) in forces.into_iter().zip(limits) {
            ParameterSlider { label, unit: "", min: 0.0, max: 1.0e9, default: Some(default) }
                .show(ui, force);
        }
    }
}

/// How likely dithering runs each behavior.
fn probabilities(ui: &mut Ui, species: &mut Species, original: &Species) {
    ui.weak("the chance that each behavior runs");
    for k in 0..species.behaviors.len() {
        let name = species.behaviors[k].name();
        // Behaviors of the same name share one probability.
        if species.behaviors[..k].iter().any(|other| other.name() == name) {
            continue;
        }
        let label = name.replace('_', " ");
        let default = Some(original.probability(name));
        let mut probability = species.probability(name);
        if (ParameterSlider { label: &label, unit: "", min: 1.0e-3, max: 1.0, default })
            .show(ui, &mut probability)
        {
            species.probabilities.insert(name.into(), probability);
        }
    }
}

/// One number for all agents, or the range that agents draw theirs from.
fn numbers(ui: &mut Ui, slider: ParameterSlider<'_>, value: &mut Value, original: Value) {
    match (value, original) {
        (Value::Shared(value), original) => {
            let default = match original {
                Value::Shared(default) => Some(default),
                Value::Between(_) => None,
            };
            ParameterSlider { default, ..slider }.show(ui, value);
        }
        (Value::Between([from, to]), original) => {
            let [low, high] = match original {
                Value::Between(range) => range.map(Some),
                Value::Shared(_) => [None; 2],
            };
            let label = format!("{} from", slider.label);
            ParameterSlider { label: &label, default: low, ..slider }.show(ui, from);
            ParameterSlider { label: "to", default: high, ..slider }.show(ui, to);
        }
    }
}

fn behaviors(ui: &mut Ui, edited: &mut EditedSpecies, original: &Species, scene: &Scene) {
    let rows = edited.species.behaviors.iter_mut().zip(&mut edited.enabled).enumerate();
    for (k, (behavior, enabled)) in rows {
        let name = behavior.name();
        let id = ui.make_persistent_id((k, name));
        let header =
            egui::collapsing_header::CollapsingState::load_with_default_open(ui.ctx(), id, false);
        let default = original.behaviors.get(k).filter(|default| default.name() == name).cloned();
        header.show_header(ui, |ui| ui.checkbox(enabled, name)).body(|ui| match default {
            Some(default) => fields(ui, behavior, default, scene),
            None => fields(ui, behavior, behavior.clone(), scene),
        });
    }
}

fn fields(ui: &mut Ui, behavior: &mut Behavior, default: Behavior, scene: &Scene) {
    for (field, default) in behavior.fields_mut().into_iter().zip(default.fields()) {
        edit(ui, field, default.value, scene);
    }
}

/// A widget for a parameter.
fn edit(ui: &mut Ui, field: Field<FieldValueMut<'_>>, default: FieldValue<'_>, scene: &Scene) {
    let Field { name, unit, min, max, value, .. } = field;
    let label = name.replace('_', " ");
    let slider = ParameterSlider { label: &label, unit, min, max, default: None };
    match (value, default) {
        (FieldValueMut::Number(value), FieldValue::Number(default)) => {
            ParameterSlider { default: Some(default), ..slider }.show(ui, value);
        }
        (FieldValueMut::Optional(value), FieldValue::Optional(default)) => {
            ParameterSlider { default, ..slider }.show_optional(ui, value, 100.0);
        }
        (FieldValueMut::Whole(value), FieldValue::Whole(default)) => {
            ParameterSlider { default: Some(default as f32), ..slider }.show_whole(ui, value);
        }
        (FieldValueMut::Flag(value), FieldValue::Flag(default)) => {
            toggle(ui, value, default, &label);
        }
        (FieldValueMut::Vector([x, y]), FieldValue::Vector(default)) => {
            let [ahead, aside] = default.map(Some);
            ParameterSlider { label: &format!("{label} ahead"), default: ahead, ..slider }
                .show(ui, x);
            ParameterSlider { label: &format!("{label} aside"), default: aside, ..slider }
                .show(ui, y);
        }
        (FieldValueMut::Deceleration(value), FieldValue::Deceleration(default)) => choice(
            ui,
            value,
            default,
            &[
                ("fast", Deceleration::Fast),
                ("normal", Deceleration::Normal),
                ("slow", Deceleration::Slow),
            ],
        ),
        (FieldValueMut::Feelers(value), FieldValue::Feelers(default)) => {
            let all = [("three", Feelers::Three), ("sweeping", Feelers::Sweeping)];
            choice(ui, value, default, &all);
        }
        (FieldValueMut::Target(value), FieldValue::Target(default)) => {
            targets::target(ui, &label, value, default, scene);
        }
        (FieldValueMut::Path(value), FieldValue::Path(default)) => {
            targets::path(ui, &label, value, default, scene);
        }
        _ => {}
    }
}
