//! What is behind the results: what was left out, what other code computes, the machine's limits,
//! names.

use crate::experiments::NEIGHBOR_COUNT;
use crate::method::Method;
use crate::numbers::{count, digits};
use crate::output::table::{Section, Table};
use crate::peers::Flock;
use crate::results::report::Report;
use crate::roofline::Limits;
use crate::rungs::Rung;

/// The rows left out, mostly because they would have taken too long.
pub(super) fn not_measured(report: &Report) -> Section {
    Section::of_words("Not measured", report.stopped.iter().map(ToString::to_string).collect())
}

/// What is the same work for both flocks and what is not.
pub(super) fn flocks(report: &Report) -> Option<Section> {
    let is_measured = report.rows.iter().any(|row| row.method == Flock::ID);
    let text = include_str!("../../../templates/flocks.txt");
    is_measured.then(|| section_of("What each flock computes", text))
}

/// How the work of other crates differs.
pub(super) fn searches(report: &Report) -> Option<Section> {
    let is_measured = report.rows_of(NEIGHBOR_COUNT).next().is_some();
    let text = include_str!("../../../templates/searches.txt");
    is_measured.then(|| section_of("What each crate computes", text))
}

/// From a paragraph and the lines of a table.
fn section_of(title: &str, text: &str) -> Section {
    let mut lines = text.lines();
    let [about, head] = [(); 2].map(|()| lines.next().expect("a paragraph and a table"));
    let rows = lines.map(|line| line.split(" | ").map(str::to_owned).collect()).collect();
    Section::new(title, about, Table::new(head, rows))
}

/// The limits of the machine, one line for each, with its value for each number of threads.
pub(crate) fn limits(report: &Report) -> Option<Section> {
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
        let name = format!("bytes copied, {}", bandwidth.level);
        lines.push(line(&name, &|limits| limits.bandwidths.get(k).map_or(0.0, |known| known.copy)));
    }
    let threads = limits.iter().map(|limits| format!(" | {}:", count(limits.threads, "thread")));
    let head = format!("billions per second{}", threads.collect::<String>());
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
    Some(Section::new("Limits of the machine", about, Table::new(&head, lines)))
}

/// The meaning of the names of methods and rungs that the report has.
pub(super) fn names(report: &Report) -> Section {
    let methods = Method::ALL.map(|method| (method.id(), method.about()));
    let rungs = Rung::ALL.map(|rung| (rung.id(), rung.about()));
    let all = rungs.into_iter().chain(methods).chain([(Flock::ID, Flock::ABOUT)]);
    let is_measured = |(id, _): &(&str, &str)| report.rows.iter().any(|row| row.method == *id);
    let line = |(id, about): (&str, &str)| vec![id.to_owned(), about.to_owned()];
    let lines = all.filter(is_measured).map(line).collect();
    Section::new(
        "Names of methods and rungs",
        "",
        Table::new("name | how the step is computed", lines),
    )
}
