//! The measurements of workload W, the plain flock. Each varies one thing: size, variant, density,
//! cell height, thread count, instruction set or neighbor-search crate.

use flockwork::cpu::Level;

use crate::experiment::Experiment;
use crate::options::{Measurement, Request};
use crate::peers::Peer;
use crate::variant::Variant;

/// Returns a measurement's experiment, its variants, and the values of the parameter that varies
/// besides the crowd size; see [`Group::plain`](super::group::Group::plain).
pub(super) fn variants(
    measurement: Measurement,
    request: &Request,
) -> (Experiment, Vec<Variant>, &'static [f32]) {
    let cells = cells(request);
    let flat = if request.in_space() { vec![Variant::CellsSimdFlat] } else { Vec::new() };
    match measurement {
        Measurement::Density => (
            Experiment::Density,
            [cells, flat].concat(),
            &[4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0],
        ),
        // Short cells fit the circle of view more tightly; with tall cells, fewer are visited.
        // The engine picks a height of one view distance here. The order of summation depends on
        // the height, so each height has its own state hash, which all variants must match.
        Measurement::CellSize => (Experiment::CellSize, cells, &[0.25, 0.5, 1.0, 2.0, 4.0, 8.0]),
        Measurement::Threads => {
            let shared = thread_counts(request.threads()).into_iter().map(Some);
            let shared = shared.map(Variant::CellsSimdMt);
            (Experiment::Threads, [Variant::CellsSimd].into_iter().chain(shared).collect(), &[])
        }
        Measurement::Levels => {
            let levels = Level::available().map(Variant::Level);
            (Experiment::Levels, [Variant::CellsScalar].into_iter().chain(levels).collect(), &[])
        }
        Measurement::Peers => {
            (Experiment::NeighborCount, Peer::ALL.map(Variant::Peer).to_vec(), &[])
        }
        _ => {
            let pairs = vec![Variant::AllPairsScalar, Variant::AllPairsSimd];
            (Experiment::Scaling, [pairs, cells, vec![Variant::NextBest], flat].concat(), &[])
        }
    }
}

pub(super) fn cells(request: &Request) -> Vec<Variant> {
    let threaded = (request.threads() > 1).then_some(Variant::CellsSimdMt(None));
    [Variant::CellsScalar, Variant::CellsSimd].into_iter().chain(threaded).collect()
}

/// Powers of two below `all`, then `all`, then twice `all` to show the cost of oversubscription.
fn thread_counts(all: usize) -> Vec<usize> {
    let powers = std::iter::successors(Some(2), |count| Some(2 * count));
    let mut counts: Vec<usize> = powers.take_while(|&count| count < all).collect();
    counts.extend([all, (2 * all).min(1_024)]);
    counts.retain(|count| *count > 1);
    counts.dedup();
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thread_counts_double_up_to_all_and_once_beyond() {
        assert_eq!(thread_counts(1), [2]);
        assert_eq!(thread_counts(2), [2, 4]);
        assert_eq!(thread_counts(6), [2, 4, 6, 12]);
        assert_eq!(thread_counts(1_024).last(), Some(&1_024));
    }
}
