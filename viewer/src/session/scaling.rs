//! Measures step time by number of agents, with cells and with all pairs.
//! The measurements are single runs on a machine that does other work,
//! so they illustrate the difference but are not a benchmark.

use std::time::{Duration, Instant};

use flockwork::{Error, Partition, Scene, Simulation};

/// Number of agents in the smallest crowd. Each further crowd is twice as large.
const SMALLEST: usize = 8;
/// A method stops before a step that would take longer than this.
const MAX_STEP: Duration = Duration::from_secs(2);
/// Duration of each measurement, which includes at least one step.
const TIME: Duration = Duration::from_millis(100);
const MAX_STEPS: usize = 1_000;

pub(crate) const METHODS: [(Partition, &str); 2] =
    [(Partition::Cells, "cells"), (Partition::AllPairs, "all pairs")];

/// (number of agents, seconds per step), in ascending order of agents.
pub(crate) type Curve = Vec<[f64; 2]>;

#[derive(Clone, Debug, Default)]
pub(crate) struct Scaling {
    pub(crate) scene: String,
    pub(crate) threads: usize,
    pub(crate) curves: [Curve; 2],
    pub(crate) runs: bool,
}

impl Scaling {
    /// Number of agents in the largest crowd timed with both methods, and the speedup
    /// of cells at that size.
    pub(crate) fn gain(&self) -> Option<[f64; 2]> {
        let [cells, all_pairs] = &self.curves;
        let [agents, longer] = *all_pairs.last()?;
        let [_, shorter] = *cells.iter().find(|point| point[0] == agents)?;
        Some([agents, longer / shorter])
    }

    /// Number of agents from which cells are faster: the last crossing of the curves.
    pub(crate) fn crossing(&self) -> Option<f64> {
        let [cells, all_pairs] = &self.curves;
        let gaps: Vec<[f64; 2]> = cells
            .iter()
            .zip(all_pairs)
            .map(|(cells, all_pairs)| [cells[0].ln(), (cells[1] / all_pairs[1]).ln()])
            .collect();
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
    let doublings = std::iter::successors(Some(SMALLEST), |agents| agents.checked_mul(2));
    let sizes = doublings.take_while(|&agents| agents < largest).chain([largest]);
    let mut latest = [[0.0; 2]; 2];
    for agents in sizes {
        // A scene with several species needs a minimum number of agents.
        let scene = scene.clone().agents(agents);
        if scene.check().is_err() {
            continue;
        }
        let mut simulation = scene.build()?;
        simulation.set_threads(threads)?;
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

/// The fastest of several steps, because other load, such as drawing the curves, only adds time.
pub(super) fn seconds_per_step(
    simulation: &mut Simulation,
    partition: Partition,
) -> Result<f64, Error> {
    simulation.set_partition(partition);
    // The first step is not timed, because it sorts the crowd.
    simulation.step()?;
    let mut fastest = f64::MAX;
    let start = Instant::now();
    for number in 0..MAX_STEPS {
        if number > 0 && start.elapsed() > TIME {
            break;
        }
        let step = Instant::now();
        simulation.step()?;
        fastest = fastest.min(step.elapsed().as_secs_f64());
    }
    Ok(fastest)
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
