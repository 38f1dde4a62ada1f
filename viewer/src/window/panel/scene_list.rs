//! The scenes in groups, each with the sentence that it says about itself.

use std::sync::LazyLock;

use egui::{Color32, RichText, Ui};
use flockwork::Scene;

/// The groups of the built-in scenes.
const GROUPS: [(&str, &[&str]); 7] = [
    ("massive crowds", &["stress", "stress-clustered", "heavy"]),
    (
        "flocks",
        &["flock", "big-shoal", "another-big-shoal", "birds", "flock-rules", "velocity-matching"],
    ),
    ("toward something", &["seek", "arrive", "pursuit", "interpose", "zombies"]),
    ("away from something", &["flee", "evade", "hide", "sheepdog"]),
    ("with others", &["leader", "leader-following", "offset-pursuit", "collision-avoidance"]),
    ("wandering, paths and flows", &["wander", "path-following", "stay-on-path", "flow-field"]),
    (
        "around obstacles and walls",
        &["obstacle-avoidance", "look-ahead", "wall-avoidance", "containment"],
    ),
];

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
    for ((group, names), sentences) in GROUPS.iter().zip(ABOUT.iter()) {
        ui.label(RichText::new(*group).small().color(Color32::from_rgb(230, 159, 0)));
        for (name, about) in names.iter().zip(sentences) {
            let mut words = egui::text::LayoutJob::default();
            let style = ui.style();
            RichText::new(format!("{name}  ")).strong().append_to(
                &mut words,
                style,
                egui::FontSelection::Default,
                egui::Align::Center,
            );
            RichText::new(about).small().append_to(
                &mut words,
                style,
                egui::FontSelection::Default,
                egui::Align::Center,
            );
            if ui.selectable_label(*name == present, words).clicked() {
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
