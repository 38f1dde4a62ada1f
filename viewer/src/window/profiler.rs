//! How long everything takes, over the last couple of seconds.

use std::collections::VecDeque;
use std::time::Duration;

use flockwork::StageTimes;

use crate::session::statistics::Survey;

/// What is timed, first of a step, then of a frame, and what it is.
pub(crate) const STAGES: [(&str, &str); 7] = [
    ("sort", "sorting the crowd into cells"),
    ("steer, move", "steering and moving every agent, in one pass"),
    ("part", "pushing overlapping agents apart"),
    ("smooth", "smoothing headings"),
    ("look", "copying what is drawn, and explaining; on the simulation's thread"),
    ("draw", "drawing the picture"),
    ("present", "the panel, and showing it all"),
];
/// What is timed now and then.
pub(crate) const SURVEY: (&str, &str) =
    ("survey", "counting neighbors, now and then; on the simulation's thread");
/// Frames that are remembered.
const FRAMES: usize = 120;
/// A longer time between two frames was a rest.
const LONGEST: Duration = Duration::from_millis(500);

/// Milliseconds of each stage: of a step for those of the engine, of a frame for the rest.
pub(crate) type Row = [f32; STAGES.len()];
/// How many of the stages are of a step.
pub(crate) const OF_A_STEP: usize = 4;

#[derive(Default)]
pub(crate) struct Meter {
    rows: VecDeque<Row>,
    /// Steps taken in each of the same frames.
    taken: VecDeque<usize>,
    /// The rows of the last frames with a step, which a long rest does not displace.
    stepped: VecDeque<Row>,
    /// Real time between frames, in seconds.
    frame_times: VecDeque<f32>,
    /// How well the crowd was aligned.
    orders: VecDeque<f32>,
    /// The step of the latest survey.
    surveyed: Option<u64>,
}

fn milliseconds(time: Duration) -> f32 {
    time.as_secs_f32() * 1.0e3
}

impl Meter {
    /// Notes a frame.
    pub(crate) fn note(
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
            mean(|times| times.part),
            mean(|times| times.smooth),
            milliseconds(look),
            milliseconds(draw),
            milliseconds(present),
        ];
        push(&mut self.rows, row);
        push(&mut self.taken, steps.len());
        push(&mut self.frame_times, since_last.min(LONGEST).as_secs_f32());
        if !steps.is_empty() {
            push(&mut self.stepped, row);
        }
    }

    /// Notes a survey, once.
    pub(crate) fn note_survey(&mut self, survey: &Survey) {
        if self.surveyed.replace(survey.tick) == Some(survey.tick) {
            return;
        }
        push(&mut self.orders, survey.order as f32);
    }

    /// How well the crowd was aligned, from 0 to 1, oldest first.
    pub(crate) fn orders(&self) -> impl ExactSizeIterator<Item = f32> + '_ {
        self.orders.iter().copied()
    }

    /// The median of every stage, over frames that had one.
    pub(crate) fn medians(&self) -> Row {
        std::array::from_fn(|stage| {
            let rows = if stage < OF_A_STEP { &self.stepped } else { &self.rows };
            let times = rows.iter().map(|row| row[stage]).filter(|&time| time > 0.0);
            median(times.collect())
        })
    }

    /// Milliseconds of a step, oldest first.
    pub(crate) fn steps(&self) -> Vec<f32> {
        self.stepped.iter().map(|row| row[..OF_A_STEP].iter().sum()).collect()
    }

    /// Milliseconds of all that is done for a frame but steps, oldest first.
    pub(crate) fn frames(&self) -> Vec<f32> {
        self.rows.iter().map(|row| row[OF_A_STEP..].iter().sum()).collect()
    }

    /// Frames per second and steps per second.
    pub(crate) fn rates(&self) -> (f32, f32) {
        let seconds: f32 = self.frame_times.iter().sum();
        let per_second = |count: usize| if seconds > 0.0 { count as f32 / seconds } else { 0.0 };
        (per_second(self.frame_times.len()), per_second(self.taken.iter().sum()))
    }
}

/// Adds a value, and forgets the oldest if there are enough.
fn push<T>(values: &mut VecDeque<T>, value: T) {
    if values.len() == FRAMES {
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
    fn medians_pass_over_frames_without_a_step_and_old_frames_are_forgotten() {
        let mut meter = Meter::default();
        let ms = Duration::from_millis;
        let step = StageTimes { sort: ms(2), steer: ms(6), ..StageTimes::default() };
        for k in 0..300 {
            let steps = if k % 2 == 0 { vec![step, step] } else { Vec::new() };
            meter.note(&steps, [ms(4), ms(3), ms(1)], ms(10));
        }
        assert_eq!(meter.medians(), [2.0, 6.0, 0.0, 0.0, 4.0, 3.0, 1.0]);
        assert_eq!(meter.frames(), [8.0; FRAMES]);
        assert_eq!(meter.steps(), [8.0; FRAMES], "of one step, not of two");
        let (frames, steps) = meter.rates();
        assert!((frames - 100.0).abs() < 0.1 && (steps - 100.0).abs() < 0.1);
    }

    #[test]
    fn a_long_rest_keeps_the_last_known_times_of_a_step() {
        let mut meter = Meter::default();
        let ms = Duration::from_millis;
        let step = StageTimes { steer: ms(6), ..StageTimes::default() };
        meter.note(&[step], [ms(5), ms(3), ms(1)], ms(10));
        for _ in 0..2 * FRAMES {
            meter.note(&[], [ms(5), ms(4), ms(2)], ms(10));
        }
        assert_eq!(meter.medians(), [0.0, 6.0, 0.0, 0.0, 5.0, 4.0, 2.0]);
        assert_eq!(meter.rates().1, 0.0, "it takes no steps now");
    }

    #[test]
    fn a_survey_is_noted_once() {
        let mut meter = Meter::default();
        for (tick, order) in [(0, 0.5), (0, 0.5), (9, 0.75), (9, 0.75)] {
            let mut survey = Survey::default();
            (survey.tick, survey.order) = (tick, order);
            meter.note_survey(&survey);
        }
        assert_eq!(meter.orders().collect::<Vec<_>>(), [0.5, 0.75]);
    }
}
