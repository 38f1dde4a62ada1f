//! The rows of an experiment: ratios before times, doubts in the last column.

use crate::numbers::digits;
use crate::output::table::{Rows, Section, Table};
use crate::results::ratio::Ratio;
use crate::results::report::Report;
use crate::results::row::Row;
use crate::roofline::Share;

/// A table with a line for each way to compute each crowd.
pub(super) fn times(report: &Report, experiment: &str) -> Section {
    let rows: Vec<&Row> = report.rows_of(experiment).collect();
    let limits = rows.iter().any(|row| report.reached.contains_key(&row.id));
    let of_limit = if limits { " | of limit" } else { "" };
    let head = format!("method | thr: | × first [95 %]: | ns [95 %]: | useful:{of_limit} | doubt");
    let groups = rows.chunk_by(|a, b| (&a.point, &a.state_hash) == (&b.point, &b.state_hash));
    let group = |rows: &[&Row]| {
        let shared = rows[0];
        Rows {
            name: format!(
                "{}: {} neighbors on average, state {}",
                shared.place(),
                digits(shared.mean_neighbors),
                shared.state_hash
            ),
            rows: rows.iter().map(|row| line(report, shared, row, limits)).collect(),
        }
    };
    let groups = groups.map(group).collect();
    let table = Table { groups, ..Table::new(&head, Vec::new()) };
    let about = "ns per agent-step; times as fast as the first way of each crowd; the share of \
                 tested pairs that are neighbors; the share of the machine's limit, and what bounds \
                 a step there.";
    let section = Section::new(format!("Times: {experiment}"), about, table);
    Section { folded: true, ..section }
}

fn line(report: &Report, first: &Row, row: &Row, limits: bool) -> Vec<String> {
    let ratio = Ratio::of(first, row);
    let of_limit = |share: &Share| format!("{:.0} %, {}", share.percent, share.bottleneck);
    let mut cells = vec![
        row.method.clone(),
        row.threads.to_string(),
        if row.id == first.id { "1".into() } else { ratio.to_string() },
        row.interval(),
        row.useful_share().map_or(String::new(), |share| format!("{:.0} %", 100.0 * share)),
    ];
    if limits {
        cells.push(report.reached.get(&row.id).map_or(String::new(), of_limit));
    }
    let time = (!row.is_trusted()).then(|| format!("time: {}", row.doubts.join("; ")));
    let ratio = ratio.doubt.filter(|_| row.id != first.id).map(|doubt| format!("ratio: {doubt}"));
    cells.push(time.into_iter().chain(ratio).collect::<Vec<_>>().join("; "));
    cells
}

/// What the processor counted, or why it did not.
pub(super) fn counts(report: &Report) -> Section {
    let line = |row: &Row| {
        let counts = <[f64; 3]>::from(row.counts?).map(digits);
        Some([row.id.clone()].into_iter().chain(counts).collect())
    };
    let lines: Vec<Vec<String>> = report.rows.iter().filter_map(line).collect();
    let title = "Counted per agent-step";
    if lines.is_empty() {
        let why = |why: &String| format!("The processor's counters were not read: {why}.");
        return Section::of_words(title, report.uncounted.iter().map(why).collect());
    }
    let table = Table::new("row | cycles: | instructions: | branch misses:", lines);
    Section { folded: true, ..Section::new(title, "", table) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::report::tests::{quiet_row, report_of};
    use crate::roofline::Bottleneck;

    fn text(report: &Report) -> String {
        times(report, "scaling").table.unwrap().text()
    }

    #[test]
    fn a_table_shows_limits_if_any_within_100_columns() {
        let row = |method, ns| Row {
            mean_neighbors: 16.0,
            pairs_per_agent: Some(1.0e5),
            state_hash: "0123456789abcdef".into(),
            ..quiet_row("scaling", method, 10_000_000, ns)
        };
        let mut report = report_of(vec![row("all-pairs-scalar", 9_999.0), row("cells-simd", 20.0)]);
        let without = text(&report);
        assert!(!without.contains("limit"), "{without}");
        assert_eq!(without.matches("10,000,000 agents: 16.0 neighbors").count(), 1, "{without}");
        for row in &report.rows {
            let share = Share { limit_ns: 9.0, bottleneck: Bottleneck::Broadcast, percent: 45.0 };
            report.reached.insert(row.id.clone(), share);
        }
        let with = text(&report);
        assert_eq!(with.matches("45 %, broadcasts").count(), 2, "{with}");
        let widest = with.lines().skip(1).map(|line| line.chars().count()).max();
        assert!(widest <= Some(100), "{with}");
    }

    #[test]
    fn a_row_whose_time_is_in_doubt_still_gives_its_ratio_and_says_why_in_one_column() {
        let slow = quiet_row("scaling", "cells-scalar", 100, 300.0);
        let mut fast = quiet_row("scaling", "cells-simd", 100, 30.0);
        fast.doubts.push("the machine was busy".into());
        let text = text(&report_of(vec![slow, fast]));
        let line = text.lines().last().unwrap();
        assert!(line.contains("10.0 [10.0, 10.0]"), "{line}");
        assert!(line.ends_with("  time: the machine was busy"), "{line}");
        assert_eq!(text.matches("busy").count(), 1);
    }

    #[test]
    fn rows_with_different_states_do_not_share_a_line() {
        let row = |method, hash: &str| Row {
            state_hash: hash.into(),
            ..quiet_row("scaling", method, 100, 20.0)
        };
        let report = report_of(vec![row("cells-simd", "aaaa"), row("cells-scalar", "bbbb")]);
        let text = text(&report);
        assert!(text.contains("state aaaa") && text.contains("state bbbb"), "{text}");
    }
}
