//! Estimates the time of a row from its calmest blocks.
//!
//! Other work on the machine makes a repeat slower, never faster.
//! The time of a block is therefore the lower quartile of its repeats, and the time of a row
//! is the mean of the calmest third of its blocks, at least three. Bursts that spoil three quarters
//! of each block, or two thirds of all blocks, change nothing. The minimum would be even more
//! robust, but it depends on the number of repeats, which differs between rows and runs.
//!
//! The interval shows how well the calm blocks agree. Calm blocks are the fastest, so they look
//! more alike than blocks in general. The variance is therefore Yuen's for trimmed means, which
//! counts each excluded block as the slowest included one. The interval is 1.3 times as wide as
//! Student's. At this width, it contains the mean over many runs in 19 of 20 rows, whether
//! there are five blocks or sixteen.

use crate::results::statistics::{lower_quartile, mean_without};

/// Minimum number of calm blocks for a trustworthy time.
pub(crate) const CALM_BLOCKS: usize = 3;

/// Widens Student's t interval, because selecting the fastest blocks understates their spread.
const SELECTION_FACTOR: f64 = 1.3;
/// Maximum half-width of a confidence interval, as a logarithm: a factor of 100 either way.
const MAX_HALF_WIDTH: f64 = 2.0 * std::f64::consts::LN_10;

pub(crate) struct Calm {
    /// Mean of ln(ns) over the calm blocks; the difference of two means is the log of a ratio.
    pub(crate) mean: f64,
    /// Half-width of the 95% confidence interval of `mean`. Because `mean` is a logarithm, this is
    /// roughly the relative error of the time. `None` if there is only one block.
    pub(crate) half: Option<f64>,
    /// Indices of the calm blocks, calmest first.
    pub(crate) blocks: Vec<usize>,
}

impl Calm {
    pub(crate) fn of<'a>(blocks: impl Iterator<Item = &'a [f64]>) -> Option<Self> {
        let logs: Vec<f64> = blocks.map(|times| lower_quartile(times).ln()).collect();
        let mut order: Vec<usize> = (0..logs.len()).collect();
        order.sort_by(|&a, &b| logs[a].total_cmp(&logs[b]));
        let kept = (logs.len() / 3).max(CALM_BLOCKS).min(logs.len());
        let found = mean_without(&logs, [0, logs.len() - kept], 0.95);
        order.truncate(kept);
        // Clamp: a wider interval carries no more information about the time.
        let half = found.map(|(_, half)| (SELECTION_FACTOR * half).min(MAX_HALF_WIDTH));
        let mean = found.map_or(logs[*order.first()?], |(mean, _)| mean);
        Some(Self { mean, half, blocks: order })
    }

    pub(crate) fn ns(&self) -> f64 {
        self.mean.exp()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::fixtures::Draws;

    #[test]
    fn disturbed_repeats_and_blocks_change_nothing() {
        let quiet: &[f64] = &[10.0; 8];
        let half_disturbed: &[f64] = &[17.0, 10.0, 19.0, 10.0, 15.0, 10.0, 18.0, 10.0];
        let disturbed: &[f64] = &[16.0; 8];
        let blocks = [disturbed, quiet, half_disturbed, disturbed, quiet];
        let calm = Calm::of(blocks.into_iter()).unwrap();
        assert!((calm.ns() - 10.0).abs() < 1.0e-12);
        assert_eq!(calm.blocks, [1, 2, 4]);
        assert!(calm.half.unwrap() < 1.0e-12);
    }

    #[test]
    fn too_few_calm_blocks_widen_the_interval() {
        let times: [&[f64]; 5] = [&[10.0; 4], &[13.0; 4], &[12.5; 4], &[10.1; 4], &[14.0; 4]];
        let of_first = |count: usize| Calm::of(times[..count].iter().copied());
        let calm = of_first(5).unwrap();
        assert!(calm.half.unwrap() > 0.2);
        assert!(of_first(2).unwrap().half.unwrap() > 1.0);
        assert_eq!(of_first(1).unwrap().half, None);
        assert!(of_first(0).is_none());
    }

    #[test]
    fn the_interval_contains_what_many_runs_agree_on_in_19_of_20_rows() {
        let mut draws = Draws::new();
        for count in [5, 8, 16] {
            let mut run = || {
                let mut block = || vec![100.0 * (0.01 * draws.normal()).exp(); 4];
                let times: Vec<Vec<f64>> = (0..count).map(|_| block()).collect();
                Calm::of(times.iter().map(Vec::as_slice)).unwrap()
            };
            let rows: Vec<Calm> = (0..4_000).map(|_| run()).collect();
            let mean = |of: fn(&Calm) -> f64| rows.iter().map(of).sum::<f64>() / rows.len() as f64;
            let expected = mean(|calm| calm.mean);
            let half = |calm: &Calm| calm.half.expect("several blocks");
            let inside = rows.iter().filter(|calm| (calm.mean - expected).abs() <= half(calm));
            let share = inside.count() as f64 / rows.len() as f64;
            assert!(share > 0.945, "{count} blocks: {share}");
            let mean = mean(|calm| calm.half.expect("several blocks"));
            assert!(mean < 0.025, "{count} blocks: {mean}");
        }
    }
}
