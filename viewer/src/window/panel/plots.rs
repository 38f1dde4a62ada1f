//! Small plots of recent values.

use egui::{Color32, Ui};

use crate::window::style::ACCENT;

const GROUND: Color32 = Color32::from_rgb(12, 13, 17);

/// Room for the label above a curve.
const LABEL: f32 = 11.0;

/// Values from 0 to `max`, oldest first, with a label at the top.
pub(super) fn history(ui: &mut Ui, values: &[f32], max: f32, label: &str) {
    let size = egui::vec2(ui.available_width(), LABEL + 23.0);
    let (rect, _) = ui.allocate_exact_size(size, egui::Sense::hover());
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, 2.0, GROUND);
    let place = |k: usize, value: f32| {
        let across = k as f32 / values.len().max(2) as f32;
        let up = (value / max).clamp(0.0, 1.0) * (rect.height() - LABEL - 2.0);
        egui::pos2(rect.left() + rect.width() * across, rect.bottom() - 1.0 - up)
    };
    let points = values.iter().enumerate().map(|(k, &value)| place(k, value)).collect();
    painter.add(egui::Shape::line(points, egui::Stroke::new(1.0, ACCENT)));
    let font = egui::FontId::proportional(9.0);
    let corner = rect.left_top() + egui::vec2(3.0, 1.0);
    painter.text(corner, egui::Align2::LEFT_TOP, label, font, Color32::GRAY);
}

/// A bar for a share of the longest one.
pub(super) fn bar(ui: &mut Ui, width: f32, share: f32) {
    let (rect, _) = ui.allocate_exact_size(egui::vec2(width, 10.0), egui::Sense::hover());
    let filled = egui::vec2(rect.width() * share.clamp(0.0, 1.0), rect.height());
    let bar = egui::Rect::from_min_size(rect.min, filled);
    ui.painter().rect_filled(bar, 2.0, Color32::from_rgb(86, 180, 233));
}
