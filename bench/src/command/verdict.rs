//! Whether a row is slower or faster than the same row of a baseline, or whether this is unknown.
//!
//! Rows are compared by their calm parts, as they are reported.
//!
//! Each row has a noise floor: how far two runs of the same binary may differ. It is estimated
//! from the differences between the calm blocks of a row, which are spread over its run, in both
//! runs. A row that happens to agree with itself gets the noise of a typical row of its run. Only
//! a change beyond the floor is called faster or slower. If the floor is so high that a change of
//! a tenth could hide below it, the row is unknown rather than the same.
//!
//! The processor's clock changes from hour to hour. Computation changes with it, waiting for
//! memory hardly does. So a verdict must hold for the measured times and for the times at the
//! baseline's clock; if the two verdicts differ, the row is unknown.

use serde::Serialize;

use crate::results::calm::Calm;
use crate::results::report::Report;
use crate::results::row::Row;
use crate::results::statistics::{median, student_t};

/// How far two runs of the same binary differ although each agrees with itself: the layout of
/// memory and the speed of the processor are the same throughout a run, but not in the next.
const LOWEST_FLOOR: f64 = 0.03;
/// With a higher floor, "the same" would mean too little.
const HIGHEST_FLOOR: f64 = 0.10;
/// How far two measurements of the same clock differ; a smaller change counts as none.
pub(crate) const CLOCK_NOISE: f64 = 0.015;
/// At most this share of the rows of two runs of one binary is called slower or faster. The
/// tests below check it on several kinds of synthetic noise.
pub(crate) const CALLED_BY_CHANCE: f64 = 0.01;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Verdict {
    Slower,
    Faster,
    Same,
    Unknown,
}

impl Verdict {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Slower => "slower",
            Self::Faster => "faster",
            Self::Same => "same",
            Self::Unknown => "unknown",
        }
    }
}

/// A row of both reports.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Compared {
    pub(crate) id: String,
    /// From the calm blocks.
    pub(crate) baseline_ns: f64,
    pub(crate) new_ns: f64,
    /// 0.1: a tenth slower.
    pub(crate) change: f64,
    /// 0.05: the clock ran a twentieth faster than in the baseline.
    pub(crate) clock_change: f64,
    pub(crate) noise_floor: f64,
    pub(crate) verdict: Verdict,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) why: Option<String>,
    /// Percent of the machine's limit, before and now, where both runs measured the limits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) of_limit: Option<[f64; 2]>,
}

/// The variance of the calm blocks of a typical row.
pub(crate) fn typical_variance(report: &Report) -> f64 {
    let calm = report.rows.iter().filter_map(|row| Calm::of(&row.blocks));
    let several = calm.filter(|calm| calm.blocks.len() > 1);
    let variances: Vec<f64> = several.map(|calm| calm.variance).collect();
    if variances.is_empty() { 0.0 } else { median(&variances) }
}

/// `None` for rows without blocks, which no report has.
pub(crate) fn compare(baseline: &Row, new: &Row, typical: [f64; 2]) -> Option<Compared> {
    let (before, after) = (Calm::of(&baseline.blocks)?, Calm::of(&new.blocks)?);
    let error = |calm: &Calm, typical: f64| calm.variance.max(typical) / calm.blocks.len() as f64;
    let errors = error(&before, typical[0]) + error(&after, typical[1]);
    let degrees = (before.blocks.len() + after.blocks.len()).saturating_sub(2);
    let half = student_t(degrees, 0.95) * errors.sqrt();
    let noise_floor = (half.exp() - 1.0).max(LOWEST_FLOOR);
    let change = (after.mean - before.mean).exp() - 1.0;
    let clock_change = baseline.clock_us() / new.clock_us() - 1.0;
    let at_same_clock = if clock_change.abs() > CLOCK_NOISE {
        (1.0 + change) * (1.0 + clock_change) - 1.0
    } else {
        change
    };
    let (verdict, why) = if let Some(why) = different_work(baseline, new) {
        (Verdict::Unknown, Some(format!("different work: {why}")))
    } else if before.blocks.len() < 2 || after.blocks.len() < 2 {
        (Verdict::Unknown, Some("too few blocks, from an interrupted run".to_owned()))
    } else {
        let verdict = verdict_on(noise_floor, change);
        if verdict == verdict_on(noise_floor, at_same_clock) {
            let noisy = verdict == Verdict::Unknown;
            (verdict, noisy.then(|| "too noisy to judge".to_owned()))
        } else {
            let at_same_clock = 100.0 * at_same_clock;
            (Verdict::Unknown, Some(format!("{at_same_clock:+.1} % at the baseline's clock")))
        }
    };
    Some(Compared {
        id: baseline.id.clone(),
        baseline_ns: before.ns(),
        new_ns: after.ns(),
        change,
        clock_change,
        noise_floor,
        verdict,
        why,
        of_limit: None,
    })
}

/// The verdict on a change at this noise floor.
fn verdict_on(noise_floor: f64, change: f64) -> Verdict {
    if change > noise_floor {
        Verdict::Slower
    } else if 1.0 / (1.0 + change) - 1.0 > noise_floor {
        Verdict::Faster
    } else if noise_floor > HIGHEST_FLOOR {
        Verdict::Unknown
    } else {
        Verdict::Same
    }
}

/// Why the times of two rows cannot be compared.
fn different_work(baseline: &Row, new: &Row) -> Option<String> {
    let numbers = [
        ("agents", baseline.n, new.n),
        ("threads", baseline.threads, new.threads),
        ("crowds in a repeat", baseline.crowds, new.crowds),
        ("steps in a repeat", baseline.steps_per_repeat as usize, new.steps_per_repeat as usize),
    ];
    let differs = numbers.into_iter().find(|(_, before, now)| before != now);
    let number = differs.map(|(what, before, now)| format!("{before} → {now} {what}"));
    let hashes = baseline.state_hash != new.state_hash;
    number.or_else(|| hashes.then(|| "the state hashes differ".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::row::tests::row_of;

    /// Five blocks around `ns` that differ by up to `spread`.
    fn row(ns: f64, spread: f64) -> Row {
        let block = |k: f64| vec![ns * (1.0 + spread * k); 4];
        row_of("a", 100, [-0.5, 0.5, 0.0, -0.25, 0.25].map(block).to_vec())
    }

    fn verdict(baseline: &Row, new: &Row) -> Verdict {
        compare(baseline, new, [0.0; 2]).unwrap().verdict
    }

    #[test]
    fn verdicts_follow_the_change_and_the_noise() {
        let quiet = row(100.0, 0.01);
        assert_eq!(verdict(&quiet, &row(100.5, 0.01)), Verdict::Same);
        assert_eq!(verdict(&quiet, &row(110.0, 0.01)), Verdict::Slower);
        assert_eq!(verdict(&quiet, &row(91.0, 0.01)), Verdict::Faster);
        // Noise this large hides a tenth.
        assert_eq!(verdict(&row(100.0, 0.4), &row(105.0, 0.4)), Verdict::Unknown);
        assert_eq!(verdict(&row(100.0, 0.4), &row(200.0, 0.4)), Verdict::Slower);
    }

    #[test]
    fn a_change_below_the_lowest_floor_does_not_count_however_quiet_the_rows() {
        assert_eq!(verdict(&row(100.0, 0.0), &row(102.5, 0.0)), Verdict::Same);
        assert_eq!(verdict(&row(100.0, 0.0), &row(103.5, 0.0)), Verdict::Slower);
    }

    #[test]
    fn a_row_that_agrees_with_itself_by_chance_has_the_noise_of_its_run() {
        let compared = compare(&row(100.0, 0.0), &row(105.0, 0.0), [0.03_f64.powi(2); 2]).unwrap();
        assert!(compared.noise_floor > 0.05, "{compared:?}");
        assert_eq!(compared.verdict, Verdict::Same);
    }

    #[test]
    fn different_states_and_single_blocks_are_not_compared() {
        let mut other = row(150.0, 0.01);
        other.state_hash = "f".into();
        assert_eq!(verdict(&row(100.0, 0.01), &other), Verdict::Unknown);
        let short = row_of("a", 100, vec![vec![150.0; 9]]);
        assert_eq!(verdict(&row(100.0, 0.01), &short), Verdict::Unknown);
    }

    #[test]
    fn rows_with_different_threads_or_repeats_are_not_compared() {
        let slower = || row(150.0, 0.01);
        for (other, why) in [
            (Row { threads: 2, ..slower() }, "different work: 1 → 2 threads"),
            (Row { n: 200, ..slower() }, "different work: 100 → 200 agents"),
            (Row { steps_per_repeat: 1, ..slower() }, "different work: 0 → 1 steps in a repeat"),
            (Row { crowds: 64, ..slower() }, "different work: 0 → 64 crowds in a repeat"),
        ] {
            let compared = compare(&row(100.0, 0.01), &other, [0.0; 2]).unwrap();
            assert_eq!(compared.verdict, Verdict::Unknown);
            assert_eq!(compared.why.as_deref(), Some(why));
        }
    }

    #[test]
    fn a_slower_clock_makes_no_row_slower() {
        // Seen on a machine whose clock fell by a twentieth between two runs.
        let at_clock = |ns: f64, clock_us: f64| {
            let mut row = row(ns, 0.01);
            row.blocks.iter_mut().for_each(|block| block.clock_us = clock_us);
            row
        };
        let baseline = at_clock(100.0, 18.9);
        let compared = compare(&baseline, &at_clock(106.0, 19.8), [0.0; 2]).unwrap();
        assert_eq!(compared.verdict, Verdict::Unknown);
        assert_eq!(compared.why.as_deref(), Some("+1.2 % at the baseline's clock"));
        assert!((compared.clock_change + 0.045).abs() < 0.001, "{compared:?}");
        // Nor does a faster clock hide that a row is slower.
        let hidden = compare(&baseline, &at_clock(102.0, 18.0), [0.0; 2]).unwrap();
        assert_eq!(hidden.why.as_deref(), Some("+7.1 % at the baseline's clock"));
        // A change is slower if it exceeds what the clock explains, and the same below that.
        assert_eq!(verdict(&baseline, &at_clock(112.0, 19.8)), Verdict::Slower);
        assert_eq!(verdict(&baseline, &at_clock(103.0, 19.8)), Verdict::Same);
    }

    #[test]
    fn a_disturbed_minority_of_blocks_changes_no_verdict() {
        let calm = row(100.0, 0.01);
        let mut disturbed = row(100.0, 0.01);
        for (block, by) in disturbed.blocks.iter_mut().zip([1.4, 1.0, 1.25]) {
            block.ns.iter_mut().for_each(|ns| *ns *= by);
        }
        assert_eq!(verdict(&calm, &disturbed), Verdict::Same);
        assert_eq!(verdict(&disturbed, &calm), Verdict::Same);
        assert_eq!(verdict(&disturbed, &row(110.0, 0.01)), Verdict::Slower);
        // A disturbed majority is not noise.
        disturbed.blocks.iter_mut().for_each(|block| block.ns.fill(125.0));
        assert_eq!(verdict(&calm, &disturbed), Verdict::Slower);
    }

    /// A random number generator.
    struct Chance(u64);

    impl Chance {
        fn unit(&mut self) -> f64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            ((self.0 >> 40) as f64 + 0.5) / (1_u64 << 24) as f64
        }

        fn normal(&mut self) -> f64 {
            (0..12).map(|_| self.unit()).sum::<f64>() - 6.0
        }

        fn exponential(&mut self) -> f64 {
            -self.unit().ln()
        }
    }

    type Noise = fn(&mut Chance) -> f64;

    /// How blocks of one binary differ, as seen on shared machines.
    const NOISE: [(&str, Noise); 3] = [
        ("steady", |chance| 0.015 * chance.normal()),
        ("one-sided", |chance| 0.03 * chance.exponential()),
        ("disturbed in one block of five", |chance| {
            let disturbed = f64::from(u8::from(chance.unit() < 0.2));
            0.012 * chance.normal() + disturbed * 0.2 * chance.exponential()
        }),
    ];

    /// Shares of the verdicts on the rows of two runs, the second slower by the share `slower`.
    fn shares(noise: Noise, slower: f64) -> [f64; 4] {
        const ROWS: usize = 1_000;
        let mut chance = Chance(2004);
        let mut run = |ns: f64| -> Vec<Row> {
            let mut block = || vec![ns * noise(&mut chance).exp(); 4];
            let mut row = || row_of("a", 100, (0..5).map(|_| block()).collect());
            (0..ROWS).map(|_| row()).collect()
        };
        let (before, after) = (run(100.0), run(100.0 * (1.0 + slower)));
        let typical = [&before, &after].map(|rows| {
            median(
                &rows.iter().map(|row| Calm::of(&row.blocks).unwrap().variance).collect::<Vec<_>>(),
            )
        });
        let pairs = before.iter().zip(&after);
        let verdicts: Vec<Verdict> =
            pairs.map(|(before, after)| compare(before, after, typical).unwrap().verdict).collect();
        [Verdict::Slower, Verdict::Faster, Verdict::Same, Verdict::Unknown].map(|verdict| {
            verdicts.iter().filter(|known| **known == verdict).count() as f64 / ROWS as f64
        })
    }

    #[test]
    fn two_runs_of_one_binary_are_the_same_in_19_of_20_rows() {
        for (name, noise) in NOISE {
            let [slower, faster, same, _] = shares(noise, 0.0);
            assert!(same >= 0.95, "{name}: {same}");
            assert!(slower + faster <= CALLED_BY_CHANCE, "{name}: {slower} {faster}");
        }
    }

    #[test]
    fn a_tenth_is_found_in_19_of_20_rows() {
        for (name, noise) in NOISE {
            let [slower, faster, ..] = shares(noise, 0.1);
            assert!(slower >= 0.95 && faster == 0.0, "{name}: {slower} {faster}");
        }
    }

    #[test]
    fn a_row_too_noisy_to_judge_is_unknown_rather_than_the_same() {
        let [slower, faster, _, unknown] = shares(|chance| 0.1 * chance.normal(), 0.0);
        assert!(unknown >= 0.9 && slower + faster <= 0.05, "{slower} {faster} {unknown}");
    }
}
