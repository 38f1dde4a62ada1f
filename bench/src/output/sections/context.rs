//! What is behind the results: what was left out, what other code computes, the machine's limits,
//! names.

use crate::method::Method;
use crate::numbers::{count, digits};
use crate::output::table::{Section, Table, number, words};
use crate::peers::{FLOCK_ROWS, FLOCK_WORK, Flock, IN_COMMON, Peer, Task, WORK};
use crate::results::report::Report;
use crate::roofline::Limits;
use crate::rungs::Rung;

/// The rows left out, mostly because they would have taken too long.
pub(super) fn not_measured(report: &Report) -> Option<Section> {
    let about = report.stopped.iter().map(ToString::to_string).collect();
    let title = "Not measured".to_owned();
    let section = Section { title, about, table: None, folded: false };
    (!report.stopped.is_empty()).then_some(section)
}

/// What is the same work for both flocks and what is not.
pub(super) fn flocks(report: &Report) -> Option<Section> {
    let rows = FLOCK_ROWS.map(|row| row.map(String::from).to_vec()).to_vec();
    let about = "The next best is assembled from the fastest search of other crates. It follows the \
                 same rules from the same state; in every repeat it saw as many neighbors as the \
                 engine, and every bird ended where the engine's agent did.";
    let table = Table::new(FLOCK_WORK.map(words).into(), rows);
    let is_measured = report.rows.iter().any(|row| row.method == Flock::ID);
    is_measured.then(|| Section::new("What each flock computes", about, table))
}

/// How the work of other crates differs.
pub(super) fn searches(report: &Report) -> Option<Section> {
    let columns = ["crate"].into_iter().chain(WORK).map(words).collect();
    let row = |peer: Peer| [peer.id()].into_iter().chain(peer.work()).map(String::from).collect();
    let table = Table::new(columns, Peer::ALL.map(row).into());
    let is_measured = report.rows_of(Task::Count.id()).next().is_some();
    is_measured.then(|| Section::new("What each crate computes", IN_COMMON, table))
}

/// The limits of the machine, one line for each, with its value for each number of threads.
pub(super) fn limits(report: &Report) -> Option<Section> {
    let roofline = report.roofline.as_ref()?;
    let limits = &roofline.limits;
    let line = |name: &str, value: &dyn Fn(&Limits) -> f64| {
        let values = limits.iter().map(|limits| digits(value(limits) / 1.0e9));
        [name.to_owned()].into_iter().chain(values).collect::<Vec<_>>()
    };
    let calls = limits.iter().any(|limits| limits.rates.fma_calls);
    let mut lines = vec![
        line("add", &|limits| limits.rates.add),
        line("mul", &|limits| limits.rates.mul),
        line(if calls { "fma, in software" } else { "fma" }, &|limits| limits.rates.fma),
        line("add and fma", &|limits| limits.rates.add_and_fma),
        line("div", &|limits| limits.rates.div),
        line("sqrt", &|limits| limits.rates.sqrt),
        line("broadcast loads", &|limits| limits.rates.broadcast),
    ];
    for (k, bandwidth) in limits.first()?.bandwidths.iter().enumerate() {
        let level = &bandwidth.level;
        let read = |limits: &Limits| limits.bandwidths[k].read;
        lines.push(line(&format!("bytes read, {level}"), &read));
        let copied = |limits: &Limits| limits.bandwidths[k].copy;
        lines.push(line(&format!("bytes copied, {level}"), &copied));
    }
    let threads = limits.iter().map(|limits| number(&count(limits.threads, "thread")));
    let columns = [words("billions per second")].into_iter().chain(threads).collect();
    let guessed = if roofline.caches.known {
        ""
    } else {
        " The system does not report the sizes of its caches, so usual sizes are assumed."
    };
    let about = format!(
        "Measured: operations, counted in lanes, and bytes.{guessed} With the counted work of a step \
         these give its shortest possible time. \"Of limit\" is that time as a share of the measured \
         one, and the resource that bounds it."
    );
    Some(Section::new("Limits of the machine", about, Table::new(columns, lines)))
}

/// The meaning of the names of methods and rungs that the report has.
pub(super) fn names(report: &Report) -> Option<Section> {
    let methods = Method::ALL.map(|method| (method.id(), method.about()));
    let rungs = Rung::ALL.map(|rung| (rung.id(), rung.about()));
    let all = rungs.into_iter().chain(methods).chain([(Flock::ID, Flock::ABOUT)]);
    let is_measured = |(id, _): &(&str, &str)| report.rows.iter().any(|row| row.method == *id);
    let line = |(id, about): (&str, &str)| vec![id.to_owned(), about.to_owned()];
    let lines: Vec<_> = all.filter(is_measured).map(line).collect();
    let columns = vec![words("name"), words("how the step is computed")];
    let is_any = !lines.is_empty();
    is_any.then(|| Section::new("Names of methods and rungs", "", Table::new(columns, lines)))
}
