//! Time of whole steps of workload W: by number of agents, on one thread and on all threads, by
//! partition, by SIMD level, and in 2D and 3D. Also times steps with walls that only repel agents,
//! and with solid walls.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use flockwork::cpu::Level;
use flockwork::{Method, Partition, Scene};
use flockwork_bench::crowds;

mod common;

fn stress(agents: usize) -> Scene {
    Scene::named("stress").map(|scene| scene.agents(agents)).expect("an embedded scene")
}

fn over_agents(criterion: &mut Criterion) {
    let all = std::thread::available_parallelism().map_or(1, usize::from);
    let mut group = common::group(criterion, "step");
    for agents in [10_000, 100_000, 1_000_000] {
        let mut one = common::warm(&stress(agents), Method::default(), 1);
        let mut shared = common::warm(&stress(agents), Method::default(), all);
        common::agree("threads", [&one, &shared]);
        group.throughput(Throughput::Elements(agents as u64));
        for (threads, crowd) in [("one thread", &mut one), ("all threads", &mut shared)] {
            let id = BenchmarkId::new(threads, agents);
            common::time_steps(&mut group, id, crowd, |_, whole| whole);
        }
    }
    group.finish();
}

fn over_partitions(criterion: &mut Criterion) {
    let mut group = common::group(criterion, "partition");
    for agents in [256, 1_024, 4_096, 16_384] {
        let mut cells = common::warm(&stress(agents), Method::default(), 1);
        let mut all_pairs = common::warm(&stress(agents), Method::default(), 1);
        all_pairs.set_execution(all_pairs.execution().partition(Partition::AllPairs)).unwrap();
        for crowd in [&mut cells, &mut all_pairs] {
            crowd.run(2).expect("a valid step");
        }
        common::agree("the partition", [&cells, &all_pairs]);
        group.throughput(Throughput::Elements(agents as u64));
        for (partition, crowd) in [("all pairs", &mut all_pairs), ("cells", &mut cells)] {
            let id = BenchmarkId::new(partition, agents);
            common::time_steps(&mut group, id, crowd, |_, whole| whole);
        }
    }
    group.finish();
}

fn over_levels(criterion: &mut Criterion) {
    const AGENTS: usize = 100_000;
    let mut reference = common::warm(&stress(AGENTS), Method::Scalar, 1);
    reference.run(2).expect("a valid step");
    let mut group = common::group(criterion, "step by level");
    group.throughput(Throughput::Elements(AGENTS as u64));
    for level in Level::available() {
        let mut crowd = common::warm(&stress(AGENTS), Method::Simd, 1);
        crowd.set_execution(crowd.execution().level(level)).expect("a level of this processor");
        crowd.run(2).expect("a valid step");
        common::agree("levels", [&reference, &crowd]);
        let id = BenchmarkId::new("level", level);
        common::time_steps(&mut group, id, &mut crowd, |_, whole| whole);
    }
    group.finish();
}

fn over_dimensions(criterion: &mut Criterion) {
    const AGENTS: usize = 100_000;
    let mut group = common::group(criterion, "step by dimensions");
    group.throughput(Throughput::Elements(AGENTS as u64));
    for dimensions in [2, 3] {
        let mut scene = stress(AGENTS);
        scene.world.dimensions = Some(dimensions);
        let mut crowd = common::warm(&scene, Method::default(), 1);
        common::agree("methods", [&common::warm(&scene, Method::Scalar, 1), &crowd]);
        let id = BenchmarkId::new("dimensions", dimensions);
        common::time_steps(&mut group, id, &mut crowd, |_, whole| whole);
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

criterion_group!(benches, over_agents, over_partitions, over_levels, over_dimensions, behind_walls);
criterion_main!(benches);
