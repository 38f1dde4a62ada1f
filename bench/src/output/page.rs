//! The report as one page that needs nothing else: no script, no font, no network.

use std::fmt::Write;

use crate::experiments::method::Method;
use crate::output::figures::{self, Figure};
use crate::output::findings::sentences;
use crate::output::numbers::{digits, grouped};
use crate::output::svg::{STYLE, escaped, picture};
use crate::output::table::{label, limits_table};
use crate::peers::{ALIKE, Peer, Task, WORK};
use crate::results::report::Report;
use crate::results::row::Row;
use crate::rungs::Rung;

const LAYOUT: &str = "
:root { color-scheme: light dark }
body { background: var(--paper); color: var(--ink); margin: 0 auto; padding: 1.5rem 1rem 4rem;
  max-width: 50rem; font: 16px/1.5 system-ui, Helvetica, Arial, sans-serif }
h1 { font-size: 1.6rem; line-height: 1.2; margin: 0 0 .5rem }
h2 { font-size: 1.2rem; margin: 2.5rem 0 .3rem }
p { margin: .4rem 0 } .faint, figcaption { color: var(--faint); font-size: .9rem }
ul.telling { padding-left: 1.2rem; font-size: 1.05rem } ul.telling li { margin: .3rem 0 }
.warning { border-left: 4px solid var(--s0); padding: .3rem .8rem; margin: 1rem 0 }
figure { margin: .5rem 0 0 } .wide { overflow-x: auto } .wide svg { width: 100%; min-width: 35rem; display: block }
code { font: .9em ui-monospace, Menlo, Consolas, monospace; overflow-wrap: anywhere }
table { border-collapse: collapse; font-size: .85rem; font-variant-numeric: tabular-nums }
th, td { padding: .2rem .5rem; text-align: right; border-bottom: 1px solid var(--grid); white-space: nowrap }
th { color: var(--faint); font-weight: 600 } .words { text-align: left }
.prose td, .prose th { white-space: normal; vertical-align: top }
.prose td:first-child { white-space: nowrap }
details summary { cursor: pointer; margin: 1rem 0 }
.legend { display: none; flex-wrap: wrap; gap: .1rem 1rem; font-size: .85rem; margin: .3rem 0 }
.l0 { color: var(--s0) } .l1 { color: var(--s1) } .l2 { color: var(--s2) } .l3 { color: var(--s3) }
.l4 { color: var(--s4) } .l5 { color: var(--s5) } .l6 { color: var(--s6) } .l7 { color: var(--s7) }
@media screen and (max-width: 40rem) {
  .legend { display: flex } .chart { overflow: hidden } .chart svg { width: 121%; min-width: 0 }
  .chart svg text { font-size: 20px } .chart svg .tick, .chart svg .small { font-size: 17px }
  .chart .label, .chart .lead { display: none }
}
@media print { details::details-content { content-visibility: visible; block-size: auto }
  body { max-width: none; padding: 0; font-size: 11pt } figure, tr { break-inside: avoid }
  h2, h2 + p { break-after: avoid } .wide svg { min-width: 0; max-width: 15cm } .wide { overflow: visible } table { font-size: 7.5pt } }
";

pub(crate) fn html(report: &Report) -> String {
    let figures = figures::all(report);
    let title = format!("flockwork: {}", report.setup.command);
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
         <title>{0}</title>\n<style>{STYLE}{LAYOUT}</style>\n</head>\n<body>\n<h1>{0}</h1>\n",
        escaped(&title)
    );
    page += &introduction(report);
    for figure in &figures {
        page += &figure_html(figure);
    }
    page += &slopes(report);
    page += &peers(report);
    page += &limits(report);
    page += &glossary();
    page += &doubts(report);
    page += &all_rows(report);
    page += &reproduce(report, &figures);
    page + "</body>\n</html>\n"
}

/// The first figure as a file of its own.
pub(crate) fn first_figure(report: &Report) -> String {
    match figures::all(report).first() {
        Some(figure) => picture(&figure.svg, figure.height, figure.title, true),
        None => picture("", 10.0, "nothing was measured", true),
    }
}

fn introduction(report: &Report) -> String {
    let (machine, setup) = (&report.machine, &report.setup);
    let mut page = format!(
        "<p class=\"faint\">{}, {} cores · built for {}, {} lanes · {} · flockwork {}, commit {}</p>\n",
        escaped(&machine.cpu),
        machine.cores,
        escaped(&machine.instructions()),
        machine.lanes,
        escaped(&machine.rustc),
        escaped(&machine.flockwork),
        escaped(&machine.commit)
    );
    page += "<ul class=\"telling\">\n";
    for sentence in sentences(report) {
        writeln!(page, "<li>{}</li>", escaped(&sentence)).expect("a string takes all");
    }
    page += "</ul>\n";
    let mut warnings = Vec::new();
    if report.interrupted {
        warnings.push("The measurement was interrupted: this is what there was until then.".into());
    }
    let loads = [("before", report.load_before), ("after", report.load_after)];
    for (when, load) in loads {
        if let Some(load) = load.filter(|load| *load > 0.5 * machine.cores as f64 + 1.0) {
            warnings.push(format!("The machine was busy {when} the run: load {load:.1}."));
        }
    }
    let doubtful = report.rows.iter().filter(|row| !row.doubts.is_empty()).count();
    if doubtful > 0 {
        warnings.push(format!(
            "{doubtful} of {} rows cannot be trusted; what is wrong with each is said below.",
            report.rows.len()
        ));
    }
    for warning in warnings {
        writeln!(page, "<p class=\"warning\">{}</p>", escaped(&warning))
            .expect("a string takes all");
    }
    writeln!(
        page,
        "<p class=\"faint\">Workload W unless said otherwise: separation, alignment and cohesion, \
         prioritized; a torus, {} neighbors on average; seed {}. All ways to compute a crowd reached \
         the same state hash, or there would be no time.</p>",
        setup.mean_neighbors, setup.seed
    )
    .expect("a string takes all");
    page
}

fn figure_html(figure: &Figure) -> String {
    let name = |(color, name): &(usize, String)| {
        format!("<span class=\"l{color}\">● {}</span>", escaped(name))
    };
    let names: String = figure.legend.iter().map(name).collect();
    let kind = if names.is_empty() { "wide" } else { "wide chart" };
    format!(
        "<h2>{}</h2>\n<figure>\n<div class=\"{kind}\">{}</div>\n<div class=\"legend\">{names}</div>\n<figcaption>{}</figcaption>\n</figure>\n",
        escaped(figure.title),
        picture(&figure.svg, figure.height, figure.title, false),
        escaped(&figure.caption)
    )
}

/// A table of these columns; the first `words` are text, the others numbers. A table of nothing
/// but text has lines as long as there is room for.
fn table(columns: &[&str], words: usize, rows: impl Iterator<Item = Vec<String>>) -> String {
    let class = |k: usize| if k < words { " class=\"words\"" } else { "" };
    let line = |cells: &[String], tag: &str| {
        let cell =
            |(k, cell): (usize, &String)| format!("<{tag}{}>{}</{tag}>", class(k), escaped(cell));
        format!("<tr>{}</tr>\n", cells.iter().enumerate().map(cell).collect::<String>())
    };
    let head: Vec<String> = columns.iter().map(ToString::to_string).collect();
    let kind = if words == columns.len() { " class=\"prose\"" } else { "" };
    let body: String = rows.map(|row| line(&row, "td")).collect();
    format!(
        "<div class=\"wide\"><table{kind}>\n<thead>{}</thead>\n<tbody>{body}</tbody>\n</table></div>\n",
        line(&head, "th")
    )
}

fn slopes(report: &Report) -> String {
    if report.slopes.is_empty() {
        return String::new();
    }
    let rows = report.slopes.iter().map(|slope| {
        let interval = slope.interval.map_or("–".into(), |[a, b]| format!("{a:.3} to {b:.3}"));
        let range = format!("{} to {}", grouped(slope.from_n), grouped(slope.to_n));
        vec![slope.series.clone(), format!("{:.3}", slope.slope), interval, range]
    });
    let stopped: String = report
        .stopped
        .iter()
        .map(|stopped| format!("<p class=\"faint\">{}.</p>\n", escaped(&stopped.to_string())))
        .collect();
    let table = table(&["method", "N to the power of", "95 % interval", "agents"], 1, rows);
    format!("<h2>Growth</h2>\n{table}{stopped}")
}

/// What is and is not the same work.
fn peers(report: &Report) -> String {
    if report.rows_of(Task::Count.id()).next().is_none() {
        return String::new();
    }
    let columns = [&["crate"], &WORK[..]].concat();
    let row = |peer: Peer| [&[peer.id()], &peer.work()[..]].concat();
    let rows = Peer::ALL.into_iter().map(|peer| row(peer).into_iter().map(String::from).collect());
    format!(
        "<h2>What the others do</h2>\n<p>{}</p>\n{}",
        escaped(ALIKE),
        table(&columns, columns.len(), rows)
    )
}

/// What the machine can do at most.
fn limits(report: &Report) -> String {
    let Some(roofline) = &report.roofline else { return String::new() };
    let mut lines = limits_table(roofline);
    let head: Vec<String> = lines.remove(0).1;
    let columns: Vec<&str> =
        std::iter::once("per second").chain(head.iter().map(String::as_str)).collect();
    let rows = lines.into_iter().map(|(name, values)| [vec![name], values].concat());
    format!(
        "<h2>Limits of the machine</h2>\n<p>Measured: billions of operations, counted in lanes, and of \
         bytes. From these and the counted work of a step follows the shortest time \
         above.</p>\n{}",
        table(&columns, 1, rows)
    )
}

/// What the names of ways to compute a step stand for.
fn glossary() -> String {
    let methods = Method::ALL.map(|method| vec![method.id().to_owned(), method.about().to_owned()]);
    let rungs = Rung::ALL.map(|rung| vec![rung.id().to_owned(), rung.about().to_owned()]);
    let rows = rungs.into_iter().chain(methods);
    format!("<h2>Names</h2>\n{}", table(&["name", "what computes the step"], 2, rows))
}

fn doubts(report: &Report) -> String {
    let doubtful: Vec<&Row> = report.rows.iter().filter(|row| !row.doubts.is_empty()).collect();
    if doubtful.is_empty() {
        return String::new();
    }
    let mut page = format!(
        "<h2>Rows that cannot be trusted</h2>\n<details><summary>{} of {}</summary>\n<ul class=\"faint\">\n",
        doubtful.len(),
        report.rows.len()
    );
    for row in doubtful {
        let why = row.doubts.join("; ");
        writeln!(page, "<li><code>{}</code>: {}</li>", escaped(&row.id), escaped(&why))
            .expect("a string takes all");
    }
    page + "</ul></details>\n"
}

fn all_rows(report: &Report) -> String {
    let columns = [
        "experiment",
        "point",
        "series",
        "threads",
        "ns per agent-step",
        "95 % interval",
        "min",
        "repeats",
        "neighbors",
        "useful",
        "state hash",
    ];
    let rows = report.rows.iter().map(|row| {
        let [low, high] = row.interval_ns.map(digits);
        vec![
            row.experiment.clone(),
            label(row),
            row.series.clone(),
            row.threads.to_string(),
            digits(row.median_ns) + if row.doubts.is_empty() { "" } else { " ?" },
            format!("{low} to {high}"),
            digits(row.min_ns),
            row.repeats.to_string(),
            digits(row.mean_neighbors),
            row.useful_share().map_or("–".into(), |share| format!("{:.0} %", 100.0 * share)),
            row.state_hash.clone(),
        ]
    });
    let summary = format!("{} rows", report.rows.len());
    let table = table(&columns, 3, rows);
    format!("<h2>All rows</h2>\n<details><summary>{summary}</summary>\n{table}</details>\n")
}

fn reproduce(report: &Report, figures: &[Figure]) -> String {
    let quick = if report.setup.quick { " --quick" } else { "" };
    let rows = figures.iter().map(|figure| {
        let command = format!("cargo run --release -- {}{quick}", figure.command);
        vec![figure.title.to_owned(), command]
    });
    let this = ["cargo run --release --"].into_iter().map(String::from);
    let this: Vec<String> = this.chain(report.setup.arguments.clone()).collect();
    format!(
        "<h2>Reproduce</h2>\n<p>This report: <code>{}</code>, at commit <code>{}</code>. Each figure \
         alone:</p>\n{}<p class=\"faint\">The times are in report.json, one by one, and summed up in \
         report.csv.</p>\n",
        escaped(&this.join(" ")),
        escaped(&report.machine.commit),
        table(&["figure", "command"], 2, rows)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::machine::Machine;
    use crate::results::report::Setup;
    use crate::results::row::tests::row_of;

    fn report() -> Report {
        let setup = Setup {
            command: "scaling".into(),
            arguments: vec!["--n".into(), "<script>&".into()],
            quick: true,
            seed: 1,
            mean_neighbors: 16.0,
            budget_seconds: 1.0,
        };
        let mut report = Report::new(Machine::look(), setup);
        for (series, idle, per_other) in [("all-pairs-simd", 5.0, 0.01), ("cells-simd", 20.0, 0.0)]
        {
            for n in [100, 10_000, 1_000_000] {
                let ns = idle + per_other * n as f64;
                let row = row_of(series, n, vec![vec![ns, ns * 1.1]; 3]);
                let id = format!("scaling/{series}/{n}");
                report.rows.push(Row { id, experiment: "scaling".into(), x: n as f64, ..row });
            }
        }
        report.conclude();
        report.rows[0].doubts.push("a < b & \"c\"".into());
        report
    }

    /// Every tag is closed in the right order.
    fn check_tags(markup: &str) {
        let mut open = Vec::new();
        for tag in markup.split('<').skip(1).map(|rest| rest.split('>').next().unwrap()) {
            let name = tag.split([' ', '/']).find(|word| !word.is_empty()).unwrap_or_default();
            match tag {
                _ if tag.starts_with('!') || tag.ends_with('/') => {}
                _ if tag.starts_with('/') => assert_eq!(open.pop(), Some(name), "in <{tag}>"),
                _ => open.push(name),
            }
        }
        assert_eq!(open, [""; 0]);
    }

    #[test]
    fn the_page_is_well_formed_and_needs_nothing_else() {
        let page = html(&report());
        check_tags(&page);
        check_tags(&first_figure(&report()));
        for outside in ["src=", "href=", "<script", "<link", "url(", "@import"] {
            assert!(!page.contains(outside), "{outside}");
        }
        let without_names = page.replace("http://www.w3.org/2000/svg", "");
        assert!(!without_names.contains("http"));
        assert!(page.contains("prefers-color-scheme: dark") && page.contains("@media print"));
    }

    #[test]
    fn the_page_shows_figures_doubts_and_how_to_measure_again() {
        let page = html(&report());
        for words in [
            "Time per step over crowd size",
            "Time per agent over crowd size",
            "All pairs grow as N^",
            "&lt;script&gt;&amp;",
            "a &lt; b &amp; &quot;c&quot;",
            "cells-simd wins from",
            "cargo run --release -- scaling --quick",
        ] {
            assert!(page.contains(words), "{words}");
        }
    }

    #[test]
    fn a_report_without_rows_is_a_page_too() {
        let empty = Report { rows: Vec::new(), ..report() };
        check_tags(&html(&empty));
        check_tags(&first_figure(&empty));
    }
}
