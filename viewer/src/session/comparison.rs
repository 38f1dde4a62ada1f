//! Measures how many times as long a step takes with all pairs as with cells. The viewer draws at the
//! same time, so the ratio illustrates the difference; the benchmark measures it.

use flockwork::internal::memory;
use flockwork::{Error, Partition, Scene, Simulation};

use super::blocks::round;

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
            sample(simulation.scene()).build()?
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

/// Shrinks a scene to at most [`MAX_ALL_PAIRS_TIMED`] agents. One half is shared evenly among the
/// species, so that small ones keep the agents that others have as targets, and the other half in
/// proportion.
fn sample(scene: &Scene) -> Scene {
    let half = MAX_ALL_PAIRS_TIMED / 2;
    let even = half / scene.species.len().max(1);
    let mut sample = scene.clone();
    for kind in &mut sample.species {
        let share = half * kind.agents / scene.agents_at_start().max(1);
        kind.agents = kind.agents.min(even + share);
    }
    sample
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
fn copy(simulation: &Simulation) -> Result<Simulation, flockwork::Error> {
    memory::check(simulation.estimated_bytes() / 2 * 3)?;
    simulation.snapshot().build()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use flockwork::{Species, World};

    use super::*;
    use crate::session::Session;
    use crate::session::controls::Controls;
    use crate::session::tests::set;

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

    /// Regression: a crowd with more than 4,096 agents in other species than the first was never
    /// compared.
    #[test]
    fn all_species_of_a_large_crowd_shrink() {
        let world = World::torus(2_000.0, 2_000.0);
        let kinds = [("fish", 3_000), ("birds", 9_000)];
        let scene = kinds.into_iter().fold(Scene::new(world), |scene, (name, agents)| {
            scene.species(Species::new(name, agents))
        });
        let heavy = Scene::named("heavy").unwrap().agents(20_000);
        for (scene, expected) in [(scene, [1_536, 2_560]), (heavy, [3_071, 1])] {
            let comparer = Comparer::new(&scene.build().unwrap()).unwrap();
            let species = &comparer.crowds[1].scene().species;
            assert_eq!([species[0].agents, species[1].agents], expected);
        }
    }
}
