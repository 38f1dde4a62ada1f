//! Settings of the whole crowd: colors, the mouse's tool, partition, smoothing, obstacles and
//! walls.

use egui::{Slider, Ui};
use flockwork::Partition;

use super::slider::ParameterSlider;
use super::state::PanelContext;
use crate::picture::color_by::ColorBy;
use crate::picture::look::FlowView;
use crate::window::mouse::Tool;

pub(super) fn show(ui: &mut Ui, cx: &mut PanelContext<'_>) {
    let PanelContext { controls, mouse, frame, .. } = cx;
    ui.horizontal_wrapped(|ui| {
        ui.label("color");
        for mode in ColorBy::ALL {
            ui.selectable_value(&mut controls.color_by, mode, mode.name());
        }
        for (number, column) in frame.view.columns.iter().enumerate() {
            ui.selectable_value(&mut controls.color_by, ColorBy::Column(number), column);
        }
    });
    let slider =
        |label, unit, min, max, default| ParameterSlider { label, unit, min, max, default };
    slider("trails", "s", 0.0, 60.0, Some(0.0)).show(ui, &mut controls.trails);
    ui.horizontal(|ui| {
        ui.label("flow view");
        for (name, choice) in FlowView::ALL {
            ui.selectable_value(&mut controls.flow_view, choice, name);
        }
        ui.checkbox(&mut controls.glows, "glow");
        ui.checkbox(&mut controls.aims, "aims");
    });
    ui.horizontal_wrapped(|ui| {
        ui.label("mouse");
        for (tool, name, does) in Tool::ALL {
            ui.selectable_value(&mut mouse.tool, tool, name).on_hover_text(does);
        }
    });
    let kinds = &frame.readings.original.species;
    if kinds.iter().all(|kind| kind.name != mouse.species) {
        mouse.species = kinds.first().map(|kind| kind.name.clone()).unwrap_or_default();
    }
    if matches!(mouse.tool, Tool::Add | Tool::Erase) {
        ui.add(Slider::new(&mut mouse.brush, 4.0..=300.0).text("brush (pixels)"));
    }
    if mouse.tool == Tool::Add && kinds.len() > 1 {
        ui.horizontal_wrapped(|ui| {
            for kind in kinds {
                ui.selectable_value(&mut mouse.species, kind.name.clone(), &kind.name);
            }
        });
    }
    ui.horizontal(|ui| {
        let mut cells = controls.partition != Partition::AllPairs;
        let hint = "G: off tests all pairs, with the same result";
        if ui.checkbox(&mut cells, "cells").on_hover_text(hint).changed() {
            controls.toggle_partition();
        }
        ui.checkbox(&mut controls.grid, "grid").on_hover_text("c: draw the grid's cells");
        let mut smooth = controls.heading_samples.is_some();
        if ui.checkbox(&mut smooth, "smoothing").changed() {
            controls.toggle_smoothing(&frame.readings.original);
        }
        ui.checkbox(&mut controls.obstacles, "obstacles");
        ui.checkbox(&mut controls.walls, "walls");
    });
    if let Some(cells) = frame.view.cells {
        ui.label(format!("{} × {} cells", cells.columns, cells.rows));
        let default = frame.readings.original.cell_size;
        let height = slider("height of cells", "view distances", 0.25, 16.0, default);
        height.show_optional(ui, &mut controls.cell_size, 1.0);
    }
    if let Some(samples) = &mut controls.heading_samples {
        let default = frame.readings.original.heading_samples.map(|samples| samples as f32);
        slider("headings averaged", "", 1.0, 100.0, default).show_whole(ui, samples);
    }
    let default = Some(frame.readings.original.non_penetration as f32);
    let non_penetration = slider("non-penetration", "", 0.0, 64.0, default);
    non_penetration.show_whole(ui, &mut controls.non_penetration);
    ui.separator();
}
