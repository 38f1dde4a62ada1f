//! The sort into cells: numbering, counting and gathering all columns of the crowd.

use std::time::Duration;

use criterion::{
    AxisScale, BenchmarkId, Criterion, PlotConfiguration, Throughput, criterion_group,
    criterion_main,
};
use flockwork::{Method, Partition, Scene, Simulation};

fn crowd(agents: usize) -> Simulation {
    let scene = Scene::named("stress").and_then(|scene| scene.agents(agents));
    scene.and_then(|scene| scene.build()).expect("an embedded scene builds")
}

/// A sort that loses or misplaces an agent changes the sums: all pairs must agree.
fn verify() {
    let hash = |partition| {
        let mut crowd = crowd(2_000);
        crowd.set_partition(partition);
        crowd.set_method(Method::Reference);
        crowd.run(4).expect("a sound step");
        crowd.state_hash()
    };
    assert_eq!(hash(Partition::Cells), hash(Partition::AllPairs));
}

fn rebuild(criterion: &mut Criterion) {
    verify();
    let mut group = criterion.benchmark_group("grid rebuild");
    group.plot_config(PlotConfiguration::default().summary_scale(AxisScale::Logarithmic));
    group.sample_size(10).measurement_time(Duration::from_secs(2));
    for agents in [10_000, 100_000, 1_000_000] {
        group.throughput(Throughput::Elements(agents as u64));
        let mut crowd = crowd(agents);
        crowd.run(3).expect("a sound step");
        group.bench_function(BenchmarkId::from_parameter(agents), |bencher| {
            // Only a moved crowd needs sorting, so whole steps run and their sorts are timed.
            bencher.iter_custom(|iterations| {
                (0..iterations)
                    .map(|_| {
                        crowd.step().expect("a sound step");
                        crowd.stage_times().sort
                    })
                    .sum()
            });
        });
    }
    group.finish();
}

criterion_group!(benches, rebuild);
criterion_main!(benches);
