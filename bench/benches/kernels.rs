//! Every behavior and every way to combine forces, SIMD kernel against scalar twin: the steering
//! stage of a crowd that nothing else steers.

use criterion::measurement::WallTime;
use criterion::{
    BenchmarkGroup, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main,
};
use flockwork::{
    Alignment, Behavior, Cohesion, Combine, Method, Scene, Separation, Species, Wander,
};

mod common;
#[path = "../src/crowds.rs"]
mod crowds;

const AGENTS: usize = 10_000;
const COMBINATIONS: [(&str, Combine); 3] = [
    ("prioritized", Combine::Prioritized),
    ("weighted_sum", Combine::WeightedSum),
    ("dithered", Combine::Dithered),
];

fn compare(group: &mut BenchmarkGroup<'_, WallTime>, name: &str, scene: &Scene) {
    let mut simd = common::warm(scene, Method::default(), 1);
    let mut scalar = common::warm(scene, Method::Reference, 1);
    common::agree(name, [&simd, &scalar]);
    group.throughput(Throughput::Elements(simd.len() as u64));
    for (method, crowd) in [("simd", &mut simd), ("scalar", &mut scalar)] {
        group.bench_function(BenchmarkId::new(method, name), |bencher| {
            common::time_steps(bencher, crowd, |crowd| {
                crowd.step().expect("a sound step");
                crowd.stage_times().steer
            });
        });
    }
}

fn kernels(criterion: &mut Criterion) {
    let mut group = common::group(criterion, "kernel");
    for behavior in Behavior::all() {
        let name = behavior.name();
        compare(&mut group, name, &crowds::steered_by(behavior, AGENTS));
    }
    group.finish();
}

fn combinations(criterion: &mut Criterion) {
    let mut group = common::group(criterion, "combination");
    for (name, combine) in COMBINATIONS {
        let flock = Species::new("agent", AGENTS)
            .combine(combine)
            .steer(Separation::default())
            .steer(Alignment::default())
            .steer(Cohesion { weight: 40.0, normalized: true })
            .steer(Wander::default());
        compare(&mut group, name, &crowds::flock_of(flock));
    }
    group.finish();
}

criterion_group!(benches, kernels, combinations);
criterion_main!(benches);
