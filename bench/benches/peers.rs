//! Neighbors within a radius by several Rust crates, on identical points.
//!
//! Before anything is timed, all must find the same number of neighbors and the same sums.

use std::time::Duration;

use criterion::{
    AxisScale, BenchmarkId, Criterion, PlotConfiguration, Throughput, criterion_group,
    criterion_main,
};
use flockwork::Scene;
use flockwork_bench::peers::{IN_COMMON, Peer, Points, Search, Task, WORK};

type Searches<'a> = Vec<(Peer, Box<dyn Search + 'a>)>;

fn scattered(count: usize) -> Points {
    let scene = Scene::named("stress").and_then(|scene| scene.agents(count));
    let mut crowd = scene.and_then(|scene| scene.build()).expect("an embedded scene builds");
    crowd.step().expect("a valid step");
    Points::of(&crowd)
}

/// Panics unless every crate finds the same number of neighbors and the sums over all pairs.
fn verify(points: &Points, searches: &mut Searches<'_>) {
    let count = searches[0].1.count();
    for (peer, search) in searches {
        search.sum();
        assert_eq!(search.count(), count, "{} counts different neighbors", peer.id());
        assert_eq!(Task::Sum.verify(&mut **search, points), Ok(()), "{}", peer.id());
    }
    println!("{} points: all found the same {count} neighbors", points.at.len());
}

fn print_work() {
    for peer in Peer::ALL {
        println!("{}", peer.id());
        for (what, how) in WORK.into_iter().zip(peer.work()) {
            println!("  {what:26} {how}");
        }
    }
    println!("{IN_COMMON}\n");
}

fn against_peers(criterion: &mut Criterion) {
    print_work();
    let all_points = [10_000, 100_000].map(scattered);
    let mut all = all_points
        .each_ref()
        .map(|points| Peer::ALL.into_iter().map(|peer| (peer, peer.on(points))).collect());
    for (points, searches) in all_points.iter().zip(&mut all) {
        verify(points, searches);
    }
    for task in Task::ALL {
        let mut group = criterion.benchmark_group(task.id());
        group.plot_config(PlotConfiguration::default().summary_scale(AxisScale::Logarithmic));
        group.sample_size(10).warm_up_time(Duration::from_millis(500));
        group.measurement_time(Duration::from_secs(1));
        for (points, searches) in all_points.iter().zip(&mut all) {
            let count = points.at.len();
            group.throughput(Throughput::Elements(count as u64));
            for (peer, search) in searches {
                group.bench_function(BenchmarkId::new(peer.id(), count), |bencher| {
                    bencher.iter(|| task.run(&mut **search));
                });
            }
        }
        group.finish();
    }
}

criterion_group!(benches, against_peers);
criterion_main!(benches);
