//! The keys, and what the mouse does.

use egui::Ui;

use super::widgets::{ACCENT, in_the_middle};
use crate::window::keys::{Binding, KEYS, MOUSE};

/// Minimum width of two columns.
const TWO_COLUMNS: f32 = 700.0;

pub(super) fn show(ui: &Ui) {
    let most = ui.ctx().content_rect().size() - egui::vec2(24.0, 60.0);
    // Two columns if there is room: one would be taller than most windows.
    let (left, right) = KEYS.split_at(3);
    in_the_middle("keys").show(ui.ctx(), |ui| {
        let scroll = egui::ScrollArea::both().max_width(most.x).max_height(most.y);
        scroll.min_scrolled_width(most.x).min_scrolled_height(most.y).show(ui, |ui| {
            let groups = |ui: &mut Ui, groups: &[(&str, &[Binding])]| {
                for (name, keys) in groups {
                    table(ui, name, keys.iter().map(|(key, _, does)| (*key, *does)));
                }
            };
            let all = |ui: &mut Ui| {
                ui.vertical(|ui| groups(ui, left));
                ui.add_space(16.0);
                ui.vertical(|ui| {
                    groups(ui, right);
                    table(ui, "mouse", MOUSE.iter().copied());
                });
            };
            if most.x < TWO_COLUMNS {
                ui.vertical(all);
            } else {
                ui.horizontal_top(all);
            }
        });
    });
}

fn table<'a>(ui: &mut Ui, name: &str, rows: impl Iterator<Item = (&'a str, &'a str)>) {
    ui.label(egui::RichText::new(name).color(ACCENT));
    egui::Grid::new(name).num_columns(2).spacing([12.0, 2.0]).show(ui, |ui| {
        for (key, does) in rows {
            ui.strong(key);
            ui.label(does);
            ui.end_row();
        }
    });
    ui.add_space(6.0);
}
