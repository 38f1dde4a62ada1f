//! A species: its parameters, how its forces are combined, and its behaviors.

use egui::Ui;
use flockwork::{
    Behavior, Combine, Deceleration, Feelers, Field, FieldValue, Locomotion, Scene, Species, Value,
};

use super::context::Desk;
use super::slider::{Knob, choice, flag, way_back};
use super::targets;
use crate::session::controls::Edited;

pub(super) fn show(ui: &mut Ui, desk: &mut Desk<'_>, kind: usize) {
    let scene = &desk.frame.readings.original;
    let original = scene.species.get(kind);
    let edited = &mut desk.controls.species[kind];
    let Some(original) = original.filter(|original| original.name == edited.species.name) else {
        return;
    };
    let header = egui::CollapsingHeader::new(&original.name).id_salt(("species", kind));
    header.default_open(kind == 0).show(ui, |ui| {
        body(ui, &mut edited.species, original);
        targets::start(ui, &mut edited.species, original);
        behaviors(ui, edited, original, scene);
        ui.horizontal(|ui| {
            ui.label("all as");
            if ui.button("the scene has it").clicked() {
                *edited = Edited::of(original);
            }
            let hint = "the values of the book's params.ini, for whatever this species has";
            if ui.button("the book has it").on_hover_text(hint).clicked() {
                edited.take_book_values();
            }
        });
    });
}

fn body(ui: &mut Ui, species: &mut Species, original: &Species) {
    let knob = |label, unit, min, max, default| Knob { label, unit, min, max, default };
    let view = knob("view distance", "units", 1.0e-3, 1.0e6, Some(original.view_distance));
    view.show(ui, &mut species.view_distance);
    let field = knob("field of view", "°", 0.0, 360.0, Some(original.field_of_view));
    field.show(ui, &mut species.field_of_view);
    let includes = original.view_includes_radius;
    flag(ui, &mut species.view_includes_radius, includes, "sees bodies, not centers");
    for (name, unit, [min, max], value, original) in [
        ("max speed", "units/s", [1.0e-3, 1.0e5], &mut species.max_speed, original.max_speed),
        ("max force", "", [0.0, 1.0e9], &mut species.max_force, original.max_force),
        ("mass", "", [1.0e-3, 1.0e6], &mut species.mass, original.mass),
        ("radius", "units", [0.0, 1.0e4], &mut species.radius, original.radius),
    ] {
        numbers(ui, knob(name, unit, min, max, None), value, original);
    }
    let turn = knob("max turn rate", "rad/s", 0.0, 1.0e4, original.max_turn_rate);
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

/// How agents move, and for cars how hard they can accelerate, brake and turn.
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
        way_back(ui, locomotion, original, "how the scene has it");
    });
    if let Locomotion::CarLike { throttle, brake, steering } = locomotion {
        let forces = [("throttle", throttle), ("brake", brake), ("steering", steering)];
        for ((label, force), default) in forces.into_iter().zip(limits) {
            Knob { label, unit: "", min: 0.0, max: 1.0e9, default: Some(default) }.show(ui, force);
        }
    }
}

/// How likely dithering gives each behavior its turn.
fn probabilities(ui: &mut Ui, species: &mut Species, original: &Species) {
    ui.weak("the chance that each has its turn");
    for k in 0..species.behaviors.len() {
        let name = species.behaviors[k].name();
        // Of behaviors of one name there is one probability.
        if species.behaviors[..k].iter().any(|other| other.name() == name) {
            continue;
        }
        let label = name.replace('_', " ");
        let default = Some(original.probability(name));
        let mut probability = species.probability(name);
        if (Knob { label: &label, unit: "", min: 1.0e-3, max: 1.0, default })
            .show(ui, &mut probability)
        {
            species.probabilities.insert(name.into(), probability);
        }
    }
}

/// One number for all, or the range that agents draw theirs from.
fn numbers(ui: &mut Ui, knob: Knob<'_>, value: &mut Value, original: Value) {
    match (value, original) {
        (Value::Shared(value), original) => {
            let default = match original {
                Value::Shared(default) => Some(default),
                Value::Between(_) => None,
            };
            Knob { default, ..knob }.show(ui, value);
        }
        (Value::Between([from, to]), original) => {
            let [low, high] = match original {
                Value::Between(range) => range.map(Some),
                Value::Shared(_) => [None; 2],
            };
            let label = format!("{} from", knob.label);
            Knob { label: &label, default: low, ..knob }.show(ui, from);
            Knob { label: "to", default: high, ..knob }.show(ui, to);
        }
    }
}

fn behaviors(ui: &mut Ui, edited: &mut Edited, original: &Species, scene: &Scene) {
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

fn fields(ui: &mut Ui, behavior: &mut Behavior, mut default: Behavior, scene: &Scene) {
    for (field, default) in behavior.fields().into_iter().zip(default.fields()) {
        edit(ui, field, &default.value, scene);
    }
}

/// A widget for a parameter.
fn edit(ui: &mut Ui, field: Field<'_>, default: &FieldValue<'_>, scene: &Scene) {
    let Field { name, unit, min, max, value, .. } = field;
    let label = name.replace('_', " ");
    let knob = Knob { label: &label, unit, min, max, default: None };
    match (value, default) {
        (FieldValue::Number(value), FieldValue::Number(default)) => {
            Knob { default: Some(**default), ..knob }.show(ui, value);
        }
        (FieldValue::Optional(value), FieldValue::Optional(default)) => {
            Knob { default: **default, ..knob }.show_optional(ui, value, 100.0);
        }
        (FieldValue::Whole(value), FieldValue::Whole(default)) => {
            Knob { default: Some(**default as f32), ..knob }.show_whole(ui, value);
        }
        (FieldValue::Flag(value), FieldValue::Flag(default)) => flag(ui, value, **default, &label),
        (FieldValue::Vector([x, y]), FieldValue::Vector(default)) => {
            let [ahead, aside] = default.map(Some);
            Knob { label: &format!("{label} ahead"), default: ahead, ..knob }.show(ui, x);
            Knob { label: &format!("{label} aside"), default: aside, ..knob }.show(ui, y);
        }
        (FieldValue::Deceleration(value), FieldValue::Deceleration(default)) => choice(
            ui,
            value,
            **default,
            &[
                ("fast", Deceleration::Fast),
                ("normal", Deceleration::Normal),
                ("slow", Deceleration::Slow),
            ],
        ),
        (FieldValue::Feelers(value), FieldValue::Feelers(default)) => {
            let all = [("three", Feelers::Three), ("sweeping", Feelers::Sweeping)];
            choice(ui, value, **default, &all);
        }
        (FieldValue::Target(value), FieldValue::Target(default)) => {
            targets::target(ui, &label, value, default, scene);
        }
        (FieldValue::Path(value), FieldValue::Path(default)) => {
            targets::path(ui, &label, value, default, scene);
        }
        _ => {}
    }
}
