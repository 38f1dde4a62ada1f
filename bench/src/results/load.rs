use std::iter::Sum;

use serde::Serialize;

/// Processor time that other processes took during a measurement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub(crate) struct Load {
    pub(crate) others_seconds: f64,
    pub(crate) wall_seconds: f64,
}

/// Maximum processor time of other processes per time of the measurement.
const MAX_LOAD: f64 = 0.05;
/// Linux reports idle time in units of 10 ms.
const RESOLUTION_SECONDS: f64 = 0.01;

impl Load {
    pub(crate) fn is_busy(self) -> bool {
        self.others_seconds - RESOLUTION_SECONDS > MAX_LOAD * self.wall_seconds
    }

    /// Load caused by other processes, in percent of one core.
    pub(crate) fn percent(self) -> f64 {
        100.0 * self.others_seconds / self.wall_seconds.max(RESOLUTION_SECONDS)
    }
}

impl Sum for Load {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |sum, load| Self {
            others_seconds: sum.others_seconds + load.others_seconds,
            wall_seconds: sum.wall_seconds + load.wall_seconds,
        })
    }
}
