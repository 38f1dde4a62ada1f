use std::array;
use std::cell::Cell;
use std::ops::{Add, Div, Sub};

use flockwork::cpu::Level;
use flockwork::internal;
use flockwork::{Partition, Scene, Simulation};
use flockwork_bench::roofline::{
    Bandwidth, Bottleneck, Caches, Limits, Rates, Roofline, Share, Step, Work,
};

#[test]
fn at_most_as_many_threads_as_cores_are_measured() {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let roofline = Roofline::measure(&[1, 1, 1_024], 1_000).unwrap();
    let threads: Vec<usize> = roofline.limits.iter().map(|limits| limits.threads).collect();
    assert_eq!(threads.last(), Some(&cores));
    assert!(threads.len() <= 2, "{threads:?}");
}

#[test]
fn every_limit_is_measured_with_correct_results() {
    // `measure` returns an error on a wrong sum or recurrence, so success means that no work
    // was skipped.
    let roofline = Roofline::measure(&[1, 2], usize::MAX).unwrap();
    assert!([4, 8, 16].contains(&roofline.lanes));
    for (limits, threads) in roofline.limits.iter().zip([1, 2]) {
        assert_eq!(limits.threads, threads);
        let Rates { add, mul, fma, fma_calls, add_and_fma, div, sqrt, broadcast } = limits.rates;
        for rate in [add, mul, fma, add_and_fma, div, sqrt, broadcast] {
            assert!(rate.is_finite() && rate > 0.0);
        }
        let has_fma = Level::used().unwrap() > Level::Baseline
            || cfg!(any(target_feature = "fma", target_arch = "aarch64"));
        assert_eq!(fma_calls, !has_fma);
        assert_eq!(limits.bandwidths.len(), 4);
        for pair in limits.bandwidths.windows(2) {
            assert!(pair[0].working_set < pair[1].working_set, "{limits:?}");
        }
    }
}

#[derive(Clone, Copy)]
struct Counted(f32);

thread_local! {
    static DONE: Cell<Work> = const { Cell::new(Work::NONE) };
}

fn note(kind: impl FnOnce(&mut Work) -> &mut f64) {
    let mut work = DONE.get();
    *kind(&mut work) += 1.0;
    DONE.set(work);
}

impl Add for Counted {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        note(|work| &mut work.add);
        Self(self.0 + other.0)
    }
}

impl Sub for Counted {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        note(|work| &mut work.add);
        Self(self.0 - other.0)
    }
}

impl Div for Counted {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        note(|work| &mut work.div);
        Self(self.0 / other.0)
    }
}

impl Counted {
    fn broadcast(value: f32) -> Self {
        note(|work| &mut work.broadcast);
        Self(value)
    }

    fn mul_add(self, a: Self, b: Self) -> Self {
        note(|work| &mut work.fma);
        Self(internal::mul_add(self.0, a.0, b.0))
    }

    fn less(self, other: Self) -> bool {
        note(|work| &mut work.add);
        self.0 < other.0
    }
}

/// Sweeps one lane over `candidates` with numbers that count their operations.
/// Returns the sum of inverse offsets.
fn sweep<const D: usize>(crowd: &Simulation, me: usize, candidates: &[usize]) -> [f32; D] {
    let state = crowd.agents();
    let (positions, headings) = ([state.x, state.y, state.z], [state.hx, state.hy, state.hz]);
    let zero = Counted(0.0);
    let (mut count, mut heading, mut offset, mut inverse) = (zero, [zero; D], [zero; D], [zero; D]);
    for &other in candidates {
        let to: [Counted; D] = array::from_fn(|axis| {
            Counted::broadcast(positions[axis][other]) - Counted(positions[axis][me])
        });
        let squares = to.iter().rev();
        let distance_sq = squares.fold(Counted(1.0e-12), |sum, along| along.mul_add(*along, sum));
        // Operations for masking are not counted.
        let seen = distance_sq.less(Counted(2500.0));
        let keep = |value: Counted| if seen { value } else { zero };
        count = count + keep(Counted(1.0));
        let inverse_sq = keep(Counted(1.0)) / distance_sq;
        for axis in 0..D {
            heading[axis] = heading[axis] + keep(Counted::broadcast(headings[axis][other]));
            offset[axis] = offset[axis] + keep(to[axis]);
            inverse[axis] = to[axis].mul_add(inverse_sq, inverse[axis]);
        }
    }
    inverse.map(|sum| sum.0)
}

#[test]
fn the_counted_sweep_is_the_one_that_steers() {
    compare_sweeps::<2>(300);
    compare_sweeps::<3>(1_000);
}

fn compare_sweeps<const D: usize>(agents: usize) {
    let mut scene = Scene::named("stress").unwrap().agents(agents);
    scene.world.dimensions = Some(D as u32);
    let crowd = scene.build().unwrap();
    let [width, height] = crowd.world_size();
    let size = [width, height, crowd.world().depth.unwrap_or_default()];
    let mut compared = 0;
    for me in 0..crowd.len() {
        let id = crowd.agents().id(me);
        let at = crowd.agent(id).unwrap().position;
        if (0..D).any(|axis| !(60.0..size[axis] - 60.0).contains(&at[axis])) {
            continue;
        }
        let neighbors = crowd.neighbors(id).unwrap();
        let mut candidates: Vec<usize> =
            neighbors.iter().map(|&id| crowd.slot_of(id).unwrap()).collect();
        // Candidates out of view contribute nothing, at any position in the list.
        candidates.extend(
            (0..crowd.len())
                .filter(|slot| slot % 7 == 0 && *slot != me)
                .filter(|&slot| !neighbors.contains(&crowd.agents().id(slot))),
        );
        DONE.set(Work::NONE);
        let sums = sweep::<D>(&crowd, me, &candidates);
        let of_axis = Work::TEST_AXIS.plus(Work::SUMS_AXIS, 1.0);
        let expected = Work::TEST.plus(Work::SUMS, 1.0).plus(of_axis, D as f64);
        assert_eq!(DONE.get(), Work::NONE.plus(expected, candidates.len() as f64));
        let explained = crowd.explain(id).unwrap();
        let separation = &explained.contributions[0];
        assert_eq!(separation.behavior, "separation");
        assert_eq!(sums.map(|sum| -sum * 400.0), separation.force[..D], "agent {me}");
        compared += 1;
    }
    assert!(compared > 50);
}

fn limits(rate: f64) -> Limits {
    let bandwidth =
        |level: &str, working_set, copy| Bandwidth { level: level.to_owned(), working_set, copy };
    Limits {
        threads: 1,
        rates: Rates {
            add: rate,
            mul: rate,
            fma: rate,
            fma_calls: false,
            add_and_fma: 2.0 * rate,
            div: rate / 10.0,
            sqrt: rate / 10.0,
            broadcast: rate,
        },
        bandwidths: vec![bandwidth("L1", 1 << 20, 68.0e9), bandwidth("memory", 1 << 30, 6.8e9)],
    }
}

fn step(all_pairs: bool, pairs_per_agent: f64, bytes: usize) -> Step {
    let summed_per_agent = pairs_per_agent;
    let (lanes, ns_per_agent) = (8, 100.0);
    Step { axes: 2.0, all_pairs, lanes, pairs_per_agent, summed_per_agent, bytes, ns_per_agent }
}

#[test]
fn the_slowest_resource_is_the_bottleneck() {
    // 990 + 4 divisions and 6 square roots at 1 per ns, plus 1 ns for the sort in L1.
    let share: Share = limits(1.0e10).share(&step(false, 990.0, 1_000));
    assert_eq!(share.bottleneck, Bottleneck::Division);
    assert!((share.limit_ns - 1_001.0).abs() < 1.0e-6, "{share:?}");
    assert!((share.percent - 1_001.0).abs() < 1.0e-6, "{share:?}");

    // With nearly free arithmetic, moving 68 + 32 bytes per agent from memory is the limit.
    let share = limits(1.0e15).share(&step(false, 80.0, 1 << 29));
    assert_eq!(share.bottleneck, Bottleneck::Memory);
    assert!((share.limit_ns - 100.0 / 6.8).abs() < 1.0e-6, "{share:?}");

    let mut quick_division = limits(1.0e10);
    quick_division.rates.div = 1.0e20;
    quick_division.rates.sqrt = 1.0e20;
    let share = quick_division.share(&step(true, 1_000.0, 1_000));
    assert_eq!(share.bottleneck, Bottleneck::Arithmetic);
    // 12 additions per pair at 10 per ns; 6 multiply-adds and 2 multiplications run in parallel.
    assert!((share.limit_ns - 1_201.0).abs() < 1.0e-6, "{share:?}");

    // If each multiply-add is a function call, the combined rate of additions and multiply-adds
    // is ignored.
    let mut calls = quick_division;
    let rates = &mut calls.rates;
    (rates.fma_calls, rates.fma, rates.add_and_fma) = (true, 1.0e8, 1.0e8);
    let share = calls.share(&step(true, 1_000.0, 1_000));
    assert_eq!(share.bottleneck, Bottleneck::Calls);
    assert!((share.limit_ns - 60_001.0).abs() < 1.0e-6, "{share:?}");

    let caches = Caches::detect();
    assert!(Roofline { lanes: 16, caches, limits: Vec::new() }.limits(1).is_none());
}

#[test]
fn pairs_that_are_not_summed_are_less_work() {
    let all = step(false, 100.0, 1);
    let scalar = Step { summed_per_agent: 17.0, ..all };
    assert_eq!(all.work().div - scalar.work().div, 83.0);
    assert_eq!((all.work().fma, scalar.work().fma), (400.0, 234.0));
    let percent = |step| limits(1.0e10).share(step).percent;
    assert!(percent(&scalar) < percent(&all));
}

#[test]
fn sixteen_lanes_divide_less() {
    let eight = step(false, 80.0, 1);
    let sixteen = Step { lanes: 16, ..eight };
    let (eight, sixteen) = (eight.work(), sixteen.work());
    assert_eq!((eight.div, sixteen.div), (84.0, 64.0));
    // With 16 lanes, multiplications and multiply-adds replace 20 of 84 divisions.
    let instead = Work { mul: 20.0, fma: 80.0, ..Work::NONE };
    assert_eq!(sixteen, Work { div: 64.0, ..eight.plus(instead, 1.0) });
}

#[test]
fn work_grows_with_the_pairs_that_the_engine_counts() {
    let mut crowd = Scene::named("stress").unwrap().agents(160).build().unwrap();
    crowd.set_execution(crowd.execution().partition(Partition::AllPairs)).unwrap();
    let pairs_per_agent = crowd.neighbor_counts().pairs_per_agent;
    assert_eq!(pairs_per_agent, 160.0);
    let work = step(true, pairs_per_agent, 1).work();
    assert_eq!((work.add, work.fma), (160.0 * 12.0, 160.0 * 6.0));
    assert_eq!((work.div, work.sqrt), (160.0 + 4.0, 6.0));
}
