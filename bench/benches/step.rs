//! Time of whole steps of workload W: by number of agents on one thread and on all threads, and with
//! all pairs and with cells. Also times steps with walls that only repel agents, and with solid
//! walls.

use criterion::measurement::WallTime;
use criterion::{
    BenchmarkGroup, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main,
};
use flockwork::{Method, Partition, Scene};
use flockwork_bench::crowds;

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

fn behind_walls(criterion: &mut Criterion) {
    let mut group = common::group(criterion, "step behind walls");
    group.throughput(Throughput::Elements(100_000));
    for pushes in [0, 2] {
        let scenes = crowds::behind_walls(100, pushes);
        for (walls, scene) in ["repelling", "solid"].into_iter().zip(scenes) {
            let mut crowd = common::warm(&scene, Method::default(), 1);
            let name = BenchmarkId::new(walls, format!("{pushes} pushes"));
            common::time_steps(&mut group, name, &mut crowd, |_, whole| whole);
        }
    }
    group.finish();
}

criterion_group!(benches, over_agents, over_partitions, behind_walls);
criterion_main!(benches);
