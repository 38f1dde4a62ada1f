use egui::{DragValue, Response, Ui};

use super::state::PanelContext;
use crate::window::keys;

/// Collapsible sections are open in tests, which check all widgets.
pub(super) const UNFOLDED: bool = cfg!(test);
/// Maximum absolute value of typed coordinates, in world units.
pub(super) const MAX_COORDINATE: f32 = 1.0e7;

pub(super) fn in_the_middle(title: &str) -> egui::Window<'_> {
    let window = egui::Window::new(title).anchor(egui::Align2::CENTER_CENTER, [0.0, 0.0]);
    window.collapsible(false).resizable(false)
}

/// A number to drag or type. Typed text takes effect on Enter; Escape cancels it.
pub(super) fn number(ui: &mut Ui, drag: DragValue<'_>, width: f32) -> Response {
    let drag = drag.clamp_existing_to_range(false).update_while_editing(false);
    let edit = ui.add_sized([width, ui.spacing().interact_size.y], drag);
    forget_text(ui, &edit);
    edit
}

/// Call this after an edit. Otherwise the widget would apply its text in the next frame: a second
/// time after Enter, or despite Escape.
pub(super) fn forget_text(ui: &Ui, edit: &Response) {
    if edit.lost_focus() {
        ui.data_mut(|data| data.remove::<String>(edit.id));
    }
}

pub(super) fn key_button(ui: &mut Ui, cx: &mut PanelContext<'_>, label: &str, key: &str) {
    let Some((_, command, does)) = keys::binding(key) else { return };
    if ui.button(label).on_hover_text(format!("{key}: {does}")).clicked() {
        cx.state.clicked = Some(*command);
    }
}

pub(super) fn reset_button<T: PartialEq>(ui: &mut Ui, value: &mut T, default: T, name: &str) {
    if *value != default && ui.small_button("⟲").on_hover_text(format!("reset to {name}")).clicked()
    {
        *value = default;
    }
}

pub(super) fn toggle(ui: &mut Ui, value: &mut bool, default: bool, label: &str) {
    ui.horizontal(|ui| {
        ui.checkbox(value, label);
        reset_button(ui, value, default, if default { "on" } else { "off" });
    });
}

pub(super) fn choice<T: Copy + PartialEq>(
    ui: &mut Ui,
    value: &mut T,
    default: T,
    all: &[(&str, T)],
) {
    ui.horizontal(|ui| {
        for &(name, choice) in all {
            ui.selectable_value(value, choice, name);
        }
        let name = all.iter().find(|(_, choice)| *choice == default).map_or("", |(name, _)| name);
        reset_button(ui, value, default, name);
    });
}

pub(super) fn position(ui: &mut Ui, label: &str, at: &mut [f32; 2], default: [f32; 2]) {
    ui.horizontal(|ui| {
        for (value, axis) in at.iter_mut().zip(["x ", "y "]) {
            let mut typed = *value;
            let drag =
                DragValue::new(&mut typed).range(-MAX_COORDINATE..=MAX_COORDINATE).max_decimals(1);
            if number(ui, drag.prefix(axis), 72.0).changed() {
                *value = typed;
            }
        }
        ui.label(label);
        reset_button(ui, at, default, "the scene's value");
    });
}
