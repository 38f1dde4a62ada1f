//! Time of the steering stage for each behavior and each rule for combining forces, SIMD versus
//! scalar. The measured behaviors are the only ones in their crowd.

use criterion::measurement::WallTime;
use criterion::{
    BenchmarkGroup, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main,
};
use flockwork::behaviors::Separation;
use flockwork::kernel::{Batch, Force, Lanes, behavior};
use flockwork::{Behavior, Method, Scene};
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

fn kernels(criterion: &mut Criterion) {
    let mut group = common::group(criterion, "kernel");
    for behavior in Behavior::all() {
        let name = behavior.name();
        compare(&mut group, name, &crowds::steered_by(behavior, AGENTS));
    }
    group.finish();
}

fn combined(criterion: &mut Criterion) {
    let mut group = common::group(criterion, "combination");
    for (name, scene) in crowds::combined(AGENTS) {
        compare(&mut group, name, &scene);
    }
    group.finish();
}

behavior! {
    /// Pushes agents apart, less with distance (Helbing and Molnár 1995).
    struct SocialForce: "social_force" {
        /// Multiplier applied to the force; 0 disables the behavior.
        weight: f32 = 0.0, 0.0 to 1.0e6;
        /// True to call the standard library for each lane.
        library: bool = false;
    }

    fn force<L: Lanes>(&self, batch: &mut Batch<'_, L>) -> Force<L> {
        let push = batch.sum_over_neighbors(
            #[inline(always)]
            |neighbor| {
                let distance = neighbor.distance_sq.sqrt();
                let exponent = distance * L::splat(-0.2);
                let strength = if self.library {
                    let exponents = exponent.to_array();
                    L::from_fn(|lane| exponents[lane].exp())
                } else {
                    exponent.exp()
                };
                neighbor.offset * (-strength / distance)
            },
        );
        push.into()
    }
}

/// Compares vectorized exponentials with one call to the standard library per lane.
fn exponentials(criterion: &mut Criterion) {
    let mut group = common::group(criterion, "exponential");
    for (name, library) in [("lanes", false), ("library", true)] {
        let force = SocialForce { weight: Separation::default().weight, library };
        let scene = crowds::steered_by(force.into(), AGENTS);
        compare(&mut group, name, &scene);
    }
    group.finish();
}

criterion_group!(benches, kernels, combined, exponentials);
criterion_main!(benches);
