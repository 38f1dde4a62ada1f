//! Why the picked agent does what it does, in numbers.

use egui::Ui;

use super::state::PanelContext;
use crate::picture::explanation::color;

pub(super) fn show(ui: &mut Ui, cx: &PanelContext<'_>) {
    let Some(first) = cx.frame.view.explained.first() else {
        ui.label(egui::RichText::new("click an agent to explain it").weak());
        ui.separator();
        return;
    };
    let state = &first.state;
    let kind = cx.frame.readings.original.species.get(state.species);
    let kind = kind.map_or("agent", |kind| kind.name.as_str());
    ui.label(format!("{kind} {}, {}", first.id, first.neighbors_in_words()));
    let ([x, y], [vx, vy]) = (state.position, state.velocity);
    ui.label(format!(
        "at ({x:.1}, {y:.1}), velocity ({vx:.1}, {vy:.1}), {:.1} units/s",
        vx.hypot(vy)
    ));
    let size = |force: [f32; 2]| force[0].hypot(force[1]);
    egui::Grid::new("forces").num_columns(4).striped(true).show(ui, |ui| {
        for heading in ["behavior", "force", "kept", "color"] {
            ui.weak(heading);
        }
        ui.end_row();
        for contribution in &first.why.contributions {
            ui.label(contribution.behavior);
            ui.label(format!("{:.1}", size(contribution.force)));
            ui.label(format!("{:.1}", size(contribution.kept)));
            let (name, tint) = color(contribution.number);
            let [red, green, blue] = tint.color;
            ui.colored_label(egui::Color32::from_rgb(red, green, blue), name);
            ui.end_row();
        }
        for (_, behavior) in &first.why.unreached {
            ui.weak(*behavior);
            ui.weak("not reached");
            ui.end_row();
        }
        ui.weak("together");
        ui.label(format!("{:.1}", size(first.why.force)));
        ui.end_row();
    });
    ui.separator();
}
