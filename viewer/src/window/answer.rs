//! The headline over the picture: the number of agents, the speed, and how much longer the other
//! neighbor search would take.

use egui::{Align2, FontId, Ui, pos2, vec2};
use flockwork::Partition;

use super::profiler::{Profiler, rate};
use super::style::{BACKDROP, TEXT};
use crate::session::frame::Frame;

const MARGIN: [f32; 2] = [16.0, 12.0];
/// Font sizes. The first that fits on one line is used, or else the last.
const SIZES: [f32; 4] = [24.0, 20.0, 16.0, 13.0];

/// `covered` is the width of the panel at the right, in points.
pub(super) fn show(ui: &Ui, frame: &Frame, profiler: &Profiler, covered: f32) {
    let painter = ui.ctx().layer_painter(egui::LayerId::background());
    let width = (ui.ctx().content_rect().width() - covered - 2.0 * MARGIN[0]).max(1.0);
    let words = words(frame, profiler.step(), profiler.rates().1);
    let laid_out = |size| painter.layout(words.clone(), FontId::proportional(size), TEXT, width);
    let mut fitting = SIZES.into_iter().map(laid_out);
    let last = laid_out(SIZES[SIZES.len() - 1]);
    let galley = fitting.find(|galley| galley.rows.len() == 1).unwrap_or(last);
    let rect = Align2::LEFT_TOP.anchor_size(pos2(MARGIN[0], MARGIN[1]), galley.size());
    painter.rect_filled(rect.expand2(vec2(8.0, 4.0)), 6.0, BACKDROP);
    painter.galley(rect.min, galley, TEXT);
}

fn words(frame: &Frame, milliseconds: f32, steps_per_second: f32) -> String {
    let agents = frame.view.x.len();
    let mut parts =
        vec![format!("{} agent{}", grouped(agents), if agents == 1 { "" } else { "s" })];
    if milliseconds > 0.0 {
        parts.push(format!("{milliseconds:.2} ms per step"));
    }
    match frame.readings.hash {
        Some(_) => parts.push("paused".into()),
        None if steps_per_second > 0.0 => {
            parts.push(format!("{} steps/s", rate(steps_per_second)));
        }
        None => {}
    }
    if let Some(other) = frame.readings.comparison.filter(|_| milliseconds > 0.0) {
        let step = other.current_ms.unwrap_or_else(|| f64::from(milliseconds));
        parts.push(match frame.controls.partition {
            Partition::AllPairs => {
                format!("all pairs: {} × as long as cells", times(step / other.milliseconds))
            }
            _ if other.sample_size < agents => format!(
                "all pairs: {} × as long (from {} agents)",
                times(other.milliseconds / step),
                grouped(other.sample_size)
            ),
            _ => format!("all pairs: {} × as long", times(other.milliseconds / step)),
        });
    }
    parts.join("   ")
}

pub(super) fn grouped(number: usize) -> String {
    indicatif::HumanCount(number as u64).to_string()
}

pub(super) fn times(factor: f64) -> String {
    if factor < 9.95 { format!("{factor:.1}") } else { grouped(factor.round() as usize) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Session;
    use crate::session::comparison::Comparison;

    #[test]
    fn the_line_says_how_many_how_fast_and_how_much_longer_all_pairs_take() {
        let mut frame = Session::named("flock").new_frame();
        assert_eq!(words(&frame, 0.0, 0.0), "600 agents", "before the first step");
        let compared = |milliseconds, sample_size| {
            let current_ms = (sample_size == 600).then_some(0.5);
            Some(Comparison { milliseconds, current_ms, sample_size })
        };
        frame.readings.comparison = compared(2.0, 600);
        let said = words(&frame, 0.7, 60.0);
        assert_eq!(said, "600 agents   0.70 ms per step   60 steps/s   all pairs: 4.0 × as long");
        frame.readings.comparison = compared(2_000.0, 100);
        assert!(words(&frame, 0.5, 60.0).ends_with("all pairs: 4,000 × as long (from 100 agents)"));
        frame.controls.partition = Partition::AllPairs;
        frame.readings.comparison = compared(0.5, 599);
        assert!(words(&frame, 6.0, 60.0).ends_with("all pairs: 12 × as long as cells"));
        frame.readings.hash = Some(1);
        assert!(words(&frame, 6.0, 60.0).contains("paused"));
    }

    #[test]
    fn long_numbers_are_grouped() {
        let numbers = [0, 999, 1_000, 123_456, 100_000_000].map(grouped);
        assert_eq!(numbers, ["0", "999", "1,000", "123,456", "100,000,000"]);
        assert_eq!([0.26, 9.94, 9.96, 1_234.5].map(times), ["0.3", "9.9", "10", "1,235"]);
    }

    #[test]
    fn the_line_fits_into_windows_of_any_width() {
        let mut frame = Session::named("flock").new_frame();
        frame.readings.comparison =
            Some(Comparison { milliseconds: 1.0e6, current_ms: None, sample_size: 4_096 });
        for width in [60.0, 300.0, 640.0, 3_840.0] {
            let screen = egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(width, 400.0));
            let input = egui::RawInput { screen_rect: Some(screen), ..egui::RawInput::default() };
            let mut profiler = Profiler::default();
            profiler.record(&[9.0], None);
            let draw = |ui: &mut Ui| show(ui, &frame, &profiler, 0.0);
            let shapes = egui::Context::default().run_ui(input, draw).shapes;
            let text = shapes.iter().find_map(|clipped| match &clipped.shape {
                egui::Shape::Text(text) => Some(text.visual_bounding_rect()),
                _ => None,
            });
            assert!(text.unwrap().right() <= width, "{width}: {text:?}");
        }
    }
}
