//! Measures the plain flock while varying one parameter at a time: size, step implementation,
//! density, cell height, thread count, instruction set and neighbor-search crate.

use flockwork::Scene;
use flockwork::cpu::Level;

use super::group::{Group, workload};
use crate::experiment::Experiment;
use crate::failure::Failure;
use crate::method::Method;
use crate::options::Request;
use crate::peers::Peer;
use crate::rungs::Rung;

type Groups = Result<Vec<Group>, Failure>;

/// Crowd size at which one row is measured twice to estimate noise:
/// at this size, steps take a few tenths of a millisecond.
const NOISE_AT: f64 = 10_000.0;

pub(super) fn cells(threads: &[usize]) -> Vec<Method> {
    let shared: Vec<Method> = match threads {
        [1] => Vec::new(),
        [_] => vec![Method::CellsSimdMt(None)],
        several => {
            let shared = several.iter().filter(|threads| **threads > 1);
            shared.map(|&threads| Method::CellsSimdMt(Some(threads))).collect()
        }
    };
    [vec![Method::CellsScalar, Method::CellsSimd], shared].concat()
}

fn of_sizes(
    request: &Request,
    experiment: Experiment,
    sizes: &[usize],
    methods: impl Fn(usize) -> Vec<Method>,
) -> Groups {
    let group = |&n: &usize| {
        let scene = workload(n, request.mean_neighbors, request.seed)?;
        Ok(Group::new(request, experiment, n, n as f64, scene, &methods(n)))
    };
    sizes.iter().map(group).collect()
}

pub(super) fn scaling(request: &Request) -> Groups {
    // Sizes are close together around the crossover, where cells overtake all pairs.
    let quick = [8, 32, 100, 316, 1_000, 10_000, 100_000, 1_000_000];
    let full = [
        8, 16, 32, 64, 100, 160, 316, 1_000, 2_000, 4_000, 10_000, 31_623, 100_000, 316_228,
        1_000_000,
    ];
    let sizes = request.sizes(&quick, &full);
    let distance = |n: &&usize| (**n as f64 / NOISE_AT).ln().abs();
    let of_noise = sizes.iter().min_by(|a, b| distance(a).total_cmp(&distance(b))).copied();
    let pairs = vec![Method::AllPairsScalar, Method::AllPairsSimd];
    let methods = [pairs, cells(&request.threads()), vec![Method::NextBest]].concat();
    of_sizes(request, Experiment::Scaling, &sizes, |n| {
        let again = (Some(n) == of_noise).then_some(Method::CellsSimdAgain);
        methods.iter().copied().chain(again).collect()
    })
}

/// Measures the same steps of the same crowd, computed by the loops of Buckland's book,
/// by the engine, and by stages in between, which add one idea per rung.
/// The book's cells keep the book's array of structs; the engine's counting sort uses columns.
pub(super) fn ladder(request: &Request) -> Groups {
    let methods = [Rung::ALL.map(Method::Rung).to_vec(), cells(&request.threads())].concat();
    let sizes = request.sizes(&[1_000, 10_000], &[1_000, 10_000, 30_000]);
    of_sizes(request, Experiment::Ladder, &sizes, |_| methods.clone())
}

pub(super) fn density(request: &Request) -> Groups {
    sweep(request, Experiment::Density, [4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0], |n, x| {
        Ok((format!("{n} agents, {x} neighbors"), workload(n, x, request.seed)?))
    })
}

/// Low cells fit the view circle more tightly; high cells are fewer to visit. Heights are
/// in view distances; the engine picks 1 for this crowd. The order of sums depends on the height,
/// so each height has its own state hash, which all methods must reach.
pub(super) fn cell_size(request: &Request) -> Groups {
    sweep(request, Experiment::CellSize, [0.25, 0.5, 1.0, 2.0, 4.0, 8.0], |n, x| {
        let scene = workload(n, request.mean_neighbors, request.seed)?;
        Ok((format!("{n} agents, cells of {x}"), Scene { cell_size: Some(x), ..scene }))
    })
}

fn sweep<const N: usize>(
    request: &Request,
    experiment: Experiment,
    numbers: [f32; N],
    crowd: impl Fn(usize, f32) -> Result<(String, Scene), Failure>,
) -> Groups {
    let methods = cells(&request.threads());
    let group = |(n, x): (usize, f32)| {
        let (point, scene) = crowd(n, x)?;
        Ok(Group::new(request, experiment, point, f64::from(x), scene, &methods))
    };
    let sizes = request.sizes(&[20_000], &[100_000]).into_iter();
    sizes.flat_map(|n| numbers.map(|x| (n, x))).map(group).collect()
}

/// Puts all thread counts of a crowd into one group, so that their repeats alternate.
pub(super) fn threads(request: &Request) -> Groups {
    let mut counts = match &*request.threads() {
        [all] => thread_counts(*all),
        several => several.to_vec(),
    };
    counts.retain(|count| *count > 1);
    let shared = counts.into_iter().map(|count| Method::CellsSimdMt(Some(count)));
    let methods: Vec<Method> = [Method::CellsSimd].into_iter().chain(shared).collect();
    let sizes = request.sizes(&[10_000, 100_000], &[10_000, 100_000, 1_000_000]);
    of_sizes(request, Experiment::Threads, &sizes, |_| methods.clone())
}

/// Thread counts: powers of two, the requested number, and twice that number to show the cost
/// of oversubscription.
fn thread_counts(all: usize) -> Vec<usize> {
    let powers = std::iter::successors(Some(1), |count| Some(2 * count));
    let mut counts: Vec<usize> = powers.take_while(|&count| count < all).collect();
    counts.extend([all, (2 * all).min(1_024)]);
    counts.dedup();
    counts
}

pub(super) fn levels(request: &Request) -> Groups {
    let levels = Level::available().map(Method::Level);
    let methods: Vec<Method> = [Method::CellsScalar].into_iter().chain(levels).collect();
    let sizes = request.sizes(&[10_000], &[100_000]);
    of_sizes(request, Experiment::Levels, &sizes, |_| methods.clone())
}

pub(super) fn peers(request: &Request) -> Groups {
    let sizes = request.sizes(&[10_000], &[10_000, 100_000]);
    of_sizes(request, Experiment::NeighborCount, &sizes, |_| Peer::ALL.map(Method::Peer).to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thread_counts_double_up_to_all_and_once_beyond() {
        assert_eq!(thread_counts(1), [1, 2]);
        assert_eq!(thread_counts(2), [1, 2, 4]);
        assert_eq!(thread_counts(6), [1, 2, 4, 6, 12]);
        assert_eq!(thread_counts(1_024).last(), Some(&1_024));
    }
}
