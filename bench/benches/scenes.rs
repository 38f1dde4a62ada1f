//! Whole steps of every named scene as it is, with all threads.

use std::time::Instant;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use flockwork::{Method, Scene};

mod common;

fn scenes(criterion: &mut Criterion) {
    let all = std::thread::available_parallelism().map_or(1, usize::from);
    let mut group = common::group(criterion, "scene");
    for name in Scene::names() {
        let scene = Scene::named(name).expect("an embedded scene");
        let mut crowd = common::warm(&scene, Method::default(), all);
        common::agree(name, [&crowd, &common::warm(&scene, Method::Scalar, 1)]);
        let agents = crowd.len() as u64;
        group.throughput(Throughput::Elements(agents));
        group.bench_function(BenchmarkId::new(name, agents), |bencher| {
            common::time_steps(bencher, &mut crowd, |crowd| {
                let start = Instant::now();
                crowd.step().expect("a valid step");
                start.elapsed()
            });
        });
    }
    group.finish();
}

criterion_group!(benches, scenes);
criterion_main!(benches);
