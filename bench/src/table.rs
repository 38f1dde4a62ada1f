//! The report as text.

use std::path::Path;

use crate::method::Method;
use crate::numbers::{digits, grouped};
use crate::report::{Report, Row};
use crate::statistics::Crossing;

pub(crate) fn print(report: &Report) {
    println!(
        "{:>9}  {:16} {:>3}  {:>23}  {:>9}  {:>9}  {:>9}  {:>8}  state hash",
        "agents",
        "method",
        "thr",
        "ns per agent-step [95%]",
        "min",
        "Msteps/s",
        "neighbors",
        "pairs"
    );
    let mut size = 0;
    for row in &report.rows {
        if size != 0 && size != row.n {
            println!();
        }
        size = row.n;
        print_row(row);
    }
    println!();
    for stopped in &report.stopped {
        println!(
            "{} stopped before {} agents: one step would take about {:.1} s, the budget is {} s",
            stopped.method.id(),
            grouped(stopped.n),
            stopped.predicted_seconds,
            stopped.budget_seconds
        );
    }
    if report.interrupted {
        println!("interrupted: this is what was measured until then");
    }
    print_slopes(report);
    print_crossovers(report);
    print_speed_ups(report);
}

fn print_row(row: &Row) {
    let [low, high] = row.interval_ns_per_agent_step;
    let median = row.median_ns_per_agent_step;
    println!(
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
    );
}

fn print_slopes(report: &Report) {
    println!("\ngrowth of the time per step: N to the power of");
    for method in Method::ALL {
        let Some(slope) = report.slopes.get(method.id()) else { continue };
        let interval =
            slope.interval.map_or(String::new(), |[low, high]| format!(" [{low:.2}, {high:.2}]"));
        println!(
            "  {:16}  {:.3}{interval}, fitted from {} to {}",
            method.id(),
            slope.slope,
            grouped(slope.from_n),
            grouped(slope.to_n)
        );
    }
}

fn print_crossovers(report: &Report) {
    if report.crossovers.is_empty() {
        return;
    }
    println!("\ncell space overtakes all pairs");
    for crossover in &report.crossovers {
        let at = match crossover.n {
            Crossing::At(n) => format!("at about {} agents", grouped(n.round() as usize)),
            Crossing::Below(n) => format!("below {} agents, the fewest measured", grouped(n)),
            Crossing::Above(n) => format!("above {} agents, the most measured", grouped(n)),
        };
        println!("  {} against {}: {at}", crossover.cells.id(), crossover.all_pairs.id());
    }
}

fn print_speed_ups(report: &Report) {
    let steps = [
        ("SIMD over scalar, all pairs", Method::AllPairsScalar, Method::AllPairsSimd),
        ("SIMD over scalar, cells", Method::CellsScalar, Method::CellsSimd),
        ("cells over all pairs, SIMD", Method::AllPairsSimd, Method::CellsSimd),
        ("all threads over one", Method::CellsSimd, Method::CellsSimdMt),
    ];
    let mut title = Some("\nspeed-ups at the largest crowd that both were measured at");
    for (what, slow, fast) in steps {
        if let Some((ratio, n)) = speed_up(report, slow, fast) {
            title.take().into_iter().for_each(|title| println!("{title}"));
            println!("  {what:28}  {:>8} times, {} agents", digits(ratio), grouped(n));
        }
    }
}

/// How many times faster, at the largest common size.
fn speed_up(report: &Report, slow: Method, fast: Method) -> Option<(f64, usize)> {
    let (slow, fast) = report.common_rows(slow, fast).last()?;
    Some((slow.median_ns_per_agent_step / fast.median_ns_per_agent_step, slow.n))
}

/// The sentences that a reader should take home, and where the files are.
pub(crate) fn print_conclusion(report: &Report, folder: &Path) {
    println!();
    if let Some(best) = report
        .rows
        .iter()
        .filter(|row| row.n == report.rows.iter().map(|row| row.n).max().unwrap_or(0))
        .min_by(|a, b| a.median_ns_per_agent_step.total_cmp(&b.median_ns_per_agent_step))
    {
        println!(
            "{} steers {} agents in {} ms per step: {} ns per agent on {} thread{}.",
            best.method.id(),
            grouped(best.n),
            digits(best.seconds_per_step() * 1.0e3),
            digits(best.median_ns_per_agent_step),
            best.threads,
            if best.threads == 1 { "" } else { "s" }
        );
    }
    if let Some((ratio, n)) = speed_up(report, Method::AllPairsSimd, Method::CellsSimd) {
        println!(
            "At {} agents cell space is {} times faster than all pairs, both with SIMD.",
            grouped(n),
            digits(ratio)
        );
    }
    let slope = |method: Method| report.slopes.get(method.id()).map(|slope| slope.slope);
    if let (Some(pairs), Some(cells)) = (slope(Method::AllPairsSimd), slope(Method::CellsSimd)) {
        println!("All pairs grow as N^{pairs:.2}, cell space as N^{cells:.2}.");
    }
    println!("Report: {}", folder.join("report.{json,csv,svg}").display());
}
