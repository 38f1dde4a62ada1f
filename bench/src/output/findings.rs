//! What a reader should take home, in sentences.

use crate::experiments::method::Method;
use crate::experiments::{cell_size, density, kernels, scaling, scenes, stages, threads};
use crate::output::numbers::{digits, grouped};
use crate::peers::{Peer, Task};
use crate::results::fit::Crossing;
use crate::results::report::Report;
use crate::results::row::Row;

/// The most telling sentences, best first.
pub(crate) fn sentences(report: &Report) -> Vec<String> {
    let all = [
        fastest(report),
        growth(report),
        cells_over_pairs(report),
        ladder(report),
        more_threads(report),
        crowding(report),
        cell_height(report),
        clustering(report),
        best_kernel(report),
        against_peers(report),
    ];
    all.into_iter().flatten().collect()
}

fn fastest(report: &Report) -> Option<String> {
    let rows = || report.rows_of(scaling::NAME);
    let largest = rows().map(|row| row.n).max()?;
    let best =
        rows().filter(|row| row.n == largest).min_by(|a, b| a.median_ns.total_cmp(&b.median_ns))?;
    let [low, high] = best.interval_ns.map(digits);
    Some(format!(
        "{} steers {} agents in {} ms per step: {} ns per agent [{low}, {high}] on {}.",
        best.series,
        grouped(best.n),
        digits(best.seconds_per_step() * 1.0e3),
        digits(best.median_ns),
        count(best.threads, "thread"),
    ))
}

fn growth(report: &Report) -> Option<String> {
    let pairs = report.slope_of(Method::AllPairsSimd.id())?;
    let cells = report.slope_of(Method::CellsSimd.id())?;
    let interval = |interval: Option<[f64; 2]>| {
        interval.map_or(String::new(), |[low, high]| format!(" [{low:.2}, {high:.2}]"))
    };
    Some(format!(
        "All pairs grow as N^{:.2}{}, cell space as N^{:.2}{}.",
        pairs.slope,
        interval(pairs.interval),
        cells.slope,
        interval(cells.interval)
    ))
}

fn cells_over_pairs(report: &Report) -> Option<String> {
    let (pairs, cells) = (Method::AllPairsSimd.id(), Method::CellsSimd.id());
    let (slow, fast) = report.common(scaling::NAME, pairs, cells).pop()?;
    let crossover = report.crossovers.iter().find(|crossover| crossover.cells == cells);
    let from = match crossover.map(|crossover| crossover.n) {
        Some(Crossing::At { n, interval: [low, high] }) => format!(
            ", and wins from about {} agents on [{}, {}]",
            grouped(n.round() as usize),
            grouped(low.round() as usize),
            grouped(high.round() as usize)
        ),
        Some(Crossing::Below(n)) => format!(", and wins from fewer than {} on", grouped(n)),
        _ => String::new(),
    };
    Some(format!(
        "At {} agents cell space is {} times as fast as all pairs, both with SIMD{from}.",
        grouped(slow.n),
        digits(slow.median_ns / fast.median_ns)
    ))
}

fn ladder(report: &Report) -> Option<String> {
    let rows = largest_ladder(report);
    let (first, last) = (rows.first()?, rows.last()?);
    (rows.len() > 1).then(|| {
        format!(
            "From {} to {}, {} agents get {} times as fast, in {}.",
            first.series,
            last.series,
            grouped(first.n),
            digits(first.median_ns / last.median_ns),
            count(rows.len() - 1, "step")
        )
    })
}

/// The rungs at the largest size that all of them were measured at.
pub(crate) fn largest_ladder(report: &Report) -> Vec<&Row> {
    let most = report.series_of(stages::NAME).len();
    let rows_at =
        |n: usize| -> Vec<&Row> { report.rows_of(stages::NAME).filter(|row| row.n == n).collect() };
    let mut sizes: Vec<usize> = report.rows_of(stages::NAME).map(|row| row.n).collect();
    sizes.sort_unstable();
    sizes.dedup();
    sizes.into_iter().rev().map(rows_at).find(|rows| rows.len() == most).unwrap_or_default()
}

fn more_threads(report: &Report) -> Option<String> {
    let largest = report.rows_of(threads::NAME).map(|row| row.n).max()?;
    let rows = || report.rows_of(threads::NAME).filter(|row| row.n == largest);
    let one = rows().find(|row| row.threads == 1)?;
    let best = rows().min_by(|a, b| a.median_ns.total_cmp(&b.median_ns))?;
    Some(format!(
        "{} are {} times as fast as one, at {} agents.",
        count(best.threads, "thread"),
        digits(one.median_ns / best.median_ns),
        grouped(largest)
    ))
}

fn crowding(report: &Report) -> Option<String> {
    let curve = report.curve(density::NAME, Method::CellsSimd.id());
    let (sparse, dense) = (curve.first()?, curve.last()?);
    (curve.len() > 1).then(|| {
        format!(
            "From {} to {} neighbors the time per agent grows {}-fold, {} → {} ns per useful pair.",
            sparse.x,
            dense.x,
            digits(dense.median_ns / sparse.median_ns),
            digits(sparse.median_ns / sparse.mean_neighbors),
            digits(dense.median_ns / dense.mean_neighbors)
        )
    })
}

fn cell_height(report: &Report) -> Option<String> {
    let curve = report.curve(cell_size::NAME, Method::CellsSimd.id());
    let usual = curve.iter().find(|row| row.x == 1.0)?;
    let best = curve.iter().min_by(|a, b| a.median_ns.total_cmp(&b.median_ns))?;
    let worst = curve.iter().max_by(|a, b| a.median_ns.total_cmp(&b.median_ns))?;
    let times_best = |row: &Row| digits(row.median_ns / best.median_ns);
    let [most, of_usual] = [times_best(worst), times_best(usual)];
    Some(if best.x == usual.x {
        format!(
            "Cells of one view distance, the engine's choice, are the fastest; those of {} take {most} \
             times as long.",
            worst.x
        )
    } else {
        format!(
            "Cells of {} view distances are the fastest; those of one, the engine's choice, take \
             {of_usual} times as long, those of {} {most} times.",
            best.x, worst.x
        )
    })
}

fn clustering(report: &Report) -> Option<String> {
    let row = |point: &str| {
        report.row(&format!("{}/{}/{point}", scenes::CLUSTERED, Method::CellsSimd.id()))
    };
    let (uniform, settled) = (row("uniform")?, row("after 2,000 steps")?);
    let per_pair = |row: &Row| row.median_ns / row.mean_neighbors;
    Some(format!(
        "A flock that has drawn together takes {} ns per useful pair, a uniform one {}.",
        digits(per_pair(settled)),
        digits(per_pair(uniform))
    ))
}

fn best_kernel(report: &Report) -> Option<String> {
    let (scalar, simd) = (Method::CellsScalar.id(), Method::CellsSimd.id());
    let pairs = report.common(kernels::NAME, scalar, simd);
    let ratio = |(scalar, simd): &(&Row, &Row)| scalar.median_ns / simd.median_ns;
    let mut ratios: Vec<f64> = pairs.iter().map(ratio).collect();
    ratios.sort_by(f64::total_cmp);
    let (least, most) = (ratios.first()?, ratios.last()?);
    Some(format!(
        "SIMD is {} to {} times as fast as scalar, behavior by behavior.",
        digits(*least),
        digits(*most)
    ))
}

fn against_peers(report: &Report) -> Option<String> {
    let count = Task::Count.id();
    let n = report.rows_of(count).map(|row| row.n).max()?;
    let time = |peer: Peer| {
        let row = report.row(&format!("{count}/{}/{n}", peer.id()))?;
        Some(format!("{} {} ns", peer.id(), digits(row.median_ns)))
    };
    let times: Vec<String> = Peer::ALL.into_iter().filter_map(time).collect();
    Some(format!(
        "To count the neighbors of {} points on one thread takes, per point, {}.",
        grouped(n),
        times.join(", ")
    ))
}

/// 1 thread, 2 threads.
pub(crate) fn count(number: usize, what: &str) -> String {
    format!("{} {what}{}", grouped(number), if number == 1 { "" } else { "s" })
}
