//! The report as text.

use std::io::{self, Write};
use std::path::Path;

use crate::experiments::scaling;
use crate::method::Method;
use crate::numbers::{count, digits, grouped};
use crate::output::findings::{doubts, sentences};
use crate::output::levels;
use crate::results::fit::Crossing;
use crate::results::ratio::Ratio;
use crate::results::report::Report;
use crate::results::row::Row;
use crate::roofline::Bottleneck;
use crate::roofline::{Limits, Roofline, Share};

/// The machine, the build and the workload.
pub(crate) fn print_head(report: &Report, out: &mut impl Write) -> io::Result<()> {
    let (machine, setup) = (&report.machine, &report.setup);
    writeln!(out, "flockwork {} ({}), {}", machine.flockwork, machine.commit, machine.rustc)?;
    writeln!(
        out,
        "{}, {} cores; instructions: {}, {} lanes",
        machine.cpu,
        machine.cores,
        machine.instructions(),
        machine.lanes
    )?;
    if setup.command == scaling::NAME {
        writeln!(
            out,
            "workload: separation, alignment, cohesion, prioritized sum; torus, {} neighbors on \
             average, seed {}",
            setup.mean_neighbors, setup.seed
        )?;
    }
    for busy in report.busy() {
        writeln!(out, "warning: {busy}")?;
    }
    writeln!(out)
}

pub(crate) fn print(report: &Report, out: &mut impl Write) -> io::Result<()> {
    for experiment in report.experiments() {
        print_experiment(report, experiment, out)?;
    }
    for stopped in &report.stopped {
        writeln!(out, "{stopped}")?;
    }
    print_doubts(report, out)?;
    if report.interrupted {
        writeln!(out, "interrupted: these rows were measured until then; --resume continues")?;
    }
    print_counts(report, out)?;
    print_slopes(report, out)?;
    print_crossovers(report, out)?;
    print_speed_ups(report, out)?;
    levels::print(report, out)?;
    print_limits(report, out)
}

fn print_experiment(report: &Report, experiment: &str, out: &mut impl Write) -> io::Result<()> {
    let rows: Vec<&Row> = report.rows_of(experiment).collect();
    let widest = rows.iter().map(|row| 2 + row.method.chars().count()).max();
    let width = experiment.chars().count().max(widest.unwrap_or(0));
    let limits = rows.iter().any(|row| report.reached.contains_key(&row.id));
    writeln!(
        out,
        "{experiment:width$}  {:>3}  {:>25}  {:>8}  {:>9}  {:>6}{}",
        "thr",
        "ns per agent-step [95 %]",
        "min",
        "pairs",
        "useful",
        if limits { "  of limit, bound by" } else { "" }
    )?;
    for rows in rows.chunk_by(|a, b| (&a.point, &a.state_hash) == (&b.point, &b.state_hash)) {
        print_point(report, rows, width, out)?;
    }
    Ok(())
}

/// A line for what all rows of a point share, and a line for each row.
fn print_point(
    report: &Report,
    rows: &[&Row],
    width: usize,
    out: &mut impl Write,
) -> io::Result<()> {
    let (shared, inner) = (rows[0], width - 2);
    let agents = if shared.point == shared.n.to_string() { " agents" } else { "" };
    writeln!(
        out,
        "{}{agents}: {:.2} neighbors on average, state hash {}",
        label(shared),
        shared.mean_neighbors,
        shared.state_hash
    )?;
    for row in rows {
        let [low, high] = [row.ns_low, row.ns_high].map(digits);
        let useful = row.useful_share().map_or(String::new(), |s| format!("{:.0} %", 100.0 * s));
        let line = format!(
            "  {:inner$}  {:>3}  {:>8} [{low:>6}, {high:>6}]{} {:>8}  {:>9}  {useful:>6}  {}",
            row.method,
            row.threads,
            digits(row.ns_per_agent_step),
            if row.is_trusted() { ' ' } else { '?' },
            digits(row.ns_min),
            row.pairs_per_agent.map_or(String::new(), |pairs| grouped(pairs.round() as usize)),
            of_limit(report, row)
        );
        writeln!(out, "{}", line.trim_end())?;
    }
    writeln!(out)
}

fn of_limit(report: &Report, row: &Row) -> String {
    let text =
        |share: &Share| format!("{:>3.0} %, {}", share.percent, bottleneck_name(share.bottleneck));
    report.reached.get(&row.id).map_or(String::new(), text)
}

/// The point, with grouped digits if it is a number.
pub(crate) fn label(row: &Row) -> String {
    row.point.parse().map_or_else(|_| row.point.clone(), grouped)
}

fn print_doubts(report: &Report, out: &mut impl Write) -> io::Result<()> {
    let doubtful: Vec<&Row> = report.rows.iter().filter(|row| !row.is_trusted()).collect();
    const SHOWN: usize = 8;
    if !doubtful.is_empty() {
        writeln!(out, "{}", doubts(report))?;
    }
    for row in doubtful.iter().take(SHOWN) {
        writeln!(out, "  {}: {}", row.id, row.doubts.join("; "))?;
    }
    if doubtful.len() > SHOWN {
        writeln!(out, "  and {} more in the report", doubtful.len() - SHOWN)?;
    }
    Ok(())
}

/// What the processor counted, or why it did not.
fn print_counts(report: &Report, out: &mut impl Write) -> io::Result<()> {
    let mut counted = report.rows.iter().filter_map(|row| Some((row, row.counts?))).peekable();
    if let Some(why) = report.uncounted.as_ref().filter(|_| counted.peek().is_none()) {
        return writeln!(out, "no counters of the processor beside the times: {why}");
    }
    if counted.peek().is_some() {
        writeln!(out, "\ncounted per agent-step: cycles, instructions, branch misses")?;
    }
    for (row, counts) in counted {
        let [cycles, instructions, misses] = counts.as_array().map(digits);
        writeln!(out, "  {:48}  {cycles:>8}  {instructions:>8}  {misses:>8}", row.id)?;
    }
    Ok(())
}

fn print_slopes(report: &Report, out: &mut impl Write) -> io::Result<()> {
    if report.slopes.is_empty() {
        return Ok(());
    }
    writeln!(out, "\ngrowth of the time per step: N to the power of")?;
    for slope in &report.slopes {
        let interval =
            slope.interval.map_or(String::new(), |[low, high]| format!(" [{low:.2}, {high:.2}]"));
        writeln!(
            out,
            "  {:16}  {:.3}{interval}, fitted from {} to {}",
            slope.method,
            slope.slope,
            grouped(slope.from_n),
            grouped(slope.to_n)
        )?;
    }
    Ok(())
}

fn print_crossovers(report: &Report, out: &mut impl Write) -> io::Result<()> {
    if report.crossovers.is_empty() {
        return Ok(());
    }
    writeln!(out, "\ncell space overtakes all pairs")?;
    for crossover in &report.crossovers {
        let at = match crossover.n {
            Crossing::At { n, interval } => {
                let [n, low, high] =
                    [n, interval[0], interval[1]].map(|n| grouped(n.round() as usize));
                format!("at about {n} agents [{low}, {high}]")
            }
            Crossing::Below(n) => {
                format!("below {} agents, the smallest measured crowd", grouped(n))
            }
            Crossing::Above(n) => {
                format!("above {} agents, the largest measured crowd", grouped(n))
            }
        };
        let threads = match crossover.threads {
            1 => String::new(),
            more => format!(", where {} are allowed", count(more, "thread")),
        };
        writeln!(out, "  {} against {}{threads}: {at}", crossover.cells, crossover.all_pairs)?;
    }
    Ok(())
}

fn print_speed_ups(report: &Report, out: &mut impl Write) -> io::Result<()> {
    let steps = [
        ("SIMD over scalar, all pairs", Method::AllPairsScalar, Method::AllPairsSimd),
        ("SIMD over scalar, cells", Method::CellsScalar, Method::CellsSimd),
        ("cells over all pairs, SIMD", Method::AllPairsSimd, Method::CellsSimd),
        ("all threads over one", Method::CellsSimd, Method::CellsSimdMt),
    ];
    let mut title = Some("\nspeed-ups at the largest crowd measured with both");
    for (what, slow, fast) in steps {
        if let Some((slow, fast)) = report.common(scaling::NAME, slow.id(), fast.id()).pop() {
            if let Some(title) = title.take() {
                writeln!(out, "{title}")?;
            }
            let ratio = Ratio::of(slow, fast).to_string();
            writeln!(out, "  {what:28}  {ratio:>20} times, {} agents", grouped(slow.n))?;
        }
    }
    Ok(())
}

/// The limits of the machine, and what the column of limits means.
fn print_limits(report: &Report, out: &mut impl Write) -> io::Result<()> {
    let Some(roofline) = &report.roofline else { return Ok(()) };
    writeln!(out, "\nlimits of the machine, in billions per second (operations in lanes, bytes)")?;
    for (name, values) in limits_table(roofline) {
        writeln!(out, "  {name:34}  {}", values.join("  "))?;
    }
    if !roofline.caches.known {
        writeln!(out, "  the system does not report cache sizes; usual sizes are assumed")?;
    }
    writeln!(
        out,
        "  of limit: the shortest time that these limits allow for the work of a step, as a share of\n  \
         the measured time, and the resource that bounds it"
    )
}

/// The name of a bottleneck.
pub(crate) fn bottleneck_name(bottleneck: Bottleneck) -> &'static str {
    match bottleneck {
        Bottleneck::Arithmetic => "arithmetic",
        Bottleneck::Calls => "software fma",
        Bottleneck::Division => "division",
        Bottleneck::Broadcast => "broadcasts",
        Bottleneck::Memory => "memory",
    }
}

/// One line per limit, with its value for each number of threads.
pub(crate) fn limits_table(roofline: &Roofline) -> Vec<(String, Vec<String>)> {
    let threads = roofline.limits.iter().map(|limits| count(limits.threads, "thread")).collect();
    let mut table = vec![(String::new(), threads)];
    let mut row = |name: String, value: &dyn Fn(&Limits) -> f64| {
        let values =
            roofline.limits.iter().map(|limits| format!("{:>9}", digits(value(limits) / 1.0e9)));
        table.push((name, values.collect()));
    };
    row("add".into(), &|limits| limits.rates.add);
    row("mul".into(), &|limits| limits.rates.mul);
    let calls = roofline.limits.iter().any(|limits| limits.rates.fma_calls);
    row(if calls { "fma, in software" } else { "fma" }.into(), &|limits| limits.rates.fma);
    row("add and fma".into(), &|limits| limits.rates.add_and_fma);
    row("div".into(), &|limits| limits.rates.div);
    row("sqrt".into(), &|limits| limits.rates.sqrt);
    row("broadcast loads".into(), &|limits| limits.rates.broadcast);
    for (k, bandwidth) in
        roofline.limits.first().iter().flat_map(|l| l.bandwidths.iter().enumerate())
    {
        let level = &bandwidth.level;
        row(format!("bytes read, {level}"), &|limits| limits.bandwidths[k].read);
        row(format!("bytes copied, {level}"), &|limits| limits.bandwidths[k].copy);
    }
    table
}

/// The first three sentences, how many rows are in doubt, and the path of the report.
pub(crate) fn print_conclusion(
    report: &Report,
    folder: &Path,
    out: &mut impl Write,
) -> io::Result<()> {
    writeln!(out)?;
    let sentences = sentences(report);
    let (doubts, results) = sentences.split_last().expect("the last one is always there");
    for sentence in results.iter().take(3).chain([doubts]) {
        writeln!(out, "{sentence}")?;
    }
    writeln!(out, "Report: {}", folder.join("report.html").display())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::report::tests::{quiet_row, report_of};

    #[test]
    fn a_table_shows_limits_if_any_within_100_columns() {
        let row = |method, ns| Row {
            mean_neighbors: 16.0,
            pairs_per_agent: Some(1.0e5),
            state_hash: "0123456789abcdef".into(),
            doubts: vec!["far out".into()],
            ..quiet_row("scaling", method, 10_000_000, ns)
        };
        let mut report =
            report_of(vec![row("all-pairs-scalar", 99_999.0), row("cells-simd", 20.0)]);
        let printed = |report: &Report| {
            let mut text = Vec::new();
            print_experiment(report, "scaling", &mut text).unwrap();
            String::from_utf8(text).unwrap()
        };
        let without = printed(&report);
        assert!(!without.contains("limit"), "{without}");
        assert_eq!(without.matches("10,000,000 agents: 16.00 neighbors").count(), 1, "{without}");
        for row in &report.rows {
            let share = Share { limit_ns: 9.0, bottleneck: Bottleneck::Broadcast, percent: 45.0 };
            report.reached.insert(row.id.clone(), share);
        }
        let with = printed(&report);
        assert_eq!(with.matches(" 45 %, broadcasts").count(), 2, "{with}");
        assert!(with.lines().all(|line| line.chars().count() <= 100), "{with}");
    }

    #[test]
    fn rows_with_different_states_do_not_share_a_line() {
        let row = |method, hash: &str| Row {
            state_hash: hash.into(),
            ..quiet_row("scaling", method, 100, 20.0)
        };
        let report = report_of(vec![row("cells-simd", "aaaa"), row("cells-scalar", "bbbb")]);
        let mut text = Vec::new();
        print_experiment(&report, "scaling", &mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        assert!(text.contains("state hash aaaa") && text.contains("state hash bbbb"), "{text}");
    }
}
