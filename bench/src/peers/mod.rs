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
mod points;
mod search;
mod trees;

pub use flock::Flock;
pub use points::Points;
use points::brute_sum;
pub use search::Search;
use trees::Queries;

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

    pub fn on(self, points: &Points) -> Box<dyn Search + '_> {
        match self {
            Self::Flockwork => Box::new(engine::Engine::new(points)),
            Self::Zelll => Box::new(cell_lists::CellLists::new(points)),
            Self::Kiddo => Box::new(Queries::new(points, trees::kd_tree)),
            Self::Rstar => Box::new(Queries::new(points, trees::r_tree)),
        }
    }
}

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
