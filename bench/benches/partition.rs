//! All pairs against cell space over the number of agents, one thread, SIMD.

use std::time::Duration;

use criterion::{
    AxisScale, BenchmarkId, Criterion, PlotConfiguration, Throughput, criterion_group,
    criterion_main,
};
use flockwork::{Partition, Scene, Simulation};

const METHODS: [(&str, Partition); 2] =
    [("all pairs", Partition::AllPairs), ("cells", Partition::Cells)];

fn crowd(agents: usize, partition: Partition) -> Simulation {
    let scene = Scene::named("stress").and_then(|scene| scene.agents(agents));
    let mut crowd = scene.and_then(|scene| scene.build()).expect("an embedded scene builds");
    crowd.set_threads(1).expect("one thread");
    crowd.set_partition(partition);
    crowd.run(3).expect("a sound step");
    crowd
}

fn scaling(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("partition");
    group.plot_config(PlotConfiguration::default().summary_scale(AxisScale::Logarithmic));
    group.sample_size(10).measurement_time(Duration::from_secs(1));
    for agents in [256, 1_024, 4_096, 16_384] {
        let [all_pairs, cells] = METHODS.map(|(_, method)| crowd(agents, method).state_hash());
        assert_eq!(all_pairs, cells, "the partition changes the result at {agents} agents");
        group.throughput(Throughput::Elements(agents as u64));
        for (id, partition) in METHODS {
            let mut crowd = crowd(agents, partition);
            group.bench_function(BenchmarkId::new(id, agents), |bencher| {
                bencher.iter(|| crowd.step().expect("a sound step"));
            });
        }
    }
    group.finish();
}

criterion_group!(benches, scaling);
criterion_main!(benches);
