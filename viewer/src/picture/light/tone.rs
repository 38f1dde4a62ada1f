//! Tone mapping: turns the light of each pixel into coverage and color. The mean and the 99th
//! percentile of the lit pixels stay about the same whether thousands or millions of agents light
//! the picture.
//!
//! Three curves map a pixel's light to coverage, and the picture uses a blend of them. One lightens
//! faint pixels (for sparse crowds), one is neutral, and one darkens them (for dense crowds). Mixed
//! headings average to a darker color, so a color gain compensates.

use rayon::prelude::*;
use wide::f32x4;

const SAMPLES: usize = 32_768;
/// Coverage of a pixel whose weight is at the 99th percentile.
const COVERED: f32 = 0.96;
/// Targets for the linear light of lit pixels: the 99th percentile and the mean.
const BRIGHT: f32 = 0.68;
const MEAN: f32 = 0.23;
/// Pixels with less linear light than this are considered unlit.
const LIT: f32 = 0.02;
const MAX_GAIN: f32 = 1.35;
const STEPS: usize = 7;
/// Luminance weights of red, green and blue. Squaring a channel approximates the sRGB curve,
/// and gives the same result on every machine.
const LUMINANCE: [f32; 3] = [0.2126, 0.7152, 0.0722];

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tone {
    pub(super) bright: f32,
    mixed: [f32; 3],
    /// Gain per channel. The last channel makes covered pixels opaque.
    gain: f32x4,
}

impl Tone {
    pub(super) fn of(light: &[f32x4], opacity: f32) -> Self {
        let samples = samples(light);
        if samples.is_empty() {
            return Self::default();
        }
        let bright = brightest(samples.iter().map(|sample| sample[0]));
        // Computes each curve's share and the luminance, for four samples at a time. The last four
        // are padded with unlit samples.
        let fours = samples.chunks(4).map(|samples| {
            let four = |field: usize| {
                f32x4::new(std::array::from_fn(|k| {
                    samples.get(k).map_or(0.0, |sample| sample[field])
                }))
            };
            let weights = four(0) / bright;
            ([weights.sqrt(), weights, weights * weights].map(curve), four(1))
        });
        let fours: Vec<([f32x4; 3], f32x4)> = fours.collect();
        let plain = fours
            .iter()
            .flat_map(|(shares, luminance)| (shares[1] * shares[1] * *luminance).to_array());
        // Skip the padding, which would lower the percentile.
        let gain = (BRIGHT / brightest(plain.take(samples.len()))).sqrt().min(MAX_GAIN);
        let mean = |mixed: [f32; 3]| {
            let (mut sum, mut count) = (f32x4::ZERO, f32x4::ZERO);
            for (shares, luminance) in &fours {
                let share = shares[0] * mixed[0] + shares[1] * mixed[1] + shares[2] * mixed[2];
                let light = (share * gain) * (share * gain) * *luminance;
                let lit = light.simd_gt(f32x4::splat(LIT));
                (sum, count) = (sum + (light & lit), count + (f32x4::ONE & lit));
            }
            sum.reduce_add() / count.reduce_add().max(1.0)
        };
        // A lift of 1 uses only the lightening curve, 0 only the neutral one, and -1 only the
        // darkening one.
        let mixed = |lift: f32| [lift.max(0.0), 1.0 - lift.abs(), (-lift).max(0.0)];
        let (mut lift, mut step) = (0.0, 0.5);
        for _ in 0..STEPS {
            lift += if mean(mixed(lift)) < MEAN { step } else { -step };
            step /= 2.0;
        }
        Self {
            bright,
            mixed: mixed(lift).map(|part| opacity * part),
            gain: f32x4::new([gain, gain, gain, 255.0]),
        }
    }

    /// The tone for trails: just the darkening curve, no gain. [`Self::bright`] is at least
    /// `least`; otherwise, trails would be brightened again as they fade.
    pub(super) fn of_trails(light: &[f32x4], least: f32, opacity: f32) -> Self {
        let samples = samples(light);
        if samples.is_empty() {
            return Self::default();
        }
        let bright = brightest(samples.iter().map(|sample| sample[0])).max(least);
        Self { bright, mixed: [0.0, 0.0, opacity], gain: f32x4::new([1.0, 1.0, 1.0, 255.0]) }
    }

    #[inline(always)]
    pub(super) fn lit(&self, below: [f32x4; 4], sums: [f32x4; 4]) -> [f32x4; 4] {
        let weights = f32x4::new(sums.map(|sum| sum.as_array()[3]));
        let relative = weights / self.bright.max(f32::MIN_POSITIVE);
        // At most one of the curves besides the neutral one has a weight.
        let [lift, keep, deepen] = self.mixed;
        let bent = if lift > 0.0 {
            curve(relative.sqrt()) * lift
        } else {
            curve(relative * relative) * deepen
        };
        let shares = curve(relative) * keep + bent;
        let per_weight = shares / weights.fast_max(f32x4::splat(f32::MIN_POSITIVE));
        std::array::from_fn(
            #[inline(always)]
            |k| {
                below[k] * (1.0 - shares.as_array()[k])
                    + sums[k] * self.gain * per_weight.as_array()[k]
            },
        )
    }
}

fn samples(light: &[f32x4]) -> Vec<[f32; 2]> {
    // The stride is odd, so that samples do not line up in columns.
    let stride = (light.len() / SAMPLES) | 1;
    let sample = |k: usize| {
        let [red, green, blue, weight] = light[k * stride].to_array();
        let color = [red, green, blue].map(|sum| sum / (weight * 255.0));
        let luminance: f32 = (0..3).map(|k| LUMINANCE[k] * color[k] * color[k]).sum();
        [weight, luminance]
    };
    let samples = (0..light.len().div_ceil(stride)).into_par_iter().with_min_len(SAMPLES / 16);
    samples.map(sample).filter(|[weight, _]| *weight > 0.0).collect()
}

/// Returns the 99th percentile of `values`, which must not be empty.
fn brightest(values: impl Iterator<Item = f32>) -> f32 {
    let mut values: Vec<f32> = values.collect();
    let hundredth = values.len() * 99 / 100;
    *values.select_nth_unstable_by(hundredth, f32::total_cmp).1
}

/// Returns the coverage by the neutral curve. `weights` are relative to [`Tone::bright`]. Passing
/// their square roots gives the lightening curve, and passing their squares the darkening curve.
#[inline(always)]
fn curve(weights: f32x4) -> f32x4 {
    const ODDS: f32 = COVERED / (1.0 - COVERED);
    let odds = weights * ODDS;
    odds / (odds + 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(weights: &[f32], gray: f32) -> Vec<f32> {
        let sums =
            |weight: &f32| f32x4::new([gray * weight, gray * weight, gray * weight, *weight]);
        let light: Vec<f32x4> = weights.iter().map(sums).collect();
        let tone = Tone::of(&light, 1.0);
        let linear = |sums: &f32x4| {
            (tone.lit([f32x4::ZERO; 4], [*sums; 4])[0].as_array()[0].min(255.0) / 255.0).powi(2)
        };
        light.iter().map(linear).filter(|light| *light > LIT).collect()
    }

    /// Regression: millions of agents looked only a third as bright as ten thousand agents.
    #[test]
    fn sparse_and_dense_light_is_as_bright() {
        let spread: Vec<f32> = (0..10_000).map(|k| 1.0e-3 * (k % 97) as f32).collect();
        let dense: Vec<f32> = (0..10_000).map(|k| 1.0 + ((k % 101) as f32).powi(2)).collect();
        for (weights, gray) in [(&spread, 190.0), (&spread, 220.0), (&dense, 165.0)] {
            let mut light = shown(weights, gray);
            light.sort_by(f32::total_cmp);
            let mean = light.iter().sum::<f32>() / light.len() as f32;
            assert!((MEAN / 2.0..MEAN * 2.2).contains(&mean), "{mean}");
            let bright = light[light.len() * 99 / 100];
            assert!((bright / BRIGHT - 1.0).abs() < 0.05, "{bright}");
        }
        let alike: Vec<f32> = (0..10_000).map(|k| if k % 9 == 0 { 0.01 } else { 0.0 }).collect();
        let light = shown(&alike, 190.0);
        assert!(
            light.len() == 1_112 && light.iter().all(|light| (light / BRIGHT - 1.0).abs() < 0.05)
        );
    }

    #[test]
    fn without_light_nothing_is_lit() {
        assert!(shown(&[0.0; 100], 165.0).is_empty());
        assert_eq!(Tone::of(&[], 1.0).bright, 0.0);
    }
}
