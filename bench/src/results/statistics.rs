//! Medians with bootstrap intervals; outliers and drift, which make times untrustworthy.

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Resamples per bootstrap. The seed is fixed, so the same times give the same interval.
const RESAMPLES: usize = 1_000;
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
    let index = share * last as f64;
    let (below, above) = (sorted[index.floor() as usize], sorted[index.ceil() as usize]);
    below + (above - below) * index.fract()
}

/// Draws with replacement, for bootstraps.
pub(crate) struct Resampler(Xoshiro256PlusPlus);

impl Resampler {
    pub(crate) fn new() -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(SEED))
    }

    pub(crate) fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        let index = u128::from(self.0.next_u64()) * from.len() as u128;
        &from[(index >> 64) as usize]
    }

    /// The median of one resample of the blocks, and of the times within each. The times of a block
    /// are more alike than those of another minute, so resampling all times together would make
    /// intervals too narrow.
    pub(crate) fn median_of_blocks(&mut self, blocks: &[&[f64]]) -> f64 {
        let mut times = Vec::new();
        for _ in blocks {
            let block = *self.pick(blocks);
            times.extend(block.iter().map(|_| *self.pick(block)));
        }
        median(&times)
    }

    /// The middle 95 % of repeated calls of `draw`.
    pub(crate) fn interval(&mut self, mut draw: impl FnMut(&mut Self) -> f64) -> [f64; 2] {
        let draws: Vec<f64> = (0..RESAMPLES).map(|_| draw(self)).collect();
        let draws = sorted(&draws);
        [quantile(&draws, 0.025), quantile(&draws, 0.975)]
    }
}

/// The 95 % bootstrap interval of the median over all blocks.
pub(crate) fn median_interval(blocks: &[&[f64]]) -> [f64; 2] {
    Resampler::new().interval(|resampler| resampler.median_of_blocks(blocks))
}

/// The share of values outside the quartiles by more than three interquartile ranges (far out, in
/// Tukey's terms) and by more than 2 % of the median.
pub(crate) fn outlier_share(values: &[f64]) -> f64 {
    let sorted = sorted(values);
    let (low, high) = (quantile(&sorted, 0.25), quantile(&sorted, 0.75));
    let fence = (3.0 * (high - low)).max(0.02 * quantile(&sorted, 0.5));
    let far_out = |value: &&f64| **value < low - fence || **value > high + fence;
    sorted.iter().filter(far_out).count() as f64 / sorted.len().max(1) as f64
}

/// By what share the second half is slower than the first; 0 for fewer than four values.
pub(crate) fn drift(in_order: &[f64]) -> f64 {
    if in_order.len() < 4 {
        return 0.0;
    }
    let (first, second) = in_order.split_at(in_order.len() / 2);
    median(second) / median(first) - 1.0
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
    fn a_bootstrap_interval_is_reproducible_and_contains_the_median() {
        let blocks: Vec<Vec<f64>> =
            (0..5).map(|b| (0..20).map(|k| f64::from(100 + (7 * k + b) % 10)).collect()).collect();
        let blocks: Vec<&[f64]> = blocks.iter().map(Vec::as_slice).collect();
        let [low, high] = median_interval(&blocks);
        assert_eq!([low, high], median_interval(&blocks));
        assert!(low <= 104.5 && 104.5 <= high, "[{low}, {high}]");
        assert!(high - low < 5.0, "[{low}, {high}]");
    }

    #[test]
    fn blocks_that_disagree_widen_the_interval() {
        let calm: [&[f64]; 4] = [&[10.0, 10.1, 10.2]; 4];
        let shifted: [&[f64]; 4] =
            [&[10.0, 10.1, 10.2], &[10.0, 10.1, 10.2], &[12.0, 12.1, 12.2], &[12.0, 12.1, 12.2]];
        let width = |blocks: &[&[f64]]| {
            let [low, high] = median_interval(blocks);
            high - low
        };
        assert!(width(&calm) < 0.21);
        assert!(width(&shifted) > 1.5);
    }

    #[test]
    fn outliers_are_far_out_and_drift_is_the_halves_ratio() {
        let mut values = vec![10.0, 10.1, 9.9, 10.05, 9.95, 10.0, 10.1, 9.9, 10.0];
        assert_eq!(outlier_share(&values), 0.0);
        values.push(20.0);
        assert!((outlier_share(&values) - 0.1).abs() < 1.0e-12);
        assert_eq!(drift(&[1.0, 1.0, 1.5, 1.5]), 0.5);
        assert_eq!(drift(&[1.0, 9.0]), 0.0);
    }

    #[test]
    fn variance_and_students_t_match_the_textbook() {
        assert_eq!(mean_and_variance(&[2.0, 4.0, 6.0]), (4.0, 4.0));
        assert_eq!(mean_and_variance(&[3.0]), (3.0, 0.0));
        assert_eq!(student_t(8), 2.306);
        assert!((student_t(30) - 2.042).abs() < 0.01);
    }
}
