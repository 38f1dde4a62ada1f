//! A slider for a parameter: its name and unit, a mark at its default, and a way back to it.

use egui::{Color32, DragValue, Response, Slider, Ui};

const MARK: Color32 = Color32::from_rgb(230, 159, 0);
/// The slider goes this many times further than the default; typing goes to the end.
const REACH: f32 = 10.0;
/// What is usual if the default is zero.
const USUAL: f32 = 10.0;

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
        self.widgets(ui, value, 3);
        value.to_bits() != before.to_bits()
    }

    /// The same for a whole number.
    pub(super) fn show_whole(&self, ui: &mut Ui, value: &mut u32) {
        let before = *value as f32;
        let mut number = before;
        self.widgets(ui, &mut number, 0);
        if number.to_bits() != before.to_bits() {
            *value = number.round() as u32;
        }
    }

    /// The same for a number that may be none. It is switched on at the scene's value, or at what
    /// is usual if the scene has none.
    pub(super) fn show_optional(&self, ui: &mut Ui, value: &mut Option<f32>, usual: f32) {
        let mut some = value.is_some();
        if ui.checkbox(&mut some, self.label).changed() {
            *value = some.then(|| self.default.unwrap_or(usual));
        }
        if let Some(value) = value {
            Knob { label: "", ..*self }.show(ui, value);
        }
    }

    fn widgets(&self, ui: &mut Ui, value: &mut f32, decimals: usize) {
        ui.horizontal(|ui| {
            // A slider that changed its ends while it is dragged would run away.
            let held = ui.next_auto_id().with("scale");
            let scale = ui.data(|data| data.get_temp::<Scale>(held));
            let scale = scale.unwrap_or_else(|| Scale::of(self, *value));
            // Widgets round what they show; only what somebody has changed is taken over.
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
            let speed = f64::from(value.abs()).max(scale.usual) * 0.01;
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
                way_back(ui, value, default, &format!("{default}{}", suffix(self.unit)));
            }
        });
    }
}

/// A number to drag or type. What is typed takes effect at Enter; Escape takes it back.
pub(super) fn number(ui: &mut Ui, drag: DragValue<'_>, width: f32) -> Response {
    let drag = drag.clamp_existing_to_range(false).update_while_editing(false);
    let edit = ui.add_sized([width, ui.spacing().interact_size.y], drag);
    if edit.lost_focus() {
        // The widget would apply its text in the next frame, once more or after all.
        ui.data_mut(|data| data.remove::<String>(edit.id));
    }
    edit
}

/// A button back to what the scene has, if that is not what there is.
pub(super) fn way_back<T: PartialEq>(ui: &mut Ui, value: &mut T, default: T, name: &str) {
    if *value != default && ui.small_button("⟲").on_hover_text(format!("back to {name}")).clicked()
    {
        *value = default;
    }
}

/// A switch.
pub(super) fn flag(ui: &mut Ui, value: &mut bool, default: bool, label: &str) {
    ui.horizontal(|ui| {
        ui.checkbox(value, label);
        way_back(ui, value, default, if default { "on" } else { "off" });
    });
}

/// One of several, each with its name.
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
        way_back(ui, value, default, name);
    });
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
    usual: f64,
    /// Up to about here places are even.
    even: Option<f64>,
}

impl Scale {
    fn of(knob: &Knob<'_>, value: f32) -> Self {
        // Zero says nothing about how large values are.
        let usual = match knob.default.unwrap_or(value).abs() {
            0.0 => USUAL.min(knob.max),
            usual => usual.max(0.01),
        };
        let far = f64::from((usual * REACH).max(value.abs()));
        let (min, max, usual) = (f64::from(knob.min), f64::from(knob.max), f64::from(usual));
        let wide = max - min > 2.0 * far;
        let (low, high) = (min.max(-far), max.min(far).max(min));
        Self { low, high, usual, even: wide.then_some(usual / 3.0) }
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
        let from_zero = scale(0.0, 1.0e6, 0.0);
        assert_eq!((from_zero.value(0.0), from_zero.value(1.0)), (0.0, 100.0));
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

    /// Presses the mouse on a slider, holds it at its right end for a while, and lets go.
    fn drag_to_the_end(knob: Knob<'_>, value: &mut f32) {
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
                knob.show(ui, value);
            });
        }
    }

    #[test]
    fn a_slider_without_a_default_does_not_run_away_while_it_is_dragged() {
        let knob = Knob { label: "x", unit: "", min: 0.0, max: 1.0e6, default: None };
        let mut value = 2.0;
        drag_to_the_end(knob, &mut value);
        assert_eq!(value, 20.0, "ten times what it was");
    }
}
