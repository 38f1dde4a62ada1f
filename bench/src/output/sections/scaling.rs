//! How the time grows, where cells overtake all pairs, and what each instruction set takes.

use flockwork::LaneWidth;
use flockwork::cpu::Level;

use crate::experiments::levels::{NAME, name};
use crate::numbers::{count, digits, grouped};
use crate::output::table::{Section, Table, number, words};
use crate::results::fit::{Crossing, Slope};
use crate::results::report::{Crossover, Report};
use crate::results::row::Row;

pub(super) fn growth(report: &Report) -> Option<Section> {
    let line = |slope: &Slope| {
        let interval = slope.interval.map(|[low, high]| format!(" [{low:.2}, {high:.2}]"));
        let power = format!("{:.3}{}", slope.slope, interval.unwrap_or_default());
        let range = format!("{} to {}", grouped(slope.from_n), grouped(slope.to_n));
        vec![slope.method.clone(), power, range]
    };
    let columns = vec![words("method"), number("N to the power of [95 %]"), number("agents")];
    let table = Table::new(columns, report.slopes.iter().map(line).collect());
    let about = "Power laws, fitted to the time per step of large crowds.";
    (!report.slopes.is_empty()).then(|| Section::new("Growth with crowd size", about, table))
}

pub(super) fn crossovers(report: &Report) -> Option<Section> {
    let line = |crossover: &Crossover| {
        let at = match crossover.n {
            Crossing::At { n, interval: [low, high] } => {
                let [n, low, high] = [n, low, high].map(|n| grouped(n.round() as usize));
                format!("{n} [{low}, {high}]")
            }
            Crossing::Below(n) => format!("below {}, the smallest measured", grouped(n)),
            Crossing::Above(n) => format!("above {}, the largest measured", grouped(n)),
        };
        let Crossover { cells, all_pairs, threads, .. } = crossover;
        vec![format!("{cells} over {all_pairs}"), count(*threads, "thread"), at]
    };
    let columns = vec![words("ways"), words("allowed"), number("agents [95 %]")];
    let table = Table::new(columns, report.crossovers.iter().map(line).collect());
    let about =
        "From this many agents on, cells are faster. The engine keeps small crowds on one thread.";
    let title = "Where cell space overtakes all pairs";
    (!report.crossovers.is_empty()).then(|| Section::new(title, about, table))
}

/// The time of each level of instructions at each lane width.
pub(super) fn levels(report: &Report) -> Option<Section> {
    let row = |level: Level, width: LaneWidth| {
        let name = name(level, width);
        report.largest(NAME).find(|row| row.method == name)
    };
    let times = Level::ALL.map(|level| LaneWidth::ALL.map(|width| row(level, width)));
    let measured = || times.iter().flatten().flatten();
    let n = measured().next()?.n;
    let best = measured().map(|row| row.ns_per_agent_step).fold(f64::INFINITY, f64::min);
    let line = |(level, times): (Level, &[Option<&Row>; 3])| {
        let lacks = if report.machine.lacks(level) { ", which the processor lacks" } else { "" };
        let cell = |(width, row): (LaneWidth, &Option<&Row>)| {
            let Some(row) = row else { return "–".to_owned() };
            let own = if width == LaneWidth::of(level) { " *" } else { "" };
            let ns = row.ns_per_agent_step;
            format!("{} (×{}){own}", digits(ns), digits(ns / best))
        };
        let cells = LaneWidth::ALL.into_iter().zip(times).map(cell);
        [format!("{level}{lacks}")].into_iter().chain(cells).collect()
    };
    let widths = LaneWidth::ALL.map(|width| number(&format!("{} lanes", width.lanes())));
    let columns = [words("level")].into_iter().chain(widths).collect();
    let lines = Level::ALL.into_iter().zip(&times).map(line).collect();
    let about = format!(
        "ns per agent-step of {} agents and how many times the best that is; * at the level's own \
         width.",
        grouped(n)
    );
    Some(Section::new("Instruction sets", about, Table::new(columns, lines)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::report::tests::{quiet_row, report_of};

    #[test]
    fn the_table_has_the_own_width_of_each_level_and_says_what_is_lacking() {
        let [low, high] = [Level::Baseline, Level::Avx2];
        let own = |level, ns| quiet_row(NAME, &name(level, LaneWidth::of(level)), 300, ns);
        let wide = quiet_row(NAME, &name(low, LaneWidth::Eight), 300, 60.0);
        let scalar = quiet_row(NAME, "cells-scalar", 300, 5.0);
        let mut report = report_of(vec![scalar, own(low, 50.0), wide, own(high, 20.0)]);
        report.machine.level_found = "avx2".into();
        let section = levels(&report).unwrap();
        assert!(section.about[0].contains("of 300 agents"));
        let table = section.table.unwrap();
        let lines = &table.groups[0].rows;
        assert_eq!(lines[0], [low.name(), "50.0 (×2.50) *", "60.0 (×3.00)", "–"]);
        assert_eq!(lines[1], ["avx2", "–", "20.0 (×1.00) *", "–"]);
        assert_eq!(lines[2], ["avx512, which the processor lacks", "–", "–", "–"]);
    }
}
