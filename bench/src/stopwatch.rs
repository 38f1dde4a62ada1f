use std::time::{Duration, Instant};

#[derive(Default)]
pub(crate) struct Stopwatch {
    lap: Duration,
    latest: Duration,
}

impl Stopwatch {
    pub(crate) fn time<T>(&mut self, work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = work();
        self.add(start.elapsed());
        result
    }

    pub(crate) fn add(&mut self, time: Duration) {
        self.latest = time;
        self.lap += time;
    }

    pub(crate) fn latest(&self) -> Duration {
        self.latest
    }

    /// Returns the total time measured in this lap and starts the next lap.
    pub(crate) fn lap(&mut self) -> Duration {
        std::mem::take(&mut self.lap)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lap_has_all_times_since_the_one_before() {
        let mut watch = Stopwatch::default();
        watch.time(|| std::thread::sleep(Duration::from_millis(1)));
        assert!(watch.lap() >= Duration::from_millis(1));
        watch.add(Duration::from_secs(2));
        watch.add(Duration::from_secs(3));
        assert_eq!(watch.latest(), Duration::from_secs(3));
        assert_eq!(watch.lap(), Duration::from_secs(5));
        assert_eq!(watch.lap(), Duration::ZERO);
    }
}
