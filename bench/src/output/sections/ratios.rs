//! The answers to the questions of an experiment: how many times as fast.

use super::rows::label;
use crate::output::table::{Section, Table};
use crate::results::ratio::Answer;
use crate::results::report::Report;

/// Each question at the largest crowd that answers it.
pub(super) fn answers(report: &Report) -> Section {
    let mut rows = Vec::new();
    for experiment in report.experiments() {
        let answers: Vec<_> = report.ratios_of(experiment).collect();
        let largest = |question: &str| {
            let of = answers.iter().filter(|(answer, _)| answer.question == question);
            of.map(|(_, row)| row.n).max()
        };
        for (Answer { question, ratio, .. }, row) in &answers {
            if largest(question) == Some(row.n) {
                rows.push(vec![
                    experiment.to_owned(),
                    question.clone(),
                    ratio.to_string(),
                    label(row),
                    ratio.doubt.clone().unwrap_or_default(),
                ]);
            }
        }
    }
    let head = "experiment | question | times as fast [95 %]: | crowd | doubt";
    let about = "At the largest crowd that both were measured with, in turns, so that noise which slows \
                 down both cancels. The tables below have a ratio for every row.";
    Section::new("Ratios", about, Table::new(head, rows))
}
