//! Every behavior and combination, SIMD kernel against scalar twin: whole steps of a crowd
//! that has only this behavior.

use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use flockwork::{
    Alignment, Behavior, Cohesion, Combine, LaneWidth, Method, Scene, Separation, Simulation,
    Species, Wander,
};

#[path = "../src/crowds.rs"]
mod crowds;

const AGENTS: usize = 10_000;

fn crowd(scene: &Scene, method: Method) -> Simulation {
    let mut crowd = scene.build().expect("the scene is in range");
    crowd.set_threads(1).expect("one thread");
    crowd.set_method(method);
    crowd.run(3).expect("a sound step");
    crowd
}

fn compare(criterion: &mut Criterion, name: &str, scene: &Scene) {
    let methods = [("simd", Method::Kernels(LaneWidth::native())), ("scalar", Method::Reference)];
    let [simd, scalar] = methods.map(|(_, method)| crowd(scene, method).state_hash());
    assert_eq!(simd, scalar, "{name}: kernel and twin disagree");

    let mut group = criterion.benchmark_group(name);
    group.throughput(Throughput::Elements(AGENTS as u64));
    group.sample_size(15).warm_up_time(Duration::from_millis(500));
    group.measurement_time(Duration::from_secs(1));
    for (id, method) in methods {
        let mut crowd = crowd(scene, method);
        group.bench_function(BenchmarkId::from_parameter(id), |bencher| {
            bencher.iter(|| crowd.step().expect("a sound step"));
        });
    }
    group.finish();
}

fn kernels(criterion: &mut Criterion) {
    for behavior in Behavior::all() {
        let name = format!("kernel {}", behavior.name());
        compare(criterion, &name, &crowds::steered_by(behavior, AGENTS));
    }
    let combinations = [
        ("prioritized", Combine::Prioritized),
        ("weighted_sum", Combine::WeightedSum),
        ("dithered", Combine::Dithered),
    ];
    for (name, combine) in combinations {
        let flock = Species::new("agent", AGENTS)
            .combine(combine)
            .steer(Separation::default())
            .steer(Alignment::default())
            .steer(Cohesion { weight: 40.0, normalized: true })
            .steer(Wander::default());
        compare(criterion, &format!("combine {name}"), &crowds::flock_of(flock));
    }
}

criterion_group!(benches, kernels);
criterion_main!(benches);
