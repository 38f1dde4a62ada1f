//! The three weights of a flock, where one looks for them first.

use egui::Ui;

use super::context::PanelContext;
use super::slider::ParameterSlider;
use crate::session::controls::Controls;

/// The rules of a flock.
pub(crate) const RULES: [&str; 3] = ["separation", "alignment", "cohesion"];

pub(super) fn show(ui: &mut Ui, cx: &mut PanelContext<'_>) {
    let mut original = Controls::weights_of(&cx.frame.readings.original);
    let mut any = false;
    for rule in RULES {
        let Some(weight) = cx.controls.weight_mut(rule) else { continue };
        let default = original.weight_mut(rule).map(|weight| *weight.value);
        let (min, max) = (weight.min, weight.max);
        ParameterSlider { label: rule, unit: "", min, max, default }.show(ui, weight.value);
        any = true;
    }
    if any {
        ui.separator();
    }
}
