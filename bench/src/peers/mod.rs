//! Neighbors within a radius by other Rust crates, on identical points. Every call builds its
//! structure from scratch, as a moving crowd requires.
//!
//! All crates must find the same number of neighbors and the same sums, or no time is printed.
//!
//! And a whole flock over the fastest of them ([`Flock`]).

mod cell_lists;
mod engine;
mod flock;
mod flock_check;
mod kd_tree;
mod points;
mod queries;
mod r_tree;
mod search;

pub use flock::{FLOCK_ROWS, FLOCK_WORK, Flock};
pub use points::Points;
use points::brute_sum;
use queries::Queries;
pub use search::Search;

/// A crate that finds neighbors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Peer {
    Flockwork,
    Zelll,
    Kiddo,
    Rstar,
}

/// The task of a crate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    Count,
    Sum,
}

impl Peer {
    pub const ALL: [Self; 4] = [Self::Flockwork, Self::Zelll, Self::Kiddo, Self::Rstar];

    /// The name in reports.
    pub fn id(self) -> &'static str {
        match self {
            Self::Flockwork => "flockwork",
            Self::Zelll => "zelll",
            Self::Kiddo => "kiddo",
            Self::Rstar => "rstar",
        }
    }

    /// How a crate works, in the columns of [`WORK`].
    pub fn work(self) -> [&'static str; 4] {
        match self {
            Self::Flockwork => [
                "sort, cells, a batch of agents in lanes at a time",
                "all its sums: headings, offsets and inverse offsets",
                "a whole step: sort, all its sums, separation, limits, locomotion",
                "flocks only",
            ],
            Self::Zelll => [
                "sparse hash map of cells",
                "visits each pair once",
                "visits each pair once",
                "any dimension",
            ],
            Self::Kiddo => [
                "k-d tree, immutable",
                "a query per point",
                "a query per point",
                "nearest neighbors, any dimension",
            ],
            Self::Rstar => [
                "R*-tree, bulk loaded",
                "a query per point",
                "a query per point",
                "nearest neighbors, inserting, any dimension",
            ],
        }
    }

    pub fn on(self, points: &Points) -> Box<dyn Search + '_> {
        match self {
            Self::Flockwork => Box::new(engine::Engine::new(points)),
            Self::Zelll => Box::new(cell_lists::CellLists::new(points)),
            Self::Kiddo => Box::new(Queries::new(points, kd_tree::build)),
            Self::Rstar => Box::new(Queries::new(points, r_tree::build)),
        }
    }
}

/// The columns of [`Peer::work`].
pub const WORK: [&str; 4] = ["finds neighbors by", "to count", "to sum (p − pj) / d²", "made for"];

/// What all crates have in common.
pub const IN_COMMON: &str = "All: one thread, f32, 2D, exact, no wrap-around, structure built from \
     scratch in every call; points in cell order, which saves the trees cache misses.";

impl Task {
    pub const ALL: [Self; 2] = [Self::Count, Self::Sum];

    /// The name in reports.
    pub fn id(self) -> &'static str {
        match self {
            Self::Count => "neighbor-count",
            Self::Sum => "neighbor-sum",
        }
    }

    /// Runs the task once; returns the number of neighbors if that is the task.
    pub fn run(self, search: &mut dyn Search) -> Option<u64> {
        match self {
            Self::Count => Some(search.count()),
            Self::Sum => {
                search.sum();
                None
            }
        }
    }

    /// Fails if the sums of the latest call differ from those over all pairs.
    pub fn verify(self, search: &mut dyn Search, points: &Points) -> Result<(), String> {
        const CHECKED: usize = 30;
        if self == Self::Sum {
            for at in (0..points.at.len()).step_by(points.at.len() / CHECKED + 1) {
                let (expected, scale) = brute_sum(points, at);
                let sum = search.sum_at(at).map(f64::from);
                let off = (sum[0] - expected[0]).hypot(sum[1] - expected[1]);
                if off > 1.0e-5 * scale {
                    return Err(format!(
                        "gets the sum {sum:?} at point {at}, but all pairs {expected:?}"
                    ));
                }
            }
        }
        Ok(())
    }
}
