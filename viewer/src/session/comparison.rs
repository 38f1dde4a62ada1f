//! Compares two neighbor searches, cells and all pairs. Charts step time against the number of
//! agents, and measures how many times as long a step takes with all pairs. The times come from
//! single runs while the viewer draws: they illustrate the difference but are not a benchmark.

use std::time::Duration;

use flockwork::internal::memory;
use flockwork::{Error, Partition, Scene, Simulation};

use super::blocks::{fastest, round};

/// Number of agents in the smallest crowd. Each crowd is twice as large as the
/// one before.
const MIN_AGENTS: usize = 8;
/// A method skips crowds whose steps are expected to take longer than this.
const MAX_STEP: Duration = Duration::from_secs(2);

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
    let sizes = doublings
        .take_while(|&agents| agents < largest)
        .chain([largest].into_iter().filter(|&agents| agents > 0));
    let mut latest = [[0.0; 2]; 2];
    for agents in sizes {
        // Only the first species is resized, so a total below the other species' sum is invalid.
        let scene = scene.clone().agents(agents);
        if scene.check().is_err() {
            continue;
        }
        let is_due = |&method: &usize| {
            let [before, seconds]: [f64; 2] = latest[method];
            let power = if METHODS[method].0 == Partition::AllPairs { 2 } else { 1 };
            let growth = (agents as f64 / before.max(1.0)).powi(power);
            seconds * growth <= MAX_STEP.as_secs_f64()
        };
        let methods: Vec<usize> = (0..METHODS.len()).filter(is_due).collect();
        let crowds =
            methods.iter().map(|&method| ready(scene.build()?, METHODS[method].0, threads));
        let mut crowds = crowds.collect::<Result<Vec<_>, _>>()?;
        for (&method, seconds) in methods.iter().zip(fastest(&mut crowds)?) {
            latest[method] = [agents as f64, seconds];
            if !report(method, agents as f64, seconds) {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// Takes a first step that is not timed: sorting is slower until the crowd is nearly in cell order.
fn ready(mut crowd: Simulation, partition: Partition, threads: usize) -> Result<Simulation, Error> {
    crowd.set_execution(crowd.execution().threads(threads).partition(partition))?;
    crowd.step()?;
    Ok(crowd)
}

/// All-pairs search is timed with at most this many agents, so that the crowd stops only briefly.
pub(super) const MAX_ALL_PAIRS_TIMED: usize = 4_096;
/// Number of ratios that must agree, and the largest factor between them.
const AGREEING: usize = 3;
const AGREEMENT: f64 = 1.2;
/// After this many rounds without agreement, the machine is reported as busy.
const MAX_ROUNDS: usize = 30;

/// How many times as long a step takes with all pairs as with cells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Ratio {
    /// Too few measurements agree so far.
    Unknown,
    /// The machine is too busy to tell.
    Busy,
    Times(f64),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Comparison {
    pub(crate) ratio: Ratio,
    /// Number of agents timed with all pairs. The time of a larger crowd is extrapolated
    /// quadratically.
    pub(crate) sample_size: usize,
}

/// Compares copies of the crowd in rounds, each of which times a short block of steps with either
/// search.
pub(super) struct Comparer {
    /// The crowd with cells, and a sample of it with all pairs.
    crowds: [Simulation; 2],
    /// Expected ratio of an all-pairs step of the whole crowd to one of the sample.
    growth: f64,
    /// Time ratios of the undisturbed rounds.
    ratios: Vec<f64>,
    rounds: usize,
}

impl Comparer {
    pub(super) fn new(simulation: &Simulation) -> Result<Self, Error> {
        let (agents, threads) = (simulation.len(), simulation.execution().threads);
        let sample = if agents > MAX_ALL_PAIRS_TIMED {
            simulation.scene().clone().agents(MAX_ALL_PAIRS_TIMED).build()?
        } else {
            copy(simulation)?
        };
        let growth = (agents as f64 / sample.len().max(1) as f64).powi(2);
        let crowds = [
            ready(copy(simulation)?, Partition::Cells, threads)?,
            ready(sample, Partition::AllPairs, threads)?,
        ];
        Ok(Self { crowds, growth, ratios: Vec::new(), rounds: 0 })
    }

    pub(super) fn compare(&mut self) -> Result<Comparison, Error> {
        let round = round(&mut self.crowds)?;
        self.rounds += 1;
        if !round.disturbed {
            self.ratios.push(self.growth * round.fastest[1] / round.fastest[0]);
        }
        let ratio = ratio(&self.ratios, self.rounds);
        Ok(Comparison { ratio, sample_size: self.crowds[1].len() })
    }
}

/// Returns the median of the ratios that agree best, once enough of them agree.
fn ratio(ratios: &[f64], rounds: usize) -> Ratio {
    let mut sorted = ratios.to_vec();
    sorted.sort_by(f64::total_cmp);
    let spread = |agreeing: &&[f64]| agreeing[AGREEING - 1] / agreeing[0];
    let closest = sorted.windows(AGREEING).min_by(|a, b| spread(a).total_cmp(&spread(b)));
    match closest.filter(|agreeing| spread(agreeing) <= AGREEMENT) {
        Some(agreeing) => Ratio::Times(agreeing[AGREEING / 2]),
        None if rounds < MAX_ROUNDS => Ratio::Unknown,
        None => Ratio::Busy,
    }
}

/// Builds a copy of the crowd, or fails if there is not enough memory for it and its snapshot.
pub(crate) fn copy(simulation: &Simulation) -> Result<Simulation, flockwork::Error> {
    memory::check(simulation.scene().estimated_bytes() / 2 * 3)?;
    simulation.snapshot().build()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

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

    /// Regression: a crowd without agents was drawn at the logarithm of 0.
    #[test]
    fn a_crowd_without_agents_is_not_timed() {
        let scene = Scene::named("flock").unwrap();
        measure(&scene, 1, 0, |_, agents, _| panic!("{agents} agents")).unwrap();
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
    fn a_ratio_is_said_once_three_of_them_agree_and_a_busy_machine_is_named() {
        for (ratios, rounds, expected) in [
            (&[][..], 0, Ratio::Unknown),
            (&[10.0, 11.0], 2, Ratio::Unknown),
            (&[10.0, 14.0, 20.0, 30.0], 7, Ratio::Unknown),
            (&[10.0, 30.0, 11.0, 20.0, 11.5], 7, Ratio::Times(11.0)),
            (&[5.0, 10.0, 5.9, 10.1, 5.5, 10.2], 7, Ratio::Times(10.1)),
            (&[10.0, 14.0, 20.0], MAX_ROUNDS, Ratio::Busy),
            (&[], MAX_ROUNDS, Ratio::Busy),
        ] {
            assert_eq!(ratio(ratios, rounds), expected, "{ratios:?}");
        }
    }

    /// Steps a session until its comparison has a result.
    fn compared(session: &mut Session) -> Comparison {
        for _ in 0..MAX_ROUNDS {
            session.step_once();
            session.advance(Duration::ZERO);
            let comparison = session.new_frame().readings.comparison.unwrap();
            if comparison.ratio != Ratio::Unknown {
                return comparison;
            }
        }
        panic!("no result after {MAX_ROUNDS} rounds");
    }

    #[test]
    fn the_two_methods_are_compared_once_for_each_setup() {
        let mut session = Session::named("flock");
        let first = compared(&mut session);
        assert_eq!(first.sample_size, 600);
        assert_eq!(compared(&mut session), first, "not again");
        let hash = session.simulation.state_hash();
        set(&mut session, Controls::toggle_partition);
        session.compare_partitions();
        assert_eq!(session.simulation.state_hash(), hash, "the crowd is left alone");
        assert_eq!(compared(&mut session).sample_size, 600);
        assert!(session.comparer.is_none(), "the copies are freed");
    }

    #[test]
    fn all_pairs_of_a_large_crowd_are_extrapolated_from_a_share_of_it() {
        let mut comparer = Comparer::new(&Session::named("stress").simulation).unwrap();
        assert!((comparer.growth / (100_000.0 / 4_096.0_f64).powi(2) - 1.0).abs() < 1.0e-9);
        let comparison = comparer.compare().unwrap();
        assert_eq!(comparison.sample_size, MAX_ALL_PAIRS_TIMED);
        // Even on a busy machine, all pairs are not that fast.
        assert!(comparer.ratios.iter().all(|ratio| *ratio > 2.0), "{:?}", comparer.ratios);
    }
}
