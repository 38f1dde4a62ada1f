//! Quantiles, Student's intervals, and random draws with a fixed seed.

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Draws per interval. The seed is fixed, so the same times give the same interval.
const DRAWS: usize = 1_000;
const SEED: u64 = 2004;

/// The middle value, or the mean of the two middle values; NaN for no values.
pub(crate) fn median(values: &[f64]) -> f64 {
    quantile(&sorted(values), 0.5)
}

pub(crate) fn sorted(values: &[f64]) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted
}

/// Interpolated between the two nearest of the sorted values.
pub(crate) fn quantile(sorted: &[f64], share: f64) -> f64 {
    let Some(last) = sorted.len().checked_sub(1) else { return f64::NAN };
    interpolated(sorted, share * last as f64)
}

/// The value below which a quarter lies, by Hazen's positions: on average as far below the median
/// for two values as for twenty, so the number of repeats does not shift it.
pub(crate) fn lower_quartile(values: &[f64]) -> f64 {
    let sorted = sorted(values);
    if sorted.is_empty() {
        return f64::NAN;
    }
    interpolated(&sorted, (0.25 * sorted.len() as f64 - 0.5).max(0.0))
}

fn interpolated(sorted: &[f64], index: f64) -> f64 {
    let (below, above) = (sorted[index.floor() as usize], sorted[index.ceil() as usize]);
    below + (above - below) * index.fract()
}

/// Random draws.
pub(crate) struct Draws(Xoshiro256PlusPlus);

impl Draws {
    pub(crate) fn new() -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(SEED))
    }

    /// From 0 to 1, neither included.
    fn unit(&mut self) -> f64 {
        ((self.0.next_u64() >> 12) as f64 + 0.5) / (1_u64 << 52) as f64
    }

    /// Normally distributed with mean 0 and variance 1 (Box and Muller).
    pub(crate) fn normal(&mut self) -> f64 {
        let radius = (-2.0 * self.unit().ln()).sqrt();
        radius * (std::f64::consts::TAU * self.unit()).cos()
    }

    /// The middle 95 % of repeated calls of `draw`.
    pub(crate) fn interval(&mut self, mut draw: impl FnMut(&mut Self) -> f64) -> [f64; 2] {
        let draws: Vec<f64> = (0..DRAWS).map(|_| draw(self)).collect();
        let draws = sorted(&draws);
        [quantile(&draws, 0.025), quantile(&draws, 0.975)]
    }
}

/// Mean and variance; the variance of fewer than two values is 0.
pub(crate) fn mean_and_variance(values: &[f64]) -> (f64, f64) {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>();
    (mean, squares / (count - 1.0).max(1.0))
}

/// The two-sided 95 % quantile of Student's t distribution.
pub(crate) fn student_t(degrees_of_freedom: usize) -> f64 {
    const TABLE: [f64; 10] = [12.71, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228];
    let degrees = degrees_of_freedom.max(1);
    // Beyond the table, the distance from the normal quantile falls about as 1 / degrees.
    TABLE.get(degrees - 1).copied().unwrap_or(1.96 + 2.5 / degrees as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn median_takes_the_middle() {
        assert_eq!(median(&[9.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&[9.0, 2.0, 4.0, 1.0]), 3.0);
        assert!(median(&[]).is_nan());
    }

    #[test]
    fn quantiles_are_interpolated() {
        let values = [0.0, 10.0, 20.0, 30.0, 40.0];
        assert_eq!(quantile(&values, 0.25), 10.0);
        assert_eq!(quantile(&values, 0.9), 36.0);
    }

    #[test]
    fn the_lower_quartile_does_not_depend_on_the_number_of_values() {
        assert_eq!(lower_quartile(&[7.0]), 7.0);
        assert_eq!(lower_quartile(&[9.0, 5.0]), 5.0);
        assert_eq!(lower_quartile(&[4.0, 1.0, 3.0, 2.0]), 1.5);
        assert!(lower_quartile(&[]).is_nan());
        let mut draws = Draws::new();
        let mut mean = |count: usize| {
            let mut of_one = || {
                let values: Vec<f64> = (0..count).map(|_| draws.normal()).collect();
                lower_quartile(&values)
            };
            (0..4_000).map(|_| of_one()).sum::<f64>() / 4_000.0
        };
        for count in [2, 4, 9, 25] {
            let mean = mean(count);
            assert!((-0.72..-0.52).contains(&mean), "{count} values: {mean}");
        }
    }

    #[test]
    fn draws_are_normal_and_always_the_same() {
        let mut draws = Draws::new();
        let [low, high] = draws.interval(Draws::normal);
        assert!((low + 1.96).abs() < 0.2 && (high - 1.96).abs() < 0.2, "[{low}, {high}]");
        assert_eq!([low, high], Draws::new().interval(Draws::normal));
    }

    #[test]
    fn variance_and_students_t_match_the_textbook() {
        assert_eq!(mean_and_variance(&[2.0, 4.0, 6.0]), (4.0, 4.0));
        assert_eq!(mean_and_variance(&[3.0]), (3.0, 0.0));
        assert_eq!(student_t(8), 2.306);
        assert!((student_t(30) - 2.042).abs() < 0.01);
    }
}
