//! Shared by the benches: warm crowds, the check before timing, the settings of a group, and the
//! timing of steps.

use std::time::Duration;

use criterion::measurement::WallTime;
use criterion::{AxisScale, Bencher, BenchmarkGroup, Criterion, PlotConfiguration};
use flockwork::{Method, Scene, Simulation};

const WARM_UP_STEPS: u64 = 3;
/// Agent-steps from the same start: more than branch predictors can learn by heart.
const AGENT_STEPS: usize = 64_000;

/// A crowd that has taken its first steps.
pub(crate) fn warm(scene: &Scene, method: Method, threads: usize) -> Simulation {
    let mut crowd = scene.build().expect("the scene is in range");
    crowd.set_threads(threads).expect("a few threads");
    crowd.set_method(method);
    crowd.run(WARM_UP_STEPS).expect("a valid step");
    crowd
}

/// Panics unless all crowds are in the same state, since times of different results cannot be
/// compared.
pub(crate) fn agree<'a>(what: &str, crowds: impl IntoIterator<Item = &'a Simulation>) {
    let mut hashes = crowds.into_iter().map(Simulation::state_hash);
    let first = hashes.next();
    assert!(hashes.all(|hash| Some(hash) == first), "{what}: the state hashes differ");
}

/// A group that takes about two seconds per bench, with logarithmic axes.
pub(crate) fn group<'a>(criterion: &'a mut Criterion, name: &str) -> BenchmarkGroup<'a, WallTime> {
    let mut group = criterion.benchmark_group(name);
    group.plot_config(PlotConfiguration::default().summary_scale(AxisScale::Logarithmic));
    group.sample_size(10).warm_up_time(Duration::from_millis(500));
    group.measurement_time(Duration::from_secs(1));
    group
}

/// Sums the durations that `step` returns. Every few steps the crowd is restored to its start:
/// otherwise it would draw together, and a fast method would get further than a slow one.
pub(crate) fn time_steps(
    bencher: &mut Bencher<'_>,
    crowd: &mut Simulation,
    mut step: impl FnMut(&mut Simulation) -> Duration,
) {
    let start = crowd.snapshot();
    let steps = (AGENT_STEPS / crowd.len().max(1)).clamp(4, 64) as u64;
    bencher.iter_custom(|iterations| {
        let mut spent = Duration::ZERO;
        for iteration in 0..iterations {
            if iteration % steps == 0 {
                crowd.restore(&start);
            }
            spent += step(crowd);
        }
        spent
    });
    crowd.restore(&start);
}
