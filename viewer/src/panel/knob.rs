//! A slider for a parameter: its name and unit, a mark at its default, and a way back to it.

use egui::{Color32, DragValue, Slider, Ui};

const MARK: Color32 = Color32::from_rgb(230, 159, 0);
/// The slider goes this many times further than the default; typing goes to the end.
const REACH: f32 = 10.0;

/// A parameter as it is to be shown.
#[derive(Clone, Copy)]
pub(super) struct Knob<'a> {
    pub(super) label: &'a str,
    pub(super) unit: &'a str,
    pub(super) min: f32,
    pub(super) max: f32,
    /// What the scene has.
    pub(super) default: Option<f32>,
}

impl Knob<'_> {
    /// Adds the widgets; returns whether the value was changed.
    pub(super) fn show(&self, ui: &mut Ui, value: &mut f32) -> bool {
        let before = *value;
        let scale = Scale::of(self, *value);
        ui.horizontal(|ui| {
            // Widgets round what they show; only what somebody has changed is taken over.
            let mut share = scale.share(*value);
            let slider = ui.add(Slider::new(&mut share, 0.0..=1.0).show_value(false));
            if slider.changed() {
                *value = scale.value(share);
            }
            if let Some(default) = self.default {
                mark(ui, slider.rect, scale.share(default));
            }
            let speed = (value.abs() * 0.01).max(f64::from(self.max - self.min) as f32 * 1.0e-5);
            let mut typed = *value;
            let drag = DragValue::new(&mut typed)
                .range(self.min..=self.max)
                .clamp_existing_to_range(false)
                .speed(speed)
                .max_decimals(3)
                .suffix(suffix(self.unit));
            if ui.add_sized([72.0, ui.spacing().interact_size.y], drag).changed() {
                *value = typed;
            }
            ui.label(self.label);
            if let Some(default) = self.default.filter(|default| *default != *value) {
                let back = ui.small_button("⟲");
                if back.on_hover_text(format!("back to {default}{}", suffix(self.unit))).clicked() {
                    *value = default;
                }
            }
        });
        value.to_bits() != before.to_bits()
    }
}

fn suffix(unit: &str) -> String {
    match unit {
        "" => String::new(),
        "°" => unit.into(),
        unit => format!(" {unit}"),
    }
}

/// Shows where the default is on a slider.
fn mark(ui: &Ui, rect: egui::Rect, share: f64) {
    let rail = rect.x_range().shrink(rect.height() / 2.5);
    let x = rail.min + rail.span() * share as f32;
    let stroke = egui::Stroke::new(2.0, MARK);
    ui.painter().vline(x, (rect.bottom() - 4.0)..=rect.bottom(), stroke);
}

/// Maps values to places on the slider: evenly if the range is narrow; else closer together
/// the larger they are.
#[derive(Clone, Copy, Debug)]
struct Scale {
    low: f64,
    high: f64,
    /// Up to about here places are even.
    even: Option<f64>,
}

impl Scale {
    fn of(knob: &Knob<'_>, value: f32) -> Self {
        let usual = knob.default.unwrap_or(value).abs().max(0.01);
        let far = f64::from((usual * REACH).max(value.abs()));
        let (min, max) = (f64::from(knob.min), f64::from(knob.max));
        let wide = max - min > 2.0 * far;
        let (low, high) = (min.max(-far), max.min(far).max(min));
        Self { low, high, even: wide.then_some(f64::from(usual) / 3.0) }
    }

    fn bent(&self, value: f64) -> f64 {
        self.even.map_or(value, |even| (value / even).asinh())
    }

    fn share(&self, value: f32) -> f64 {
        let (low, high) = (self.bent(self.low), self.bent(self.high));
        ((self.bent(f64::from(value)) - low) / (high - low)).clamp(0.0, 1.0)
    }

    fn value(&self, share: f64) -> f32 {
        let (low, high) = (self.bent(self.low), self.bent(self.high));
        let at = low + (high - low) * share;
        let value = self.even.map_or(at, |even| at.sinh() * even);
        round(value.clamp(self.low, self.high))
    }
}

/// To three digits: what a slider is set to can be read and typed again.
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
        let knob = Knob { label: "", unit: "", min, max, default: Some(default) };
        Scale::of(&knob, default)
    }

    #[test]
    fn the_ends_of_a_slider_are_the_range_or_ten_times_the_default() {
        let degrees = scale(0.0, 360.0, 270.0);
        assert_eq!(
            (degrees.value(0.0), degrees.value(0.5), degrees.value(1.0)),
            (0.0, 180.0, 360.0)
        );
        let weight = scale(0.0, 1.0e6, 200.0);
        assert_eq!((weight.value(0.0), weight.value(1.0)), (0.0, 2_000.0));
        let offset = scale(-1.0e6, 1.0e6, -20.0);
        assert_eq!((offset.value(0.0), offset.value(0.5), offset.value(1.0)), (-200.0, 0.0, 200.0));
    }

    #[test]
    fn places_and_values_are_inverse_and_the_default_has_room_on_both_sides() {
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
    fn a_knob_changes_nothing_by_being_shown() {
        let context = egui::Context::default();
        let knob = Knob { label: "x", unit: "units", min: 0.0, max: 1.0e6, default: Some(1.0) };
        for mut value in [0.123_456_7, 5.0e8, -3.0, f32::NAN] {
            let before = value.to_bits();
            let mut changed = true;
            let _ = context.run_ui(egui::RawInput::default(), |ui| {
                changed = knob.show(ui, &mut value);
            });
            assert!(!changed && value.to_bits() == before, "{value}");
        }
    }
}
