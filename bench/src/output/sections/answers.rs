//! What follows from times: the answers to the questions of an experiment, how the time grows, and
//! where cells overtake all pairs.

use crate::numbers::grouped;
use crate::output::table::{Section, Table};
use crate::results::fit::Slope;
use crate::results::ratio::Answer;
use crate::results::report::{Crossover, Report};

/// Each question at the largest crowd that answers it.
pub(super) fn ratios(report: &Report) -> Section {
    let mut rows = Vec::new();
    for experiment in report.experiments() {
        for (Answer { question, ratio, .. }, row) in report.largest_answers(experiment) {
            rows.push(vec![
                experiment.to_owned(),
                question.clone(),
                ratio.to_string(),
                row.place(),
                ratio.doubt.clone().unwrap_or_default(),
            ]);
        }
    }
    let head = "experiment | question | times as fast [95 %]: | crowd | doubt";
    let about = "At the largest crowd that both were measured with, in turns, so that noise which slows \
                 down both cancels. The tables below have a ratio for every row.";
    Section::new("Ratios", about, Table::new(head, rows))
}

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
    let line = |Crossover { cells, all_pairs, n }: &Crossover| {
        vec![format!("{cells} over {all_pairs}"), n.to_string()]
    };
    let head = "ways | agents [95 %]:";
    let table = Table::new(head, report.crossovers.iter().map(line).collect());
    let about = "From this many agents on, cells are faster, on one thread.";
    Section::new("Where cell space overtakes all pairs", about, table)
}
