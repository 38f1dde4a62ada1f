//! Times of work. All times of a report are taken here, with what the processor counted meanwhile.

use std::time::{Duration, Instant};

use crate::counters::Counters;

#[derive(Default)]
pub(crate) struct Stopwatch {
    counters: Option<Counters>,
    lap: Lap,
}

/// What was measured since the lap before.
#[derive(Clone, Copy, Default)]
pub(crate) struct Lap {
    pub(crate) time: Duration,
    /// Cycles, instructions and mispredicted branches, if all of the work was counted.
    pub(crate) counts: Option<[f64; 3]>,
}

impl Stopwatch {
    /// One that counts, too, where that is possible.
    pub(crate) fn with(counters: Option<Counters>) -> Self {
        Self { counters, lap: Lap::default() }
    }

    /// Times work and adds its time to those of the lap.
    pub(crate) fn time<T>(&mut self, work: impl FnOnce() -> T) -> T {
        let is_first = self.lap.time.is_zero();
        if let Some(counters) = &mut self.counters {
            counters.start();
        }
        let start = Instant::now();
        let result = work();
        self.lap.time += start.elapsed();
        let counts = self.counters.as_mut().and_then(Counters::stop);
        self.lap.counts = sum(if is_first { Some([0.0; 3]) } else { self.lap.counts }, counts);
        result
    }

    /// Adds a time that another clock took, without counts.
    pub(crate) fn add(&mut self, time: Duration) {
        self.lap.time += time;
        self.lap.counts = None;
    }

    /// Ends the lap and begins the next.
    pub(crate) fn lap(&mut self) -> Lap {
        std::mem::take(&mut self.lap)
    }
}

fn sum(a: Option<[f64; 3]>, b: Option<[f64; 3]>) -> Option<[f64; 3]> {
    let (a, b) = a.zip(b)?;
    Some([a[0] + b[0], a[1] + b[1], a[2] + b[2]])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn work() {
        std::hint::black_box((0..100_000_u64).fold(0, |sum, k| std::hint::black_box(sum ^ k)));
    }

    #[test]
    fn a_lap_has_all_times_since_the_one_before() {
        let mut watch = Stopwatch::default();
        watch.time(work);
        let once = watch.lap();
        assert!(once.time > Duration::ZERO && once.counts.is_none());
        watch.add(Duration::from_secs(2));
        watch.add(Duration::from_secs(3));
        assert_eq!(watch.lap().time, Duration::from_secs(5));
        assert_eq!(watch.lap().time, Duration::ZERO);
    }

    #[test]
    fn a_lap_is_counted_where_the_system_counts_and_says_why_where_it_does_not() {
        match Counters::open() {
            Ok(counters) => {
                let mut watch = Stopwatch::with(Some(counters));
                watch.time(work);
                let [cycles, instructions, _] = watch.lap().counts.expect("counts");
                assert!(cycles > 1.0e4 && instructions > 1.0e5, "{cycles} {instructions}");
                watch.time(work);
                watch.time(work);
                let [_, twice, _] = watch.lap().counts.expect("counts");
                assert!((twice / instructions - 2.0).abs() < 0.2, "{twice} {instructions}");
            }
            Err(why) => assert!(why.len() > 5, "{why}"),
        }
    }

    #[test]
    fn a_lap_of_which_a_part_is_not_counted_has_no_counts() {
        assert_eq!(sum(Some([1.0; 3]), Some([2.0, 3.0, 4.0])), Some([3.0, 4.0, 5.0]));
        assert_eq!(sum(Some([1.0; 3]), None), None);
        assert_eq!(sum(None, Some([1.0; 3])), None);
    }
}
