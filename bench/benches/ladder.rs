//! The book's ways to compute a step of workload W, and the engine's scalar methods above them: one
//! thread, with no vectors except those that the compiler finds.

use std::time::{Duration, Instant};

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use flockwork::{Method, Partition, Scene};
use flockwork_bench::rungs::Rung;

mod common;

/// Steps after which a flock is set back to its start.
const STEPS: u64 = 8;

fn ladder(criterion: &mut Criterion) {
    let mut group = common::group(criterion, "ladder");
    for agents in [256, 1_024, 4_096] {
        let scene = Scene::named("stress").and_then(|scene| scene.agents(agents));
        let scene = scene.expect("an embedded scene");
        let mut start = common::warm(&scene, Method::Scalar, 1);
        group.throughput(Throughput::Elements(agents as u64));
        let mut engine = start.snapshot().build().expect("threads");
        engine.run(STEPS).expect("a valid step");
        for rung in Rung::ALL {
            let mut flock = || rung.flock(&mut start).expect("the stress scene has rungs");
            let mut stepped = flock();
            (0..STEPS).for_each(|_| stepped.step());
            let same = stepped.state_hash() == engine.state_hash();
            assert!(same, "{} ({}) ends in a different state", rung.id(), rung.about());
            group.bench_function(BenchmarkId::new(rung.id(), agents), |bencher| {
                bencher.iter_custom(|iterations| {
                    let (mut spent, mut stepped) = (Duration::ZERO, flock());
                    for iteration in 0..iterations {
                        if iteration % STEPS == 0 {
                            stepped = flock();
                        }
                        let begin = Instant::now();
                        stepped.step();
                        spent += begin.elapsed();
                    }
                    spent
                });
            });
        }
        for (id, partition) in
            [("all-pairs-scalar", Partition::AllPairs), ("cells-scalar", Partition::Cells)]
        {
            let mut crowd = common::warm(&scene, Method::Scalar, 1);
            crowd.set_partition(partition);
            let warm = crowd.snapshot();
            crowd.run(STEPS).expect("a valid step");
            common::agree(id, [&engine, &crowd]);
            crowd.restore(&warm);
            group.bench_function(BenchmarkId::new(id, agents), |bencher| {
                common::time_steps(bencher, &mut crowd, |crowd| {
                    let start = Instant::now();
                    crowd.step().expect("a valid step");
                    start.elapsed()
                });
            });
        }
    }
    group.finish();
}

criterion_group!(benches, ladder);
criterion_main!(benches);
