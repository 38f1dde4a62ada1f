//! A slider for a parameter: its name and unit, a mark at its default, and a reset button.

use egui::{DragValue, Slider, SliderClamping, Ui};

use super::widgets::{number, reset_button};
use crate::window::style::ACCENT;

/// The slider ends at this many times the default; typed values go to the limit.
const RANGE_FACTOR: f32 = 4.0;
/// What stands for a default of zero, or none.
const TYPICAL: f32 = 10.0;

/// A parameter to show.
#[derive(Clone, Copy)]
pub(super) struct ParameterSlider<'a> {
    pub(super) label: &'a str,
    pub(super) unit: &'a str,
    pub(super) min: f32,
    pub(super) max: f32,
    /// The scene's value.
    pub(super) default: Option<f32>,
}

impl ParameterSlider<'_> {
    /// Adds the widgets; returns whether the value has changed.
    pub(super) fn show(&self, ui: &mut Ui, value: &mut f32) -> bool {
        self.widgets(ui, value, 3)
    }

    /// [`Self::show`] for an integer.
    pub(super) fn show_whole(&self, ui: &mut Ui, value: &mut u32) {
        let mut number = *value as f32;
        if self.widgets(ui, &mut number, 0) {
            *value = number.round() as u32;
        }
    }

    /// [`Self::show`] for an optional number. Switching it on starts with the scene's value, or a typical
    /// one if the scene has none.
    pub(super) fn show_optional(&self, ui: &mut Ui, value: &mut Option<f32>, typical: f32) {
        let mut some = value.is_some();
        if ui.checkbox(&mut some, self.label).changed() {
            *value = some.then(|| self.default.unwrap_or(typical));
        }
        if let Some(value) = value {
            ParameterSlider { label: "", ..*self }.show(ui, value);
        }
    }

    /// Whether the value was edited: widgets round what they show, and that is not taken over.
    fn widgets(&self, ui: &mut Ui, value: &mut f32, decimals: usize) -> bool {
        let [low, high] = self.range();
        let before = *value;
        ui.horizontal(|ui| {
            let mut slid = *value;
            let slider = Slider::new(&mut slid, low..=high).show_value(false);
            let slider = slider.clamping(SliderClamping::Never).max_decimals(decimals);
            let slider = ui.add(slider.smart_aim(true));
            if slider.changed() {
                *value = slid;
            }
            if let Some(default) = self.default {
                let share = (default.clamp(low, high) - low) / (high - low);
                let rail = slider.rect.x_range().shrink(slider.rect.height() / 2.5);
                let bottom = slider.rect.bottom();
                let stroke = egui::Stroke::new(2.0, ACCENT);
                ui.painter().vline(rail.min + rail.span() * share, bottom - 4.0..=bottom, stroke);
            }
            let mut typed = *value;
            let drag = DragValue::new(&mut typed)
                .range(self.min..=self.max)
                .speed(f64::from(value.abs().max((high - low) / RANGE_FACTOR)) * 0.01)
                .max_decimals(decimals)
                .suffix(suffix(self.unit));
            if number(ui, drag, 72.0).changed() {
                *value = typed;
            }
            ui.label(self.label);
            if let Some(default) = self.default {
                reset_button(ui, value, default, &format!("{default}{}", suffix(self.unit)));
            }
        });
        value.to_bits() != before.to_bits()
    }

    /// The ends of the slider.
    fn range(&self) -> [f32; 2] {
        let typical = match self.default.unwrap_or(0.0).abs() {
            0.0 => TYPICAL,
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
        let range =
            |min, max, default| ParameterSlider { label: "", unit: "", min, max, default }.range();
        assert_eq!(range(0.0, 360.0, Some(270.0)), [0.0, 360.0]);
        assert_eq!(range(0.0, 1.0e6, Some(200.0)), [0.0, 800.0]);
        assert_eq!(range(-1.0e6, 1.0e6, Some(-20.0)), [-80.0, 80.0]);
        assert_eq!(range(0.0, 64.0, Some(0.0)), [0.0, 40.0]);
        assert_eq!(range(0.0, 1.0, None), [0.0, 1.0]);
    }
}
