//! How many times as fast one way is as another.

use std::fmt;

use crate::numbers::digits;
use crate::results::row::Row;

/// A speed-up with its 95 % interval.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ratio {
    pub(crate) times: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

impl Ratio {
    /// The time of `slow` over that of `fast`. Their errors are independent, so the squares of
    /// their relative widths add up.
    pub(crate) fn of(slow: &Row, fast: &Row) -> Self {
        let half = |row: &Row| (row.ns_high / row.ns_low).ln() / 2.0;
        let by = half(slow).hypot(half(fast)).exp();
        let times = slow.ns_per_agent_step / fast.ns_per_agent_step;
        Self { times, low: times / by, high: times * by }
    }
}

impl fmt::Display for Ratio {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [times, low, high] = [self.times, self.low, self.high].map(digits);
        write!(out, "{times} [{low}, {high}]")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_of_a_ratio_combines_those_of_both_times() {
        let row = |ns: f64, by: f64| Row {
            ns_per_agent_step: ns,
            ns_low: ns / by,
            ns_high: ns * by,
            ..Row::default()
        };
        let ratio = Ratio::of(&row(30.0, 1.03), &row(10.0, 1.04));
        assert!((ratio.times - 3.0).abs() < 1.0e-12);
        assert!((ratio.high / 3.0 - 1.05).abs() < 0.001, "{ratio}");
        assert_eq!(Ratio::of(&row(30.0, 1.0), &row(10.0, 1.0)).to_string(), "3.00 [3.00, 3.00]");
    }
}
