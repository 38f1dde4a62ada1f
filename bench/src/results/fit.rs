//! The slopes of curves and where they cross, with intervals, on logarithmic axes.

use serde::{Deserialize, Serialize};

use crate::results::row::Row;
use crate::results::statistics::{Draws, student_t};

/// A fitted power law: time ∝ N^slope.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Slope {
    #[serde(alias = "series")]
    pub(crate) method: String,
    pub(crate) slope: f64,
    /// 95 % confidence interval; absent with fewer than three points.
    pub(crate) interval: Option<[f64; 2]>,
    pub(crate) from_n: usize,
    pub(crate) to_n: usize,
    /// The fitted time at one agent, in seconds; places the line in a figure.
    pub(crate) seconds_at_one: f64,
}

/// Least squares through (ln n, ln seconds); `None` for fewer than two points. The interval is
/// Student's, from the distances of the points to the line. So it measures how well a power law
/// fits, not only how noisy the times are.
pub(crate) fn fit_slope(method: &str, points: &[(usize, f64)]) -> Option<Slope> {
    let count = points.len() as f64;
    let logs = || points.iter().map(|&(n, time)| ((n as f64).ln(), time.ln()));
    let mean_x = logs().map(|(x, _)| x).sum::<f64>() / count;
    let mean_y = logs().map(|(_, y)| y).sum::<f64>() / count;
    let spread = logs().map(|(x, _)| (x - mean_x).powi(2)).sum::<f64>();
    if points.len() < 2 || spread == 0.0 {
        return None;
    }
    let slope = logs().map(|(x, y)| (x - mean_x) * (y - mean_y)).sum::<f64>() / spread;
    let residual = logs().map(|(x, y)| (y - mean_y - slope * (x - mean_x)).powi(2)).sum::<f64>();
    let interval = (points.len() > 2).then(|| {
        let free = points.len() - 2;
        let half = student_t(free) * (residual / free as f64 / spread).sqrt();
        [slope - half, slope + half]
    });
    let sizes = || points.iter().map(|&(n, _)| n);
    Some(Slope {
        method: method.to_owned(),
        slope,
        interval,
        from_n: sizes().min()?,
        to_n: sizes().max()?,
        seconds_at_one: (mean_y - slope * mean_x).exp(),
    })
}

/// Where one curve overtakes another.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Crossing {
    /// At about this N, interpolated between the measured sizes around it.
    At {
        n: f64,
        /// 95 % of the crossings if each time lies anywhere in its interval.
        interval: [f64; 2],
    },
    /// At or below the smallest size measured for both.
    Below(usize),
    /// Above the largest size measured for both.
    Above(usize),
}

/// The N from which on `fast` takes less time than `slow`. `rows` are (slow, fast) at the same
/// sizes, ascending.
pub(crate) fn crossing(rows: &[(&Row, &Row)]) -> Option<Crossing> {
    let times =
        rows.iter().map(|(slow, fast)| (slow.n, slow.ns_per_agent_step, fast.ns_per_agent_step));
    let found = crossing_of(&times.collect::<Vec<_>>())?;
    let Crossing::At { n, .. } = found else { return Some(found) };
    let interval = Draws::new().interval(|draws| {
        let mut draw = |row: &Row| {
            let deviation = (row.ns_high / row.ns_low).ln() / 2.0 / 1.96;
            row.ns_per_agent_step * (deviation * draws.normal()).exp()
        };
        let points: Vec<_> =
            rows.iter().map(|(slow, fast)| (slow.n, draw(slow), draw(fast))).collect();
        match crossing_of(&points) {
            Some(Crossing::At { n, .. }) => n,
            Some(Crossing::Below(n) | Crossing::Above(n)) => n as f64,
            None => f64::NAN,
        }
    });
    Some(Crossing::At { n, interval })
}

fn crossing_of(points: &[(usize, f64, f64)]) -> Option<Crossing> {
    let gain = |&(_, slow, fast): &(usize, f64, f64)| (slow / fast).ln();
    let (first, last) = (points.first()?, points.last()?);
    let Some(behind) = points.iter().rposition(|point| gain(point) <= 0.0) else {
        return Some(Crossing::Below(first.0));
    };
    let Some(after) = points.get(behind + 1) else {
        return Some(Crossing::Above(last.0));
    };
    let before = &points[behind];
    let share = gain(before) / (gain(before) - gain(after));
    let (a, b) = ((before.0 as f64).ln(), (after.0 as f64).ln());
    let n = (a + share * (b - a)).exp();
    Some(Crossing::At { n, interval: [n, n] })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::row::tests::row_of;

    #[test]
    fn slope_of_a_power_law_is_its_exponent() {
        let points: Vec<(usize, f64)> =
            [100, 1_000, 10_000].map(|n| (n, 3.0e-9 * (n as f64).powf(1.5))).to_vec();
        let fitted = fit_slope("a", &points).unwrap();
        assert!((fitted.slope - 1.5).abs() < 1.0e-12);
        assert!((fitted.seconds_at_one / 3.0e-9 - 1.0).abs() < 1.0e-9);
        assert!(fitted.interval.unwrap().iter().all(|end| (end - 1.5).abs() < 1.0e-6));
        assert_eq!((fitted.from_n, fitted.to_n), (100, 10_000));
        assert_eq!(fit_slope("a", &points[..1]), None);
        assert_eq!(fit_slope("a", &points[..2]).unwrap().interval, None);
    }

    #[test]
    fn crossing_is_interpolated_on_logarithmic_axes() {
        // n against 1000 per agent: they meet at n = 1000.
        let at = |n: usize| (n, n as f64, 1000.0);
        let Some(Crossing::At { n, .. }) = crossing_of(&[at(100), at(500), at(5_000)]) else {
            panic!("the curves cross")
        };
        assert!((n - 1_000.0).abs() < 1.0e-6);
        assert_eq!(crossing_of(&[at(2_000), at(3_000)]), Some(Crossing::Below(2_000)));
        assert_eq!(crossing_of(&[at(10), at(20)]), Some(Crossing::Above(20)));
        assert_eq!(crossing_of(&[]), None);
    }

    #[test]
    fn noise_in_the_times_widens_the_interval_of_the_crossing() {
        let rows = |noise: f64| {
            let times = |ns: f64| [-noise, 0.0, noise].map(|by| vec![ns * (1.0 + by); 4]).to_vec();
            let slow = [100, 10_000].map(|n| row_of("slow", n, times(n as f64)));
            let fast = [100, 10_000].map(|n| row_of("fast", n, times(1_000.0)));
            let pairs: Vec<_> = slow.iter().zip(&fast).collect();
            crossing(&pairs)
        };
        let Some(Crossing::At { n, interval: [low, high] }) = rows(0.05) else { panic!("crossed") };
        assert!((n - 1_000.0).abs() < 1.0e-6);
        assert!(low < 950.0 && high > 1_050.0, "[{low}, {high}]");
        let Some(Crossing::At { interval: [low, high], .. }) = rows(0.0) else { panic!("crossed") };
        assert!((high - low) < 1.0e-6);
    }
}
