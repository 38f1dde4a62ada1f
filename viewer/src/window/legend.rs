use egui::{
    Color32, FontId, Painter, Rect, Sense, Shape, Stroke, TextStyle, Ui, UiBuilder, Vec2, vec2,
};

use super::{BACKDROP, TEXT, color32};
use crate::picture::camera::{Camera, round_length};
use crate::picture::explanation::Explained;
use crate::picture::roles::Style;
use crate::picture::view::ColorBy;
use crate::raster::{self, Color, unweighted};
use crate::session::frame::Frame;

const LINE: Color32 = Color32::from_rgb(150, 158, 176);
const MARGIN: f32 = 12.0;
const GAP: f32 = 6.0;
const GRAY: Color = [165.0; 3];
/// Maximum number of species listed. More would not fit, and their colors would repeat.
const MAX_SPECIES: usize = 8;
/// Maximum length of the scale bar, in points.
const WIDTH: f32 = 110.0;
/// Directions of headings, counterclockwise from the right in steps of 45°.
const HEADINGS: [&str; 8] = ["→", "↗", "↑", "↖", "←", "↙", "↓", "↘"];
const BLOCKS: usize = 14;

/// Shows a scale bar, and above it the meaning of marks and colors while it is `open`. `covered` is
/// the width of the panel on the right, in points.
pub(super) fn show(ui: &mut Ui, frame: &Frame, camera: &Camera, covered: f32, open: &mut bool) {
    let window = ui.ctx().content_rect();
    if window.width() - covered < 3.0 * WIDTH {
        return;
    }
    let unfolded = *open;
    let draw = |mut ui: Ui| {
        let popup = egui::Frame::popup(ui.style()).fill(BACKDROP).stroke(Stroke::NONE);
        let over_picture = popup.show(&mut ui, |ui| {
            ui.spacing_mut().item_spacing = vec2(6.0, 0.0);
            ui.spacing_mut().interact_size.y = 15.0;
            if unfolded {
                rows(ui, frame);
            }
            let row = ui.horizontal(|ui| {
                let (sign, hint) =
                    if unfolded { ("×", "fold") } else { ("?", "marks and colors") };
                let clicked = ui.small_button(sign).on_hover_text(hint).clicked();
                bar(ui, camera);
                clicked
            });
            row.inner
        });
        (over_picture.response.rect.size(), over_picture.inner)
    };
    // Lays out an invisible legend first to measure its size, because the number of rows can change
    // between frames.
    let (size, _) =
        draw(ui.new_child(UiBuilder::new().id_salt("size").max_rect(window).invisible()));
    let corner = window.right_bottom() - vec2(covered + MARGIN, MARGIN) - size;
    let place = Rect::from_min_size(corner.floor(), size);
    let (_, clicked) = draw(ui.new_child(UiBuilder::new().max_rect(place)));
    *open ^= clicked;
}

fn rows(ui: &mut Ui, Frame { view, controls, readings, .. }: &Frame) {
    let explained = view.explained.first().map(Explained::legend).unwrap_or_default();
    for (mark, tint, meaning) in explained {
        line(ui, &[(mark, Some(tint.color.map(f32::from))), (meaning, None)]);
    }
    let color_by = controls.look.color_by;
    let kinds = &readings.original.species;
    for (number, kind) in kinds.iter().enumerate().take(MAX_SPECIES) {
        let style = view.roles.get(number).map(|role| role.style).unwrap_or_default();
        let shows_species = color_by == ColorBy::Species;
        if shows_species || kinds.len() > 1 {
            let color = if shows_species { raster::species(number) } else { GRAY };
            beside(ui, vec2(12.0, 12.0), &kind.name, |painter, rect| {
                triangle(painter, rect, style, color32(color));
            });
        }
    }
    if kinds.len() > MAX_SPECIES {
        line(ui, &[(&format!("… and {} more", kinds.len() - MAX_SPECIES), None)]);
    }
    match color_by {
        ColorBy::Heading => {
            let arrows = HEADINGS.into_iter().enumerate().map(|(k, arrow)| {
                let (sin, cos) = (k as f32 * std::f32::consts::FRAC_PI_4).sin_cos();
                (arrow, Some(unweighted(raster::heading(cos, sin))))
            });
            line(ui, &arrows.chain([("heading", None)]).collect::<Vec<_>>());
        }
        ColorBy::Speed => {
            let blocks = (0..BLOCKS).map(|k| k as f32 / (BLOCKS - 1) as f32);
            let blocks = blocks.map(|share| ("█", Some(raster::share(share))));
            let parts = [("0", None)].into_iter().chain(blocks).chain([("max speed", None)]);
            line(ui, &parts.collect::<Vec<_>>());
        }
        ColorBy::Species => {}
    }
    if view.projection.is_turned() {
        line(ui, &[("larger and brighter: nearer", None)]);
    }
}

fn bar(ui: &mut Ui, camera: &Camera) {
    let points_per_unit = camera.zoom / ui.ctx().pixels_per_point();
    let length = round_length(WIDTH / points_per_unit);
    let size = vec2(length * points_per_unit, 7.0);
    beside(ui, size, &format!("{length} units"), |painter, rect| {
        let stroke = Stroke::new(1.0, LINE);
        painter.hline(rect.x_range(), rect.center().y, stroke);
        for x in [rect.left(), rect.right()] {
            painter.vline(x, rect.y_range(), stroke);
        }
    });
}

fn triangle(painter: &Painter, rect: Rect, style: Style, color: Color32) {
    let fill = if style == Style::Hollow { Color32::TRANSPARENT } else { color };
    let line = if style == Style::Outlined { Color32::WHITE } else { color };
    let corners = vec![rect.right_center(), rect.left_bottom(), rect.left_top()];
    painter.add(Shape::convex_polygon(corners, fill, Stroke::new(1.5, line)));
    if style == Style::Cored {
        painter.circle_filled(rect.center() - vec2(1.5, 0.0), 2.0, Color32::WHITE);
    }
}

fn beside(ui: &mut Ui, size: Vec2, words: &str, draw: impl FnOnce(&Painter, Rect)) {
    ui.horizontal(|ui| {
        let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
        draw(ui.painter(), rect);
        line(ui, &[(words, None)]);
    });
}

/// Lays out colored symbols and words with gaps between them.
/// Symbols are centered on the letters, because fonts place them at different heights.
/// The text is painted directly, because labels would be selectable.
fn line(ui: &mut Ui, parts: &[(&str, Option<Color>)]) {
    // The monospace font has every symbol that the legend uses.
    let [letters, signs] =
        [TextStyle::Small, TextStyle::Monospace].map(|style| style.resolve(ui.style()));
    let layout = |text: &str, font: &FontId, color| {
        ui.painter().layout_no_wrap(text.to_owned(), font.clone(), color)
    };
    let middle = layout("H", &letters, TEXT).mesh_bounds.center().y;
    let laid_out = parts.iter().map(|&(text, color)| {
        let Some(color) = color else { return (layout(text, &letters, TEXT), middle) };
        let sign = layout(text, &signs, color32(color));
        let middle = sign.mesh_bounds.center().y;
        (sign, middle)
    });
    let laid_out: Vec<_> = laid_out.collect();
    let width = laid_out.iter().map(|(text, _)| text.size().x + GAP).sum::<f32>() - GAP;
    let size = vec2(width, ui.spacing().interact_size.y);
    let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
    let mut at = rect.left_center();
    for (text, middle) in laid_out {
        let next = at + vec2(text.size().x + GAP, 0.0);
        ui.painter().galley(at - vec2(0.0, middle), text, TEXT);
        at = next;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Session;
    use egui::Pos2;

    const WINDOW: Rect = Rect { min: Pos2::ZERO, max: egui::pos2(1_000.0, 700.0) };

    fn texts(context: &egui::Context, frame: &Frame) -> Vec<egui::epaint::TextShape> {
        shown(context, frame, true).0
    }

    /// Texts of the legend, and the size of its background.
    fn shown(
        context: &egui::Context,
        frame: &Frame,
        open: bool,
    ) -> (Vec<egui::epaint::TextShape>, Vec2) {
        let camera = Camera::new([50.0, 50.0], 1.0, [100.0, 100.0]);
        let input = egui::RawInput { screen_rect: Some(WINDOW), ..egui::RawInput::default() };
        let draw = |ui: &mut Ui| show(ui, frame, &camera, 0.0, &mut { open });
        let shapes = context.run_ui(input, draw).shapes;
        let mut size = Vec2::ZERO;
        let texts = shapes.into_iter().filter_map(|clipped| match clipped.shape {
            egui::Shape::Text(text) => Some(text),
            egui::Shape::Rect(rect) => {
                size = size.max(rect.rect.size());
                None
            }
            _ => None,
        });
        (texts.collect(), size)
    }

    fn frames() -> [Box<Frame>; 2] {
        let mut session = Session::named("seek");
        let without = session.new_frame();
        session.explain(Some(0));
        (0..20).for_each(|_| session.step());
        [without, session.new_frame()]
    }

    /// Regression: the legend hid one of the three groups of `arrive`.
    #[test]
    fn the_legend_folds_and_covers_at_most_a_twentieth_of_the_window() {
        let area = |size: Vec2| size.x * size.y / (1_280.0 * 720.0);
        for name in flockwork::Scene::names() {
            let scene = flockwork::Scene::named(name).unwrap();
            let agents = scene.agents_at_start().min(2_000);
            let mut session = Session::of(scene.agents(agents).build().unwrap(), Vec::new());
            session.explain(Some(0));
            session.step();
            let frame = session.new_frame();
            let context = egui::Context::default();
            let (texts, folded) = shown(&context, &frame, false);
            assert_eq!(texts[0].galley.text(), "?", "{name}");
            assert!(area(folded) < 0.01, "{name}: {folded}");
            let (texts, open) = shown(&context, &frame, true);
            assert!(texts.len() > 12 && area(open) > area(folded), "{name}");
            assert!(area(open) <= 0.05, "{name}: {open}");
        }
    }

    /// Regression: circles, boxes and arrows around a picked agent had no legend.
    #[test]
    fn the_window_says_what_the_marks_of_an_explanation_mean() {
        let [without, with] = frames().map(|frame| {
            let texts = texts(&egui::Context::default(), &frame);
            texts.iter().map(|text| text.galley.text().to_owned()).collect::<Vec<_>>().join("; ")
        });
        assert!(!without.contains("force"));
        for part in ["view distance", "force", "cut", "goal"] {
            assert!(with.contains(part), "{part}: {with}");
        }
    }

    /// Regression: the legend was positioned using its size from the previous frame, so it extended
    /// below the window after an agent was picked.
    #[test]
    fn the_legend_is_in_the_window_from_its_first_frame_on() {
        let [without, with] = frames();
        let of = |context: &egui::Context, frame: &Frame| {
            let texts = texts(context, frame);
            texts.last().unwrap().visual_bounding_rect().bottom()
        };
        let context = egui::Context::default();
        let bottom = of(&context, &without);
        assert!(bottom < WINDOW.bottom() - MARGIN, "{bottom}");
        for context in [context, egui::Context::default()] {
            assert_eq!(of(&context, &with), bottom);
            assert_eq!(of(&context, &without), bottom);
        }
    }

    /// Regression: with 40 species, the legend extended above the window.
    #[test]
    fn many_species_fit_into_the_window() {
        let mut scene = flockwork::Scene::named("flock").unwrap();
        let fish = scene.species[0].clone();
        scene.species.extend((1..40).map(|k| flockwork::Species {
            name: format!("fish-{k}"),
            agents: 2,
            ..fish.clone()
        }));
        let frame = Session::of(scene.build().unwrap(), Vec::new()).new_frame();
        let texts = texts(&egui::Context::default(), &frame);
        let words = texts.iter().map(|text| text.galley.text()).collect::<Vec<_>>().join("; ");
        assert!(words.contains("fish-7; … and 32 more"), "{words}");
        assert!(texts.iter().all(|text| WINDOW.contains_rect(text.visual_bounding_rect())));
    }

    #[test]
    fn signs_are_beside_the_middle_of_their_words() {
        let [_, with] = frames();
        let texts = texts(&egui::Context::default(), &with);
        let rows: Vec<_> =
            texts.chunks(2).take_while(|row| row[1].galley.text().chars().count() > 1).collect();
        assert!(rows.len() > 6);
        for row in rows {
            let [sign, words] = [0, 1].map(|k| row[k].visual_bounding_rect());
            let away = sign.center().y - (words.top() + 3.5);
            assert!(away.abs() <= 1.0, "{}: {away}", row[0].galley.text());
        }
    }
}
