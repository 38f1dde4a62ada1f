use std::collections::VecDeque;
use std::time::Duration;

const MAX_FRAMES: usize = 120;
/// Rates are averaged over this many seconds, or over two frames if two frames take longer.
const RATE_SECONDS: f32 = 2.0;

#[derive(Default)]
pub(crate) struct Profiler {
    /// Mean step time of each frame, in milliseconds. Frames without steps are left out,
    /// so that a long pause does not displace earlier times.
    times: VecDeque<f32>,
    /// Number of steps per frame, and real seconds since the previous frame.
    pace: VecDeque<(usize, f32)>,
    /// True if the next frame is the first after a pause. Rates leave out that frame.
    resumes: bool,
}

impl Profiler {
    /// Records how long each step of a frame took, in milliseconds. `since_last` is the time since
    /// the previous frame, or None while the crowd is paused.
    pub(crate) fn record(&mut self, steps: &[f32], since_last: Option<Duration>) {
        if !steps.is_empty() {
            self.times.truncate(MAX_FRAMES - 1);
            self.times.push_front(steps.iter().sum::<f32>() / steps.len() as f32);
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

    /// Median milliseconds per step; 0 before the first step.
    pub(crate) fn step(&self) -> f32 {
        let mut times: Vec<f32> = self.times.iter().copied().collect();
        times.sort_by(f32::total_cmp);
        times.get(times.len() / 2).copied().unwrap_or(0.0)
    }

    pub(crate) fn rates(&self) -> (f32, f32) {
        let seconds: f32 = self.pace.iter().map(|one| one.1).sum();
        let per_second = |count: usize| if seconds > 0.0 { count as f32 / seconds } else { 0.0 };
        (per_second(self.pace.len()), per_second(self.pace.iter().map(|one| one.0).sum()))
    }
}

pub(crate) fn rate(per_second: f32) -> String {
    let decimals = match per_second {
        ..1.0 => 2,
        ..10.0 => 1,
        _ => 0,
    };
    format!("{per_second:.decimals$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: fn(u64) -> Duration = Duration::from_millis;

    #[test]
    fn medians_skip_frames_without_a_step_and_old_frames_are_dropped() {
        let mut profiler = Profiler::default();
        for k in 0..300 {
            profiler.record(if k % 2 == 0 { &[7.0, 9.0] } else { &[] }, Some(MS(10)));
        }
        assert_eq!((profiler.step(), profiler.times.len()), (8.0, MAX_FRAMES));
        let (frames, steps) = profiler.rates();
        assert!((frames - 100.0).abs() < 0.1 && (steps - 100.0).abs() < 1.0);
    }

    #[test]
    fn a_long_pause_keeps_the_last_step_times() {
        let mut profiler = Profiler::default();
        profiler.record(&[6.0], Some(MS(10)));
        for _ in 0..2 * MAX_FRAMES {
            profiler.record(&[], None);
        }
        assert_eq!(profiler.step(), 6.0);
        assert_eq!(profiler.rates().1, 0.0, "it takes no steps now");
    }

    /// Regression: a frame's time was capped at half a second, so no rate fell below two per second.
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
