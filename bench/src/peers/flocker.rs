//! Complete flocks by other crates: the steps of workload W's three rules, not only neighbors.

use flockwork::Simulation;

use super::other_flock::OtherFlock;

/// A crate that simulates a whole flock. There is one for each cargo feature that is enabled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flocker {
    #[cfg(feature = "krabmaga")]
    Krabmaga,
}

impl Flocker {
    pub const ALL: &'static [Self] = &[
        #[cfg(feature = "krabmaga")]
        Self::Krabmaga,
    ];

    /// The name in reports.
    pub fn id(self) -> &'static str {
        match self {
            #[cfg(feature = "krabmaga")]
            Self::Krabmaga => "krabmaga",
        }
    }

    /// A flock in the state of a crowd of workload W; `None` for other crowds.
    #[cfg_attr(not(feature = "krabmaga"), expect(unused_variables))]
    pub fn flock(self, crowd: &Simulation) -> Option<Box<dyn OtherFlock>> {
        match self {
            #[cfg(feature = "krabmaga")]
            Self::Krabmaga => super::krabmaga::flock(crowd),
        }
    }
}

/// The columns of the table of what is the same work and what is not.
pub const FLOCK_WORK: [&str; 3] = ["", "flockwork", "krabmaga"];

/// What is the same work for a complete flock and what is not.
pub const FLOCK_ROWS: [[&str; 3]; 9] = [
    ["crowd", "workload W", "the same positions and headings at the start"],
    [
        "neighbors",
        "all in view, across the seam of the torus",
        "its own distance query: none across the seam, and a few at the rim of the view are missed",
    ],
    [
        "structure",
        "rebuilt by a counting sort in every step",
        "a list per cell, refilled in every step",
    ],
    ["separation", "sum of offsets over squared distances", "the same"],
    ["alignment", "mean heading", "the same"],
    ["cohesion", "direction of the mean offset", "the same"],
    ["combination", "prioritized running sum with a force limit", "weighted sum: cheaper"],
    ["motion", "constant speed, wrapping", "the same"],
    [
        "arithmetic",
        "SIMD, one agent per lane, one thread",
        "scalar, one boxed agent after the other from a priority queue, one thread",
    ],
];
