//! How long everything takes, over the last couple of seconds.

use std::collections::VecDeque;
use std::time::Duration;

use flockwork::StageTimes;

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
/// Timed occasionally.
pub(crate) const STATISTICS: (&str, &str) =
    ("statistics", "measuring the crowd, occasionally; on the simulation's thread");
/// Number of frames that are remembered.
const MAX_FRAMES: usize = 120;
/// Longer times between two frames are pauses, not frame times.
const MAX_FRAME_TIME: Duration = Duration::from_millis(500);

/// Milliseconds per stage: per step for the engine's, per frame for the rest.
pub(crate) type Row = [f32; STAGES.len()];
/// How many of the stages belong to a step.
pub(crate) const STEP_STAGES: usize = 4;

#[derive(Default)]
pub(crate) struct Profiler {
    rows: VecDeque<Row>,
    /// Steps taken in each of these frames.
    steps_per_frame: VecDeque<usize>,
    /// The rows of the last frames with a step; a long pause does not displace them.
    step_rows: VecDeque<Row>,
    /// Real time between frames, in seconds.
    frame_times: VecDeque<f32>,
}

fn milliseconds(time: Duration) -> f32 {
    time.as_secs_f32() * 1.0e3
}

impl Profiler {
    /// Records a frame.
    pub(crate) fn record(
        &mut self,
        steps: &[StageTimes],
        [look, draw, present]: [Duration; 3],
        since_last: Duration,
    ) {
        let mean = |stage: fn(&StageTimes) -> Duration| {
            milliseconds(steps.iter().map(stage).sum()) / steps.len().max(1) as f32
        };
        let row = [
            mean(|times| times.sort),
            mean(|times| times.steer),
            mean(|times| times.non_penetration),
            mean(|times| times.smooth),
            milliseconds(look),
            milliseconds(draw),
            milliseconds(present),
        ];
        push(&mut self.rows, row);
        push(&mut self.steps_per_frame, steps.len());
        push(&mut self.frame_times, since_last.min(MAX_FRAME_TIME).as_secs_f32());
        if !steps.is_empty() {
            push(&mut self.step_rows, row);
        }
    }

    /// The median of every stage, over the frames that ran it.
    pub(crate) fn medians(&self) -> Row {
        std::array::from_fn(|stage| {
            let rows = if stage < STEP_STAGES { &self.step_rows } else { &self.rows };
            let times = rows.iter().map(|row| row[stage]).filter(|&time| time > 0.0);
            median(times.collect())
        })
    }

    /// Milliseconds per step, oldest first.
    pub(crate) fn steps(&self) -> Vec<f32> {
        self.step_rows.iter().map(|row| row[..STEP_STAGES].iter().sum()).collect()
    }

    /// Milliseconds per frame without steps, oldest first.
    pub(crate) fn frames(&self) -> Vec<f32> {
        self.rows.iter().map(|row| row[STEP_STAGES..].iter().sum()).collect()
    }

    /// Frames per second and steps per second.
    pub(crate) fn rates(&self) -> (f32, f32) {
        let seconds: f32 = self.frame_times.iter().sum();
        let per_second = |count: usize| if seconds > 0.0 { count as f32 / seconds } else { 0.0 };
        (per_second(self.frame_times.len()), per_second(self.steps_per_frame.iter().sum()))
    }
}

/// Appends a value and drops the oldest if there are too many.
fn push<T>(values: &mut VecDeque<T>, value: T) {
    if values.len() == MAX_FRAMES {
        values.pop_front();
    }
    values.push_back(value);
}

fn median(mut values: Vec<f32>) -> f32 {
    values.sort_by(f32::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
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
            profiler.record(&steps, [ms(4), ms(3), ms(1)], ms(10));
        }
        assert_eq!(profiler.medians(), [2.0, 6.0, 0.0, 0.0, 4.0, 3.0, 1.0]);
        assert_eq!(profiler.frames(), [8.0; MAX_FRAMES]);
        assert_eq!(profiler.steps(), [8.0; MAX_FRAMES], "of one step, not of two");
        let (frames, steps) = profiler.rates();
        assert!((frames - 100.0).abs() < 0.1 && (steps - 100.0).abs() < 0.1);
    }

    #[test]
    fn a_long_pause_keeps_the_last_step_times() {
        let mut profiler = Profiler::default();
        let ms = Duration::from_millis;
        let step = StageTimes { steer: ms(6), ..StageTimes::default() };
        profiler.record(&[step], [ms(5), ms(3), ms(1)], ms(10));
        for _ in 0..2 * MAX_FRAMES {
            profiler.record(&[], [ms(5), ms(4), ms(2)], ms(10));
        }
        assert_eq!(profiler.medians(), [0.0, 6.0, 0.0, 0.0, 5.0, 4.0, 2.0]);
        assert_eq!(profiler.rates().1, 0.0, "it takes no steps now");
    }
}
