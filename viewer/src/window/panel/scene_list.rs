//! The scenes in groups, each with the sentence that it says about itself.

use std::sync::LazyLock;

use egui::{Align, FontSelection, RichText, Ui};
use flockwork::Scene;

use crate::window::style::ACCENT;

/// The groups of the built-in scenes.
const GROUPS: [(&str, &[&str]); 7] = [
    ("massive crowds", &["stress", "stress-clustered", "heavy"]),
    (
        "flocks",
        &["flock", "big-shoal", "another-big-shoal", "birds", "flock-rules", "velocity-matching"],
    ),
    ("toward something", &["seek", "arrive", "pursuit", "interpose", "zombies"]),
    ("away from something", &["flee", "evade", "sharks", "hide", "sheepdog"]),
    (
        "with others",
        &["leader", "leader-following", "offset-pursuit", "collision-avoidance", "non-penetration"],
    ),
    ("wandering, paths and flows", &["wander", "path-following", "stay-on-path", "flow-field"]),
    (
        "around obstacles and walls",
        &["obstacle-avoidance", "look-ahead", "wall-avoidance", "containment"],
    ),
];

/// Before the name of the scene that is shown.
const HERE: &str = "▶ ";

/// What each scene says about itself, in the order of the groups.
static ABOUT: LazyLock<Vec<Vec<String>>> = LazyLock::new(|| {
    let about =
        |name: &&str| Scene::named(name).map_or_else(|_| String::new(), |scene| scene.about);
    GROUPS.iter().map(|(_, names)| names.iter().map(about).collect()).collect()
});

/// A list to choose from; returns the chosen scene.
pub(super) fn show(ui: &mut Ui, present: &str) -> Option<&'static str> {
    let mut chosen = None;
    ui.set_min_width(430.0);
    let pass = ui.ctx().cumulative_pass_nr();
    let shown: u64 = ui.data_mut(|data| {
        std::mem::replace(data.get_temp_mut_or_default(egui::Id::new("scenes")), pass)
    });
    let just_opened = shown + 1 < pass;
    for ((group, names), sentences) in GROUPS.iter().zip(ABOUT.iter()) {
        ui.label(RichText::new(*group).small().color(ACCENT));
        for (name, about) in names.iter().zip(sentences) {
            let mut words = egui::text::LayoutJob::default();
            let style = ui.style();
            let here = *name == present;
            let name_of =
                RichText::new(format!("{}{name}  ", if here { HERE } else { "" })).strong();
            for text in [name_of, RichText::new(about).small()] {
                text.append_to(&mut words, style, FontSelection::Default, Align::Center);
            }
            let label = ui.selectable_label(here, words);
            if here && just_opened {
                label.scroll_to_me(Some(Align::Center));
            }
            if label.clicked() {
                chosen = Some(*name);
                ui.close();
            }
        }
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The list began at its top, wherever one was.
    #[test]
    fn the_list_marks_the_scene_that_is_shown_and_scrolls_to_it() {
        let context = egui::Context::default();
        let names = |context: &egui::Context| {
            let screen_rect =
                Some(egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(500.0, 200.0)));
            let input = egui::RawInput { screen_rect, ..egui::RawInput::default() };
            let output = context.run_ui(input, |ui| {
                egui::ScrollArea::vertical().show(ui, |ui| show(ui, "containment"));
            });
            let texts = output.shapes.into_iter().filter_map(|clipped| match clipped.shape {
                egui::Shape::Text(text) => {
                    let seen = clipped.clip_rect.contains(text.visual_bounding_rect().center());
                    seen.then(|| text.galley.text().to_owned())
                }
                _ => None,
            });
            texts.collect::<Vec<_>>()
        };
        for _ in 0..3 {
            let _ = context.run_ui(egui::RawInput::default(), |_| ());
        }
        (0..60).for_each(|_| drop(names(&context)));
        let seen = names(&context);
        let marked: Vec<_> = seen.iter().filter(|name| name.starts_with(HERE)).collect();
        assert!(marked.len() == 1 && marked[0].contains("containment"), "{seen:?}");
    }

    #[test]
    fn every_scene_is_in_one_group_and_says_what_it_shows() {
        let mut listed: Vec<&str> =
            GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        listed.sort_unstable();
        let mut all: Vec<&str> = Scene::names().collect();
        all.sort_unstable();
        assert_eq!(listed, all);
        assert!(ABOUT.iter().flatten().all(|about| !about.is_empty()));
    }
}
