//! Settings of the whole crowd: colors, the mouse's tool, partition, smoothing, obstacles and
//! walls.

use egui::{Slider, Ui};
use flockwork::Partition;

use super::slider::Parameter;
use super::state::PanelContext;
use crate::picture::look::ColorBy;
use crate::picture::look::FlowView;
use crate::window::keys::{Command, KEYS};
use crate::window::mouse::Tool;

pub(super) fn show(ui: &mut Ui, cx: &mut PanelContext<'_>) {
    let PanelContext { controls, mouse, frame, .. } = cx;
    ui.horizontal_wrapped(|ui| {
        ui.label("color");
        for (name, mode) in ColorBy::ALL {
            ui.selectable_value(&mut controls.look.color_by, mode, name);
        }
        for (number, column) in frame.view.columns.iter().enumerate() {
            ui.selectable_value(&mut controls.look.color_by, ColorBy::Column(number), column);
        }
    });
    Parameter::new("trails", "s", 0.0, 60.0).show(ui, &mut controls.look.trails, Some(0.0));
    ui.horizontal(|ui| {
        ui.label("flow view");
        for (name, choice) in FlowView::ALL {
            ui.selectable_value(&mut controls.look.flow_view, choice, name);
        }
        ui.checkbox(&mut controls.look.glows, "glow");
        ui.checkbox(&mut controls.look.aims, "aims");
    });
    ui.horizontal_wrapped(|ui| {
        ui.label("mouse");
        for (_, key, command, does) in KEYS {
            let Command::SelectTool(tool) = *command else { continue };
            let name = format!("{tool:?}").to_lowercase();
            let label = ui.selectable_value(&mut mouse.tool, tool, name);
            label.on_hover_text(format!("{key}: {does}"));
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
        ui.checkbox(&mut controls.edits.obstacles, "obstacles");
        ui.checkbox(&mut controls.edits.walls, "walls");
    });
    if let Some(cells) = frame.view.cells {
        ui.label(format!("{} × {} cells", cells.columns, cells.rows));
        let default = frame.readings.original.cell_size;
        let height = Parameter::new("height of cells", "view distances", 0.25, 16.0);
        height.show_optional(ui, &mut controls.edits.cell_size, default, 1.0);
    }
    let mut samples = controls.edits.heading_samples.map(|samples| samples as f32);
    let default = frame.readings.original.heading_samples.map(|samples| samples as f32);
    let smoothing = Parameter::new("smoothed headings", "averaged", 1.0, 100.0);
    smoothing.show_optional(ui, &mut samples, default, 10.0);
    controls.edits.heading_samples = samples.map(|samples| samples.round() as u32);
    let default = Some(frame.readings.original.non_penetration);
    let passes = Parameter::new("non-penetration", "", 0.0, 64.0);
    passes.show_whole(ui, &mut controls.edits.non_penetration, default);
    ui.separator();
}
