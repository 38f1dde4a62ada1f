//! The question before work is thrown away.

use egui::Ui;

use super::context::PanelContext;

pub(super) fn show(ui: &Ui, cx: &mut PanelContext<'_>) {
    if !cx.state.asks_to_quit {
        return;
    }
    let window = egui::Window::new("quit?")
        .anchor(egui::Align2::CENTER_CENTER, [0.0, 0.0])
        .collapsible(false)
        .resizable(false);
    window.show(ui.ctx(), |ui| {
        ui.label("Edits of this scene are not saved: F7 saves the scene, F6 the state.");
        ui.horizontal(|ui| {
            if ui.button("stay (Esc)").clicked() {
                cx.state.asks_to_quit = false;
            }
            if ui.button("quit (Enter)").clicked() {
                cx.state.quits = true;
            }
        });
    });
}
