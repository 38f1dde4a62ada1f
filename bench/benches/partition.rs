use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use flockwork::{Method, Partition, Scene};

mod common;

fn scaling(criterion: &mut Criterion) {
    let mut group = common::group(criterion, "partition");
    for agents in [256, 1_024, 4_096, 16_384] {
        let scene = Scene::named("stress").map(|scene| scene.agents(agents));
        let scene = scene.expect("an embedded scene");
        let mut cells = common::warm(&scene, Method::default(), 1);
        let mut all_pairs = common::warm(&scene, Method::default(), 1);
        all_pairs.set_execution(all_pairs.execution().partition(Partition::AllPairs)).unwrap();
        for crowd in [&mut cells, &mut all_pairs] {
            crowd.run(2).expect("a valid step");
        }
        common::agree("the partition", [&cells, &all_pairs]);
        group.throughput(Throughput::Elements(agents as u64));
        for (partition, crowd) in [("all pairs", &mut all_pairs), ("cells", &mut cells)] {
            group.bench_function(BenchmarkId::new(partition, agents), |bencher| {
                common::time_steps(bencher, crowd, |_, whole| whole);
            });
        }
    }
    group.finish();
}

criterion_group!(benches, scaling);
criterion_main!(benches);
