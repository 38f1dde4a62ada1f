//! What one would use instead: neighbors within a radius, by the crates that Rust has for it,
//! on identical points. Every call builds the structure anew, as a crowd that moves needs it.
//!
//! All must count the same neighbors and add up the same ways, or no time is worth printing.

mod cell_lists;
mod engine;
mod kd_tree;
mod points;
mod queries;
mod r_tree;
mod search;

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

/// What it is asked for.
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

    /// What is and what is not the same work, by [`WORK`].
    pub fn work(self) -> [&'static str; 4] {
        match self {
            Self::Flockwork => [
                "sort, cells, a batch of agents in lanes at a time",
                "all of its sums: headings, ways and inverse ways",
                "a whole step: sort, all of its sums, separation, limits, locomotion",
                "flocks, and nothing else",
            ],
            Self::Zelll => [
                "sparse hash map of cells",
                "pairs, each once",
                "pairs, each once",
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

/// What [`Peer::work`] tells.
pub const WORK: [&str; 4] =
    ["finds neighbors by", "to count does", "to sum (p − pj) / d² does", "also made for"];

/// What all have in common.
pub const ALIKE: &str = "All: one thread, f32, 2D, exact, no wrap around, built anew for \
     every call; points in cell order, which spares the trees cache misses.";

impl Task {
    pub const ALL: [Self; 2] = [Self::Count, Self::Sum];

    /// The name in reports.
    pub fn id(self) -> &'static str {
        match self {
            Self::Count => "neighbor-count",
            Self::Sum => "neighbor-sum",
        }
    }

    /// The number of neighbors, if it was asked for.
    pub fn run(self, search: &mut dyn Search) -> Option<u64> {
        match self {
            Self::Count => Some(search.count()),
            Self::Sum => {
                search.sum();
                None
            }
        }
    }

    /// An error if the sums, those of the latest call, are not what testing all pairs gives.
    pub fn verify(self, search: &mut dyn Search, points: &Points) -> Result<(), String> {
        const LOOKED_AT: usize = 30;
        if self == Self::Sum {
            for at in (0..points.at.len()).step_by(points.at.len() / LOOKED_AT + 1) {
                let (expected, scale) = brute_sum(points, at);
                let sum = search.sum_at(at).map(f64::from);
                let off = (sum[0] - expected[0]).hypot(sum[1] - expected[1]);
                if off > 1.0e-5 * scale {
                    return Err(format!("adds up {sum:?} at point {at}, all pairs {expected:?}"));
                }
            }
        }
        Ok(())
    }
}
