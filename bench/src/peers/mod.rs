//! Neighbors within a radius by other Rust crates, on identical points. Every call builds its
//! structure from scratch, as a moving crowd requires.
//!
//! All crates must find the same number of neighbors, or no time is printed.
//!
//! And a whole flock over the fastest of them ([`Flock`]).

mod flock;
mod flock_check;
mod searches;

pub use flock::Flock;
pub use searches::{Points, Search};

/// A crate that finds neighbors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Peer {
    Flockwork,
    Zelll,
    Kiddo,
    Rstar,
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

    pub fn on(self, points: &Points) -> Search<'_> {
        match self {
            Self::Flockwork => searches::flockwork(points),
            Self::Zelll => searches::zelll(points),
            Self::Kiddo => searches::kiddo(points),
            Self::Rstar => searches::rstar(points),
        }
    }
}
