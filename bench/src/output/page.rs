//! The report as one self-contained page: no scripts, no fonts, no network.

use std::fmt::Write;

use crate::output::figures::{self, Figure};
use crate::output::findings::sentences;
use crate::output::sections;
use crate::output::svg::{NARROW_WIDTH, STYLE, WIDTH, escaped, picture};
use crate::results::report::Report;

const LAYOUT: &str = "
:root { color-scheme: light dark }
body { background: var(--paper); color: var(--ink); margin: 0 auto; padding: 1.5rem 1rem 4rem;
  max-width: 50rem; font: 16px/1.5 system-ui, Helvetica, Arial, sans-serif }
h1 { font-size: 1.6rem; line-height: 1.2; margin: 0 0 .5rem }
h2 { font-size: 1.2rem; margin: 2.5rem 0 .3rem }
p { margin: .4rem 0 } .faint, figcaption { color: var(--faint); font-size: .9rem }
ul.findings { padding-left: 1.2rem; font-size: 1.05rem } ul.findings li { margin: .3rem 0 }
.warning { border-left: 4px solid var(--s0); padding: .3rem .8rem; margin: 1rem 0 }
figure { margin: .5rem 0 0 } figure svg { width: 100%; display: block } .narrow { display: none }
code { font: .9em ui-monospace, Menlo, Consolas, monospace; overflow-wrap: anywhere }
/* A table wider than the page has a shadow at that edge; the paper over it scrolls along. */
.table { --shade: #0004; overflow-x: auto; background:
  linear-gradient(to right, var(--paper) 40%, transparent) left / 3rem 100% no-repeat local,
  linear-gradient(to left, var(--paper) 40%, transparent) right / 3rem 100% no-repeat local,
  linear-gradient(to right, var(--shade), transparent) left / .9rem 100% no-repeat scroll,
  linear-gradient(to left, var(--shade), transparent) right / .9rem 100% no-repeat scroll }
@media (prefers-color-scheme: dark) { .table { --shade: #fff5 } }
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
  .prose td:first-child { white-space: normal } .wide { display: none } .narrow { display: block }
  .legend { display: flex } .chart { overflow: hidden } .chart svg { width: 121% }
  .chart svg text { font-size: 20px } .chart svg .tick, .chart svg .small { font-size: 17px }
  .chart .label, .chart .lead { display: none }
}
@media print { details::details-content { content-visibility: visible; block-size: auto }
  body { max-width: none; padding: 0; font-size: 11pt } figure, tr { break-inside: avoid }
  h2, h2 + p { break-after: avoid } figure svg { max-width: 18cm }
  .table { overflow: visible; background: none } table { font-size: 7pt }
  /* A table wider than the paper would shrink everything. */
  th, .words { white-space: normal } th, td { padding: .1rem .25rem } .doubts { display: none } }
@page { margin: 1.4cm }
";

pub(crate) fn html(report: &Report) -> String {
    let figures = figures::all(report);
    let title = format!("flockwork benchmark: {}", report.setup.command);
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
    page += &sections::slopes(report);
    page += &sections::levels(report);
    page += &sections::stopped(report);
    page += &sections::peers(report);
    page += &sections::flocks(report);
    page += &sections::limits(report);
    page += &sections::glossary(report);
    page += &sections::doubts(report);
    page += &sections::all_rows(report);
    page += &sections::reproduce(report, &figures);
    page + "</body>\n</html>\n"
}

/// The first figure as a separate file.
pub(crate) fn first_figure(report: &Report) -> String {
    match figures::all(report).first() {
        Some(figure) => picture(&figure.svg, [WIDTH, figure.height], figure.title, true),
        None => picture("", [WIDTH, 10.0], "nothing was measured", true),
    }
}

fn introduction(report: &Report) -> String {
    let (machine, setup) = (&report.machine, &report.setup);
    let mut page = format!(
        "<p class=\"faint\">{}, {} cores · instructions: {}, {} lanes · {} · flockwork {}, commit {}</p>\n",
        escaped(&machine.cpu),
        machine.cores,
        escaped(&machine.instructions()),
        machine.lanes,
        escaped(&machine.rustc),
        escaped(&machine.flockwork),
        escaped(&machine.commit)
    );
    page += "<ul class=\"findings\">\n";
    for sentence in sentences(report) {
        writeln!(page, "<li>{}</li>", escaped(&sentence)).expect("a string takes all");
    }
    page += "</ul>\n";
    let mut warnings = Vec::new();
    if report.interrupted {
        warnings.push(
            "The measurement was interrupted; this page shows the rows measured until then.".into(),
        );
    }
    warnings.extend(report.busy());
    for warning in warnings {
        writeln!(page, "<p class=\"warning\">{}</p>", escaped(&warning))
            .expect("a string takes all");
    }
    writeln!(
        page,
        "<p class=\"faint\">Workload W unless stated otherwise: separation, alignment and \
         cohesion, prioritized; a torus with {} neighbors on average; seed {}. All ways to compute \
         a crowd reached the same state hash; otherwise no time would be shown.</p>",
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
    let drawn = |svg: &str, size| picture(svg, size, figure.title, false);
    let wide = drawn(&figure.svg, [WIDTH, figure.height]);
    let pictures = match &figure.narrow {
        None => format!("<div class=\"chart\">{wide}</div>\n<div class=\"legend\">{names}</div>"),
        Some((svg, height)) => {
            let narrow = drawn(svg, [NARROW_WIDTH, *height]);
            format!("<div class=\"wide\">{wide}</div>\n<div class=\"narrow\">{narrow}</div>")
        }
    };
    format!(
        "<h2>{}</h2>\n<figure>\n{pictures}\n<figcaption>{}</figcaption>\n</figure>\n",
        escaped(figure.title),
        escaped(&figure.caption)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::report::Stopped;
    use crate::results::report::tests::report_of;
    use crate::results::row::Row;
    use crate::results::row::tests::row_of;

    fn report() -> Report {
        let mut report = report_of(Vec::new());
        report.setup.arguments = vec!["--n".into(), "<script>&".into()];
        for (method, idle, per_other) in [("all-pairs-simd", 5.0, 0.01), ("cells-simd", 20.0, 0.0)]
        {
            for n in [100, 10_000, 1_000_000] {
                let ns = idle + per_other * n as f64;
                let row = row_of(method, n, vec![vec![ns, ns * 1.1]; 3]);
                let id = format!("scaling/{method}/{n}");
                report.rows.push(Row { id, experiment: "scaling".into(), x: n as f64, ..row });
            }
        }
        report.conclude();
        report.rows[0].doubts.push("a < b & \"c\"".into());
        report
    }

    /// Checks that every tag is closed in the right order.
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
    fn the_page_is_well_formed_and_self_contained() {
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
    fn the_page_shows_figures_doubts_and_commands() {
        let page = html(&report());
        for words in [
            "Time per step over crowd size",
            "Time per agent over crowd size",
            "The time of all pairs grows as N^",
            "&lt;script&gt;&amp;",
            "a &lt; b &amp; &quot;c&quot;",
            "cells-simd faster from",
            "cargo run --release -- scaling --n",
            " of 6: scaling ",
            " ?</title></circle>",
            "hollow",
        ] {
            assert!(page.contains(words), "{words}");
        }
    }

    #[test]
    fn only_names_in_the_report_are_explained() {
        let page = html(&report());
        assert!(page.contains("<td class=\"words\">all pairs, SIMD kernels, one thread</td>"));
        assert!(!page.contains("cell space, kernels with one lane"));
        assert!(!html(&report_of(Vec::new())).contains("<h2>Names"));
    }

    #[test]
    fn rows_that_were_not_measured_are_listed_without_slopes_too() {
        let mut report = report_of(Vec::new());
        assert!(!html(&report).contains("Not measured"));
        report.stopped.push(Stopped {
            experiment: "density".into(),
            method: "cells-scalar".into(),
            point: "64 neighbors".into(),
            n: 100_000,
            predicted_seconds: 3.0,
            reason: "too long".into(),
        });
        assert!(html(&report).contains("density/cells-scalar/64 neighbors was not measured: too"));
    }

    #[test]
    fn a_report_without_rows_makes_a_valid_page() {
        let empty = Report { rows: Vec::new(), ..report() };
        check_tags(&html(&empty));
        check_tags(&first_figure(&empty));
    }
}
