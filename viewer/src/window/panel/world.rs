use egui::Ui;
use flockwork::Partition;

use super::slider::Parameter;
use super::state::PanelContext;
use super::widgets::UNFOLDED;
use crate::picture::look::ColorBy;

pub(super) fn show(ui: &mut Ui, cx: &mut PanelContext<'_>) {
    let PanelContext { controls, frame, .. } = cx;
    ui.horizontal(|ui| {
        ui.label("color");
        for (name, mode) in ColorBy::ALL {
            ui.selectable_value(&mut controls.look.color_by, mode, name);
        }
    });
    Parameter::new("trails", "s", 0.0, 60.0).show(ui, &mut controls.look.trails, Some(0.0));
    ui.horizontal(|ui| {
        let mut cells = controls.partition != Partition::AllPairs;
        let hint = "g: when off, all pairs are tested, with the same result";
        if ui.checkbox(&mut cells, "cells").on_hover_text(hint).changed() {
            controls.toggle_partition();
        }
        ui.checkbox(&mut controls.grid, "grid").on_hover_text("draw the grid's cells");
        let scene = &frame.readings.original;
        let scatter = scene.scatter.clone().unwrap_or_default();
        if !scene.obstacles.is_empty() || scatter.obstacles.is_some() {
            ui.checkbox(&mut controls.edits.obstacles, "obstacles");
        }
        if !scene.walls.is_empty() || scatter.walls.is_some() {
            ui.checkbox(&mut controls.edits.walls, "walls");
        }
        if !(scene.obstacles.is_empty() && scene.walls.is_empty()) || scene.scatter.is_some() {
            let hint = "walls and obstacles stop agents";
            ui.checkbox(&mut controls.edits.solid, "solid").on_hover_text(hint);
        }
    });
    if let Some(cells) = frame.view.cells {
        ui.label(format!("{} × {} cells", cells.columns, cells.rows));
        let default = frame.readings.original.cell_size;
        let height = Parameter::new("cell height", "view distances", 0.25, 16.0);
        height.show_optional(ui, &mut controls.edits.cell_size, default, 1.0);
    }
    ui.separator();
    let header = egui::CollapsingHeader::new("crowd").default_open(UNFOLDED);
    header.show(ui, |ui| settings(ui, cx));
}

fn settings(ui: &mut Ui, cx: &mut PanelContext<'_>) {
    let PanelContext { controls, frame, .. } = cx;
    let original = &frame.readings.original;
    let mut threads = controls.threads as u32;
    let all = std::thread::available_parallelism().ok().map(|all| all.get() as u32);
    Parameter::new("threads", "", 1.0, 1024.0).show_whole(ui, &mut threads, all);
    controls.threads = threads as usize;
    let steps = Parameter::new("steps/s simulated", "", 1.0, 1.0e5);
    let default = original.steps_per_second;
    steps.show(ui, &mut controls.edits.steps_per_second, Some(default));
    let mut samples = controls.edits.heading_samples.map(|samples| samples as f32);
    let default = original.heading_samples.map(|samples| samples as f32);
    let smoothing = Parameter::new("smoothed headings", "averaged", 1.0, 100.0);
    smoothing.show_optional(ui, &mut samples, default, 10.0);
    controls.edits.heading_samples = samples.map(|samples| samples.round() as u32);
    let passes = Parameter::new("non-penetration", "", 0.0, 64.0);
    let default = Some(original.non_penetration);
    passes.show_whole(ui, &mut controls.edits.non_penetration, default);
}
