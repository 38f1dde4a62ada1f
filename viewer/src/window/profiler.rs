//! How long everything takes, over the last couple of seconds.

use std::collections::VecDeque;
use std::time::Duration;

use flockwork::StageTimes;

use crate::session::stepping::stages;

/// The timed stages and their descriptions: first those of a step, then those of a frame.
pub(crate) const STAGES: [(&str, &str); 7] = [
    ("sort", "sorting the crowd into cells"),
    ("steer, move", "steering and moving every agent, in one pass"),
    ("push apart", "non-penetration: pushing overlapping agents apart"),
    ("smooth", "smoothing headings"),
    ("look", "copying what is drawn, and explanations; on the simulation's thread"),
    ("draw", "drawing the picture"),
    ("present", "the panel, and presenting the picture"),
];
/// Number of frames that are remembered.
const MAX_FRAMES: usize = 120;
/// Rates are those of this many seconds, or of two frames if these take longer.
const RATE_SECONDS: f32 = 2.0;

/// How many of the stages belong to a step.
const STEP_STAGES: usize = 4;

#[derive(Default)]
pub(crate) struct Profiler {
    /// What each stage took in the latest frames that ran it: a long pause does not displace steps.
    times: [VecDeque<f32>; STAGES.len()],
    /// The steps of the latest frames, and the real seconds since the frames before.
    pace: VecDeque<(usize, f32)>,
    /// Whether the next frame is the first after a pause, which counts for no rate.
    resumes: bool,
}

impl Profiler {
    /// Records a frame; with the time since the previous one, unless the crowd stands still.
    pub(crate) fn record(
        &mut self,
        steps: &[StageTimes],
        [look, draw, present]: [Duration; 3],
        since_last: Option<Duration>,
    ) {
        let mut mean = [0.0; STEP_STAGES];
        for step in steps {
            let stages = mean.iter_mut().zip(stages(*step));
            stages.for_each(|(mean, time)| *mean += time as f32 / steps.len() as f32);
        }
        let frame = [look, draw, present].map(|time| 1.0e3 * time.as_secs_f32());
        for (times, taken) in self.times.iter_mut().zip(mean.into_iter().chain(frame)) {
            if taken > 0.0 {
                times.truncate(MAX_FRAMES - 1);
                times.push_front(taken);
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

    /// The median of every stage, over the frames that ran it; 0 if none did.
    pub(crate) fn medians(&self) -> [f32; STAGES.len()] {
        self.times.each_ref().map(|times| {
            let mut times: Vec<f32> = times.iter().copied().collect();
            times.sort_by(f32::total_cmp);
            times.get(times.len() / 2).copied().unwrap_or(0.0)
        })
    }

    /// Milliseconds of a step; 0 before the first.
    pub(crate) fn step(&self) -> f32 {
        self.medians()[..STEP_STAGES].iter().sum()
    }

    /// Milliseconds of a frame without its steps.
    pub(crate) fn frame(&self) -> f32 {
        self.medians()[STEP_STAGES..].iter().sum()
    }

    /// Frames per second and steps per second.
    pub(crate) fn rates(&self) -> (f32, f32) {
        let seconds: f32 = self.pace.iter().map(|one| one.1).sum();
        let per_second = |count: usize| if seconds > 0.0 { count as f32 / seconds } else { 0.0 };
        (per_second(self.pace.len()), per_second(self.pace.iter().map(|one| one.0).sum()))
    }
}

/// A number per second in words.
pub(crate) fn rate(per_second: f32) -> String {
    let decimals = match per_second {
        ..1.0 => 2,
        ..10.0 => 1,
        _ => 0,
    };
    format!("{per_second:.decimals$}")
}

/// Milliseconds in words; nothing takes none.
pub(crate) fn time(milliseconds: f32) -> String {
    if milliseconds > 0.0 { format!("{milliseconds:.2} ms") } else { "– ms".into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_skip_frames_without_a_step_and_old_frames_are_dropped() {
        let mut profiler = Profiler::default();
        let ms = Duration::from_millis;
        let step = StageTimes { sort: ms(2), steer: ms(6), ..StageTimes::default() };
        for k in 0..300 {
            let steps = if k % 2 == 0 { vec![step, step] } else { Vec::new() };
            profiler.record(&steps, [ms(4), ms(3), ms(1)], Some(ms(10)));
        }
        assert_eq!(profiler.medians(), [2.0, 6.0, 0.0, 0.0, 4.0, 3.0, 1.0]);
        assert!(profiler.times.iter().all(|times| [0, MAX_FRAMES].contains(&times.len())));
        assert_eq!((profiler.step(), profiler.frame()), (8.0, 8.0), "of one step, not of two");
        let (frames, steps) = profiler.rates();
        assert!((frames - 100.0).abs() < 0.1 && (steps - 100.0).abs() < 1.0);
    }

    #[test]
    fn a_long_pause_keeps_the_last_step_times() {
        let mut profiler = Profiler::default();
        let ms = Duration::from_millis;
        let step = StageTimes { steer: ms(6), ..StageTimes::default() };
        profiler.record(&[step], [ms(5), ms(3), ms(1)], Some(ms(10)));
        for _ in 0..2 * MAX_FRAMES {
            profiler.record(&[], [ms(5), ms(4), ms(2)], None);
        }
        assert_eq!(profiler.medians(), [0.0, 6.0, 0.0, 0.0, 5.0, 4.0, 2.0]);
        assert_eq!(profiler.rates().1, 0.0, "it takes no steps now");
    }

    /// A frame counted for half a second at most, so no rate was below two per second.
    #[test]
    fn rates_below_two_per_second_are_real() {
        let mut profiler = Profiler::default();
        let ms = Duration::from_millis;
        let step = StageTimes { steer: ms(3_900), ..StageTimes::default() };
        let mut frame = |steps: &[StageTimes], since| {
            profiler.record(steps, [ms(5), ms(4), ms(2)], since);
            profiler.rates()
        };
        frame(&[step], Some(ms(10)));
        for _ in 0..9 {
            frame(&[step], Some(ms(4_000)));
        }
        assert_eq!(frame(&[step], Some(ms(4_000))), (0.25, 0.25));
        // A pause is no slow frame.
        assert_eq!(frame(&[], None), (0.0, 0.0));
        assert_eq!(frame(&[step], Some(ms(60_000))), (0.0, 0.0));
        let (_, steps) = frame(&[step; 5], Some(ms(100)));
        assert!((steps - 50.0).abs() < 0.01, "{steps}");
        assert_eq!((rate(0.25), rate(59.7)), ("0.25".into(), "60".into()));
    }
}
