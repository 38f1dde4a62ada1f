//! Shows a headline over the picture: the number of agents, the times of steps and frames, and how
//! many times as long all pairs take. The profiler measures the times.

use std::collections::VecDeque;
use std::time::Duration;

use egui::{Align2, FontId, Ui, pos2, vec2};
use flockwork::Partition;

use super::{BACKDROP, TEXT};
use crate::session::comparison::{Comparison, Ratio};
use crate::session::frame::Frame;

const MARGIN: [f32; 2] = [16.0, 12.0];
/// Font sizes in points. The headline uses the first that fits on one line, or else the last.
const SIZES: [f32; 4] = [24.0, 20.0, 16.0, 13.0];

/// `covered` is the width of the panel on the right, in points.
pub(super) fn show(ui: &Ui, frame: &Frame, profiler: &Profiler, covered: f32) {
    let painter = ui.ctx().layer_painter(egui::LayerId::background());
    let width = (ui.ctx().content_rect().width() - covered - 2.0 * MARGIN[0]).max(1.0);
    let words = words(frame, profiler);
    let laid_out = |size| painter.layout(words.clone(), FontId::proportional(size), TEXT, width);
    let fitting = SIZES.into_iter().map(laid_out).find(|galley| galley.rows.len() == 1);
    let galley = fitting.unwrap_or_else(|| laid_out(SIZES[SIZES.len() - 1]));
    let rect = Align2::LEFT_TOP.anchor_size(pos2(MARGIN[0], MARGIN[1]), galley.size());
    painter.rect_filled(rect.expand2(vec2(8.0, 4.0)), 6.0, BACKDROP);
    painter.galley(rect.min, galley, TEXT);
}

fn words(frame: &Frame, profiler: &Profiler) -> String {
    let (milliseconds, longest) = (profiler.step(), profiler.longest_step());
    let (frames_per_second, steps_per_second) = profiler.rates();
    let agents = frame.view.x.len();
    let mut parts =
        vec![format!("{} agent{}", grouped(agents), if agents == 1 { "" } else { "s" })];
    if milliseconds > 0.0 {
        parts.push(format!("{milliseconds:.2} ms per step, longest {longest:.2}"));
    }
    match frame.readings.hash {
        Some(_) => parts.push("paused".into()),
        None if steps_per_second > 0.0 => {
            parts.push(format!("{} ms per frame", rate(1.0e3 / frames_per_second)));
            parts.push(format!("{} steps/s", rate(steps_per_second)));
        }
        None => {}
    }
    if let Some(Comparison { ratio, sample_size }) = frame.readings.comparison {
        let factor = match ratio {
            Ratio::Times(factor) => times(factor),
            Ratio::Unknown | Ratio::Busy => "?".into(),
        };
        let like = match frame.controls.partition {
            Partition::AllPairs => " as cells".into(),
            _ if sample_size < agents => format!(" (from {} agents)", grouped(sample_size)),
            _ => String::new(),
        };
        parts.push(match ratio {
            Ratio::Busy => "all pairs: busy machine, no comparison".into(),
            _ => format!("all pairs: {factor} × as long{like}"),
        });
    }
    // Non-breaking spaces: in a narrow window, the text wraps only between these parts.
    let parts: Vec<String> = parts.iter().map(|part| part.replace(' ', "\u{a0}")).collect();
    parts.join("   ")
}

pub(super) fn grouped(number: usize) -> String {
    indicatif::HumanCount(number as u64).to_string()
}

pub(super) fn times(factor: f64) -> String {
    if factor < 9.95 { format!("{factor:.1}") } else { grouped(factor.round() as usize) }
}

/// Rates are averaged over this many seconds, or over two frames if two frames take longer.
const RATE_SECONDS: f32 = 2.0;
/// Times of steps are taken from the latest frames with steps, which cover at most this many
/// seconds.
const STEP_SECONDS: f32 = 10.0;

#[derive(Default)]
pub(crate) struct Profiler {
    /// Real seconds since the previous frame, and the mean and the longest step of the frame in
    /// milliseconds. Frames without steps are omitted, so that a long pause does not displace
    /// earlier times.
    steps: VecDeque<[f32; 3]>,
    /// Number of steps per frame, and real seconds since the previous frame.
    pace: VecDeque<(usize, f32)>,
    /// True if the next frame is the first after a pause. Rates exclude that frame.
    resumes: bool,
}

impl Profiler {
    /// Records the durations of a frame's steps, in milliseconds. `since_last` is the time since
    /// the previous frame, or `None` while the crowd is paused.
    pub(crate) fn record(&mut self, steps: &[f32], since_last: Option<Duration>) {
        if !steps.is_empty() {
            let passed = since_last.unwrap_or_default().as_secs_f32();
            let mean = steps.iter().sum::<f32>() / steps.len() as f32;
            self.steps.push_back([passed, mean, steps.iter().copied().fold(0.0, f32::max)]);
            let total = |steps: &VecDeque<[f32; 3]>| steps.iter().map(|one| one[0]).sum::<f32>();
            while self.steps.len() > 1 && total(&self.steps) > STEP_SECONDS {
                self.steps.pop_front();
            }
        }
        let Some(since_last) = since_last else {
            self.pace.clear();
            self.resumes = true;
            return;
        };
        if !std::mem::take(&mut self.resumes) {
            self.pace.push_back((steps.len(), since_last.as_secs_f32()));
        }
        let rest =
            |pace: &VecDeque<(usize, f32)>| pace.iter().skip(1).map(|one| one.1).sum::<f32>();
        while self.pace.len() > 2 && rest(&self.pace) > RATE_SECONDS {
            self.pace.pop_front();
        }
    }

    /// Returns the median step time in milliseconds, or 0 before the first step.
    pub(crate) fn step(&self) -> f32 {
        let mut times: Vec<f32> = self.steps.iter().map(|one| one[1]).collect();
        times.sort_by(f32::total_cmp);
        times.get(times.len() / 2).copied().unwrap_or(0.0)
    }

    /// Returns the longest recent step in milliseconds, or 0 before the first step.
    pub(crate) fn longest_step(&self) -> f32 {
        self.steps.iter().map(|one| one[2]).fold(0.0, f32::max)
    }

    pub(crate) fn rates(&self) -> (f32, f32) {
        let seconds: f32 = self.pace.iter().map(|one| one.1).sum();
        let per_second = |count: usize| if seconds > 0.0 { count as f32 / seconds } else { 0.0 };
        (per_second(self.pace.len()), per_second(self.pace.iter().map(|one| one.0).sum()))
    }
}

pub(crate) fn rate(per_second: f32) -> String {
    match per_second {
        ..1.0 => format!("{per_second:.2}"),
        ..10.0 => format!("{per_second:.1}"),
        _ => grouped(per_second.round() as usize),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Session;

    #[test]
    fn the_line_says_how_many_how_fast_and_how_much_longer_all_pairs_take() {
        let words =
            |frame: &Frame, profiler: &Profiler| words(frame, profiler).replace('\u{a0}', " ");
        let mut frame = Session::named("flock").new_frame();
        assert_eq!(words(&frame, &Profiler::default()), "600 agents", "before the first step");
        let mut profiler = Profiler::default();
        profiler.record(&[0.7, 0.7], Some(MS(10)));
        for _ in 0..9 {
            profiler.record(&[0.6, 0.8], Some(MS(20)));
        }
        let mut said = |ratio, sample_size| {
            frame.readings.comparison = Some(Comparison { ratio, sample_size });
            words(&frame, &profiler)
        };
        assert!(said(Ratio::Times(4.0), 600).ends_with(
            "600 agents   0.70 ms per step, longest 0.80   19 ms per frame   105 steps/s   \
             all pairs: 4.0 × as long"
        ));
        let from_few = said(Ratio::Times(4_000.0), 100);
        assert!(from_few.ends_with("all pairs: 4,000 × as long (from 100 agents)"), "{from_few}");
        assert!(said(Ratio::Unknown, 600).ends_with("all pairs: ? × as long"));
        assert!(said(Ratio::Busy, 600).ends_with("all pairs: busy machine, no comparison"));
        frame.controls.partition = Partition::AllPairs;
        frame.readings.comparison =
            Some(Comparison { ratio: Ratio::Times(12.0), sample_size: 599 });
        assert!(words(&frame, &profiler).ends_with("all pairs: 12 × as long as cells"));
        frame.readings.hash = Some(1);
        assert!(words(&frame, &profiler).contains("paused"));
    }

    #[test]
    fn the_longest_step_is_that_of_the_last_ten_seconds() {
        let mut profiler = Profiler::default();
        assert_eq!(profiler.longest_step(), 0.0);
        profiler.record(&[3.0, 9.0], Some(MS(500)));
        for _ in 0..18 {
            profiler.record(&[2.0, 4.0], Some(MS(500)));
        }
        assert_eq!(profiler.longest_step(), 9.0);
        profiler.record(&[], Some(MS(500)));
        for _ in 0..2 {
            profiler.record(&[2.0, 4.0], Some(MS(500)));
        }
        assert_eq!(profiler.longest_step(), 4.0);
    }

    #[test]
    fn long_numbers_are_grouped() {
        let numbers = [0, 999, 1_000, 123_456, 100_000_000].map(grouped);
        assert_eq!(numbers, ["0", "999", "1,000", "123,456", "100,000,000"]);
        assert_eq!([0.256, 9.94, 99.6, 12_345.6].map(rate), ["0.26", "9.9", "100", "12,346"]);
        assert_eq!([0.26, 9.94, 9.96, 1_234.5].map(times), ["0.3", "9.9", "10", "1,235"]);
    }

    #[test]
    fn the_line_fits_into_windows_of_any_width() {
        let mut frame = Session::named("flock").new_frame();
        frame.readings.comparison =
            Some(Comparison { ratio: Ratio::Times(1.0e6), sample_size: 4_096 });
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

    const MS: fn(u64) -> Duration = Duration::from_millis;

    #[test]
    fn medians_skip_frames_without_a_step_and_old_frames_are_dropped() {
        let mut profiler = Profiler::default();
        for k in 0..3_000 {
            profiler.record(if k % 2 == 0 { &[7.0, 9.0] } else { &[] }, Some(MS(10)));
        }
        assert_eq!(profiler.step(), 8.0);
        assert!((999..=1_001).contains(&profiler.steps.len()), "{}", profiler.steps.len());
        let (frames, steps) = profiler.rates();
        assert!((frames - 100.0).abs() < 0.1 && (steps - 100.0).abs() < 1.0);
    }

    #[test]
    fn a_long_pause_keeps_the_last_step_times() {
        let mut profiler = Profiler::default();
        profiler.record(&[6.0], Some(MS(10)));
        for _ in 0..2_000 {
            profiler.record(&[], None);
        }
        assert_eq!(profiler.step(), 6.0);
        assert_eq!(profiler.rates().1, 0.0, "it takes no steps now");
    }

    /// Regression: frame times were capped at half a second, so no rate fell below two per second.
    #[test]
    fn rates_below_two_per_second_are_real() {
        let mut profiler = Profiler::default();
        let mut frame = |steps: &[f32], since| {
            profiler.record(steps, since);
            profiler.rates()
        };
        frame(&[3.9e3], Some(MS(10)));
        for _ in 0..9 {
            frame(&[3.9e3], Some(MS(4_000)));
        }
        assert_eq!(frame(&[3.9e3], Some(MS(4_000))), (0.25, 0.25));
        assert_eq!(frame(&[], None), (0.0, 0.0));
        assert_eq!(frame(&[3.9e3], Some(MS(60_000))), (0.0, 0.0));
        let (_, steps) = frame(&[3.9e3; 5], Some(MS(100)));
        assert!((steps - 50.0).abs() < 0.01, "{steps}");
        assert_eq!((rate(0.25), rate(59.7)), ("0.25".into(), "60".into()));
    }
}
