//! The cost of unusual agents: each crowd's time as a multiple of the plain crowd's, next to its
//! ideal and its target.

use crate::experiment::Experiment;
use crate::numbers::{count, digits};
use crate::output::table::{Section, Table};
use crate::results::ratio::Ratio;
use crate::results::report::Report;
use crate::results::row::Row;
use crate::uneven::{self, NAIVE_LOOP, PLAIN, Uneven};

pub(super) fn headline(report: &Report) -> String {
    let mut costs = costs_of(report);
    costs.retain(|cost| cost.target.is_some());
    let within = |times| costs.iter().filter(|cost| cost.of_target() <= Some(times)).count();
    let mark = |times| costs.iter().map(|cost| cost.mark(times)).max().unwrap_or_default();
    let ([met, near], all) = ([1.0, 1.3].map(within), costs.len());
    if all == 0 {
        return "no unequal crowd was measured beside the plain one".into();
    }
    let [of_met, of_near] = [1.0, 1.3].map(mark);
    format!(
        "{met} of {all} unequal crowds within their target{of_met}, {near} within 1.3 times it{of_near}"
    )
}

pub(super) fn costs(report: &Report) -> Section {
    let line = |cost: &Cost<'_>| {
        let times = |times: Option<f64>| times.map_or(String::new(), |it| format!("{it:.2}×"));
        let verdict = cost.of_target().map_or(String::new(), |of_target| match of_target {
            _ if of_target <= 1.0 => format!("met{}", cost.mark(1.0)),
            _ => format!("{}× the target{}", digits(of_target), cost.mark(1.0)),
        });
        vec![
            cost.name.clone(),
            digits(cost.row.ns_per_agent_step),
            times(Some(cost.of_plain.times)),
            times(cost.ideal),
            times(cost.target),
            verdict,
        ]
    };
    let lines = costs_of(report).iter().map(line).collect();
    let agents = count(report.most_agents(Experiment::Uneven), "agent");
    let about = "ns of one thread's processor time per agent-step, and multiples of the plain crowd. The \
                 ideal is the crowd without its unusual agents, plus the pairs that they see, plus a naive \
                 loop over 10 sharks if the crowd flees. A ? marks a verdict within the noise, from \
                 fewer than three pairs of blocks or beside busy processes.";
    let table = Table::new("crowd | ns: | of plain: | ideal: | target: | verdict", lines);
    let section = Section::new(format!("Unequal agents: {agents}"), about, table);
    Section { is_markdown: true, ..section }
}

struct Cost<'a> {
    name: String,
    row: &'a Row,
    of_plain: Ratio,
    /// Ideal and target, as multiples of the plain crowd's time.
    ideal: Option<f64>,
    target: Option<f64>,
}

impl Cost<'_> {
    fn of_target(&self) -> Option<f64> {
        Some(self.of_plain.times / self.target?)
    }

    /// Returns a question mark if it is uncertain whether the crowd is within `times` its target.
    fn mark(&self, times: f64) -> &'static str {
        let Ratio { low, high, .. } = self.of_plain;
        let is_between = |target: f64| low < times * target && times * target < high;
        if self.of_plain.is_unreliable() || self.target.is_some_and(is_between) { " ?" } else { "" }
    }
}

/// Returns the costs in the largest crowds; empty until the plain crowd is measured.
fn costs_of<'a>(report: &'a Report) -> Vec<Cost<'a>> {
    let rows: Vec<&Row> = report.largest(Experiment::Uneven).collect();
    let name = |row: &Row| {
        let of_size = format!(", {} agents", row.n);
        row.point.strip_suffix(&of_size).unwrap_or(&row.point).to_owned()
    };
    let find = |wanted: &str| rows.iter().copied().find(|row| name(row) == wanted);
    let Some(plain) = find(PLAIN) else { return Vec::new() };
    let known = uneven::all(plain.n, report.setup.dimensions);
    let ideal = |crowd: &Uneven, row: &Row| {
        // A crowd of one species has no unusual agents to leave out, so it has no ideal.
        let without = find(crowd.without).filter(|_| crowd.scene.species.len() > 1)?;
        // Agents that only push search only for agents that they touch, so more visible pairs cost
        // them nothing.
        let more_pairs = match crowd.without {
            PLAIN => (row.mean_neighbors / without.mean_neighbors.max(1.0)).max(1.0),
            _ => 1.0,
        };
        let naive = if crowd.flees() { find(NAIVE_LOOP)?.ns_per_agent_step } else { 0.0 };
        Some((without.ns_per_agent_step * more_pairs + naive) / plain.ns_per_agent_step)
    };
    let cost = |&row: &&'a Row| {
        let name = name(row);
        let crowd = known.iter().find(|crowd| crowd.name == name);
        Cost {
            of_plain: Ratio::of(row, plain),
            ideal: crowd.and_then(|crowd| ideal(crowd, row)),
            target: crowd.and_then(|crowd| Some(crowd.goal?.times(row.mean_neighbors))),
            name,
            row,
        }
    };
    rows.iter().map(cost).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::fixtures::{quiet_row, report_of};
    use crate::results::row::Load;
    use crate::variant::Variant;

    fn report(rows: &[(&str, f64, f64)]) -> Report {
        let row = |&(point, ns, mean_neighbors): &(&str, f64, f64)| Row {
            point: point.into(),
            mean_neighbors,
            ..quiet_row(Experiment::Uneven, Variant::CellsSimd, 1_000, ns)
        };
        report_of(rows.iter().map(row).collect())
    }

    #[test]
    fn each_crowd_is_compared_with_the_plain_one_its_ideal_and_its_target() {
        let report = report(&[
            (NAIVE_LOOP, 10.0, 0.0),
            (PLAIN, 20.0, 16.0),
            ("pushes", 16.0, 16.0),
            ("flee nearest of 10 within 3 views", 25.0, 16.0),
            ("10 % see 4 views", 90.0, 40.0),
            ("cohesion sees 3 views", 70.0, 16.0),
            ("pushes, one of 10 radii", 40.0, 32.0),
        ]);
        assert_eq!(
            costs(&report).table.markdown(),
            "| crowd | ns | of plain | ideal | target | verdict |\n\
             | --- | ---: | ---: | ---: | ---: | --- |\n\
             | naive loop over 10 sharks | 10.0 | 0.50× | | | |\n\
             | plain | 20.0 | 1.00× | | | |\n\
             | pushes | 16.0 | 0.80× | | 0.94× | met |\n\
             | flee nearest of 10 within 3 views | 25.0 | 1.25× | 1.50× | 1.41× | met |\n\
             | 10 % see 4 views | 90.0 | 4.50× | 2.50× | 2.25× | 2.00× the target |\n\
             | cohesion sees 3 views | 70.0 | 3.50× | | 2.81× | 1.24× the target |\n\
             | pushes, one of 10 radii | 40.0 | 2.00× | 0.80× | 0.94× | 2.13× the target |\n"
        );
        assert_eq!(
            headline(&report),
            "2 of 5 unequal crowds within their target, 3 within 1.3 times it"
        );
    }

    #[test]
    fn nothing_is_compared_before_the_plain_crowd_is_measured() {
        let report = report(&[("1 sees 3 views", 40.0, 16.0)]);
        assert!(costs(&report).table.is_empty());
        assert_eq!(headline(&report), "no unequal crowd was measured beside the plain one");
    }

    #[test]
    fn a_target_within_the_noise_is_marked() {
        let mut report = report(&[(PLAIN, 32.0, 16.0), ("1 sees 3 views", 36.1, 16.0)]);
        for (block, by) in report.rows[1].blocks.iter_mut().zip([0.98, 1.0, 1.02]) {
            block.ns.iter_mut().for_each(|ns| *ns *= by);
        }
        assert!(costs(&report).table.markdown().contains("× the target ? |"));
        assert_eq!(
            headline(&report),
            "0 of 1 unequal crowds within their target ?, 1 within 1.3 times it"
        );
    }

    /// Regression: verdicts from a single block or a busy machine had no question mark.
    #[test]
    fn verdicts_from_few_blocks_or_beside_busy_processes_are_marked() {
        let quiet = report(&[(PLAIN, 32.0, 16.0), ("1 sees 3 views", 20.0, 16.0)]);
        let [mut few, mut busy] = [quiet.clone(), quiet];
        few.rows[1].blocks.truncate(1);
        let load = Some(Load { others_seconds: 0.5, wall_seconds: 1.0 });
        busy.rows.iter_mut().flat_map(|row| &mut row.blocks).for_each(|block| block.load = load);
        for report in [few, busy] {
            assert!(costs(&report).table.markdown().contains("| met ? |"));
            assert_eq!(
                headline(&report),
                "1 of 1 unequal crowds within their target ?, 1 within 1.3 times it ?"
            );
        }
    }
}
