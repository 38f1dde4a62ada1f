//! What a report says in tables: the same for the terminal and the page.

use crate::output::table::Section;
use crate::results::report::Report;

mod answers;
mod context;
mod rows;

pub(crate) use context::limits;

/// What a reader wants to know of the results, ratios first.
pub(crate) fn results(report: &Report) -> Vec<Section> {
    let experiments = report.experiments();
    let rows = experiments.into_iter().map(|experiment| rows::times(report, experiment));
    let others = [
        rows::counts(report),
        answers::growth(report),
        answers::crossovers(report),
        context::not_measured(report),
    ];
    let all = [answers::ratios(report)].into_iter().chain(rows).chain(others);
    all.filter(Section::says_something).collect()
}

/// What is behind the results: the limits of the machine, and what the names mean.
pub(crate) fn background(report: &Report) -> Vec<Section> {
    let measured = [context::flocks(report), context::searches(report), context::limits(report)];
    let all = measured.into_iter().flatten().chain([context::names(report)]);
    all.filter(Section::says_something).collect()
}
