use egui::{Color32, Ui};

use super::state::PanelContext;
use crate::picture::explanation::color;

pub(super) fn show(ui: &mut Ui, cx: &PanelContext<'_>) {
    let Some(first) = cx.frame.view.explained.first() else {
        ui.label(egui::RichText::new("click an agent to explain it").weak());
        ui.separator();
        return;
    };
    ui.label(first.summary());
    egui::Grid::new("forces").num_columns(2).striped(true).show(ui, |ui| {
        for (number, behavior, force) in first.reasons() {
            let [red, green, blue] = color(number).1.color;
            ui.colored_label(Color32::from_rgb(red, green, blue), behavior);
            ui.label(force);
            ui.end_row();
        }
    });
    ui.separator();
}
