//! How the time grows, where cells overtake all pairs, and what each instruction set takes.

use flockwork::LaneWidth;
use flockwork::cpu::Level;

use crate::experiments::LEVELS;
use crate::experiments::plain::level_name;
use crate::numbers::{count, digits, grouped};
use crate::output::table::{Section, Table};
use crate::results::fit::Slope;
use crate::results::report::{Crossover, Report};
use crate::results::row::Row;

pub(super) fn growth(report: &Report) -> Section {
    let line = |slope: &Slope| {
        let range = format!("{} to {}", grouped(slope.from_n), grouped(slope.to_n));
        vec![slope.method.clone(), slope.to_string(), range]
    };
    let head = "method | N to the power of [95 %]: | agents:";
    let table = Table::new(head, report.slopes.iter().map(line).collect());
    let about = "Power laws, fitted to the time per step of large crowds.";
    Section::new("Growth with crowd size", about, table)
}

pub(super) fn crossovers(report: &Report) -> Section {
    let line = |crossover: &Crossover| {
        let Crossover { cells, all_pairs, threads, n } = crossover;
        vec![format!("{cells} over {all_pairs}"), count(*threads, "thread"), n.to_string()]
    };
    let head = "ways | allowed | agents [95 %]:";
    let table = Table::new(head, report.crossovers.iter().map(line).collect());
    let about =
        "From this many agents on, cells are faster. The engine keeps small crowds on one thread.";
    Section::new("Where cell space overtakes all pairs", about, table)
}

/// The time of each level of instructions at each lane width.
pub(super) fn levels(report: &Report) -> Section {
    let row = |level: Level, width: LaneWidth| {
        let name = level_name(level, width);
        report.largest(LEVELS).find(|row| row.method == name)
    };
    let times = Level::ALL.map(|level| LaneWidth::ALL.map(|width| row(level, width)));
    let measured = || times.iter().flatten().flatten();
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
    let widths: String =
        LaneWidth::ALL.map(|width| format!(" | {} lanes:", width.lanes())).concat();
    let shown = if best.is_finite() { &Level::ALL[..] } else { &[] };
    let lines = shown.iter().copied().zip(&times).map(line).collect();
    let about = format!(
        "ns per agent-step of {} agents and how many times the best that is; * at the level's own \
         width.",
        grouped(report.most_agents(LEVELS))
    );
    Section::new("Instruction sets", about, Table::new(&format!("level{widths}"), lines))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::report::tests::{quiet_row, report_of};

    #[test]
    fn the_table_has_the_own_width_of_each_level_and_says_what_is_lacking() {
        let [low, high] = [Level::Baseline, Level::Avx2];
        let own = |level, ns| quiet_row(LEVELS, &level_name(level, LaneWidth::of(level)), 300, ns);
        let wide = quiet_row(LEVELS, &level_name(low, LaneWidth::Eight), 300, 60.0);
        let scalar = quiet_row(LEVELS, "cells-scalar", 300, 5.0);
        let mut report = report_of(vec![scalar, own(low, 50.0), wide, own(high, 20.0)]);
        report.machine.level_found = "avx2".into();
        let section = levels(&report);
        assert!(section.about[0].contains("of 300 agents"));
        let table = section.table.unwrap();
        let lines = &table.groups[0].rows;
        assert_eq!(lines[0], [low.name(), "50.0 (×2.50) *", "60.0 (×3.00)", "–"]);
        assert_eq!(lines[1], ["avx2", "–", "20.0 (×1.00) *", "–"]);
        assert_eq!(lines[2], ["avx512, which the processor lacks", "–", "–", "–"]);
    }
}
