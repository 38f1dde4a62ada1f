//! The sort into cells: numbering, counting and gathering all columns of the crowd, with one thread
//! and with all threads.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use flockwork::{Method, Partition, Scene};

mod common;

/// Compares cells with all pairs, which sort the same way but test every pair: losing or misplacing
/// an agent would change the sums.
fn verify(scene: &Scene, threads: usize) {
    let scene = scene.clone().agents(2_000).expect("a number in range");
    let mut cells = common::warm(&scene, Method::Scalar, threads);
    let mut all_pairs = common::warm(&scene, Method::Scalar, 1);
    all_pairs.set_partition(Partition::AllPairs);
    for crowd in [&mut cells, &mut all_pairs] {
        crowd.run(4).expect("a valid step");
    }
    common::agree("the sort", [&cells, &all_pairs]);
}

fn sort(criterion: &mut Criterion) {
    let all = std::thread::available_parallelism().map_or(1, usize::from);
    let stress = Scene::named("stress").expect("an embedded scene");
    verify(&stress, all);
    let mut group = common::group(criterion, "sort into cells");
    for agents in [10_000, 100_000, 1_000_000] {
        let scene = stress.clone().agents(agents).expect("a number in range");
        let mut one = common::warm(&scene, Method::default(), 1);
        let mut shared = common::warm(&scene, Method::default(), all);
        common::agree("the sort", [&one, &shared]);
        group.throughput(Throughput::Elements(agents as u64));
        for (threads, crowd) in [("one thread", &mut one), ("all threads", &mut shared)] {
            group.bench_function(BenchmarkId::new(threads, agents), |bencher| {
                // Only a crowd that has moved needs sorting, so whole steps are run.
                common::time_steps(bencher, crowd, |crowd| {
                    crowd.step().expect("a valid step");
                    crowd.stage_times().sort
                });
            });
        }
    }
    group.finish();
}

criterion_group!(benches, sort);
criterion_main!(benches);
