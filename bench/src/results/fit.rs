use std::fmt;

use serde::Serialize;

use crate::numbers::grouped;
use crate::results::ratio::Ratio;
use crate::results::row::Row;
use crate::variant::Variant;

/// A fitted power law: time ∝ N^slope.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Slope {
    #[serde(serialize_with = "crate::numbers::in_words")]
    pub(crate) variant: Variant,
    pub(crate) slope: f64,
    pub(crate) from_n: usize,
    pub(crate) to_n: usize,
}

/// Least-squares fit through (ln n, ln seconds); `None` for fewer than two sizes.
pub(crate) fn fit_slope(variant: Variant, points: &[(usize, f64)]) -> Option<Slope> {
    let count = points.len() as f64;
    let logs = || points.iter().map(|&(n, time)| ((n as f64).ln(), time.ln()));
    let mean_x = logs().map(|(x, _)| x).sum::<f64>() / count;
    let mean_y = logs().map(|(_, y)| y).sum::<f64>() / count;
    let spread = logs().map(|(x, _)| (x - mean_x).powi(2)).sum::<f64>();
    let slope = logs().map(|(x, y)| (x - mean_x) * (y - mean_y)).sum::<f64>() / spread;
    let sizes = || points.iter().map(|&(n, _)| n);
    let (from_n, to_n) = (sizes().min()?, sizes().max()?);
    (from_n < to_n).then_some(Slope { variant, slope, from_n, to_n })
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Crossing {
    /// The curves cross at about `n` agents, interpolated between the nearest measured sizes.
    At {
        n: f64,
        /// 95% confidence interval for `n`, in agents.
        interval: [f64; 2],
    },
    /// The curves cross at or below the smallest size measured with both variants.
    Below(usize),
    /// The curves cross above the largest size measured with both variants.
    Above(usize),
}

impl fmt::Display for Crossing {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::At { n, interval: [low, high] } => {
                let [n, low, high] = [n, low, high].map(|n| grouped(n.round() as usize));
                write!(out, "{n} [{low}, {high}]")
            }
            Self::Below(n) => write!(out, "below {}", grouped(n)),
            Self::Above(n) => write!(out, "above {}", grouped(n)),
        }
    }
}

/// Returns the number of agents above which `fast` takes less time than `slow`.
/// `rows` are (slow, fast) pairs at the same sizes, in ascending order.
/// The interval ends at the sizes where the ratio's upper and lower bounds cross 1.
pub(crate) fn crossing(rows: &[(&Row, &Row)]) -> Option<Crossing> {
    let ratios: Vec<(usize, Ratio)> =
        rows.iter().map(|(slow, fast)| (slow.n, Ratio::of(slow, fast))).collect();
    let (first, last) = (ratios.first()?.0, ratios.last()?.0);
    let at = |times: fn(&Ratio) -> f64| {
        let gain = |(n, ratio): &(usize, Ratio)| (*n as f64, times(ratio).ln());
        crossing_of(&ratios.iter().map(gain).collect::<Vec<_>>())
    };
    let n = at(|ratio| ratio.times);
    let measured = |n: f64| n.clamp(first as f64, last as f64);
    Some(match n {
        0.0 => Crossing::Below(first),
        f64::INFINITY => Crossing::Above(last),
        _ => {
            let ends = [at(|ratio| ratio.high), at(|ratio| ratio.low)];
            Crossing::At { n, interval: ends.map(measured) }
        }
    })
}

/// Number of agents above which all gains (logarithms of ratios) are positive, interpolated on
/// logarithmic axes. It is 0 if all gains are positive and infinite if the last gain is not.
fn crossing_of(gains: &[(f64, f64)]) -> f64 {
    let Some(behind) = gains.iter().rposition(|(_, gain)| *gain <= 0.0) else { return 0.0 };
    let Some((after, more)) = gains.get(behind + 1) else { return f64::INFINITY };
    let (n, gain) = gains[behind];
    let share = gain / (gain - more);
    (n.ln() + share * (after.ln() - n.ln())).exp()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::row::tests::row_of;

    #[test]
    fn slope_of_a_power_law_is_its_exponent() {
        let points: Vec<(usize, f64)> =
            [100, 1_000, 10_000].map(|n| (n, 3.0e-9 * (n as f64).powf(1.5))).to_vec();
        let fitted = fit_slope(Variant::CellsSimd, &points).unwrap();
        assert!((fitted.slope - 1.5).abs() < 1.0e-12);
        assert_eq!((fitted.from_n, fitted.to_n), (100, 10_000));
        assert_eq!(fit_slope(Variant::CellsSimd, &points[..1]), None);
    }

    fn crossed(points: &[(usize, f64, f64)], noise: f64) -> Option<Crossing> {
        let times = |ns: f64, by: f64| [-by, 0.0, by].map(|by| vec![ns * (1.0 + by); 4]).to_vec();
        let slow =
            |&(n, ns, _): &(usize, f64, f64)| row_of(Variant::AllPairsSimd, n, times(ns, noise));
        let fast =
            |&(n, _, ns): &(usize, f64, f64)| row_of(Variant::CellsSimd, n, times(ns, -noise));
        let rows: Vec<_> = points.iter().map(|point| (slow(point), fast(point))).collect();
        crossing(&rows.iter().map(|(slow, fast)| (slow, fast)).collect::<Vec<_>>())
    }

    #[test]
    fn crossing_is_interpolated_on_logarithmic_axes() {
        // All-pairs search takes n ns per agent, cell search 1000 ns: the curves cross at n = 1000.
        let at = |n: usize| (n, n as f64, 1000.0);
        let Some(Crossing::At { n, .. }) = crossed(&[at(100), at(500), at(5_000)], 0.0) else {
            panic!("the curves cross")
        };
        assert!((n - 1_000.0).abs() < 1.0e-6);
        assert_eq!(crossed(&[at(2_000), at(3_000)], 0.0), Some(Crossing::Below(2_000)));
        assert_eq!(crossed(&[at(10), at(20)], 0.0), Some(Crossing::Above(20)));
        assert_eq!(crossed(&[], 0.0), None);
    }

    #[test]
    fn pairs_that_differ_widen_the_interval_of_the_crossing() {
        let points = [(100, 100.0, 1_000.0), (10_000, 10_000.0, 1_000.0)];
        let interval = |noise| match crossed(&points, noise) {
            Some(Crossing::At { interval, .. }) => interval,
            other => panic!("{other:?}"),
        };
        let [low, high] = interval(0.05);
        assert!(low < 950.0 && high > 1_050.0, "[{low}, {high}]");
        let [low, high] = interval(0.0);
        assert!((high - low) < 1.0e-6);
    }
}
