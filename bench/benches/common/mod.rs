use std::time::{Duration, Instant};

use criterion::measurement::WallTime;
use criterion::{AxisScale, BenchmarkGroup, BenchmarkId, Criterion, PlotConfiguration};
use flockwork::{Method, Scene, Simulation};

const WARM_UP_STEPS: u64 = 3;
/// Agent-steps between resets of the crowd: too many for branch predictors to memorize.
const AGENT_STEPS: usize = 64_000;

pub(crate) fn warm(scene: &Scene, method: Method, threads: usize) -> Simulation {
    let mut crowd = scene.build().expect("the scene is in range");
    crowd.set_execution(crowd.execution().threads(threads).method(method)).expect("a few threads");
    crowd.run(WARM_UP_STEPS).expect("a valid step");
    crowd
}

/// Panics unless all crowds are in the same state, because times of different work cannot be
/// compared.
pub(crate) fn agree<'a>(what: &str, crowds: impl IntoIterator<Item = &'a Simulation>) {
    let mut hashes = crowds.into_iter().map(Simulation::state_hash);
    let first = hashes.next();
    assert!(hashes.all(|hash| Some(hash) == first), "{what}: the state hashes differ");
}

pub(crate) fn group<'a>(criterion: &'a mut Criterion, name: &str) -> BenchmarkGroup<'a, WallTime> {
    let mut group = criterion.benchmark_group(name);
    group.plot_config(PlotConfiguration::default().summary_scale(AxisScale::Logarithmic));
    // Ten samples need no more resamples; the default takes longer than the measurement.
    group.sample_size(10).nresamples(2_000).warm_up_time(Duration::from_millis(250));
    group.measurement_time(Duration::from_millis(500));
    group
}

/// Times steps. `time` gets the crowd and the duration of a whole step, and returns the duration to
/// count. The crowd is reset every few steps. Otherwise, it would cluster, and a faster method
/// would time a denser crowd than a slower one.
pub(crate) fn time_steps(
    group: &mut BenchmarkGroup<'_, WallTime>,
    id: BenchmarkId,
    crowd: &mut Simulation,
    time: impl Fn(&Simulation, Duration) -> Duration,
) {
    let start = crowd.snapshot();
    let steps = (AGENT_STEPS / crowd.len().max(1)).clamp(4, 64) as u64;
    group.bench_function(id, |bencher| {
        bencher.iter_custom(|iterations| {
            let mut spent = Duration::ZERO;
            for iteration in 0..iterations {
                if iteration % steps == 0 {
                    crowd.restore(&start);
                }
                let begun = Instant::now();
                crowd.step().expect("a valid step");
                let whole = begun.elapsed();
                spent += time(crowd, whole);
            }
            spent
        });
        crowd.restore(&start);
    });
}
