//! Runs: stretches of consecutive slots that can hold neighbors.

use arrayvec::ArrayVec;

use crate::math::lanes::MAX_WIDTH;
use crate::math::vec2::Vec2;
use crate::world::space::{LOWEST_CELLS, Space};

/// Slots `start..end`, to be swept from positions shifted by `shift`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Run {
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) shift: Vec2<f32>,
    /// The middle of the columns that the slots are in; only with [`Images::X`].
    pub(crate) middle: f32,
}

/// Rows, or columns of a row, that follow one another in the table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stretch {
    pub(super) first: i32,
    pub(super) last: i32,
    /// See [`Run`].
    pub(super) shift: f32,
    pub(super) middle: f32,
}

/// The circle of an agent overlaps at most this many rows of the lowest cells (three of the usual
/// ones), each in at most two stretches, if coordinates are precise enough to tell cells apart.
const MAX_ROWS: usize = (2.0 / LOWEST_CELLS) as usize + 1;
pub(super) const MAX_RUNS: usize = MAX_WIDTH * MAX_ROWS * 2;

/// Which image of its agents a batch sweeps its candidates from.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Images {
    /// That which the shift of the run gives.
    #[default]
    None,
    /// In x, that which is nearest to the middle of the run: of each agent another one.
    X,
    /// That which is nearest to the candidate.
    Both,
}

/// The candidates of a batch: disjoint runs in ascending order.
#[derive(Debug, Default)]
pub(crate) struct Runs {
    /// Whether the runs are those of the current batch.
    pub(crate) known: bool,
    pub(crate) list: ArrayVec<Run, MAX_RUNS>,
    pub(crate) images: Images,
    /// Whether there were more runs than fit, as where rounding errors are larger than cells.
    pub(super) overflowed: bool,
}

impl Runs {
    pub(super) fn begin(&mut self) {
        self.known = true;
        self.list.clear();
        self.images = Images::None;
        self.overflowed = false;
    }

    /// Every slot: all pairs.
    pub(crate) fn set_all(&mut self, agents: usize, space: &Space) {
        self.known = true;
        self.list.clear();
        self.list.push(Run { end: agents as u32, ..Run::default() });
        self.images = if space.is_torus() { Images::Both } else { Images::None };
    }

    /// Whether the runs are disjoint and in ascending order, the canonical order of all sums.
    pub(crate) fn ascend(&self) -> bool {
        self.list.iter().all(|run| run.start < run.end)
            && self.list.windows(2).all(|pair| pair[0].end <= pair[1].start)
    }

    /// How many slots the runs hold.
    pub(crate) fn candidates(&self) -> usize {
        self.list.iter().map(|run| (run.end - run.start) as usize).sum()
    }
}
