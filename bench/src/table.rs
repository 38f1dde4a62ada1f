//! The report as text.

use std::io::{self, Write};
use std::path::Path;

use crate::method::Method;
use crate::numbers::{digits, grouped};
use crate::report::{Report, Row};
use crate::statistics::Crossing;

pub(crate) fn print(report: &Report, out: &mut impl Write) -> io::Result<()> {
    writeln!(
        out,
        "{:>9}  {:16} {:>3}  {:>23}  {:>9}  {:>9}  {:>9}  {:>8}  state hash",
        "agents",
        "method",
        "thr",
        "ns per agent-step [95%]",
        "min",
        "Msteps/s",
        "neighbors",
        "pairs"
    )?;
    let mut size = 0;
    for row in &report.rows {
        if size != 0 && size != row.n {
            writeln!(out)?;
        }
        size = row.n;
        print_row(row, out)?;
    }
    writeln!(out)?;
    for stopped in &report.stopped {
        writeln!(
            out,
            "{} stopped before {} agents: {}",
            stopped.method.id(),
            grouped(stopped.n),
            stopped.reason
        )?;
    }
    if report.interrupted {
        writeln!(out, "interrupted: this is what was measured until then")?;
    }
    print_slopes(report, out)?;
    print_crossovers(report, out)?;
    print_speed_ups(report, out)?;
    Ok(())
}

fn print_row(row: &Row, out: &mut impl Write) -> io::Result<()> {
    let [low, high] = row.interval_ns_per_agent_step;
    let median = row.median_ns_per_agent_step;
    writeln!(
        out,
        "{:>9}  {:16} {:>3}  {:>9} [{:>5}, {:>5}]  {:>9}  {:>9}  {:>9.2}  {:>8}  {}",
        grouped(row.n),
        row.method.id(),
        row.threads,
        digits(median),
        digits(low),
        digits(high),
        digits(row.min_ns_per_agent_step),
        digits(1.0e3 / median),
        row.mean_neighbors,
        grouped(row.pairs_per_agent.round() as usize),
        row.state_hash
    )?;
    Ok(())
}

fn print_slopes(report: &Report, out: &mut impl Write) -> io::Result<()> {
    if report.slopes.is_empty() {
        return Ok(());
    }
    writeln!(out, "\ngrowth of the time per step: N to the power of")?;
    for method in Method::ALL {
        let Some(slope) = report.slopes.get(method.id()) else { continue };
        let interval =
            slope.interval.map_or(String::new(), |[low, high]| format!(" [{low:.2}, {high:.2}]"));
        writeln!(
            out,
            "  {:16}  {:.3}{interval}, fitted from {} to {}",
            method.id(),
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
            Crossing::At(n) => format!("at about {} agents", grouped(n.round() as usize)),
            Crossing::Below(n) => format!("below {} agents, the fewest measured", grouped(n)),
            Crossing::Above(n) => format!("above {} agents, the most measured", grouped(n)),
        };
        writeln!(out, "  {} against {}: {at}", crossover.cells.id(), crossover.all_pairs.id())?;
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
        if let Some((ratio, n)) = speed_up(report, slow, fast) {
            if let Some(title) = title.take() {
                writeln!(out, "{title}")?;
            }
            writeln!(out, "  {what:28}  {:>8} times, {} agents", digits(ratio), grouped(n))?;
        }
    }
    Ok(())
}

/// How many times faster, at the largest common size.
fn speed_up(report: &Report, slow: Method, fast: Method) -> Option<(f64, usize)> {
    let (slow, fast) = report.common_rows(slow, fast).last()?;
    Some((slow.median_ns_per_agent_step / fast.median_ns_per_agent_step, slow.n))
}

/// The sentences that a reader should take home, and where the files are.
pub(crate) fn print_conclusion(
    report: &Report,
    folder: &Path,
    out: &mut impl Write,
) -> io::Result<()> {
    writeln!(out)?;
    if let Some(best) = report
        .rows
        .iter()
        .filter(|row| row.n == report.rows.iter().map(|row| row.n).max().unwrap_or(0))
        .min_by(|a, b| a.median_ns_per_agent_step.total_cmp(&b.median_ns_per_agent_step))
    {
        writeln!(
            out,
            "{} steers {} agents in {} ms per step: {} ns per agent on {} thread{}.",
            best.method.id(),
            grouped(best.n),
            digits(best.seconds_per_step() * 1.0e3),
            digits(best.median_ns_per_agent_step),
            best.threads,
            if best.threads == 1 { "" } else { "s" }
        )?;
    }
    if let Some((ratio, n)) = speed_up(report, Method::AllPairsSimd, Method::CellsSimd) {
        writeln!(
            out,
            "At {} agents cell space is {} times faster than all pairs, both with SIMD.",
            grouped(n),
            digits(ratio)
        )?;
    }
    let slope = |method: Method| report.slopes.get(method.id()).map(|slope| slope.slope);
    if let (Some(pairs), Some(cells)) = (slope(Method::AllPairsSimd), slope(Method::CellsSimd)) {
        writeln!(out, "All pairs grow as N^{pairs:.2}, cell space as N^{cells:.2}.")?;
    }
    writeln!(out, "Report: {}", folder.join("report.{json,csv,svg}").display())?;
    Ok(())
}
