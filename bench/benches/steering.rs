//! Time of the steering stage for each behavior and each rule for combining forces, SIMD versus
//! scalar. The measured behaviors are the only ones in their crowd.

use criterion::measurement::WallTime;
use criterion::{
    BenchmarkGroup, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main,
};
use flockwork::{Method, Scene};
use flockwork_bench::crowds;

mod common;

const AGENTS: usize = 10_000;

fn compare(group: &mut BenchmarkGroup<'_, WallTime>, name: &str, scene: &Scene) {
    let mut simd = common::warm(scene, Method::default(), 1);
    let mut scalar = common::warm(scene, Method::Scalar, 1);
    common::agree(name, [&simd, &scalar]);
    group.throughput(Throughput::Elements(simd.len() as u64));
    for (method, crowd) in [("simd", &mut simd), ("scalar", &mut scalar)] {
        let id = BenchmarkId::new(method, name);
        common::time_steps(group, id, crowd, |crowd, _| crowd.stage_times().steer);
    }
}

fn steering(criterion: &mut Criterion) {
    let mut group = common::group(criterion, "steering");
    for (name, scene) in crowds::alone(AGENTS).chain(crowds::combined(AGENTS)) {
        compare(&mut group, name, &scene);
    }
    group.finish();
}

criterion_group!(benches, steering);
criterion_main!(benches);
