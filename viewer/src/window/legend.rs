//! What the picture's colors, marks and distances mean, over its lower right corner: the marks of an
//! explanation, the colors of headings, species or a scale, and a scale bar.

use egui::{Align2, Color32, RichText, Sense, Stroke, Ui, vec2};

use super::style::{self, TEXT};
use crate::picture::camera::Camera;
use crate::picture::explanation::Explained;
use crate::picture::look::ColorBy;
use crate::picture::view::View;
use crate::raster::palette::{self, Color, unweighted};

const LINE: Color32 = Color32::from_rgb(150, 158, 176);
const MARGIN: f32 = 12.0;
/// The longest scale bar.
const WIDTH: f32 = 110.0;
/// Headings from the right on, each an eighth of a turn further to the left.
const HEADINGS: [&str; 8] = ["→", "↗", "↑", "↖", "←", "↙", "↓", "↘"];
/// Blocks of a scale.
const BLOCKS: usize = 14;

/// What the legend explains.
pub(super) struct Legend<'a> {
    pub(super) view: &'a View,
    pub(super) camera: &'a Camera,
    pub(super) color_by: ColorBy,
    /// Names of the species.
    pub(super) species: Vec<&'a str>,
    /// What the panel covers at the right, in points.
    pub(super) covered: f32,
}

impl Legend<'_> {
    pub(super) fn show(&self, ui: &Ui) {
        if ui.ctx().content_rect().width() - self.covered < 3.0 * WIDTH {
            return;
        }
        let corner = [-self.covered - MARGIN, -MARGIN];
        let area = egui::Area::new("legend".into()).anchor(Align2::RIGHT_BOTTOM, corner);
        area.interactable(false).show(ui.ctx(), |ui| {
            style::over_picture(ui).show(ui, |ui| {
                ui.spacing_mut().item_spacing = vec2(6.0, 3.0);
                self.rows(ui);
            });
        });
    }

    fn rows(&self, ui: &mut Ui) {
        let explained = self.view.explained.first().map(Explained::legend).unwrap_or_default();
        for (mark, tint, meaning) in explained {
            row(ui, mark, tint.color.map(f32::from), meaning);
        }
        for (kind, name) in self.species.iter().enumerate() {
            let color = match self.color_by {
                ColorBy::Species => Some(palette::species(kind)),
                ColorBy::Heading => self.view.role_color(kind),
                _ => None,
            };
            if let Some(color) = color {
                row(ui, "●", color, name);
            }
        }
        match self.color_by {
            ColorBy::Heading => headings(ui),
            ColorBy::Species => {}
            mode => scale(ui, mode, self.view),
        }
        self.bar(ui);
    }

    /// A bar of a round length, and how long it is.
    fn bar(&self, ui: &mut Ui) {
        let points_per_unit = self.camera.zoom / ui.ctx().pixels_per_point();
        let length = round_length(WIDTH / points_per_unit);
        let (rect, _) = ui.allocate_exact_size(vec2(length * points_per_unit, 7.0), Sense::hover());
        let stroke = Stroke::new(1.0, LINE);
        ui.painter().hline(rect.x_range(), rect.center().y, stroke);
        for x in [rect.left(), rect.right()] {
            ui.painter().vline(x, rect.y_range(), stroke);
        }
        text(ui, &format!("{length} units"));
    }
}

/// A sign of the font that has them all.
fn sign(ui: &mut Ui, color: Color, sign: &str) {
    let [red, green, blue] = color.map(|channel| channel as u8);
    let color = Color32::from_rgb(red, green, blue);
    ui.label(RichText::new(sign).monospace().color(color));
}

fn text(ui: &mut Ui, words: &str) {
    ui.label(RichText::new(words).small().color(TEXT));
}

/// A sign and what it means.
fn row(ui: &mut Ui, mark: &str, color: Color, meaning: &str) {
    ui.horizontal(|ui| {
        sign(ui, color, mark);
        text(ui, meaning);
    });
}

fn headings(ui: &mut Ui) {
    ui.horizontal(|ui| {
        for (k, arrow) in HEADINGS.into_iter().enumerate() {
            let (sin, cos) = (k as f32 * std::f32::consts::FRAC_PI_4).sin_cos();
            sign(ui, unweighted(palette::heading(cos, sin)), arrow);
        }
        text(ui, "heading");
    });
}

fn scale(ui: &mut Ui, mode: ColorBy, view: &View) {
    let (low, high) = match mode {
        ColorBy::Speed => ("0", "max speed"),
        ColorBy::Force => ("0", "max force"),
        ColorBy::Density => ("sparse", "dense"),
        _ => ("least", "most"),
    };
    if let ColorBy::Column(number) = mode {
        text(ui, view.columns.get(number).map_or("column", String::as_str));
    }
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 0.0;
        text(ui, low);
        for k in 0..BLOCKS {
            sign(ui, palette::share(k as f32 / (BLOCKS - 1) as f32), "█");
        }
        text(ui, high);
    });
}

/// The largest length of 1, 2 or 5 times a power of ten that is not longer.
fn round_length(longest: f32) -> f32 {
    let power = 10.0_f32.powf(longest.max(f32::MIN_POSITIVE).log10().floor());
    let times = [5.0, 2.0].into_iter().find(|times| times * power <= longest).unwrap_or(1.0);
    times * power
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scale_bars_have_round_lengths() {
        for (longest, expected) in
            [(1.0, 1.0), (1.9, 1.0), (4.9, 2.0), (70.0, 50.0), (240.0, 200.0)]
        {
            assert!((round_length(longest) - expected).abs() < 1.0e-3 * expected, "{longest}");
        }
    }

    /// All words that a legend shows.
    fn words(legend: &Legend<'_>) -> String {
        let context = egui::Context::default();
        let screen_rect = Some(egui::Rect::from_min_size(egui::Pos2::ZERO, vec2(1_000.0, 700.0)));
        let input = egui::RawInput { screen_rect, ..egui::RawInput::default() };
        // The first pass only measures.
        let _ = context.run_ui(input.clone(), |ui| legend.show(ui));
        let shapes = context.run_ui(input, |ui| legend.show(ui)).shapes;
        let words = shapes.iter().filter_map(|clipped| match &clipped.shape {
            egui::Shape::Text(text) => Some(text.galley.text().to_owned()),
            _ => None,
        });
        words.collect::<Vec<_>>().join("; ")
    }

    /// Circles, boxes and arrows were drawn around a picked agent without a word.
    #[test]
    fn the_window_says_what_the_marks_of_an_explanation_mean() {
        let mut crowd = flockwork::Scene::named("seek").unwrap().build().unwrap();
        crowd.run(20).unwrap();
        let mut view = View::of(&mut crowd, ColorBy::Heading);
        let camera = Camera::new([50.0, 50.0], 1.0, [100.0, 100.0]);
        let said = |view: &View| {
            let species = Vec::new();
            words(&Legend {
                view,
                camera: &camera,
                color_by: ColorBy::Heading,
                species,
                covered: 0.0,
            })
        };
        assert!(!said(&view).contains("force"));
        let one = crowd.id_at(0);
        view.explained = Explained::all(&mut crowd, &[one]).unwrap();
        let said = said(&view);
        for part in ["how far it sees", "force", "cut", "where it wants to be"] {
            assert!(said.contains(part), "{part}: {said}");
        }
    }
}
