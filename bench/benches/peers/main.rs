//! What one would use instead: neighbors within a radius, by the crates that Rust has for it,
//! on identical points. Every call builds the structure anew, as a crowd that moves needs it.
//!
//! Before anything is timed, all must count the same neighbors and add up the same ways.

use std::time::Duration;

use criterion::{
    AxisScale, BenchmarkId, Criterion, PlotConfiguration, Throughput, criterion_group,
    criterion_main,
};

mod cell_lists;
mod engine;
mod kd_tree;
mod points;
mod r_tree;

use points::{Points, brute_sum};

/// What is and what is not the same work.
const TABLE: &str = "
crate      finds neighbors by         counting              summing (p - pj) / d²    beside that
flockwork  sort, cells, 1-16 lanes    all of its sums       all of its sums          a whole step: combines, moves
zelll      hash map of cells          pairs, each once      pairs, each once         -
kiddo      k-d tree, immutable        a query per point     a query per point        -
rstar      R*-tree, bulk loaded       a query per point     a query per point        -

All: one thread, f32, 2D, exact, no wrap around, built anew for every call; points in cell
order, which spares the trees cache misses. None of the crates is made for this alone: the
trees also find nearest neighbors and take points one by one, zelll takes any dimension.
";

/// A crate at its work.
trait Peer {
    /// Pairs of distinct points closer than the radius, both ways.
    fn count(&mut self) -> u64;
    /// For each point, adds up (p − pj) / |p − pj|² over the others within the radius.
    fn sum(&mut self);
    /// What that was at a point.
    fn sum_at(&mut self, point: usize) -> [f32; 2];
}

fn peers(points: &Points) -> Vec<(&'static str, Box<dyn Peer + '_>)> {
    vec![
        ("flockwork", Box::new(engine::Engine::new(points))),
        ("zelll", Box::new(cell_lists::CellLists::new(points))),
        ("kiddo", Box::new(kd_tree::Tree::new(points))),
        ("rstar", Box::new(r_tree::Tree::new(points))),
    ]
}

/// Panics if one of them finds other neighbors than testing every pair does.
fn verify(points: &Points, peers: &mut [(&'static str, Box<dyn Peer + '_>)]) {
    let count = peers[0].1.count();
    for (name, peer) in peers {
        assert_eq!(peer.count(), count, "{name} counts other neighbors");
        peer.sum();
        for at in (0..points.at.len()).step_by(points.at.len() / 100 + 1) {
            let (expected, scale) = brute_sum(points, at);
            let sum = peer.sum_at(at);
            for axis in 0..2 {
                let difference = (f64::from(sum[axis]) - expected[axis]).abs();
                assert!(difference <= 1.0e-5 * scale, "{name} adds up other ways at {at}");
            }
        }
    }
    println!("{} points: all found the same {count} neighbors", points.at.len());
}

fn against_peers(criterion: &mut Criterion) {
    println!("{TABLE}");
    let all_points = [10_000, 100_000].map(Points::scattered);
    let mut all = all_points.each_ref().map(peers);
    for (points, peers) in all_points.iter().zip(&mut all) {
        verify(points, peers);
    }
    for task in ["neighbor count", "neighbor sum"] {
        let mut group = criterion.benchmark_group(task);
        group.plot_config(PlotConfiguration::default().summary_scale(AxisScale::Logarithmic));
        group.sample_size(10).warm_up_time(Duration::from_millis(500));
        group.measurement_time(Duration::from_secs(1));
        for (points, peers) in all_points.iter().zip(&mut all) {
            let agents = points.at.len();
            group.throughput(Throughput::Elements(agents as u64));
            for (name, peer) in peers {
                group.bench_function(BenchmarkId::new(*name, agents), |bencher| {
                    if task == "neighbor count" {
                        bencher.iter(|| peer.count());
                    } else {
                        bencher.iter(|| peer.sum());
                    }
                });
            }
        }
        group.finish();
    }
}

criterion_group!(benches, against_peers);
criterion_main!(benches);
