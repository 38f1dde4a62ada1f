//! What the picture's colors and distances mean, over its lower right corner: a color wheel or a
//! scale, the colors of species, a scale bar, and where a part of the world lies.

use egui::{Align2, Color32, FontId, Pos2, Rect, Shape, Stroke, Ui, Vec2};

use crate::picture::camera::Camera;
use crate::picture::color_by::ColorBy;
use crate::picture::view::View;
use crate::raster::palette::{Color, Palette, unweighted};

const TEXT: Color32 = Color32::from_rgb(176, 184, 200);
const LINE: Color32 = Color32::from_rgb(120, 130, 150);
const MARGIN: f32 = 14.0;
/// Radius of the wheel.
const WHEEL: f32 = 24.0;
/// Width of the scale and of the overview.
const WIDTH: f32 = 110.0;
/// The longest scale bar.
const MAX_BAR: f32 = 120.0;
/// With less of the world in the picture, the overview shows which part it is.
const WHOLE: f32 = 0.9;
const FONT: FontId = FontId::proportional(11.0);

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
        let palette = Palette::new();
        let area = ui.ctx().content_rect();
        let corner = Pos2::new(area.right() - self.covered - MARGIN, area.bottom() - MARGIN);
        if corner.x - area.left() < 3.0 * WIDTH {
            return;
        }
        let painter = ui.ctx().layer_painter(egui::LayerId::background());
        let mut at = corner;
        let mut add = |height: f32| {
            let bottom = at;
            at.y -= height;
            bottom
        };
        self.bar(&painter, add(26.0), ui.ctx().pixels_per_point());
        match self.color_by {
            ColorBy::Heading => wheel(&painter, add(2.0 * WHEEL + 10.0), &palette),
            ColorBy::Species => {}
            mode => scale(&painter, add(30.0), mode, self.view, &palette),
        }
        for (kind, name) in self.species.iter().enumerate().rev() {
            let color = match self.color_by {
                ColorBy::Species => Some(palette.species(kind)),
                ColorBy::Heading => self.view.role_color(kind, &palette),
                _ => None,
            };
            if let Some(color) = color {
                let end = add(15.0);
                painter.text(end - Vec2::new(14.0, 0.0), Align2::RIGHT_BOTTOM, name, FONT, TEXT);
                painter.circle_filled(end - Vec2::new(5.0, 6.0), 4.0, color32(color));
            }
        }
        if let Some(part) = self.part() {
            let height = (WIDTH * self.view.world[1] / self.view.world[0]).clamp(12.0, 110.0);
            overview(&painter, add(height + 12.0), height, part);
        }
    }

    /// A bar of a round length, and how long it is.
    fn bar(&self, painter: &egui::Painter, corner: Pos2, pixels_per_point: f32) {
        let points_per_unit = self.camera.zoom / pixels_per_point;
        let length = round_length(MAX_BAR / points_per_unit);
        let end = corner - Vec2::new(0.0, 4.0);
        let start = end - Vec2::new(length * points_per_unit, 0.0);
        let tick = Vec2::new(0.0, 3.0);
        let stroke = Stroke::new(1.0, LINE);
        for [from, to] in [[start, end], [start - tick, start + tick], [end - tick, end + tick]] {
            painter.line_segment([from, to], stroke);
        }
        let middle = start + (end - start) / 2.0 - Vec2::new(0.0, 4.0);
        painter.text(middle, Align2::CENTER_BOTTOM, format!("{length} units"), FONT, TEXT);
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

fn wheel(painter: &egui::Painter, corner: Pos2, palette: &Palette) {
    const SECTORS: u32 = 48;
    let center = corner - Vec2::splat(WHEEL);
    let mut mesh = egui::Mesh::default();
    mesh.colored_vertex(center, color32(unweighted(palette.heading_between(0.0, 0.0))));
    for k in 0..SECTORS {
        let (sin, cos) = (k as f32 * std::f32::consts::TAU / SECTORS as f32).sin_cos();
        let color = color32(unweighted(palette.heading_between(cos, sin)));
        mesh.colored_vertex(center + Vec2::new(cos, -sin) * (WHEEL - 2.0), color);
        mesh.add_triangle(0, k + 1, (k + 1) % SECTORS + 1);
    }
    painter.add(Shape::mesh(mesh));
    let words = center - Vec2::new(WHEEL + 6.0, 0.0);
    painter.text(words, Align2::RIGHT_CENTER, "heading", FONT, TEXT);
}

fn scale(painter: &egui::Painter, corner: Pos2, mode: ColorBy, view: &View, palette: &Palette) {
    const STEPS: usize = 24;
    let left = corner.x - WIDTH;
    let (top, bottom) = (corner.y - 14.0, corner.y - 4.0);
    for k in 0..STEPS {
        let from = left + WIDTH * k as f32 / STEPS as f32;
        let step = WIDTH / STEPS as f32 + 0.5;
        let color = color32(palette.share((k as f32 + 0.5) / STEPS as f32));
        let rect = Rect::from_min_max(Pos2::new(from, top), Pos2::new(from + step, bottom));
        painter.rect_filled(rect, 0.0, color);
    }
    let [low, high] = match mode {
        ColorBy::Speed => ["0", "max speed"],
        ColorBy::Force => ["0", "max force"],
        ColorBy::Density => ["sparse", "dense"],
        _ => ["least", "most"],
    };
    let name = match mode {
        ColorBy::Column(number) => view.columns.get(number).map_or("column", String::as_str),
        _ => "",
    };
    let above = Pos2::new(left, top - 1.0);
    painter.text(above, Align2::LEFT_BOTTOM, low, FONT, TEXT);
    painter.text(above + Vec2::new(WIDTH, 0.0), Align2::RIGHT_BOTTOM, high, FONT, TEXT);
    painter.text(above + Vec2::new(WIDTH / 2.0, 0.0), Align2::CENTER_BOTTOM, name, FONT, TEXT);
}

/// The world, and the part of it that the picture shows.
fn overview(painter: &egui::Painter, corner: Pos2, height: f32, [low, high]: [[f32; 2]; 2]) {
    let world = Rect::from_min_max(corner - Vec2::new(WIDTH, height), corner);
    let place = |[x, y]: [f32; 2]| {
        Pos2::new(
            world.left() + x.clamp(0.0, 1.0) * WIDTH,
            world.bottom() - y.clamp(0.0, 1.0) * height,
        )
    };
    painter.rect_filled(world, 2.0, Color32::from_rgba_unmultiplied(20, 22, 28, 200));
    let outline = |rect, color| {
        painter.rect_stroke(rect, 1.0, Stroke::new(1.0, color), egui::StrokeKind::Inside);
    };
    outline(world, LINE);
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
}
