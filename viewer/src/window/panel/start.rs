//! Where and how agents start.

use egui::{CollapsingHeader, Ui};
use flockwork::{OwnTarget, Species, StartPlace};

use super::slider::ParameterSlider;
use super::widgets::{MAX_COORDINATE, position};

/// Where and how agents start. Changes take effect on restart.
pub(super) fn show(ui: &mut Ui, species: &mut Species, original: &Species) {
    let (start, default) = (&mut species.start, &original.start);
    CollapsingHeader::new("start").default_open(false).show(ui, |ui| {
        ui.weak("takes effect on restart (r)");
        match (&mut start.place, &default.place) {
            (
                StartPlace::Circle { center, radius },
                StartPlace::Circle { center: middle, radius: size },
            ) => {
                position(ui, "center", center, *middle);
                radius_slider(*size).show(ui, radius);
            }
            (StartPlace::Box { low, high }, StartPlace::Box { low: least, high: most }) => {
                position(ui, "lower left", low, *least);
                position(ui, "upper right", high, *most);
            }
            (
                StartPlace::Clusters { count, radius },
                StartPlace::Clusters { count: many, radius: size },
            ) => {
                let default = Some(*many as f32);
                ParameterSlider { label: "clusters", unit: "", min: 1.0, max: 1.0e6, default }
                    .show_whole(ui, count);
                radius_slider(*size).show(ui, radius);
            }
            _ => {
                ui.label("anywhere in the world");
            }
        }
        let (heading, speed) = (default.heading, default.speed);
        ParameterSlider { label: "heading", unit: "°", min: -360.0, max: 360.0, default: heading }
            .show_optional(ui, &mut start.heading, 0.0);
        ParameterSlider {
            label: "share of max speed",
            unit: "",
            min: 0.0,
            max: 1.0,
            default: speed,
        }
        .show_optional(ui, &mut start.speed, 1.0);
        if let Some(own) = &species.own_target {
            ui.label(match own {
                OwnTarget::Previous => "own target: the previous agent".into(),
                OwnTarget::SingleFile(leader) => {
                    format!("own target: the previous agent; for the first: {leader} 0")
                }
                OwnTarget::EachOf(kind) => {
                    format!("own target: the {kind} of the same number")
                }
            });
        }
    });
}

fn radius_slider(default: f32) -> ParameterSlider<'static> {
    ParameterSlider {
        label: "radius",
        unit: "units",
        min: 0.0,
        max: MAX_COORDINATE,
        default: Some(default),
    }
}
