//! A slider for a parameter: its name and unit, a mark at its default, and a reset button.

use egui::{DragValue, Slider, Ui};

use super::widgets::{number, reset_button};
use crate::window::style::ACCENT;

/// The slider ends at this many times the default; typed values go to the limit.
const RANGE_FACTOR: f32 = 10.0;
/// The typical value if the default is zero.
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
        let before = *value;
        self.widgets(ui, value, 3);
        value.to_bits() != before.to_bits()
    }

    /// The same for an integer.
    pub(super) fn show_whole(&self, ui: &mut Ui, value: &mut u32) {
        let before = *value as f32;
        let mut number = before;
        self.widgets(ui, &mut number, 0);
        if number.to_bits() != before.to_bits() {
            *value = number.round() as u32;
        }
    }

    /// The same for an optional number. Switching it on starts with the scene's value, or a typical
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

    fn widgets(&self, ui: &mut Ui, value: &mut f32, decimals: usize) {
        ui.horizontal(|ui| {
            // The scale is fixed while the slider is dragged; otherwise the value would run away.
            let held = ui.next_auto_id().with("scale");
            let scale = ui.data(|data| data.get_temp::<Scale>(held));
            let scale = scale.unwrap_or_else(|| Scale::of(self, *value));
            // Widgets round what they show; only an edited value is taken over.
            let mut share = scale.share(*value);
            let slider = ui.add(Slider::new(&mut share, 0.0..=1.0).show_value(false));
            ui.data_mut(|data| {
                if slider.dragged() {
                    data.insert_temp(held, scale);
                } else {
                    data.remove::<Scale>(held);
                }
            });
            if slider.changed() {
                *value = scale.value(share);
            }
            if let Some(default) = self.default {
                mark(ui, slider.rect, scale.share(default));
            }
            let speed = f64::from(value.abs()).max(scale.typical) * 0.01;
            let mut typed = *value;
            let drag = DragValue::new(&mut typed)
                .range(self.min..=self.max)
                .speed(speed)
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
    }
}

fn suffix(unit: &str) -> String {
    match unit {
        "" => String::new(),
        "°" => unit.into(),
        unit => format!(" {unit}"),
    }
}

/// Marks the default on a slider.
fn mark(ui: &Ui, rect: egui::Rect, share: f64) {
    let rail = rect.x_range().shrink(rect.height() / 2.5);
    let x = rail.min + rail.span() * share as f32;
    let stroke = egui::Stroke::new(2.0, ACCENT);
    ui.painter().vline(x, (rect.bottom() - 4.0)..=rect.bottom(), stroke);
}

/// Maps values to positions on the slider: linearly if the range is narrow, otherwise increasingly
/// compressed for larger values.
#[derive(Clone, Copy, Debug)]
struct Scale {
    low: f64,
    high: f64,
    typical: f64,
    /// Up to about this value positions are linear.
    linear_up_to: Option<f64>,
}

impl Scale {
    fn of(slider: &ParameterSlider<'_>, value: f32) -> Self {
        // A default of zero says nothing about the magnitude.
        let typical = match slider.default.unwrap_or(value).abs() {
            0.0 => TYPICAL.min(slider.max),
            typical => typical.max(0.01),
        };
        let far = f64::from((typical * RANGE_FACTOR).max(value.abs()));
        let (min, max, typical) =
            (f64::from(slider.min), f64::from(slider.max), f64::from(typical));
        let wide = max - min > 2.0 * far;
        let (low, high) = (min.max(-far), max.min(far).max(min));
        Self { low, high, typical, linear_up_to: wide.then_some(typical / 3.0) }
    }

    fn compressed(&self, value: f64) -> f64 {
        self.linear_up_to.map_or(value, |linear_up_to| (value / linear_up_to).asinh())
    }

    fn share(&self, value: f32) -> f64 {
        let (low, high) = (self.compressed(self.low), self.compressed(self.high));
        ((self.compressed(f64::from(value)) - low) / (high - low)).clamp(0.0, 1.0)
    }

    fn value(&self, share: f64) -> f32 {
        let (low, high) = (self.compressed(self.low), self.compressed(self.high));
        let at = low + (high - low) * share;
        let value = self.linear_up_to.map_or(at, |linear_up_to| at.sinh() * linear_up_to);
        round(value.clamp(self.low, self.high))
    }
}

/// Rounds to three digits, so that a slider's value can be read and typed.
fn round(value: f64) -> f32 {
    if value == 0.0 {
        return 0.0;
    }
    let digits = 10.0_f64.powf(2.0 - value.abs().log10().floor());
    ((value * digits).round() / digits) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scale(min: f32, max: f32, default: f32) -> Scale {
        let slider = ParameterSlider { label: "", unit: "", min, max, default: Some(default) };
        Scale::of(&slider, default)
    }

    #[test]
    fn a_slider_ends_at_its_range_or_ten_times_its_default() {
        let degrees = scale(0.0, 360.0, 270.0);
        assert_eq!(
            (degrees.value(0.0), degrees.value(0.5), degrees.value(1.0)),
            (0.0, 180.0, 360.0)
        );
        let weight = scale(0.0, 1.0e6, 200.0);
        assert_eq!((weight.value(0.0), weight.value(1.0)), (0.0, 2_000.0));
        let offset = scale(-1.0e6, 1.0e6, -20.0);
        assert_eq!((offset.value(0.0), offset.value(0.5), offset.value(1.0)), (-200.0, 0.0, 200.0));
        let from_zero = scale(0.0, 1.0e6, 0.0);
        assert_eq!((from_zero.value(0.0), from_zero.value(1.0)), (0.0, 100.0));
    }

    #[test]
    fn positions_and_values_are_inverse_and_the_default_is_not_at_an_end() {
        for scale in [scale(0.0, 360.0, 120.0), scale(0.0, 1.0e6, 40.0), scale(1.0e-3, 1.0e6, 0.2)]
        {
            for k in 0..=20 {
                let share = f64::from(k) / 20.0;
                assert!(
                    (scale.share(scale.value(share)) - share).abs() < 0.01,
                    "{scale:?} {share}"
                );
            }
        }
        assert!((0.25..0.75).contains(&scale(0.0, 1.0e6, 200.0).share(200.0)));
    }

    #[test]
    fn values_are_rounded_to_three_digits() {
        assert_eq!(round(123.456), 123.0);
        assert_eq!(round(-0.012_345), -0.012_3);
        assert_eq!(round(98_765.0), 98_800.0);
    }

    #[test]
    fn showing_a_slider_changes_nothing() {
        let context = egui::Context::default();
        let slider =
            ParameterSlider { label: "x", unit: "units", min: 0.0, max: 1.0e6, default: Some(1.0) };
        for mut value in [0.123_456_7, 5.0e8, -3.0, f32::NAN] {
            let before = value.to_bits();
            let mut changed = true;
            let _ = context.run_ui(egui::RawInput::default(), |ui| {
                changed = slider.show(ui, &mut value);
            });
            assert!(!changed && value.to_bits() == before, "{value}");
        }
    }

    /// Presses the mouse on a slider, drags it past its right end for a while, and releases it.
    fn drag_to_the_end(slider: ParameterSlider<'_>, value: &mut f32) {
        let context = egui::Context::default();
        let at = |x: f32| egui::pos2(x, 16.0);
        let press = |x: f32, pressed| egui::Event::PointerButton {
            pos: at(x),
            button: egui::PointerButton::Primary,
            pressed,
            modifiers: egui::Modifiers::NONE,
        };
        let moved = |x: f32| egui::Event::PointerMoved(at(x));
        let mut frames = vec![vec![], vec![moved(40.0)], vec![press(40.0, true)]];
        frames.extend((0..20).map(|k| vec![moved(300.0 + k as f32)]));
        frames.push(vec![press(320.0, false)]);
        for events in frames {
            let input = egui::RawInput { events, ..egui::RawInput::default() };
            let _ = context.run_ui(input, |ui| {
                slider.show(ui, value);
            });
        }
    }

    #[test]
    fn a_slider_without_a_default_does_not_run_away_while_dragged() {
        let slider = ParameterSlider { label: "x", unit: "", min: 0.0, max: 1.0e6, default: None };
        let mut value = 2.0;
        drag_to_the_end(slider, &mut value);
        assert_eq!(value, 20.0, "ten times what it was");
    }
}
