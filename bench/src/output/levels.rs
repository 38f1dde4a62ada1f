//! The table of instruction sets: the time of each level at each lane width.

use std::io::{self, Write};

use flockwork::LaneWidth;
use flockwork::cpu::Level;

use crate::experiments::levels::{NAME, name};
use crate::numbers::{digits, grouped};
use crate::results::report::Report;
use crate::results::row::Row;

pub(crate) const ABOUT: &str =
    "ns per agent-step and how many times the best that is; * at the level's own width";

/// The row of a level at a width, in the largest crowd.
pub(super) fn row(report: &Report, level: Level, width: LaneWidth) -> Option<&Row> {
    let name = name(level, width);
    report.largest(NAME).find(|row| row.method == name)
}

/// The names of the levels that the processor lacks.
pub(super) fn lacking(report: &Report) -> Vec<&'static str> {
    let lacks = |level: &Level| report.machine.lacks(*level);
    Level::ALL.into_iter().filter(lacks).map(Level::name).collect()
}

/// A line of names and one for each level; `None` if no level was measured.
pub(super) fn lines(report: &Report) -> Option<Vec<Vec<String>>> {
    let times = Level::ALL.map(|level| LaneWidth::ALL.map(|width| row(report, level, width)));
    let measured = || times.iter().flatten().flatten();
    let n = measured().next()?.n;
    let best = measured().map(|row| row.ns_per_agent_step).fold(f64::INFINITY, f64::min);
    let widths = LaneWidth::ALL.map(|width| format!("{} lanes", width.lanes()));
    let mut lines = vec![[vec![format!("{} agents", grouped(n))], widths.into()].concat()];
    for (level, times) in Level::ALL.into_iter().zip(times) {
        let lacks = if report.machine.lacks(level) { ", which the processor lacks" } else { "" };
        let cell = |(width, row): (LaneWidth, Option<&Row>)| match row {
            Some(row) => {
                let own = if width == LaneWidth::of(level) { " *" } else { "" };
                let doubt = if row.is_trusted() { "" } else { " ?" };
                let (ns, times) =
                    (digits(row.ns_per_agent_step), digits(row.ns_per_agent_step / best));
                format!("{ns} (×{times}){own}{doubt}")
            }
            None => "–".to_owned(),
        };
        let cells = LaneWidth::ALL.into_iter().zip(times).map(cell).collect();
        lines.push([vec![format!("{level}{lacks}")], cells].concat());
    }
    Some(lines)
}

pub(super) fn print(report: &Report, out: &mut impl Write) -> io::Result<()> {
    let Some(lines) = lines(report) else { return Ok(()) };
    writeln!(out, "\ninstruction sets: {ABOUT}")?;
    for line in lines {
        let [name, cells @ ..] = line.as_slice() else { continue };
        write!(out, "  {name:32}")?;
        for cell in cells {
            write!(out, "{cell:>20}")?;
        }
        writeln!(out)?;
    }
    Ok(())
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
        let lines = lines(&report).unwrap();
        assert_eq!(lines[0], ["300 agents", "4 lanes", "8 lanes", "16 lanes"]);
        assert_eq!(lines[1], [low.name(), "50.0 (×2.50) *", "60.0 (×3.00)", "–"]);
        assert_eq!(lines[2], ["avx2", "–", "20.0 (×1.00) *", "–"]);
        assert_eq!(lines[3], ["avx512, which the processor lacks", "–", "–", "–"]);
        assert_eq!(lacking(&report), ["avx512"]);
    }
}
