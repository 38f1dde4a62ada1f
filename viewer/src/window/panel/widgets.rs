use egui::{DragValue, Response, Slider, SliderClamping, Ui};
use flockwork::Point;

use super::Panel;
use crate::window::{ACCENT, keys};

/// Collapsible sections start open in tests, so that tests cover their widgets.
pub(super) const UNFOLDED: bool = cfg!(test);

pub(super) fn fold(ui: &mut Ui, label: &str, body: impl FnOnce(&mut Ui)) {
    egui::CollapsingHeader::new(label).default_open(UNFOLDED).show(ui, body);
}

/// Maximum absolute value of typed coordinates, in world units.
pub(super) const MAX_COORDINATE: f32 = 1.0e7;

/// A number to drag or type. Typed text takes effect on Enter; Escape cancels it.
pub(super) fn number(ui: &mut Ui, drag: DragValue<'_>, width: f32) -> Response {
    let drag = drag.clamp_existing_to_range(false).update_while_editing(false);
    let edit = ui.add_sized([width, ui.spacing().interact_size.y], drag);
    forget_text(ui, &edit);
    edit
}

/// Discards a widget's text when editing ends. Otherwise, the widget would apply the text in the
/// next frame: a second time after Enter, or even after Escape.
pub(super) fn forget_text(ui: &Ui, edit: &Response) {
    if edit.lost_focus() {
        ui.data_mut(|data| data.remove::<String>(edit.id));
    }
}

pub(super) fn key_button(ui: &mut Ui, cx: &mut Panel, label: &str, key: &str) {
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

pub(super) fn position(ui: &mut Ui, at: &mut Point, default: Point) {
    ui.horizontal(|ui| {
        for (value, axis) in at.iter_mut().zip(["x ", "y ", "z "]) {
            let mut typed = *value;
            let drag =
                DragValue::new(&mut typed).range(-MAX_COORDINATE..=MAX_COORDINATE).max_decimals(1);
            if number(ui, drag.prefix(axis), 72.0).changed() {
                *value = typed;
            }
        }
        reset_button(ui, at, default, "the scene's value");
    });
}

/// A slider ends at this many times the default. Typed values may go up to the parameter's limits.
const RANGE_FACTOR: f32 = 4.0;
/// Used instead of a zero or missing default to compute a slider's range.
const FALLBACK_DEFAULT: f32 = 10.0;

#[derive(Clone, Copy)]
pub(super) struct Parameter<'a> {
    pub(super) label: &'a str,
    pub(super) unit: &'a str,
    pub(super) min: f32,
    pub(super) max: f32,
    pub(super) decimals: usize,
}

impl<'a> Parameter<'a> {
    pub(super) fn new(label: &'a str, unit: &'a str, min: f32, max: f32) -> Self {
        Self { label, unit, min, max, decimals: 3 }
    }

    pub(super) fn show_whole(&self, ui: &mut Ui, value: &mut u32, default: Option<u32>) {
        let mut number = *value as f32;
        let whole = Self { decimals: 0, ..*self };
        if whole.show(ui, &mut number, default.map(|default| default as f32)) {
            *value = number.round() as u32;
        }
    }

    /// Like [`Self::show`], but for an optional number. When switched on, the number starts at
    /// the scene's value, or at `typical` if the scene has none.
    pub(super) fn show_optional(
        &self,
        ui: &mut Ui,
        value: &mut Option<f32>,
        default: Option<f32>,
        typical: f32,
    ) {
        let mut some = value.is_some();
        if ui.checkbox(&mut some, self.label).changed() {
            *value = some.then(|| default.unwrap_or(typical));
        }
        if let Some(value) = value {
            Self { label: "", ..*self }.show(ui, value, default);
        }
    }

    /// Returns true only after an edit. Rounding for display does not count. Typed values may
    /// go beyond the slider's ends, up to the parameter's limits.
    pub(super) fn show(&self, ui: &mut Ui, value: &mut f32, default: Option<f32>) -> bool {
        let [low, high] = self.range(default);
        let before = *value;
        ui.horizontal(|ui| {
            let slider =
                Slider::new(value, low..=high).text(self.label).max_decimals(self.decimals);
            let slider = slider.clamping(SliderClamping::Never).update_while_editing(false);
            let edit = ui.add(slider.suffix(suffix(self.unit)));
            forget_text(ui, &edit);
            let place = edit.rect;
            if let Some(default) = default {
                let share = (default.clamp(low, high) - low) / (high - low);
                let rail =
                    egui::Rangef::new(place.left(), place.left() + ui.spacing().slider_width);
                let rail = rail.shrink(place.height() / 2.5);
                let mark = place.bottom() - 4.0..=place.bottom();
                let stroke = egui::Stroke::new(2.0, ACCENT);
                ui.painter().vline(rail.min + rail.span() * share, mark, stroke);
                reset_button(ui, value, default, &format!("{default}{}", suffix(self.unit)));
            }
        });
        let edited = value.to_bits() != before.to_bits();
        if edited {
            // NaN becomes the minimum.
            *value = value.max(self.min).min(self.max);
        }
        edited
    }

    fn range(&self, default: Option<f32>) -> [f32; 2] {
        let typical = match default.unwrap_or(0.0).abs() {
            0.0 => FALLBACK_DEFAULT,
            typical => typical,
        };
        let far = typical * RANGE_FACTOR;
        [self.min.max(-far), self.max.min(far).max(self.min)]
    }
}

fn suffix(unit: &str) -> String {
    match unit {
        "" => String::new(),
        "°" => unit.into(),
        unit => format!(" {unit}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slider_ends_at_its_range_or_four_times_its_default() {
        let range = |min, max, default| Parameter::new("", "", min, max).range(default);
        assert_eq!(range(0.0, 360.0, Some(270.0)), [0.0, 360.0]);
        assert_eq!(range(0.0, 1.0e6, Some(200.0)), [0.0, 800.0]);
        assert_eq!(range(-1.0e6, 1.0e6, Some(-20.0)), [-80.0, 80.0]);
        assert_eq!(range(0.0, 64.0, Some(0.0)), [0.0, 40.0]);
        assert_eq!(range(0.0, 1.0, None), [0.0, 1.0]);
    }
}
