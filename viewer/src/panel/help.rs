//! The keys, and what the mouse does.

use egui::Ui;

use crate::keys::{KEYS, MOUSE};

pub(super) fn show(ui: &Ui) {
    let window = egui::Window::new("keys")
        .anchor(egui::Align2::CENTER_CENTER, [0.0, 0.0])
        .collapsible(false)
        .resizable(false);
    let most = ui.ctx().content_rect().height() - 60.0;
    window.show(ui.ctx(), |ui| {
        let scroll = egui::ScrollArea::vertical().max_height(most).min_scrolled_height(most);
        scroll.show(ui, |ui| {
            // Two columns: together they would be higher than small windows.
            let (left, right) = KEYS.split_at(KEYS.len().div_ceil(2));
            ui.horizontal_top(|ui| {
                for (name, keys) in [("left", left), ("right", right)] {
                    let rows = keys.iter().map(|(key, _, does)| (*key, *does));
                    table(ui, name, rows);
                    ui.add_space(16.0);
                }
            });
            ui.separator();
            table(ui, "mouse", MOUSE.iter().copied());
        });
    });
}

fn table<'a>(ui: &mut Ui, name: &str, rows: impl Iterator<Item = (&'a str, &'a str)>) {
    egui::Grid::new(name).num_columns(2).spacing([12.0, 2.0]).show(ui, |ui| {
        for (key, does) in rows {
            ui.strong(key);
            ui.label(does);
            ui.end_row();
        }
    });
}
