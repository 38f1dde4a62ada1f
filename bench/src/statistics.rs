//! Medians with intervals, and lines through log-log points.

use serde::Serialize;

/// A fitted power law: time ∝ N^slope.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct Slope {
    pub(crate) slope: f64,
    /// 95 % confidence interval; absent with fewer than three points.
    pub(crate) interval: Option<[f64; 2]>,
    pub(crate) from_n: usize,
    pub(crate) to_n: usize,
}

/// The middle value, or the mean of the two middle values.
pub(crate) fn median(sorted: &[f64]) -> f64 {
    let middle = sorted.len() / 2;
    if sorted.len() % 2 == 1 { sorted[middle] } else { (sorted[middle - 1] + sorted[middle]) / 2.0 }
}

/// The narrowest interval between two order statistics that holds the true median with at
/// least 95 % confidence, whatever the distribution; with fewer than six values, from the
/// smallest to the largest.
pub(crate) fn median_interval(sorted: &[f64]) -> [f64; 2] {
    let n = sorted.len();
    let mut outside = 0.0;
    let mut probability = 0.5_f64.powi(n as i32);
    let mut rank = 0;
    // P(fewer than rank + 1 values below the median), on both sides.
    while rank < n / 2 && 2.0 * (outside + probability) <= 0.05 {
        outside += probability;
        probability *= (n - rank) as f64 / (rank + 1) as f64;
        rank += 1;
    }
    let rank = rank.saturating_sub(1);
    [sorted[rank], sorted[n - 1 - rank]]
}

/// Least squares through (ln n, ln seconds); `None` with fewer than two points.
pub(crate) fn fit_slope(points: &[(usize, f64)]) -> Option<Slope> {
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
    Some(Slope { slope, interval, from_n: sizes().min()?, to_n: sizes().max()? })
}

/// The two-sided 95 % quantile of Student's t distribution.
fn student_t(degrees_of_freedom: usize) -> f64 {
    const TABLE: [f64; 10] = [12.71, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228];
    TABLE.get(degrees_of_freedom - 1).copied().unwrap_or(1.96 + 2.5 / degrees_of_freedom as f64)
}

/// Where one curve overtakes another.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Crossing {
    /// At about this N, interpolated between the sizes measured around it.
    At(f64),
    /// Already at the smallest size that both were measured at.
    Below(usize),
    /// Not yet at the largest.
    Above(usize),
}

/// From which N on `fast` takes less time than `slow`, given both at the same sizes,
/// ascending: (n, slow, fast).
pub(crate) fn crossing(points: &[(usize, f64, f64)]) -> Option<Crossing> {
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
    Some(Crossing::At((a + share * (b - a)).exp()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn median_takes_the_middle() {
        assert_eq!(median(&[1.0, 2.0, 9.0]), 2.0);
        assert_eq!(median(&[1.0, 2.0, 4.0, 9.0]), 3.0);
    }

    #[test]
    fn median_interval_has_the_textbook_ranks() {
        let values: Vec<f64> = (1..=20).map(f64::from).collect();
        assert_eq!(median_interval(&values[..3]), [1.0, 3.0]);
        assert_eq!(median_interval(&values[..6]), [1.0, 6.0]);
        assert_eq!(median_interval(&values[..9]), [2.0, 8.0]);
        assert_eq!(median_interval(&values[..15]), [4.0, 12.0]);
        assert_eq!(median_interval(&values), [6.0, 15.0]);
    }

    #[test]
    fn slope_of_a_power_law_is_its_exponent() {
        let points: Vec<(usize, f64)> =
            [100, 1_000, 10_000].map(|n| (n, 3.0e-9 * (n as f64).powf(1.5))).to_vec();
        let fitted = fit_slope(&points).unwrap();
        assert!((fitted.slope - 1.5).abs() < 1.0e-12);
        assert!(fitted.interval.unwrap().iter().all(|end| (end - 1.5).abs() < 1.0e-6));
        assert_eq!((fitted.from_n, fitted.to_n), (100, 10_000));
        assert_eq!(fit_slope(&points[..1]), None);
        assert_eq!(fit_slope(&points[..2]).unwrap().interval, None);
    }

    #[test]
    fn crossing_is_interpolated_on_logarithmic_axes() {
        // n² against 1000·n: they meet at n = 1000.
        let at = |n: usize| (n, (n * n) as f64, 1000.0 * n as f64);
        let Some(Crossing::At(n)) = crossing(&[at(100), at(500), at(5_000)]) else {
            panic!("the curves cross")
        };
        assert!((n - 1_000.0).abs() < 1.0e-6);
        assert_eq!(crossing(&[at(2_000), at(3_000)]), Some(Crossing::Below(2_000)));
        assert_eq!(crossing(&[at(10), at(20)]), Some(Crossing::Above(20)));
        assert_eq!(crossing(&[]), None);
    }
}
