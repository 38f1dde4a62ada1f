//! Ghosts: copies of other slabs' agents in the halo (the rows around a slab's own rows).
//!
//! A ghost's coordinates are never shifted, even across the seam of a torus, because shifted
//! coordinates would round differently than in the whole crowd. Ghosts arrive in slot order,
//! as contiguous slices of their owners' columns. Slabs send only those columns that agents
//! may read from each other.

use std::ops::Range;

use arrayvec::ArrayVec;

use crate::grid::Grid;
use crate::slab::borders::GhostRows;
use crate::slab::exchange::Outgoing;
use crate::slab::messages::{Column, ColumnMut, GhostColumns, MAX_MESSAGE_COLUMNS};

/// The ghosts that this slab has, and those that other slabs have of its agents.
#[derive(Debug, Default)]
pub(super) struct Halo {
    pub(super) reach: u32,
    pub(super) ghosts: Vec<(GhostRows, Range<usize>)>,
    /// Rows of this slab that other slabs have as ghosts, in ascending order of their users.
    pub(super) ghosted_rows: Vec<GhostRows>,
    /// Slabs that own this slab's ghosts, in ascending order. Each sends the ghosts once per step,
    /// and their positions before each pushing pass.
    pub(super) owners: Vec<usize>,
    pub(super) columns: GhostColumns,
}

impl Halo {
    pub(super) fn outgoing<'a>(
        &self,
        grid: &Grid,
        columns: &[Column<'a>],
    ) -> impl Iterator<Item = Outgoing<'a>> {
        self.ghosted_rows.iter().flat_map(move |shared| {
            let slots = grid.slots_of(&shared.rows);
            columns
                .iter()
                .map(move |column| Outgoing { to: shared.user, piece: column.rows(&slots) })
        })
    }

    /// The owners of ghosts, and how many pieces they send if each row range has `columns` pieces.
    pub(super) fn senders(&self, columns: usize) -> impl Iterator<Item = (usize, usize)> {
        self.owners.iter().map(move |&owner| {
            let shared = self.ghosts.iter().filter(|(shared, _)| shared.owner == owner);
            (owner, columns * shared.count())
        })
    }

    pub(super) fn fill<'a, 'm>(
        &self,
        received: impl Iterator<Item = (usize, &'m [u8])>,
        columns: impl IntoIterator<Item = ColumnMut<'a>>,
    ) {
        let mut columns: ArrayVec<ColumnMut<'a>, MAX_MESSAGE_COLUMNS> =
            columns.into_iter().collect();
        for (from, mut bytes) in received {
            for (_, slots) in self.ghosts.iter().filter(|(shared, _)| shared.owner == from) {
                for column in &mut columns {
                    let rows = column.rows(slots);
                    let values =
                        bytes.split_off(..rows.len()).expect("ghosts are as many as counted");
                    rows.copy_from_slice(values);
                }
            }
        }
    }
}
