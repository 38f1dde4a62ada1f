//! What the picture's colors, marks and distances mean, over its lower right corner: the marks of an
//! explanation, a color wheel or a scale, the colors of species, a scale bar, and where a part of
//! the world lies.

use egui::{Align2, Color32, Rect, RichText, Sense, Shape, Stroke, StrokeKind, Ui, Vec2, vec2};

use super::style::{self, TEXT};
use crate::picture::camera::Camera;
use crate::picture::color_by::ColorBy;
use crate::picture::explanation::{Explained, Sign};
use crate::picture::view::View;
use crate::raster::palette::{self, Color, unweighted};

const LINE: Color32 = Color32::from_rgb(150, 158, 176);
const MARGIN: f32 = 12.0;
/// Radius of the wheel.
const WHEEL: f32 = 24.0;
/// Width of the scale and of the overview, and the longest scale bar.
const WIDTH: f32 = 110.0;
/// With less of the world in the picture, the overview shows which part it is.
const WHOLE: f32 = 0.9;

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
        for (sign, tint, meaning) in explained {
            let color = color32(tint.color.map(f32::from));
            row(ui, meaning, |painter, rect| {
                draw(painter, rect, sign, color);
            });
        }
        if let Some(part) = self.part() {
            overview(ui, part, self.view.world);
        }
        for (kind, name) in self.species.iter().enumerate() {
            let color = match self.color_by {
                ColorBy::Species => Some(palette::species(kind)),
                ColorBy::Heading => self.view.role_color(kind),
                _ => None,
            };
            if let Some(color) = color {
                row(ui, name, |painter, rect| {
                    draw(painter, rect, Sign::Dot, color32(color));
                });
            }
        }
        match self.color_by {
            ColorBy::Heading => wheel(ui),
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

    /// Which part of the world the picture shows, from 0 to 1 along each axis with y up; `None` if
    /// it is nearly all of it.
    fn part(&self) -> Option<[[f32; 2]; 2]> {
        let size = self.camera.size;
        let (low, high) =
            (self.camera.to_world([0.0, size[1]]), self.camera.to_world([size[0], 0.0]));
        let share = |point: [f32; 2]| [0, 1].map(|k| point[k] / self.view.world[k]);
        let part = [share(low), share(high)];
        let small = (0..2).any(|k| part[1][k] - part[0][k] < WHOLE);
        small.then_some(part)
    }
}

fn text(ui: &mut Ui, words: &str) {
    ui.label(RichText::new(words).small().color(TEXT));
}

/// A sign and what it means.
fn row(ui: &mut Ui, meaning: &str, sign: impl FnOnce(&egui::Painter, Rect)) {
    ui.horizontal(|ui| {
        let (rect, _) = ui.allocate_exact_size(vec2(22.0, 12.0), Sense::hover());
        sign(ui.painter(), rect);
        text(ui, meaning);
    });
}

fn draw(painter: &egui::Painter, rect: Rect, sign: Sign, color: Color32) {
    let stroke = Stroke::new(1.5, color);
    let shape = match sign {
        Sign::Dot => Shape::circle_filled(rect.center(), 4.0, color),
        Sign::Circle => Shape::circle_stroke(rect.center(), 5.0, stroke),
        Sign::Box => {
            let sides = rect.shrink2(vec2(5.0, 1.0));
            Shape::rect_stroke(sides, 0.0, stroke, StrokeKind::Middle)
        }
        Sign::Arrow => {
            painter.arrow(rect.left_center(), vec2(rect.width() - 2.0, 0.0), stroke);
            Shape::Noop
        }
    };
    painter.add(shape);
}

fn wheel(ui: &mut Ui) {
    const SECTORS: u32 = 48;
    ui.horizontal(|ui| {
        let (rect, _) = ui.allocate_exact_size(Vec2::splat(2.0 * WHEEL), Sense::hover());
        let color = |x: f32, y: f32| color32(unweighted(palette::heading(x, y)));
        let mut mesh = egui::Mesh::default();
        mesh.colored_vertex(rect.center(), color(0.0, 0.0));
        for k in 0..SECTORS {
            let (sin, cos) = (k as f32 * std::f32::consts::TAU / SECTORS as f32).sin_cos();
            mesh.colored_vertex(rect.center() + vec2(cos, -sin) * WHEEL, color(cos, sin));
            mesh.add_triangle(0, k + 1, (k + 1) % SECTORS + 1);
        }
        ui.painter().add(Shape::mesh(mesh));
        text(ui, "heading");
    });
}

fn scale(ui: &mut Ui, mode: ColorBy, view: &View) {
    const STEPS: usize = 24;
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
        text(ui, low);
        let (rect, _) = ui.allocate_exact_size(vec2(WIDTH, 10.0), Sense::hover());
        let mut mesh = egui::Mesh::default();
        for k in 0..=STEPS {
            let share = k as f32 / STEPS as f32;
            let (x, color) = (rect.left() + WIDTH * share, color32(palette::share(share)));
            mesh.colored_vertex(egui::pos2(x, rect.top()), color);
            mesh.colored_vertex(egui::pos2(x, rect.bottom()), color);
        }
        for first in (0..2 * STEPS as u32).step_by(2) {
            mesh.add_triangle(first, first + 1, first + 2);
            mesh.add_triangle(first + 1, first + 2, first + 3);
        }
        ui.painter().add(Shape::mesh(mesh));
        text(ui, high);
    });
}

/// The world, and the part of it that the picture shows.
fn overview(ui: &mut Ui, [low, high]: [[f32; 2]; 2], world: [f32; 2]) {
    let height = (WIDTH * world[1] / world[0]).clamp(12.0, WIDTH);
    let (rect, _) = ui.allocate_exact_size(vec2(WIDTH, height), Sense::hover());
    let place = |[x, y]: [f32; 2]| {
        rect.left_bottom() + vec2(x.clamp(0.0, 1.0) * WIDTH, -y.clamp(0.0, 1.0) * height)
    };
    let outline = |rect, color| {
        ui.painter().rect_stroke(rect, 1.0, Stroke::new(1.0, color), StrokeKind::Inside);
    };
    outline(rect, LINE);
    // So small a part that it could not be seen is marked all the same.
    let part = Rect::from_two_pos(place(low), place(high));
    outline(part.expand2((Vec2::splat(3.0) - part.size()).max(Vec2::ZERO)), TEXT);
}

fn color32(color: Color) -> Color32 {
    let [red, green, blue] = color.map(|channel| channel as u8);
    Color32::from_rgb(red, green, blue)
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

    #[test]
    fn the_overview_appears_when_a_part_is_shown() {
        let view = View { world: [100.0, 100.0], ..View::default() };
        let part = |zoom| {
            let camera = Camera::new([50.0, 50.0], zoom, [100.0, 100.0]);
            let legend = Legend {
                view: &view,
                camera: &camera,
                color_by: ColorBy::Heading,
                species: Vec::new(),
                covered: 0.0,
            };
            legend.part()
        };
        assert_eq!(part(1.0), None);
        assert_eq!(part(4.0), Some([[0.375; 2], [0.625; 2]]));
    }

    /// All words that a legend shows.
    fn words(legend: &Legend<'_>) -> String {
        let context = egui::Context::default();
        let screen_rect = Some(Rect::from_min_size(egui::Pos2::ZERO, vec2(1_000.0, 700.0)));
        let input = egui::RawInput { screen_rect, ..egui::RawInput::default() };
        // The first pass only measures.
        let _ = context.run_ui(input.clone(), |ui| legend.show(ui));
        let shapes = context.run_ui(input, |ui| legend.show(ui)).shapes;
        let words = shapes.iter().filter_map(|clipped| match &clipped.shape {
            Shape::Text(text) => Some(text.galley.text().to_owned()),
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
