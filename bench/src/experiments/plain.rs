//! The plain flock, varied in one thing at a time: its size, the loops that step it, its density, the
//! height of its cells, the threads, the instructions, and the crate that finds its neighbors.

use flockwork::Scene;
use flockwork::cpu::Level;

use super::group::{Case, Group, Question, Way, workload};
use super::{CELL_SIZE, DENSITY, LADDER, LEVELS, NEIGHBOR_COUNT, SCALING, THREADS};
use crate::failure::Failure;
use crate::method::Method;
use crate::options::Request;
use crate::peers::{Flock, Peer};
use crate::rungs::Rung;

type Groups = Result<Vec<Group>, Failure>;

/// The ways that use cells.
pub(super) const CELLS: [Method; 3] = [Method::CellsScalar, Method::CellsSimd, Method::CellsSimdMt];

fn usual(request: &Request, n: usize) -> Result<Scene, Failure> {
    workload(n, request.mean_neighbors, request.seed)
}

/// All pairs and cells, scalar and SIMD, one thread and all threads. And a flock over the fastest
/// search of other crates.
pub(super) fn scaling(request: &Request) -> Groups {
    // Dense where cells overtake all pairs.
    let quick = [8, 32, 100, 316, 1_000, 10_000, 100_000, 1_000_000];
    let full = [
        8, 16, 32, 64, 100, 160, 316, 1_000, 2_000, 4_000, 10_000, 31_623, 100_000, 316_228,
        1_000_000,
    ];
    let flock = Case::new(Flock::ID, Way::Flock, 1);
    let cases = [Case::all(&Method::ALL, &request.threads()), vec![flock]].concat();
    let group = |n: usize| Ok(Group::new(SCALING, n, n as f64, usual(request, n)?, cases.clone()));
    request.sizes(&quick, &full).into_iter().map(group).collect()
}

/// The ladder of ideas: the same steps of the same crowd, from the book's loops to the engine's. The
/// book's cells come with its array of structs, the counting sort with columns.
pub(super) fn ladder(request: &Request) -> Groups {
    let book = Rung::ALL.map(|rung| Case::new(rung.id(), Way::Rung(rung), 1)).to_vec();
    let cases = [book, Case::all(&CELLS, &request.threads())].concat();
    let over = |slow: &Case, fast: &Case| {
        let words = format!("{} over {}", fast.method, slow.method);
        Question::new(words, &slow.method, &fast.method)
    };
    let whole = cases.first().zip(cases.last()).map(|(first, last)| over(first, last));
    let rungs = cases.windows(2).map(|pair| over(&pair[0], &pair[1]));
    let questions: Vec<Question> = whole.into_iter().chain(rungs).collect();
    let group = |n: usize| {
        let group = Group::new(LADDER, n, n as f64, usual(request, n)?, cases.clone());
        Ok(Group { questions: questions.clone(), ..group })
    };
    request.sizes(&[1_000, 10_000], &[1_000, 10_000, 30_000]).into_iter().map(group).collect()
}

pub(super) fn density(request: &Request) -> Groups {
    let groups = sweep(request, DENSITY, [4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0], |n, x| {
        Ok((format!("{n} agents, {x} neighbors"), workload(n, x, request.seed)?))
    })?;
    // Steps of dense crowds are long.
    Ok(groups.into_iter().map(|group| Group { steps: 1, ..group }).collect())
}

/// Low cells fit the circle of view better, high cells are fewer to visit. Heights are in view
/// distances; the engine's own choice here is 1. Each adds up neighbors in its own order and so has
/// its own state hash, which all ways to compute it must reach.
pub(super) fn cell_size(request: &Request) -> Groups {
    sweep(request, CELL_SIZE, [0.25, 0.5, 1.0, 2.0, 4.0, 8.0], |n, x| {
        let scene = Scene { cell_size: Some(x), ..usual(request, n)? };
        Ok((format!("{n} agents, cells of {x}"), scene))
    })
}

/// Crowds that differ in one number, with all ways that use cells; `crowd` names and makes them.
fn sweep<const N: usize>(
    request: &Request,
    experiment: &'static str,
    numbers: [f32; N],
    crowd: impl Fn(usize, f32) -> Result<(String, Scene), Failure>,
) -> Groups {
    let cases = Case::all(&CELLS, &request.threads());
    let group = |(n, x): (usize, f32)| {
        let (point, scene) = crowd(n, x)?;
        Ok(Group::new(experiment, point, f64::from(x), scene, cases.clone()))
    };
    let sizes = request.sizes(&[20_000], &[100_000]).into_iter();
    sizes.flat_map(|n| numbers.map(|x| (n, x))).map(group).collect()
}

/// All thread counts of a crowd form one group, so that they are measured in turns.
pub(super) fn threads(request: &Request) -> Groups {
    let mut counts = match &*request.threads() {
        [all] => thread_counts(*all),
        several => several.to_vec(),
    };
    counts.retain(|count| *count > 1);
    let one = Case::of(Method::CellsSimd, 1);
    let cases = [vec![one], Case::all(&[Method::CellsSimdMt], &counts)].concat();
    let group = |n: usize| Ok(Group::new(THREADS, n, n as f64, usual(request, n)?, cases.clone()));
    let (quick, full) = ([10_000, 100_000], [10_000, 100_000, 1_000_000]);
    request.sizes(&quick, &full).into_iter().map(group).collect()
}

/// Powers of two, the requested number, and twice that, to show the cost of too many.
fn thread_counts(all: usize) -> Vec<usize> {
    let powers = std::iter::successors(Some(1), |count| Some(2 * count));
    let mut counts: Vec<usize> = powers.take_while(|&count| count < all).collect();
    counts.extend([all, (2 * all).min(1_024)]);
    counts.dedup();
    counts
}

/// Every level that the processor has, in one group.
pub(super) fn levels(request: &Request) -> Groups {
    let kernels =
        Level::available().map(|level| Case::new(level_name(level), Way::Level(level), 1));
    let scalar = std::iter::once(Case::of(Method::CellsScalar, 1));
    let cases: Vec<Case> = scalar.chain(kernels).collect();
    let own = level_name(Level::used_or_found());
    let group = |n: usize| {
        let group = Group::new(LEVELS, n, n as f64, usual(request, n)?, cases.clone());
        Ok(group.asking_how_fast(&own))
    };
    request.sizes(&[10_000], &[100_000]).into_iter().map(group).collect()
}

/// The name of a level in reports: `avx2, 8 lanes`.
pub(crate) fn level_name(level: Level) -> String {
    format!("{level}, {} lanes", level.lanes())
}

/// Other crates that find neighbors, on the same points as the engine.
pub(super) fn peers(request: &Request) -> Groups {
    let cases = Peer::ALL.map(|peer| Case::new(peer.id(), Way::Peer(peer), 1)).to_vec();
    let group = |n: usize| {
        let group = Group::new(NEIGHBOR_COUNT, n, n as f64, usual(request, n)?, cases.clone());
        // Every call starts from scratch.
        Ok(Group { steps: 1, ..group }.asking_how_fast(Peer::Flockwork.id()))
    };
    request.sizes(&[10_000], &[10_000, 100_000]).into_iter().map(group).collect()
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
