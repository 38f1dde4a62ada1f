//! The main results of a report as sentences, each figure with its interval. The last one says how
//! many rows remain in doubt.

use crate::numbers::grouped;
use crate::results::report::Report;

pub(crate) mod crowds;
pub(crate) mod ways;

/// The main results, most important first.
pub(crate) fn sentences(report: &Report) -> Vec<String> {
    let all = [
        ways::next_best(report),
        crowds::fastest(report),
        crowds::growth(report),
        crowds::near_the_limit(report),
        crowds::cells_over_pairs(report),
        crowds::small_crowds(report),
        ways::whole_ladder(report),
        crowds::more_threads(report),
        ways::instruction_sets(report),
        crowds::crowding(report),
        crowds::cell_height(report),
        crowds::clustering(report),
        ways::best_kernel(report),
        ways::against_peers(report),
        ways::code_of_the_build(report),
        Some(doubts(report)),
    ];
    all.into_iter().flatten().collect()
}

/// How many rows remain in doubt.
pub(crate) fn doubts(report: &Report) -> String {
    let all = report.rows.len();
    match report.rows.iter().filter(|row| !row.is_trusted()).count() {
        0 => format!("No row of {} is in doubt.", grouped(all)),
        1 => format!("One row of {} remains in doubt, marked with ?.", grouped(all)),
        few => format!("{} of {} rows remain in doubt, marked with ?.", grouped(few), grouped(all)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::report::tests::{quiet_row, report_of};
    use crate::results::row::Row;

    #[test]
    fn figures_have_intervals_and_the_last_sentence_counts_rows_in_doubt() {
        let row =
            Row { ns_low: 19.8, ns_high: 20.2, ..quiet_row("scaling", "cells-simd", 100, 20.0) };
        let mut report = report_of(vec![row.clone(), Row { n: 50, ..row }]);
        assert_eq!(
            sentences(&report),
            [
                "cells-simd steers 100 agents in 2.00 µs per step: 20.0 [19.8, 20.2] ns per agent \
                 on 1 thread.",
                "No row of 2 is in doubt."
            ]
        );
        report.rows[0].doubts.push("the machine was busy".into());
        assert_eq!(sentences(&report)[1], "One row of 2 remains in doubt, marked with ?.");
    }
}
