//! How much of a pixel its light covers: so that the brightest hundredth of the lit pixels, and their
//! mean, are as bright whether thousands of agents light a picture or millions.
//!
//! Shares are mixed from three curves of a pixel's weight, which agree at the bright end: one that lifts
//! faint pixels, for sparse crowds, one without, and one that deepens them, for dense crowds.

use wide::f32x4;

/// About this many pixels are measured.
const SAMPLES: usize = 32_768;
/// The share that the weight of the brightest hundredth covers, and the mean of the lit pixels.
const BRIGHT: f32 = 0.92;
const MEAN: f32 = 0.42;
/// Light has no alpha: that of the pixel shrinks by what is covered.
const COLORS: f32x4 = f32x4::new([1.0, 1.0, 1.0, 0.0]);

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tone {
    /// One over the weight of the brightest hundredth.
    scale: f32,
    /// How much of each curve is mixed in, times the opacity.
    mixed: [f32; 3],
    /// The share of the picture that light covers.
    pub(super) covered: f32,
}

impl Tone {
    /// Measures the light of a picture.
    pub(super) fn of(light: &[f32x4], opacity: f32) -> Self {
        // Odd, so that samples are not in columns.
        let stride = (light.len() / SAMPLES) | 1;
        let samples = light.len().div_ceil(stride);
        let weights = light.iter().step_by(stride).map(|sum| sum.as_array()[3]);
        let mut weights: Vec<f32> = weights.filter(|&weight| weight > 0.0).collect();
        if weights.is_empty() {
            return Self::default();
        }
        let hundredth = weights.len() * 99 / 100;
        let (_, &mut bright, _) = weights.select_nth_unstable_by(hundredth, f32::total_cmp);
        let scale = 1.0 / bright;
        let mut sums = [0.0; 3];
        for weight in &weights {
            let shares = curves(f32x4::splat(weight * scale)).map(|share| share.as_array()[0]);
            sums.iter_mut().zip(shares).for_each(|(sum, share)| *sum += share);
        }
        let [lifted, plain, deepened] = sums.map(|sum: f32| sum / weights.len() as f32);
        let part = |of: f32, from: f32, to: f32| ((of - from) / (to - from)).clamp(0.0, 1.0);
        let mixed = if plain < MEAN {
            let lift = part(MEAN, plain, lifted);
            [lift, 1.0 - lift, 0.0]
        } else {
            let deepen = part(MEAN, plain, deepened);
            [0.0, 1.0 - deepen, deepen]
        };
        let mean: f32 = mixed.iter().zip([lifted, plain, deepened]).map(|(a, b)| a * b).sum();
        let covered = opacity * mean * weights.len() as f32 / samples as f32;
        Self { scale, mixed: mixed.map(|part| opacity * part), covered }
    }

    /// Four pixels with the light that fell on them.
    #[inline(always)]
    pub(super) fn lit(&self, below: [f32x4; 4], sums: [f32x4; 4]) -> [f32x4; 4] {
        let weights = f32x4::new(sums.map(|sum| sum.as_array()[3]));
        let [lifted, plain, deepened] = curves(weights * self.scale);
        let [lift, keep, deepen] = self.mixed;
        let shares = lifted * lift + plain * keep + deepened * deepen;
        let per_weight = shares / weights.fast_max(f32x4::splat(f32::MIN_POSITIVE));
        std::array::from_fn(
            #[inline(always)]
            |k| {
                below[k] * (1.0 - shares.as_array()[k])
                    + sums[k] * COLORS * per_weight.as_array()[k]
            },
        )
    }
}

/// The three curves at weights relative to that of the brightest hundredth.
#[inline(always)]
fn curves(weights: f32x4) -> [f32x4; 3] {
    const ODDS: f32 = BRIGHT / (1.0 - BRIGHT);
    [weights.sqrt(), weights, weights * weights].map(
        #[inline(always)]
        |weight| {
            let odds = weight * ODDS;
            odds / (odds + 1.0)
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shares(weights: &[f32]) -> (Vec<f32>, Tone) {
        let light: Vec<f32x4> = weights.iter().map(|&weight| f32x4::splat(weight)).collect();
        let tone = Tone::of(&light, 1.0);
        let share = |sum: &f32x4| tone.lit([f32x4::ZERO; 4], [*sum; 4])[0].as_array()[0];
        (light.iter().map(share).collect(), tone)
    }

    /// Millions of agents were a third as bright as ten thousand.
    #[test]
    fn sparse_and_dense_light_is_as_bright() {
        let sparse: Vec<f32> = (0..10_000).map(|k| if k % 9 == 0 { 0.01 } else { 0.0 }).collect();
        let spread: Vec<f32> = (0..10_000).map(|k| 1.0e-3 * (k % 97) as f32).collect();
        let dense: Vec<f32> = (0..10_000).map(|k| 30.0 + (k % 101) as f32).collect();
        for weights in [spread, dense] {
            let (mut shares, tone) = shares(&weights);
            shares.retain(|&share| share > 0.0);
            shares.sort_by(f32::total_cmp);
            let mean = shares.iter().sum::<f32>() / shares.len() as f32;
            assert!((MEAN / 2.0..MEAN * 2.0).contains(&mean), "{mean}, {tone:?}");
            let bright = shares[shares.len() * 99 / 100];
            assert!((bright - BRIGHT).abs() < 0.01, "{bright}");
        }
        let (alike, _) = shares(&sparse);
        assert!(alike.iter().all(|&share| share == 0.0 || (share - BRIGHT).abs() < 0.01));
    }

    #[test]
    fn without_light_nothing_is_covered() {
        let (shares, tone) = shares(&[0.0; 100]);
        assert!(shares.iter().all(|&share| share == 0.0) && tone.covered == 0.0);
        assert_eq!(Tone::of(&[], 1.0).covered, 0.0);
    }
}
