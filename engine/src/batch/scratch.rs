//! Intermediate results that the behaviors of a batch share.

use std::cell::{Cell, RefCell};

use arrayvec::ArrayVec;

use crate::batch::sums::{Computed, NeighborSums, ViewSums};
use crate::batch::trace::Trace;
use crate::crowd::columns::{MAX_COLUMNS, Memory};
use crate::grid::Runs;
use crate::math::aabb::Aabb;
use crate::math::lanes::Lanes;
use crate::scenery::index::Near;

/// Values of `searched` if there are no candidates yet or if all slots are candidates.
pub(super) const NO_SEARCH: usize = 0;
pub(super) const ALL_SLOTS: usize = usize::MAX;

/// Candidates, obstacles and walls near a batch. Each list is filled on first use.
#[derive(Debug, Default)]
pub(crate) struct NearbyCache {
    pub(super) candidates: RefCell<Runs>,
    /// One plus the index of the search that found the candidates; [`NO_SEARCH`] or [`ALL_SLOTS`].
    /// Kinds of agents that share a batch may need different searches.
    pub(super) searched: Cell<usize>,
    pub(super) around: Cell<Option<Aabb>>,
    pub(super) obstacles: RefCell<Near>,
    pub(super) walls: RefCell<Near>,
}

impl NearbyCache {
    pub(crate) fn reset(&mut self) {
        self.searched.set(NO_SEARCH);
        self.around.set(None);
        self.obstacles.get_mut().is_filled = false;
        self.walls.get_mut().is_filled = false;
    }
}

/// Number of views per species whose neighbor sums stay cached while another view is current.
/// With more views, some sums are evicted and must be recomputed.
pub(super) const CACHED_VIEWS: usize = 4;

pub(crate) struct Scratch<L: Lanes> {
    pub(crate) memory: [L; Memory::ALL.len()],
    /// Neighbor sums for the current view, possibly not yet computed. Read them through
    /// [`Batch::neighbor_sums`](crate::batch::Batch::neighbor_sums), which computes them if needed.
    pub(super) current: ViewSums<L>,
    pub(super) cached: [ViewSums<L>; CACHED_VIEWS],
    pub(crate) custom: ArrayVec<L, MAX_COLUMNS>,
    pub(crate) behavior: usize,
    pub(crate) has_wrong_force: bool,
    pub(crate) trace: Option<Trace>,
}

impl<L: Lanes> Scratch<L> {
    #[inline(always)]
    pub(crate) fn new() -> Self {
        let current = ViewSums { view: 0, computed: Computed::Nothing, sums: NeighborSums::none() };
        Self {
            memory: [L::zero(); Memory::ALL.len()],
            current,
            cached: [current; CACHED_VIEWS],
            custom: ArrayVec::new(),
            behavior: 0,
            has_wrong_force: false,
            trace: None,
        }
    }
}
