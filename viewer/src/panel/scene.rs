//! Which scene, how many agents, which seed.

use std::path::Path;

use egui::Ui;
use flockwork::Scene;

use super::Desk;

pub(super) fn show(ui: &mut Ui, desk: &mut Desk<'_>) {
    let Desk { state, frame, runner, .. } = desk;
    let readings = &frame.readings;
    let present = &readings.original.name;
    ui.add_space(4.0);
    ui.horizontal(|ui| {
        let scenes = egui::ComboBox::from_id_salt("scene").selected_text(present).width(170.0);
        scenes.height(600.0).show_ui(ui, |ui| {
            for name in Scene::names() {
                if ui.selectable_label(name == present, name).clicked() {
                    runner.tell(move |session| session.open(name));
                }
            }
        });
        if ui.button("restart").on_hover_text("R").clicked() {
            runner.tell(|session| session.restart(None));
        }
        if ui.button("file").on_hover_text("F6: write this state to a file").clicked() {
            runner.tell(|session| session.save_file(Path::new("")));
        }
        if ui.button("?").on_hover_text("the keys").clicked() {
            state.help = !state.help;
        }
    });
    ui.label(egui::RichText::new(&readings.original.about).weak());
    ui.horizontal(|ui| {
        if !ui.memory(|memory| memory.focused().is_some()) {
            state.agents = readings.agents;
        }
        let drag = egui::DragValue::new(&mut state.agents)
            .range(0..=10_000_000)
            .speed(readings.agents as f64 / 100.0);
        let changed = ui.add(drag.suffix(" agents"));
        if (changed.lost_focus() || changed.drag_stopped()) && state.agents != readings.agents {
            let agents = state.agents;
            runner.tell(move |session| session.set_agents(agents));
        }
        let mut seed = readings.seed;
        if ui.add(egui::DragValue::new(&mut seed).prefix("seed ")).changed() {
            runner.tell(move |session| session.restart(Some(seed)));
        }
    });
    ui.separator();
}
