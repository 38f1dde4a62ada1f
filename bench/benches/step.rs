//! Whole steps of workload W, with one thread and with all.

use std::time::Duration;

use criterion::{
    AxisScale, BenchmarkId, Criterion, PlotConfiguration, Throughput, criterion_group,
    criterion_main,
};
use flockwork::{Method, Scene, Simulation};

fn crowd(agents: usize, threads: usize) -> Simulation {
    let scene = Scene::named("stress").and_then(|scene| scene.agents(agents));
    let mut crowd = scene.and_then(|scene| scene.build()).expect("an embedded scene builds");
    crowd.set_threads(threads).expect("a few threads");
    crowd.run(3).expect("a sound step");
    crowd
}

/// Kernels, reference and thread counts have to agree before any of them is timed.
fn verify(all: usize) {
    let hash = |threads, method: Option<Method>| {
        let mut crowd = crowd(10_000, threads);
        method.into_iter().for_each(|method| crowd.set_method(method));
        crowd.run(2).expect("a sound step");
        crowd.state_hash()
    };
    let one = hash(1, None);
    assert_eq!(one, hash(all, None), "threads change the result");
    assert_eq!(one, hash(1, Some(Method::Reference)), "kernels and reference disagree");
}

fn whole_step(criterion: &mut Criterion) {
    let all = std::thread::available_parallelism().map_or(1, usize::from);
    verify(all);
    let mut group = criterion.benchmark_group("step");
    group.plot_config(PlotConfiguration::default().summary_scale(AxisScale::Logarithmic));
    group.sample_size(10).measurement_time(Duration::from_secs(3));
    for agents in [10_000, 100_000, 1_000_000] {
        group.throughput(Throughput::Elements(agents as u64));
        for (id, threads) in [("one thread", 1), ("all threads", all)] {
            let mut crowd = crowd(agents, threads);
            group.bench_function(BenchmarkId::new(id, agents), |bencher| {
                bencher.iter(|| crowd.step().expect("a sound step"));
            });
        }
    }
    group.finish();
}

criterion_group!(benches, whole_step);
criterion_main!(benches);
