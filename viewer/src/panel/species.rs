//! A species: its parameters, how its forces are combined, and its behaviors.

use egui::{Slider, Ui};
use flockwork::{Behavior, Combine, Deceleration, Feelers, Field, FieldValue, Species, Value};

use super::Desk;
use super::knob::Knob;
use crate::controls::Edited;

pub(super) fn show(ui: &mut Ui, desk: &mut Desk<'_>, kind: usize) {
    let original = desk.frame.readings.original.species.get(kind);
    let edited = &mut desk.controls.species[kind];
    let Some(original) = original.filter(|original| original.name == edited.species.name) else {
        return;
    };
    let header = egui::CollapsingHeader::new(&original.name).id_salt(("species", kind));
    header.default_open(kind == 0).show(ui, |ui| {
        body(ui, &mut edited.species, original);
        behaviors(ui, edited, original, kind);
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
    for (name, unit, [min, max], value, original) in [
        ("max speed", "units/s", [1.0e-3, 1.0e5], &mut species.max_speed, original.max_speed),
        ("max force", "", [0.0, 1.0e9], &mut species.max_force, original.max_force),
        ("mass", "", [1.0e-3, 1.0e6], &mut species.mass, original.mass),
    ] {
        numbers(ui, knob(name, unit, min, max, None), value, original);
    }
    ui.horizontal(|ui| {
        for (name, method) in [
            ("prioritized", Combine::Prioritized),
            ("weighted sum", Combine::WeightedSum),
            ("dithered", Combine::Dithered),
        ] {
            ui.selectable_value(&mut species.combine, method, name);
        }
    });
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
            *to = to.max(*from);
        }
    }
}

fn behaviors(ui: &mut Ui, edited: &mut Edited, original: &Species, kind: usize) {
    let rows = edited.species.behaviors.iter_mut().zip(&mut edited.enabled).enumerate();
    for (k, (behavior, enabled)) in rows {
        let name = behavior.name();
        let id = ui.make_persistent_id((kind, k, name));
        let header =
            egui::collapsing_header::CollapsingState::load_with_default_open(ui.ctx(), id, false);
        let default = original.behaviors.get(k).filter(|default| default.name() == name).cloned();
        header.show_header(ui, |ui| ui.checkbox(enabled, name)).body(|ui| match default {
            Some(default) => fields(ui, behavior, default),
            None => fields(ui, behavior, behavior.clone()),
        });
    }
}

fn fields(ui: &mut Ui, behavior: &mut Behavior, mut default: Behavior) {
    for (field, default) in behavior.fields().into_iter().zip(default.fields()) {
        edit(ui, field, &default.value);
    }
}

/// A widget for a parameter.
fn edit(ui: &mut Ui, field: Field<'_>, default: &FieldValue<'_>) {
    let Field { name, unit, min, max, value, .. } = field;
    let label = name.replace('_', " ");
    let knob = Knob { label: &label, unit, min, max, default: None };
    match (value, default) {
        (FieldValue::Number(value), FieldValue::Number(default)) => {
            Knob { default: Some(**default), ..knob }.show(ui, value);
        }
        (FieldValue::Optional(value), default) => {
            let mut some = value.is_some();
            if ui.checkbox(&mut some, &label).changed() {
                *value = some.then_some(100.0_f32.clamp(min, max));
            }
            let default = match default {
                FieldValue::Optional(default) => **default,
                _ => None,
            };
            if let Some(value) = value {
                Knob { label: "", default, ..knob }.show(ui, value);
            }
        }
        (FieldValue::Whole(value), _) => {
            ui.add(Slider::new(value, min as u32..=max as u32).logarithmic(true).text(label));
        }
        (FieldValue::Flag(value), _) => {
            ui.checkbox(value, label);
        }
        (FieldValue::Vector([x, y]), FieldValue::Vector(default)) => {
            let [ahead, aside] = default.map(Some);
            Knob { label: &format!("{label} ahead"), default: ahead, ..knob }.show(ui, x);
            Knob { label: &format!("{label} aside"), default: aside, ..knob }.show(ui, y);
        }
        (FieldValue::Deceleration(value), _) => choice(
            ui,
            value,
            &[
                ("fast", Deceleration::Fast),
                ("normal", Deceleration::Normal),
                ("slow", Deceleration::Slow),
            ],
        ),
        (FieldValue::Feelers(value), _) => {
            choice(ui, value, &[("three", Feelers::Three), ("sweeping", Feelers::Sweeping)]);
        }
        // Targets and paths are chosen in the scene's file.
        _ => {}
    }
}

fn choice<T: Copy + PartialEq>(ui: &mut Ui, value: &mut T, all: &[(&str, T)]) {
    ui.horizontal(|ui| {
        for &(name, choice) in all {
            ui.selectable_value(value, choice, name);
        }
    });
}
