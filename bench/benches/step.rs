//! Time of whole steps of workload W: by number of agents on one thread and on all threads, with
//! all pairs and with cells, and in 2D and 3D.

use criterion::measurement::WallTime;
use criterion::{
    BenchmarkGroup, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main,
};
use flockwork::{Method, Partition, Scene};

mod common;

/// Compares steps of one crowd that are configured in two ways.
fn compare(
    group: &mut BenchmarkGroup<'_, WallTime>,
    agents: usize,
    ways: [(&str, usize, Partition); 2],
) {
    let scene = Scene::named("stress").expect("an embedded scene").agents(agents);
    let crowds = ways.map(|(name, threads, partition)| {
        let mut crowd = common::warm(&scene, Method::default(), threads);
        crowd.set_execution(crowd.execution().partition(partition)).expect("a valid execution");
        crowd.run(2).expect("a valid step");
        (name, crowd)
    });
    common::agree("two ways to step", crowds.iter().map(|(_, crowd)| crowd));
    group.throughput(Throughput::Elements(agents as u64));
    for (name, mut crowd) in crowds {
        let id = BenchmarkId::new(name, agents);
        common::time_steps(group, id, &mut crowd, |_, whole| whole);
    }
}

fn over_agents(criterion: &mut Criterion) {
    let all = std::thread::available_parallelism().map_or(1, usize::from);
    let mut group = common::group(criterion, "step");
    for agents in [10_000, 100_000, 1_000_000] {
        let threads = [("one thread", 1), ("all threads", all)];
        compare(&mut group, agents, threads.map(|(name, count)| (name, count, Partition::Cells)));
    }
    group.finish();
}

fn over_partitions(criterion: &mut Criterion) {
    let mut group = common::group(criterion, "partition");
    for agents in [256, 1_024, 4_096, 16_384] {
        let partitions = [("all pairs", Partition::AllPairs), ("cells", Partition::Cells)];
        compare(&mut group, agents, partitions.map(|(name, partition)| (name, 1, partition)));
    }
    group.finish();
}

fn over_dimensions(criterion: &mut Criterion) {
    const AGENTS: usize = 100_000;
    let mut group = common::group(criterion, "step by dimensions");
    group.throughput(Throughput::Elements(AGENTS as u64));
    for dimensions in [2, 3] {
        let mut scene = Scene::named("stress").expect("an embedded scene").agents(AGENTS);
        scene.world.dimensions = Some(dimensions);
        let mut crowd = common::warm(&scene, Method::default(), 1);
        common::agree("methods", [&common::warm(&scene, Method::Scalar, 1), &crowd]);
        let id = BenchmarkId::new("dimensions", dimensions);
        common::time_steps(&mut group, id, &mut crowd, |_, whole| whole);
    }
    group.finish();
}

criterion_group!(benches, over_agents, over_partitions, over_dimensions);
criterion_main!(benches);
