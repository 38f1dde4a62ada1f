//! The report as one self-contained page, which a template makes: no scripts, no fonts, no network.

use askama::Template;

use crate::output::chart::Chart;
use crate::output::sections;
use crate::output::table::Section;
use crate::output::{figures, findings};
use crate::results::report::{Report, Setup};

#[derive(Template)]
#[template(path = "page.html")]
struct Page<'a> {
    report: &'a Report,
    findings: Vec<String>,
    charts: Vec<Chart>,
    sections: Vec<Section>,
}

pub(crate) fn html(report: &Report) -> String {
    let page = Page {
        report,
        findings: findings::sentences(report),
        charts: figures::all(report),
        sections: sections::results(report)
            .into_iter()
            .chain(sections::background(report))
            .collect(),
    };
    page.render().expect("a string takes all")
}

/// The first figure as a separate file.
pub(crate) fn first_figure(report: &Report) -> String {
    let chart = figures::all(report).into_iter().next();
    let nothing = "<svg xmlns=\"http://www.w3.org/2000/svg\"></svg>";
    chart.map_or(nothing.into(), |chart| chart.svg(true))
}

impl Page<'_> {
    fn command_of(&self, chart: &Chart) -> String {
        command(self.report, chart.command)
    }
}

/// The command that measures a part of the report, with the options of the whole.
fn command(report: &Report, part: &str) -> String {
    let Setup { command, arguments, .. } = &report.setup;
    // It comes first, maybe by a former name, or anywhere.
    let first = arguments.first().filter(|word| !word.starts_with('-'));
    let options = arguments.iter().filter(|word| Some(*word) != first && *word != command);
    [part].into_iter().chain(options.map(String::as_str)).collect::<Vec<_>>().join(" ")
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
        assert!(page.contains("color-scheme: light dark") && page.contains("@media print"));
    }

    #[test]
    fn the_page_shows_figures_doubts_and_commands() {
        let page = html(&report());
        for words in [
            "Time per step over crowd size",
            "Time per agent over crowd size",
            "The time of all pairs grows as N^",
            "&#60;script&#62;&#38;",
            "a &#60; b &#38; &#34;c&#34;",
            "cells-simd faster from",
            "cargo run --release -- scaling --n",
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

    #[test]
    fn the_command_of_a_figure_has_the_options_of_its_report() {
        let mut report = report_of(Vec::new());
        let line = |report: &mut Report, typed: &str, subcommand| {
            let first = typed.split(' ').next().filter(|word| !word.starts_with('-'));
            report.setup.command = first.unwrap_or("scaling").to_owned();
            report.setup.arguments = typed.split(' ').map(String::from).collect();
            command(report, subcommand)
        };
        assert_eq!(
            line(&mut report, "--n 10k,1M --seed 7 --threads 2", "scaling"),
            "scaling --n 10k,1M --seed 7 --threads 2"
        );
        assert_eq!(line(&mut report, "all --quick", "density"), "density --quick");
        assert_eq!(line(&mut report, "all", "kernels"), "kernels");
        assert_eq!(line(&mut report, "stages --quick", "ladder"), "ladder --quick");
        assert_eq!(
            line(&mut report, "kernels --heavy 1M", "kernels"),
            "kernels --heavy 1M",
            "no option appears twice"
        );
    }
}
