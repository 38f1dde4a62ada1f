//! What the behaviors of a batch share while they are computed.

use std::cell::{Cell, RefCell};

use arrayvec::ArrayVec;

use crate::batch::notes::Notes;
use crate::crowd::columns::{MAX_COLUMNS, Memory};
use crate::grid::Runs;
use crate::math::aabb::Aabb;
use crate::math::lanes::{Lanes, Mask};
use crate::math::vec2::Vec2;
use crate::scenery::index::Near;

/// The candidates, obstacles and walls of a batch, each found when a behavior first asks.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub(super) candidates: RefCell<Runs>,
    /// The AABB of the agents.
    pub(super) around: Cell<Option<Aabb>>,
    pub(super) obstacles: RefCell<Near>,
    pub(super) walls: RefCell<Near>,
}

impl Found {
    /// Forgets what was found for the previous batch.
    pub(crate) fn forget(&mut self) {
        self.candidates.get_mut().known = false;
        self.around.set(None);
        self.obstacles.get_mut().known = false;
        self.walls.get_mut().known = false;
    }
}

/// Which sums over a batch's neighbors are known.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Known {
    Nothing,
    InverseOffset,
    All,
}

/// The sums over what a batch sees in one view.
#[derive(Clone, Copy)]
pub(super) struct Swept<L> {
    /// The number of the view.
    pub(super) view: usize,
    pub(super) known: Known,
    pub(super) sums: NeighborSums<L>,
}

/// How many views of a species have a place for their sums while another view is the current one.
/// Further views share these places, and are swept again when rules take turns.
pub(super) const PLACES: usize = 4;

/// What the behaviors of a batch share, and what its agents remember.
pub(crate) struct Scratch<L> {
    /// The next value of each [`Memory`].
    pub(crate) memory: [L; Memory::ALL.len()],
    /// Use [`Batch::neighbor_sums`](crate::batch::Batch::neighbor_sums).
    pub(super) swept: Swept<L>,
    /// The sums of views that are not the current one.
    pub(super) kept: [Swept<L>; PLACES],
    /// The next values of the columns that the scene defines.
    pub(crate) own: ArrayVec<L, MAX_COLUMNS>,
    /// The number, in its species, of the behavior that is being computed.
    pub(crate) behavior: usize,
    /// Set once a behavior of another crate returns a force that is not finite.
    pub(crate) has_wrong_force: bool,
    /// What behaviors compute with, if an explanation asks for it.
    pub(crate) notes: Option<Notes>,
}

impl<L: Lanes> Scratch<L> {
    #[inline(always)]
    pub(crate) fn new() -> Self {
        let swept = Swept { view: 0, known: Known::Nothing, sums: NeighborSums::none() };
        Self {
            memory: [L::zero(); Memory::ALL.len()],
            swept,
            kept: [swept; PLACES],
            own: ArrayVec::new(),
            behavior: 0,
            has_wrong_force: false,
            notes: None,
        }
    }
}

/// Sums over the neighbors that each agent of a batch sees.
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct NeighborSums<L> {
    /// The number of neighbors.
    pub count: L,
    /// Σ heading.
    pub heading: Vec2<L>,
    /// Σ (pj − p), the ways to the neighbors.
    pub offset: Vec2<L>,
    /// Σ (pj − p) / |pj − p|².
    pub inverse_offset: Vec2<L>,
}

impl<L: Lanes> NeighborSums<L> {
    #[inline(always)]
    fn none() -> Self {
        let (count, none) = (L::zero(), Vec2::zero());
        Self { count, heading: none, offset: none, inverse_offset: none }
    }

    /// The agents that have a neighbor.
    #[inline(always)]
    pub fn any(&self) -> Mask<L> {
        self.count.gt(L::zero())
    }
}
