//! The report as text.

use std::io::{self, Write};
use std::path::Path;

use crate::experiments::method::Method;
use crate::experiments::scaling;
use crate::output::findings::{count, sentences};
use crate::output::numbers::{digits, grouped};
use crate::results::fit::Crossing;
use crate::results::report::Report;
use crate::results::row::Row;
use crate::roofline::work::Ruler;
use crate::roofline::{Limits, Roofline};

/// What is measured on what.
pub(crate) fn print_head(report: &Report, out: &mut impl Write) -> io::Result<()> {
    let (machine, setup) = (&report.machine, &report.setup);
    writeln!(out, "flockwork {} ({}), {}", machine.flockwork, machine.commit, machine.rustc)?;
    writeln!(
        out,
        "{}, {} cores; built for {}, {} lanes",
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
        writeln!(out, "interrupted: this is what was measured until then; --resume goes on")?;
    }
    print_slopes(report, out)?;
    print_crossovers(report, out)?;
    print_speed_ups(report, out)?;
    print_limits(report, out)
}

fn print_experiment(report: &Report, experiment: &str, out: &mut impl Write) -> io::Result<()> {
    let rows: Vec<&Row> = report.rows_of(experiment).collect();
    let widest = |text: fn(&Row) -> usize| rows.iter().map(|row| text(row)).max().unwrap_or(0);
    let (point, series) =
        (widest(|row| label(row).chars().count()), widest(|row| row.series.chars().count()));
    writeln!(
        out,
        "{experiment:point$}  {:series$} {:>3}  {:>25}  {:>8}  {:>9}  {:>9}  {:>6}  state hash",
        "", "thr", "ns per agent-step [95 %]", "min", "neighbors", "pairs", "useful",
    )?;
    let mut last = "";
    for row in rows {
        if !last.is_empty() && last != row.point {
            writeln!(out)?;
        }
        last = &row.point;
        let [low, high] = row.interval_ns.map(digits);
        let useful = row.useful_share().map_or(String::new(), |s| format!("{:.0} %", 100.0 * s));
        writeln!(
            out,
            "{:point$}  {:series$} {:>3}  {:>8} [{low:>6}, {high:>6}]{} {:>8}  {:>9.2}  {:>9}  {useful:>6}  {}",
            label(row),
            row.series,
            row.threads,
            digits(row.median_ns),
            if row.is_trusted() { ' ' } else { '?' },
            digits(row.min_ns),
            row.mean_neighbors,
            row.pairs_per_agent.map_or(String::new(), |pairs| grouped(pairs.round() as usize)),
            row.state_hash
        )?;
    }
    writeln!(out)
}

/// The point, with digits grouped if it is a number.
pub(crate) fn label(row: &Row) -> String {
    row.point.parse().map_or_else(|_| row.point.clone(), grouped)
}

fn print_doubts(report: &Report, out: &mut impl Write) -> io::Result<()> {
    let doubtful: Vec<&Row> = report.rows.iter().filter(|row| !row.is_trusted()).collect();
    const SHOWN: usize = 8;
    if !doubtful.is_empty() {
        let all = report.rows.len();
        writeln!(out, "{} of {all} rows cannot be trusted, marked with ?:", doubtful.len())?;
    }
    for row in doubtful.iter().take(SHOWN) {
        writeln!(out, "  {}: {}", row.id, row.doubts.join("; "))?;
    }
    if doubtful.len() > SHOWN {
        writeln!(out, "  and {} more, in the report", doubtful.len() - SHOWN)?;
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
            slope.series,
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
            Crossing::Below(n) => format!("below {} agents, the fewest measured", grouped(n)),
            Crossing::Above(n) => format!("above {} agents, the most measured", grouped(n)),
        };
        writeln!(out, "  {} against {}: {at}", crossover.cells, crossover.all_pairs)?;
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
    let mut title = Some("\nspeed-ups at the largest crowd that both were measured at");
    for (what, slow, fast) in steps {
        if let Some((slow, fast)) = report.common(scaling::NAME, slow.id(), fast.id()).pop() {
            if let Some(title) = title.take() {
                writeln!(out, "{title}")?;
            }
            let ratio = digits(slow.median_ns / fast.median_ns);
            writeln!(out, "  {what:28}  {ratio:>8} times, {} agents", grouped(slow.n))?;
        }
    }
    Ok(())
}

/// What the machine can do at most, and how much of that each row reached.
fn print_limits(report: &Report, out: &mut impl Write) -> io::Result<()> {
    let Some(roofline) = &report.roofline else { return Ok(()) };
    writeln!(out, "\nlimits of the machine, billions per second (operations in lanes, bytes)")?;
    for (name, values) in limits_table(roofline) {
        writeln!(out, "  {name:34}  {}", values.join("  "))?;
    }
    if !roofline.caches.known {
        writeln!(out, "  the system does not tell cache sizes: usual ones are assumed")?;
    }
    writeln!(
        out,
        "\nreached: share of the shortest time that these limits allow, and what it waits for"
    )?;
    for (id, share) in &report.reached {
        let ruler = waits_for(share.ruler);
        writeln!(
            out,
            "  {id:34}  {:>4.0} %  of {:>8} ns, {ruler}",
            share.percent,
            digits(share.limit_ns)
        )?;
    }
    Ok(())
}

/// What a step at the limit would wait for.
pub(crate) fn waits_for(ruler: Ruler) -> &'static str {
    match ruler {
        Ruler::Arithmetic => "arithmetic",
        Ruler::Calls => "fma calls",
        Ruler::Division => "division",
        Ruler::Broadcast => "broadcast loads",
        Ruler::Memory => "memory",
    }
}

/// A row of numbers, one to a number of threads, for each thing that has a limit.
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
    row(if calls { "fma, by call" } else { "fma" }.into(), &|limits| limits.rates.fma);
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

/// The three most telling sentences, and where the report is.
pub(crate) fn print_conclusion(
    report: &Report,
    folder: &Path,
    out: &mut impl Write,
) -> io::Result<()> {
    writeln!(out)?;
    for sentence in sentences(report).iter().take(3) {
        writeln!(out, "{sentence}")?;
    }
    writeln!(out, "Report: {}", folder.join("report.html").display())
}
