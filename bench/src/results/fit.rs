use std::fmt;

use serde::Serialize;

use crate::numbers::{count, grouped, with_interval};
use crate::results::ratio::Ratio;
use crate::results::row::Row;
use crate::variant::Variant;

/// A fitted power law: time ∝ N^slope.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Slope {
    #[serde(serialize_with = "crate::numbers::in_words")]
    pub(crate) variant: Variant,
    pub(crate) slope: f64,
    /// Half-width of its 95% confidence interval, from the intervals of the times.
    pub(crate) error: f64,
    pub(crate) from_n: usize,
    pub(crate) to_n: usize,
}

/// Least-squares fit through (ln n, ln seconds); `None` for fewer than two sizes.
pub(crate) fn fit_slope(variant: Variant, rows: &[&Row]) -> Option<Slope> {
    let count = rows.len() as f64;
    let logs = || rows.iter().map(|row| ((row.n as f64).ln(), row.seconds_per_step().ln()));
    let mean_x = logs().map(|(x, _)| x).sum::<f64>() / count;
    let mean_y = logs().map(|(_, y)| y).sum::<f64>() / count;
    let spread = logs().map(|(x, _)| (x - mean_x).powi(2)).sum::<f64>();
    let slope = logs().map(|(x, y)| (x - mean_x) * (y - mean_y)).sum::<f64>() / spread;
    let errors = rows
        .iter()
        .map(|row| ((row.n as f64).ln() - mean_x) / spread * (row.ns_high / row.ns_low).ln() / 2.0);
    let error = errors.map(|error| error * error).sum::<f64>().sqrt();
    let sizes = || rows.iter().map(|row| row.n);
    let (from_n, to_n) = (sizes().min()?, sizes().max()?);
    (from_n < to_n).then_some(Slope { variant, slope, error, from_n, to_n })
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Crossing {
    /// The curves cross at about `n` agents, interpolated between the nearest measured sizes.
    At {
        n: f64,
        /// 95% confidence interval for `n`, in agents.
        interval: [f64; 2],
        /// True if a ratio at one of these sizes is in doubt.
        in_doubt: bool,
    },
    /// The curves cross at or below the smallest size measured with both variants.
    Below(usize),
    /// The curves cross above the largest size measured with both variants.
    Above(usize),
}

impl fmt::Display for Crossing {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::At { n, interval, in_doubt } => {
                let mark = if in_doubt { " ?" } else { "" };
                let whole = |n: f64| grouped(n.round() as usize);
                write!(out, "{}{mark}", with_interval(n, interval, " agents", whole))
            }
            Self::Below(n) => write!(out, "below {}", count(n, "agent")),
            Self::Above(n) => write!(out, "above {}", count(n, "agent")),
        }
    }
}

/// Neighboring sizes around a crossing are at most this factor apart, or the crossing's interval
/// contains both: between sizes that are farther apart, the curves bend too much to interpolate.
const MAX_BRACKET: f64 = 1.25;

/// Returns the number of agents above which `fast` takes less time than `slow`.
/// `rows` are (slow, fast) pairs at the same sizes, in ascending order.
/// The interval ends at the sizes where the ratio's upper and lower bounds cross 1.
pub(crate) fn crossing(rows: &[(&Row, &Row)]) -> Option<Crossing> {
    let ratios: Vec<(f64, Ratio)> =
        rows.iter().map(|(slow, fast)| (slow.n as f64, Ratio::of(slow, fast))).collect();
    let (first, last) = (rows.first()?.0.n, rows.last()?.0.n);
    let at = |times: fn(&Ratio) -> f64| {
        crossing_of(&ratios.iter().map(|(n, ratio)| (*n, times(ratio).ln())).collect::<Vec<_>>())
    };
    let n = at(|ratio| ratio.times);
    Some(match n {
        0.0 => Crossing::Below(first),
        f64::INFINITY => Crossing::Above(last),
        _ => {
            let ends = [at(|ratio| ratio.high), at(|ratio| ratio.low)];
            let [low, high] = ends.map(|end| end.clamp(first as f64, last as f64));
            let bracket = around(rows, n).map(|k| &ratios[k]);
            let [below, above] = bracket.map(|(n, _)| *n);
            let interval = match above <= MAX_BRACKET * below {
                true => [low, high],
                false => [low.min(below), high.max(above)],
            };
            let in_doubt = bracket.iter().any(|(_, ratio)| ratio.is_unreliable());
            Crossing::At { n, interval, in_doubt }
        }
    })
}

/// Returns the largest measured size below the crossing of `rows` and the size to measure next,
/// halfway to the smallest size above. Returns `None` once the two measured sizes are close enough.
pub(crate) fn size_between(rows: &[(&Row, &Row)]) -> Option<(usize, usize)> {
    let Crossing::At { n, .. } = crossing(rows)? else { return None };
    let [below, above] = around(rows, n).map(|k| rows[k].0.n);
    let between = (below as f64 * above as f64).sqrt().round() as usize;
    let is_wide = above as f64 > MAX_BRACKET * below as f64 && between > below && between < above;
    is_wide.then_some((below, between))
}

/// Indices of the sizes below and above `n`.
fn around(rows: &[(&Row, &Row)], n: f64) -> [usize; 2] {
    let above = rows.partition_point(|(slow, _)| slow.n as f64 <= n).clamp(1, rows.len() - 1);
    [above - 1, above]
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
    use crate::results::fixtures::row_of;

    #[test]
    fn slope_of_a_power_law_is_its_exponent() {
        let row = |n: usize| {
            let ns = 3.0 * (n as f64).powf(0.5);
            let [ns_low, ns_high] = [ns / 1.1, ns * 1.1];
            Row { n, ns_per_agent_step: ns, ns_low, ns_high, ..Row::default() }
        };
        let rows = [100, 1_000, 10_000].map(row);
        let rows: Vec<&Row> = rows.iter().collect();
        let fitted = fit_slope(Variant::CellsSimd, &rows).unwrap();
        assert!((fitted.slope - 1.5).abs() < 1.0e-12);
        // The middle size has no weight in the slope; the outer sizes differ by a factor of 100.
        let error = 2.0_f64.sqrt() * 1.1_f64.ln() / 100.0_f64.ln();
        assert!((fitted.error - error).abs() < 1.0e-12, "{fitted:?}");
        assert_eq!((fitted.from_n, fitted.to_n), (100, 10_000));
        assert_eq!(fit_slope(Variant::CellsSimd, &rows[..1]), None);
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
        let points = [(900, 900.0, 1_000.0), (1_100, 1_100.0, 1_000.0)];
        let interval = |noise| match crossed(&points, noise) {
            Some(Crossing::At { interval, .. }) => interval,
            other => panic!("{other:?}"),
        };
        let [low, high] = interval(0.05);
        assert!(low < 950.0 && high > 1_050.0, "[{low}, {high}]");
        let [low, high] = interval(0.0);
        assert!((high - low) < 0.012 * high, "[{low}, {high}]");
    }

    /// Regression: interpolating between 32 and 100 agents gave a crossing at 39 [35, 43] instead
    /// of 66.
    #[test]
    fn sizes_that_are_far_apart_are_in_the_interval_of_the_crossing() {
        // The first curve bends: its time grows only above about 63 agents, and cells win above 66.
        let ns = |n: usize| (n, (n as f64 / 66.0).max(0.95) * 100.0, 100.0);
        let found = |sizes: &[usize]| match crossed(
            &sizes.iter().map(|n| ns(*n)).collect::<Vec<_>>(),
            0.001,
        ) {
            Some(Crossing::At { interval: [low, high], .. }) => low..=high,
            other => panic!("{other:?}"),
        };
        for sizes in [&[32, 100][..], &[32, 57, 100], &[32, 57, 65, 75, 100]] {
            assert!(found(sizes).contains(&66.0), "{sizes:?}: {:?}", found(sizes));
        }
        assert_eq!(found(&[32, 100]), 32.0..=100.0);
    }

    #[test]
    fn sizes_are_added_between_those_around_the_crossing_until_they_are_near() {
        let rows = |sizes: &[usize]| -> Vec<[Row; 2]> {
            let row = |variant, n, ns| row_of(variant, n, vec![vec![ns; 3]; 3]);
            let rows = |&n: &usize| {
                [row(Variant::AllPairsSimd, n, n as f64), row(Variant::CellsSimd, n, 66.0)]
            };
            sizes.iter().map(rows).collect()
        };
        let next = |sizes: &[usize]| {
            let rows = rows(sizes);
            size_between(&rows.iter().map(|[slow, fast]| (slow, fast)).collect::<Vec<_>>())
        };
        assert_eq!(next(&[8, 32, 100, 316]), Some((32, 57)));
        assert_eq!(next(&[8, 32, 57, 100, 316]), Some((57, 75)));
        assert_eq!(next(&[8, 32, 57, 75, 100, 316]), Some((57, 65)));
        assert_eq!(next(&[8, 32, 57, 65, 75, 100, 316]), None);
        assert_eq!(next(&[100, 316]), None, "nothing is measured below what was asked for");
    }

    #[test]
    fn a_crossing_is_in_doubt_if_a_ratio_beside_it_is() {
        let found = |blocks: usize| {
            let times = |ns: f64| vec![vec![ns; 4]; blocks];
            let row = |variant, n, ns: f64| row_of(variant, n, times(ns));
            let pair = |n: usize| {
                [row(Variant::AllPairsSimd, n, n as f64), row(Variant::CellsSimd, n, 1_100.0)]
            };
            let rows = [1_000, 1_200].map(pair);
            crossing(&rows.iter().map(|[slow, fast]| (slow, fast)).collect::<Vec<_>>()).unwrap()
        };
        assert_eq!(found(3).to_string(), "1,100 agents [1,095, 1,106]");
        assert_eq!(found(2).to_string(), "1,100 agents [1,095, 1,106] ?");
    }
}
