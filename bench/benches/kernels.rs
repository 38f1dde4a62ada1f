//! Every behavior and combination, SIMD kernel against scalar twin: whole steps of a crowd
//! that has only this behavior.

use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use flockwork::{
    Alignment, Arrive, Behavior, Cohesion, Combine, Deceleration, Flee, FlockRules, LaneWidth,
    Method, Scene, Seek, Separation, Simulation, Species, Wander, World,
};

const AGENTS: usize = 10_000;

fn behaviors() -> Vec<Behavior> {
    let (weight, target) = (1.0, [500.0, 500.0]);
    vec![
        Separation::default().into(),
        Alignment::default().into(),
        Cohesion::default().into(),
        Seek { weight, target }.into(),
        Flee { weight, target, panic_distance: Some(300.0) }.into(),
        Arrive { weight, target, deceleration: Deceleration::Normal }.into(),
        Wander::default().into(),
        FlockRules::default().into(),
    ]
}

fn crowd(species: Species, method: Method) -> Simulation {
    let scene = Scene::new(World::with_mean_neighbors(16.0)).species(species);
    let mut crowd = scene.build().expect("the scene is in range");
    crowd.set_threads(1).expect("one thread");
    crowd.set_method(method);
    crowd.run(3).expect("a sound step");
    crowd
}

fn compare(criterion: &mut Criterion, name: &str, species: &Species) {
    let methods = [("simd", Method::Kernels(LaneWidth::native())), ("scalar", Method::Reference)];
    let [simd, scalar] = methods.map(|(_, method)| crowd(species.clone(), method).state_hash());
    assert_eq!(simd, scalar, "{name}: kernel and twin disagree");

    let mut group = criterion.benchmark_group(name);
    group.throughput(Throughput::Elements(AGENTS as u64));
    group.sample_size(15).warm_up_time(Duration::from_millis(500));
    group.measurement_time(Duration::from_secs(1));
    for (id, method) in methods {
        let mut crowd = crowd(species.clone(), method);
        group.bench_function(BenchmarkId::from_parameter(id), |bencher| {
            bencher.iter(|| crowd.step().expect("a sound step"));
        });
    }
    group.finish();
}

fn kernels(criterion: &mut Criterion) {
    for behavior in behaviors() {
        let name = format!("kernel {}", behavior.name());
        compare(criterion, &name, &Species::new("agent", AGENTS).steer(behavior));
    }
    for (name, combine) in
        [("prioritized", Combine::Prioritized), ("weighted_sum", Combine::WeightedSum)]
    {
        let flock = Species::new("agent", AGENTS)
            .combine(combine)
            .steer(Separation::default())
            .steer(Alignment::default())
            .steer(Cohesion { weight: 40.0, normalized: true })
            .steer(Wander::default());
        compare(criterion, &format!("combine {name}"), &flock);
    }
}

criterion_group!(benches, kernels);
criterion_main!(benches);
