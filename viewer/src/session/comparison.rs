//! Compares two neighbor searches, cells and all pairs. Charts step time against the number of
//! agents, and estimates the step time of the search not in use. The times come from single runs
//! while the viewer draws: they illustrate the difference but are not a benchmark.

use std::time::{Duration, Instant};

use flockwork::{Error, Partition, Scene, Simulation};

/// Number of agents in the smallest crowd. Each crowd is twice as large as the
/// one before.
const MIN_AGENTS: usize = 8;
/// A method skips crowds whose steps are expected to take longer than this.
const MAX_STEP: Duration = Duration::from_secs(2);
/// Duration of each measurement. A measurement takes at least one step, however long that is.
const MEASURING_TIME: Duration = Duration::from_millis(100);
const MAX_STEPS: usize = 1_000;

pub(crate) const METHODS: [(Partition, &str); 2] =
    [(Partition::Cells, "cells"), (Partition::AllPairs, "all pairs")];

/// Points on a chart: number of agents (ascending) and seconds per step.
pub(crate) type Curve = Vec<[f64; 2]>;

#[derive(Clone, Debug, Default)]
pub(crate) struct Scaling {
    pub(crate) scene: String,
    pub(crate) threads: usize,
    pub(crate) curves: [Curve; 2],
}

impl Scaling {
    /// Returns the size of the largest crowd timed with both cells and all pairs, and how many
    /// times faster cells are at that size.
    pub(crate) fn gain(&self) -> Option<[f64; 2]> {
        let [cells, all_pairs] = &self.curves;
        let [agents, longer] = *all_pairs.last()?;
        let [_, shorter] = *cells.iter().find(|point| point[0] == agents)?;
        Some([agents, longer / shorter])
    }

    /// Returns the number of agents above which cells are faster: where the curves last cross.
    pub(crate) fn crossing(&self) -> Option<f64> {
        let [cells, all_pairs] = &self.curves;
        let gap = |(cells, all_pairs): (&[f64; 2], &[f64; 2])| {
            [cells[0].ln(), (cells[1] / all_pairs[1]).ln()]
        };
        let gaps: Vec<[f64; 2]> = cells.iter().zip(all_pairs).map(gap).collect();
        let crossed = gaps.windows(2).rfind(|pair| pair[0][1] > 0.0 && pair[1][1] <= 0.0)?;
        let [[from, above], [to, below]] = [crossed[0], crossed[1]];
        Some((from + (to - from) * above / (above - below)).exp())
    }
}

/// Times crowds of up to `largest` agents. `report` gets the index of the method, the number
/// of agents and the seconds per step, and returns false to stop.
pub(super) fn measure(
    scene: &Scene,
    threads: usize,
    largest: usize,
    mut report: impl FnMut(usize, f64, f64) -> bool,
) -> Result<(), Error> {
    let doublings = std::iter::successors(Some(MIN_AGENTS), |agents| agents.checked_mul(2));
    let sizes = doublings.take_while(|&agents| agents < largest).chain([largest]);
    let mut latest = [[0.0; 2]; 2];
    for agents in sizes {
        // Only the first species is resized, so a total below the other species' sum is invalid.
        let scene = scene.clone().agents(agents);
        if scene.check().is_err() {
            continue;
        }
        let mut simulation = scene.build()?;
        simulation.set_execution(simulation.execution().threads(threads))?;
        for (method, (partition, _)) in METHODS.into_iter().enumerate() {
            let [before, seconds]: [f64; 2] = latest[method];
            let power = if partition == Partition::AllPairs { 2 } else { 1 };
            let growth = (agents as f64 / before.max(1.0)).powi(power);
            if seconds * growth > MAX_STEP.as_secs_f64() {
                continue;
            }
            latest[method] = [agents as f64, seconds_per_step(&mut simulation, partition)?];
            if !report(method, latest[method][0], latest[method][1]) {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// Returns the time of the fastest step: other load, e.g. drawing the curves, only adds time.
pub(super) fn seconds_per_step(
    simulation: &mut Simulation,
    partition: Partition,
) -> Result<f64, Error> {
    simulation.set_execution(simulation.execution().partition(partition))?;
    // The first step is not timed: sorting is slower until the crowd is nearly in cell order.
    simulation.step()?;
    let mut fastest = f64::MAX;
    let start = Instant::now();
    for number in 0..MAX_STEPS {
        if number > 0 && start.elapsed() > MEASURING_TIME {
            break;
        }
        let step = Instant::now();
        simulation.step()?;
        fastest = fastest.min(step.elapsed().as_secs_f64());
    }
    Ok(fastest)
}

/// All-pairs search is timed with at most this many agents, so that the crowd stops only briefly.
pub(super) const MAX_ALL_PAIRS_TIMED: usize = 4_096;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Comparison {
    pub(crate) milliseconds: f64,
    /// Step time of the current method in milliseconds; `None` for a large crowd. Both methods run
    /// on a copy of the crowd, because a copy steps faster than a crowd that is being drawn.
    pub(crate) current_ms: Option<f64>,
    /// Number of agents measured. The time of a larger crowd is extrapolated quadratically.
    pub(crate) sample_size: usize,
}

pub(super) fn compare(simulation: &Simulation) -> Result<Comparison, Error> {
    let agents = simulation.len();
    let cells = simulation.execution().partition != Partition::AllPairs;
    let mut copy = if cells && agents > MAX_ALL_PAIRS_TIMED {
        simulation.scene().clone().agents(MAX_ALL_PAIRS_TIMED).build()?
    } else {
        simulation.snapshot().build()?
    };
    copy.set_execution(copy.execution().threads(simulation.execution().threads))?;
    let other = if cells { Partition::AllPairs } else { Partition::Cells };
    let sample_size = copy.len();
    let small = sample_size == agents && agents <= MAX_ALL_PAIRS_TIMED;
    let current =
        small.then(|| seconds_per_step(&mut copy, simulation.execution().partition)).transpose()?;
    let current_ms = current.map(|seconds| 1.0e3 * seconds);
    let seconds = seconds_per_step(&mut copy, other)?;
    let times = agents as f64 / sample_size.max(1) as f64;
    Ok(Comparison { milliseconds: 1.0e3 * seconds * times * times, current_ms, sample_size })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use flockwork::Partition;

    use super::*;
    use crate::session::Session;
    use crate::session::controls::Controls;
    use crate::session::tests::{set, settle};

    fn made_up() -> Scaling {
        let agents = |k: u32| f64::from(8 << k);
        let cells = (0..12).map(|k| [agents(k), 1.0e-6 * agents(k)]).collect();
        let all_pairs = (0..9).map(|k| [agents(k), 2.0e-9 * agents(k).powi(2)]).collect();
        Scaling { curves: [cells, all_pairs], ..Scaling::default() }
    }

    #[test]
    fn the_gain_and_the_crossing_are_those_of_the_curves() {
        let scaling = made_up();
        assert!((scaling.crossing().unwrap() / 500.0 - 1.0).abs() < 1.0e-9);
        let [agents, factor] = scaling.gain().unwrap();
        assert!(agents == 2_048.0 && (factor / 4.096 - 1.0).abs() < 1.0e-9, "{factor}");
    }

    #[test]
    fn too_few_points_have_no_crossing() {
        let mut scaling = made_up();
        scaling.curves.iter_mut().for_each(|curve| curve.truncate(3));
        assert_eq!(scaling.crossing(), None);
        let none = Scaling::default();
        assert_eq!((none.crossing(), none.gain()), (None, None));
    }

    #[test]
    fn both_methods_are_timed_up_to_the_largest_crowd() {
        let scene = Scene::named("flock").unwrap();
        let mut seen = [vec![], vec![]];
        measure(&scene, 1, 50, |method, agents, seconds| {
            assert!(seconds > 0.0);
            seen[method].push(agents);
            true
        })
        .unwrap();
        assert_eq!(seen, [vec![8.0, 16.0, 32.0, 50.0], vec![8.0, 16.0, 32.0, 50.0]]);
    }

    #[test]
    fn it_ends_when_nobody_wants_more() {
        let mut points = 0;
        let scene = Scene::named("big-shoal").unwrap();
        let more = |_, _, _| {
            points += 1;
            points < 3
        };
        measure(&scene, 1, 1_000_000, more).unwrap();
        assert_eq!(points, 3);
    }

    #[test]
    fn scaling_gives_both_curves_and_leaves_the_crowd_alone() {
        let mut session = Session::named("flock");
        session.set_agents(40);
        let hash = session.simulation.state_hash();
        session.measure_scaling();
        assert!(session.new_frame().readings.work.is_some());
        settle(&mut session);
        let readings = session.new_frame().readings;
        let scaling = readings.scaling.unwrap();
        assert!(readings.work.is_none());
        for curve in &scaling.curves {
            let agents: Vec<f64> = curve.iter().map(|point| point[0]).collect();
            assert_eq!(agents, [8.0, 16.0, 32.0, 40.0]);
        }
        assert_eq!(session.simulation.state_hash(), hash);
    }

    #[test]
    fn scaling_can_be_canceled_and_keeps_what_it_has() {
        let mut session = Session::named("flock");
        session.measure_scaling();
        while session.shown.scaling.as_ref().unwrap().curves[1].is_empty() {
            session.advance(Duration::ZERO);
        }
        session.cancel();
        let scaling = session.shown.scaling.as_ref().unwrap();
        assert!(session.job.is_none() && !scaling.curves[0].is_empty());
        let tick = session.simulation.tick();
        session.advance(Duration::from_millis(100));
        session.advance(Duration::from_millis(100));
        assert!(session.simulation.tick() > tick, "the crowd goes on");
        session.close_scaling();
        assert!(session.new_frame().readings.scaling.is_none());
    }

    #[test]
    fn the_other_method_is_timed_once_for_each_setup() {
        let mut session = Session::named("flock");
        let next = |session: &mut Session| {
            session.step_once();
            session.advance(Duration::ZERO);
            session.new_frame().readings.comparison
        };
        let all_pairs = next(&mut session).unwrap();
        assert!(all_pairs.milliseconds > 0.0 && all_pairs.sample_size == 600);
        assert!(all_pairs.current_ms > Some(0.0));
        assert_eq!(next(&mut session), Some(all_pairs), "not again");
        let hash = session.simulation.state_hash();
        set(&mut session, Controls::toggle_partition);
        session.compare_partitions();
        assert_eq!(session.simulation.state_hash(), hash, "the crowd is left alone");
        assert!(next(&mut session).is_some());
    }

    #[test]
    fn all_pairs_of_a_large_crowd_are_extrapolated_from_a_share_of_it() {
        let mut session = Session::named("stress");
        session.compare_partitions();
        let comparison = session.shown.comparison.unwrap();
        assert_eq!((comparison.sample_size, comparison.current_ms), (MAX_ALL_PAIRS_TIMED, None));
        let cells = seconds_per_step(&mut session.simulation, Partition::Cells).unwrap();
        assert!(comparison.milliseconds > 1.0e3 * cells, "{comparison:?}, {cells} s");
    }
}
