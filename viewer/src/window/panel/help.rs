//! The keys, and what the mouse does.

use egui::Ui;

use crate::window::keys::{KEYS, MOUSE};

/// Minimum width of two columns.
const TWO_COLUMNS: f32 = 600.0;

pub(super) fn show(ui: &Ui) {
    let window = egui::Window::new("keys")
        .anchor(egui::Align2::CENTER_CENTER, [0.0, 0.0])
        .collapsible(false)
        .resizable(false);
    let most = ui.ctx().content_rect().size() - egui::vec2(24.0, 60.0);
    // Two columns if there is room: one would be taller than most windows.
    let columns = if most.x < TWO_COLUMNS { 1 } else { 2 };
    window.show(ui.ctx(), |ui| {
        let scroll = egui::ScrollArea::both().max_width(most.x).max_height(most.y);
        scroll.min_scrolled_width(most.x).min_scrolled_height(most.y).show(ui, |ui| {
            ui.horizontal_top(|ui| {
                for (k, keys) in KEYS.chunks(KEYS.len().div_ceil(columns)).enumerate() {
                    let rows = keys.iter().map(|(key, _, does)| (*key, *does));
                    table(ui, k, rows);
                    ui.add_space(16.0);
                }
            });
            ui.separator();
            table(ui, columns, MOUSE.iter().copied());
        });
    });
}

fn table<'a>(ui: &mut Ui, name: usize, rows: impl Iterator<Item = (&'a str, &'a str)>) {
    egui::Grid::new(name).num_columns(2).spacing([12.0, 2.0]).show(ui, |ui| {
        for (key, does) in rows {
            ui.strong(key);
            ui.label(does);
            ui.end_row();
        }
    });
}
