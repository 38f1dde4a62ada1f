//! The sections of the page below its figures: tables, names, doubts, commands.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::experiments::kernels;
use crate::method::Method;
use crate::numbers::{digits, grouped};
use crate::output::figures::Figure;
use crate::output::levels;
use crate::output::svg::escaped;
use crate::output::table::{label, limits_table};
use crate::peers::{FLOCK_ROWS, FLOCK_WORK, Flock, IN_COMMON, Peer, Task, WORK};
use crate::results::report::Report;
use crate::results::row::Row;
use crate::roofline::Counts;
use crate::roofline::Work;
use crate::rungs::Rung;

/// A table with these columns, of which the first `words` are text and the others numbers. A table
/// of text only wraps its lines.
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
        "<div class=\"table\"><table{kind}>\n<thead>{}</thead>\n<tbody>{body}</tbody>\n</table></div>\n",
        line(&head, "th")
    )
}

pub(super) fn slopes(report: &Report) -> String {
    if report.slopes.is_empty() {
        return String::new();
    }
    let rows = report.slopes.iter().map(|slope| {
        let interval = slope.interval.map_or("–".into(), |[a, b]| format!("{a:.3} to {b:.3}"));
        let range = format!("{} to {}", grouped(slope.from_n), grouped(slope.to_n));
        vec![slope.method.clone(), format!("{:.3}", slope.slope), interval, range]
    });
    let table = table(&["method", "N to the power of", "95 % interval", "agents"], 1, rows);
    format!("<h2>Growth with crowd size</h2>\n{table}")
}

/// The time of each level of instructions at each lane width.
pub(super) fn levels(report: &Report) -> String {
    let Some(mut lines) = levels::lines(report) else { return String::new() };
    let head = lines.remove(0);
    let columns: Vec<&str> = head.iter().map(String::as_str).collect();
    let table = table(&columns, 1, lines.into_iter());
    format!("<h2>Instruction sets</h2>\n<p>{}.</p>\n{table}", levels::ABOUT)
}

/// The rows left out because they would have taken too long.
pub(super) fn stopped(report: &Report) -> String {
    if report.stopped.is_empty() {
        return String::new();
    }
    let mut page = "<h2>Not measured</h2>\n<ul class=\"faint\">\n".to_owned();
    for stopped in &report.stopped {
        writeln!(page, "<li>{}</li>", escaped(&stopped.to_string())).expect("a string takes all");
    }
    page + "</ul>\n"
}

/// How the work of other crates differs.
pub(super) fn peers(report: &Report) -> String {
    if report.rows_of(Task::Count.id()).next().is_none() {
        return String::new();
    }
    let columns = [&["crate"], &WORK[..]].concat();
    let row = |peer: Peer| [&[peer.id()], &peer.work()[..]].concat();
    let rows = Peer::ALL.into_iter().map(|peer| row(peer).into_iter().map(String::from).collect());
    format!(
        "<h2>What each crate computes</h2>\n<p>{}</p>\n{}",
        escaped(IN_COMMON),
        table(&columns, columns.len(), rows)
    )
}

/// What is the same work for a whole flock and what is not.
pub(super) fn flocks(report: &Report) -> String {
    if !report.rows.iter().any(|row| row.method == Flock::ID) {
        return String::new();
    }
    let rows = FLOCK_ROWS.iter().map(|row| row.iter().map(ToString::to_string).collect());
    format!(
        "<h2>What each flock computes</h2>\n<p>The flock follows the same rules from the same state; in every repeat it saw as many \
         neighbors as the engine and led to where the engine leads.</p>\n{}",
        table(&FLOCK_WORK, FLOCK_WORK.len(), rows)
    )
}

/// The limits of the machine.
pub(super) fn limits(report: &Report) -> String {
    let Some(roofline) = &report.roofline else { return String::new() };
    let mut lines = limits_table(roofline);
    let head: Vec<String> = lines.remove(0).1;
    let columns: Vec<&str> =
        std::iter::once("per second").chain(head.iter().map(String::as_str)).collect();
    let rows = lines.into_iter().map(|(name, values)| [vec![name], values].concat());
    let guessed = if roofline.caches.known {
        ""
    } else {
        " The system does not report the sizes of its caches, so usual sizes are assumed."
    };
    format!(
        "<h2>Limits of the machine</h2>\n<p>Measured, in billions per second: operations, counted \
         in lanes, and bytes.{guessed} With the counted work of a step these give its shortest \
         possible time, the limit above.</p>\n{}{}",
        table(&columns, 1, rows),
        counted(&roofline.counted)
    )
}

/// The counted work of a step.
fn counted(counts: &Counts) -> String {
    let columns = ["operations", "add", "mul", "fma", "div", "sqrt", "broadcast loads"];
    let line = |(name, work): (&str, Work)| {
        let Work { add, mul, fma, div, sqrt, broadcast } = work;
        let numbers = [add, mul, fma, div, sqrt, broadcast].map(|count| count.to_string());
        [vec![name.to_owned()], numbers.to_vec()].concat()
    };
    let rows = [
        ("per tested pair", counts.test),
        ("per summed pair", counts.sums),
        ("per summed pair, 16 lanes", counts.sums_of_16),
        ("more per tested pair, all pairs", counts.image),
        ("per agent", counts.agent),
    ];
    format!(
        "<p>Counted in the kernels: these operations, with comparisons as additions. Per agent, \
         the sort moves {} bytes and steering {}.</p>\n{}",
        counts.sort_bytes,
        counts.steer_bytes,
        table(&columns, 1, rows.into_iter().map(line))
    )
}

/// The meaning of the names of methods and rungs that the report has.
pub(super) fn glossary(report: &Report) -> String {
    let methods = Method::ALL.map(|method| (method.id(), method.about()));
    let rungs = Rung::ALL.map(|rung| (rung.id(), rung.about()));
    let is_measured = |(id, _): &(&str, &str)| report.rows.iter().any(|row| row.method == *id);
    let mut rows = rungs.into_iter().chain(methods).filter(is_measured).peekable();
    if rows.peek().is_none() {
        return String::new();
    }
    let rows = rows.map(|(id, about)| vec![id.to_owned(), about.to_owned()]);
    format!(
        "<h2>Names of methods and rungs</h2>\n{}",
        table(&["name", "how the step is computed"], 2, rows)
    )
}

pub(super) fn doubts(report: &Report) -> String {
    let doubtful: Vec<&Row> = report.rows.iter().filter(|row| !row.is_trusted()).collect();
    if doubtful.is_empty() {
        return String::new();
    }
    let mut by_experiment = BTreeMap::<&str, usize>::new();
    for row in &doubtful {
        *by_experiment.entry(&row.experiment).or_default() += 1;
    }
    let of = |(experiment, count): (&str, usize)| {
        format!("{experiment} {count} of {}", report.rows_of(experiment).count())
    };
    let summary: Vec<String> = by_experiment.into_iter().map(of).collect();
    let mut page = format!(
        "<h2>Rows in doubt</h2>\n<p>{} of {}: {}.</p>\n\
         <details class=\"doubts\"><summary>Reasons, row by row</summary>\n<ul class=\"faint\">\n",
        doubtful.len(),
        report.rows.len(),
        escaped(&summary.join(", "))
    );
    for row in doubtful {
        let why = row.doubts.join("; ");
        writeln!(page, "<li><code>{}</code>: {}</li>", escaped(&row.id), escaped(&why))
            .expect("a string takes all");
    }
    page + "</ul></details>\n"
}

pub(super) fn all_rows(report: &Report) -> String {
    let columns = [
        "experiment",
        "point",
        "method",
        "threads",
        "ns per agent-step",
        "95 % interval",
        "median",
        "min",
        "blocks",
        "repeats",
        "neighbors",
        "useful",
        "of limit",
        "state hash",
    ];
    let rows = report.rows.iter().map(|row| {
        let [low, high] = [row.ns_low, row.ns_high].map(digits);
        vec![
            row.experiment.clone(),
            label(row),
            row.method.clone(),
            row.threads.to_string(),
            digits(row.ns_per_agent_step) + if row.is_trusted() { "" } else { " ?" },
            format!("{low} to {high}"),
            digits(row.ns_median),
            digits(row.ns_min),
            row.blocks.len().to_string(),
            row.repeats.to_string(),
            digits(row.mean_neighbors),
            row.useful_share().map_or("–".into(), |share| format!("{:.0} %", 100.0 * share)),
            report.reached.get(&row.id).map_or("–".into(), |of| format!("{:.0} %", of.percent)),
            row.state_hash.clone(),
        ]
    });
    let summary = format!("{} rows", report.rows.len());
    let table = table(&columns, 3, rows);
    format!("<h2>All rows</h2>\n<details><summary>{summary}</summary>\n{table}</details>\n")
}

pub(super) fn reproduce(report: &Report, figures: &[Figure]) -> String {
    let program = "cargo run --release --";
    let rows = figures.iter().map(|figure| {
        let command = format!("{program} {}", command(report, figure.command));
        vec![figure.title.to_owned(), command]
    });
    let this = [program].into_iter().map(String::from);
    let this: Vec<String> = this.chain(report.setup.arguments.clone()).collect();
    format!(
        "<h2>How to reproduce this report</h2>\n<p>The whole report: <code>{}</code>, at commit \
         <code>{}</code>. Each figure alone:</p>\n{}<p class=\"faint\">report.json has every \
         measured time, report.csv one line per row.</p>\n",
        escaped(&this.join(" ")),
        escaped(&report.machine.commit),
        table(&["figure", "command"], 2, rows)
    )
}

/// The command that measures a part of the report, with the options of the whole.
fn command(report: &Report, subcommand: &str) -> String {
    let mut words = vec![subcommand.to_owned()];
    let is_subcommand = |word: &&String| !word.starts_with('-');
    let skipped = usize::from(report.setup.arguments.first().filter(is_subcommand).is_some());
    words.extend(report.setup.arguments.iter().skip(skipped).cloned());
    // Alone, this measures a larger crowd by default than within `all`.
    let heavy = report.largest(kernels::HEAVY).next();
    if let Some(row) =
        heavy.filter(|_| subcommand == kernels::NAME && report.setup.command == "all")
    {
        words.push(format!("--heavy {}", row.n));
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::report::tests::{quiet_row, report_of};

    #[test]
    fn the_command_of_a_figure_has_the_options_of_its_report() {
        let mut report = report_of(vec![quiet_row("heavy", "cells-simd", 300_000, 50.0)]);
        let line = |report: &mut Report, typed: &str, subcommand| {
            report.setup.command = typed.split(' ').next().unwrap().to_owned();
            report.setup.arguments = typed.split(' ').map(String::from).collect();
            command(report, subcommand)
        };
        assert_eq!(
            line(&mut report, "--n 10k,1M --seed 7 --threads 2", "scaling"),
            "scaling --n 10k,1M --seed 7 --threads 2"
        );
        assert_eq!(line(&mut report, "all --quick", "density"), "density --quick");
        assert_eq!(line(&mut report, "all", "kernels"), "kernels --heavy 300000");
        assert_eq!(
            line(&mut report, "kernels --heavy 1M", "kernels"),
            "kernels --heavy 1M",
            "no option appears twice"
        );
    }
}
