use statrs::distribution::{ContinuousCDF, StudentsT};
use statrs::statistics::{Data, OrderStatistics, Statistics};

/// Returns NaN for an empty slice.
pub(crate) fn median(values: &[f64]) -> f64 {
    Data::new(values.to_vec()).median()
}

/// The number of repeats hardly biases this estimate: on average, the lower quartile of two values
/// is nearly as low as the lower quartile of twenty.
pub(crate) fn lower_quartile(values: &[f64]) -> f64 {
    Data::new(values.to_vec()).lower_quartile()
}

pub(crate) fn quantile(values: &[f64], share: f64) -> f64 {
    Data::new(values.to_vec()).quantile(share)
}

fn student_t(degrees_of_freedom: usize, confidence: f64) -> f64 {
    let student = StudentsT::new(0.0, 1.0, degrees_of_freedom.max(1) as f64);
    student.expect("positive numbers").inverse_cdf(0.5 + confidence / 2.0)
}

/// Returns the mean without the `lowest` smallest and `highest` largest values, and the half-width
/// of its confidence interval. The variance is Yuen's: each excluded value counts as the nearest
/// included one. Returns `None` if fewer than two values remain.
pub(crate) fn mean_without(
    values: &[f64],
    [lowest, highest]: [usize; 2],
    confidence: f64,
) -> Option<(f64, f64)> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let kept = sorted.len().checked_sub(lowest + highest).filter(|kept| *kept > 1)?;
    let (low, high) = (sorted[lowest], sorted[lowest + kept - 1]);
    let mean = sorted[lowest..lowest + kept].iter().mean();
    sorted.iter_mut().for_each(|value| *value = value.clamp(low, high));
    let squares = sorted.iter().variance() * (sorted.len() - 1) as f64;
    let error = (squares / (kept * (kept - 1)) as f64).sqrt();
    Some((mean, student_t(kept - 1, confidence) * error))
}

/// Mean and half-width without the lowest and highest fifth, so isolated outliers have no effect.
pub(crate) fn trimmed_mean(values: &[f64], confidence: f64) -> Option<(f64, f64)> {
    mean_without(values, [values.len() / 5; 2], confidence)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::fixtures::Draws;

    #[test]
    fn quantiles_take_the_middle_and_the_lower_quarter() {
        assert_eq!(median(&[9.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&[9.0, 2.0, 4.0, 1.0]), 3.0);
        assert_eq!(lower_quartile(&[7.0]), 7.0);
        assert_eq!(lower_quartile(&[9.0, 5.0]), 5.0);
        assert!(median(&[]).is_nan() && lower_quartile(&[]).is_nan());
    }

    #[test]
    fn the_lower_quartile_hardly_depends_on_the_number_of_values() {
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
            assert!((-0.76..-0.52).contains(&mean), "{count} values: {mean}");
        }
    }

    #[test]
    fn means_and_students_t_match_the_textbook() {
        let (mean, half) = mean_without(&[2.0, 4.0, 6.0], [0; 2], 0.95).unwrap();
        assert!(mean == 4.0 && (half - 4.3027 * 2.0 / 3.0_f64.sqrt()).abs() < 1.0e-3);
        for (degrees, t) in [(1, 12.706), (2, 4.3027), (8, 2.3060), (30, 2.0423)] {
            assert!((student_t(degrees, 0.95) - t).abs() < 1.0e-3, "{degrees}");
        }
        assert!((student_t(8, 0.99) - 3.3554).abs() < 1.0e-3);
    }

    #[test]
    fn one_disturbed_value_of_five_changes_no_trimmed_mean() {
        let (mean, half) = trimmed_mean(&[1.0, 1.0, 1.0, 9.0, 1.0], 0.95).unwrap();
        assert_eq!((mean, half), (1.0, 0.0));
        assert!(trimmed_mean(&[1.0], 0.95).is_none());
    }

    #[test]
    fn the_interval_of_a_trimmed_mean_contains_the_truth_as_often_as_it_says() {
        let mut draws = Draws::new();
        for count in [3, 5, 8, 16, 40] {
            for (confidence, lowest) in [(0.95, 0.93), (0.99, 0.983)] {
                let mut holds = || {
                    let values: Vec<f64> = (0..count).map(|_| draws.normal()).collect();
                    let (mean, half) = trimmed_mean(&values, confidence).unwrap();
                    mean.abs() <= half
                };
                let share = (0..4_000).filter(|_| holds()).count() as f64 / 4_000.0;
                assert!(share > lowest, "{count} values: {share} of {confidence}");
            }
        }
    }
}
